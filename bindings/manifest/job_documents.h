// JobDocuments: the documents of job kinds, kept until all are read, and the workloads made of
// them.
//
// A TrainJob needs its runtime, a pod the others of its group, a child its owner. What comes out
// are documents of kind Workload, whose parts stand where they stood in the job, so that mistakes
// in them are reported there. A Job alone is read by DecodeJob.
#ifndef MUSTER_BINDINGS_MANIFEST_JOB_DOCUMENTS_H_
#define MUSTER_BINDINGS_MANIFEST_JOB_DOCUMENTS_H_

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bindings/manifest/declared_kinds.h"
#include "bindings/manifest/inference_pool.h"
#include "bindings/manifest/value.h"
#include "bindings/manifest/yaml_node.h"
#include "bindings/objects/setting.h"
#include "bindings/objects/workload.h"

namespace muster::manifest {

/// Of a kind that makes a workload for each of its replicas.
inline constexpr std::int64_t kMostReplicas = 10'000;

struct MadeDocument {
  const YamlNode* node = nullptr;  ///< a Workload, or a Job that has no queued owner
  std::size_t source = 0;
  std::string file;
  Key workload = {};        ///< that it becomes; empty of a Job that is read elsewhere
  std::string object = {};  ///< that makes it: JobSet "train"; empty as above
  JobOrigin origin = {};
};

class JobDocuments {
 public:
  /// Whether a Pod or a Job is to be kept: pods that wait in a queue, Jobs that have an owner.
  static bool Takes(const YamlNode& node);

  /// `declared` is the kind of an object that a JobKind tells of, null for a built-in one.
  void Add(const YamlNode& node, std::size_t source, const std::string& file,
           const DeclaredKinds::Declared* declared);
  /// Whether it is a pod of a group that has failed on a node. It counts where pods of its group
  /// are kept, one of which may be its replacement.
  static bool IsLost(const YamlNode& node);
  /// Leaves out, with a warning, a pod of a queue that is on a node already: the workload that it
  /// was started for has its quota. Answers whether it is one.
  static bool WarnOfBound(const YamlNode& node, Reporter& reporter);
  void AddLost(const YamlNode& node, std::size_t source, const std::string& file);
  /// A Job that is read elsewhere and may own what is kept.
  void AddOwner(const YamlNode& node) { owners_.push_back(&node); }
  /// Makes everything and forgets it; `around` has what is declared and configured. O(documents),
  /// many of them by several threads; pods of a group are compared with each other.
  std::vector<MadeDocument> Make(const ParseOptions& options, const objects::Setting& around,
                                 Reporter& reporter, YamlArena& arena);
  /// Of what Make has made, the objects that may have fewer replicas than they had.
  std::vector<ScaledObject> TakeScaled() { return std::move(scaled_); }

 private:
  struct Document {
    const YamlNode* node = nullptr;
    std::size_t source = 0;
    std::string file;
    const DeclaredKinds::Declared* declared_by = nullptr;
    bool is_lost = false;
    bool is_asked_for = false;  ///< while others are made
    // The rest is filled in by ReadPlain.
    objects::Value object = {};             ///< forgotten when it is made, unless it is asked for
    const objects::KindRow* row = nullptr;  ///< null: it only surrounds the others
    const objects::DeclaredKind* declared = nullptr;
  };
  /// Pods, by namespace and name of their group.
  using Groups = std::map<std::pair<std::string, std::string>, std::vector<const Document*>>;
  /// What a thread makes of some of the documents, with a reporter and an arena of its own.
  struct Making;

  static void ReadPlain(Document& document);
  /// Marks what others may ask for: what surrounds jobs, owners, and clusters that jobs run on.
  /// Answers whether a document has owners.
  bool MarkAskedFor();
  /// Reads `document` if that is not done, and makes what it alone decides; a pod of a group is
  /// kept for MakeGroup.
  void MakeOrGather(Document& document, Making& making) const;
  static void ReportInTwoGroups(const Groups& groups, Making& making);
  /// Leaves the pods in the order of their names.
  void MakeGroup(std::vector<const Document*>& pods, Making& making) const;

  /// Whether the owners have to say what becomes of it; they are told of then.
  bool IsOwners(const Document& document, Making& making) const;
  void MakeOne(const Document& document, Making& making) const;
  void MakeReplicas(const Document& document, Making& making) const;
  /// Of one that has pods that have not failed.
  void MakeLivingGroup(const std::vector<const Document*>& given_pods, Making& making) const;
  bool IsRight(const Document& document, Making& making) const;
  /// Reports objects of one name that others may ask for: which of them is meant would depend on
  /// their order.
  void ReportTwice(Reporter& reporter) const;
  /// Looks for the pods of each InferencePool.
  void CheckPools(const PodLabels& pods, Making& making) const;

  std::deque<Document> documents_;
  std::vector<const YamlNode*> owners_;
  std::vector<ScaledObject> scaled_;
};

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_JOB_DOCUMENTS_H_
