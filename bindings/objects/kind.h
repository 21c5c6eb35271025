// One row of the table of job kinds: how an object of the kind becomes podsets, what its status
// says, where a start writes, and which rules it must keep.
//
// kinds.cc has the table; the functions stand in one file a kind, or a family of kinds.
#ifndef MUSTER_BINDINGS_OBJECTS_KIND_H_
#define MUSTER_BINDINGS_OBJECTS_KIND_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/objects/setting.h"
#include "bindings/objects/value.h"

namespace muster::objects {

/// A line of these sources. (std::source_location is not for every clang.)
struct Line {
  const char* file = "";
  int number = 0;
  /// The line that calls this, or a function that has it as default argument.
  static constexpr Line Here(const char* file = __builtin_FILE(), int number = __builtin_LINE()) {
    return {file, number};
  }
};

/// A mistake at a field, in the words of the Kubernetes API.
struct FieldError {
  std::string type;   ///< FieldValueInvalid, ...; Other: of no field
  std::string field;  ///< "spec.replicatedJobs[0].template"
  std::string what;   ///< in plain words
  std::string cure;
  Line rule = {};  ///< says so; tests ask whether each has a case
};
using FieldErrors = std::vector<FieldError>;

struct JobPodSet {
  std::string name;
  std::int64_t count = 1;
  std::optional<std::int64_t> min_count;
  Value pod_template;  ///< {metadata, spec}, as the workload holds it
  ValuePath place;     ///< of the template in the object; empty: made from other fields
  /// The part of a topology request that the kind adds; a map without entries for none.
  Value topology_labels = Value::Map();
  Value topology;     ///< the request, null for none; filled by BuildPodSets
  std::string field;  ///< of the template's metadata, as mistakes name it
};

struct JobPodSets {
  std::vector<JobPodSet> sets;
  std::string error = {};  ///< why there are none; empty: all is well
  std::string field = {};  ///< where that stands, when it is known
  Value mark = {};         ///< the text of an annotation that cannot be read; else null
};

/// What the object's own status says.
struct JobStatus {
  bool finished = false;
  bool success = false;  ///< only when finished
  bool pods_ready = false;
  bool active = false;
  /// Pods of it may hold places on nodes though Kueue does not count it as active.
  bool pods_run = false;
  bool active_is_of_spec = false;  ///< so it is known of an object without status
  std::string on_hold = {};        ///< what of it says that the object cannot run as it is
  struct Reclaimable {
    std::string name;
    std::int64_t count = 0;
  };
  std::optional<std::vector<Reclaimable>> reclaimable;  ///< nullopt: the kind tells none
};

/// What is written into the pods of one podset when they may start.
struct StartInfo {
  std::string pod_set;
  std::int64_t count = 0;
  Value labels = Value::Map();
  Value annotations = Value::Map();
  Value node_selector = Value::Map();
  Value tolerations = Value::List();
  Value gates = Value::List();
};

struct KindRow {
  std::string_view framework;
  std::string_view group;
  std::string_view version;
  std::string_view kind;
  /// Of the field that holds the job back; empty: its pods are held back by gates.
  ValuePath suspend;
  /// A false `suspend` is not written out.
  bool suspend_is_omitted = false;
  ValuePath managed_by;          ///< empty: the kind has none
  std::string_view own_manager;  ///< its own controller in that field
  bool can_be_elastic = false;
  bool takes_prebuilt = true;
  /// Rules about the topology in the podsets hide behind an error in building them.
  bool build_error_hides = false;
  /// Such an error refuses the object where those rules find nothing.
  bool build_error_refuses = false;
  bool checks_topology = true;
  bool topology_count_is_bound = true;  ///< slices are at most as large as the podset
  bool checks_groups = false;           ///< of podsets that are placed together
  bool template_is_spec = false;     ///< the workload keeps no labels and annotations of the pods
  bool checks_again = true;          ///< all rules of creation on an update, too
  bool update_checks_again = false;  ///< check_update holds what check_create says of a change
  bool only_with_queue = false;      ///< its own rules hold for queued objects only
  /// It is not held back itself, its pods are: Deployment, StatefulSet, LeaderWorkerSet.
  bool through_pods = false;
  /// By a user (declared.h), maybe under the name of a kind in the table.
  bool is_declared = false;

  /// What the API server fills in.
  void (*fill)(Value& object) = nullptr;
  std::function<JobPodSets(const Value& object, const Setting& setting)> pod_sets;
  /// Empty: by the field `suspend`.
  bool (*is_suspended)(const Value& object) = nullptr;
  /// Whether it runs on what another object has made, and so asks for nothing; null: never.
  bool (*runs_elsewhere)(const Value& object) = nullptr;
  /// Whether its own rules of creation are all that hold for it; null: never.
  bool (*checks_alone)(const Value& object) = nullptr;
  std::function<JobStatus(const Value& object, const Setting& setting)> status;
  /// What the kind's webhook changes besides queue, class and suspension.
  void (*prepare)(Value& object, const Setting& setting, bool is_queued) = nullptr;
  /// The class named by rules of its own; empty: the first podset's decides.
  std::function<std::string(const Value& object)> priority_class;
  std::function<void(const Value& object, const Setting& setting, FieldErrors* errors)>
      check_create;
  void (*check_update)(const Value& before, const Value& after, const Setting& setting,
                       FieldErrors* errors) = nullptr;
  /// Whether what a start writes into is gone; it fails then, and is tried again. Null: never.
  bool (*lacks)(const Value& object) = nullptr;
  /// Writes what is injected; empty: into the templates at `place`. An answer is a conflict.
  std::function<std::string(Value& object, const JobPodSets& sets,
                            std::span<const StartInfo> infos)>
      start;
  /// Takes it back, to what `sets` held before the start.
  void (*stop)(Value& object, const JobPodSets& sets) = nullptr;

  /// Whether it is that kind of the table.
  bool Is(std::string_view name) const { return kind == name && !is_declared; }
};

/// Null when it is no job kind of the table.
const KindRow* FindKindRow(std::string_view api_version, std::string_view kind);
/// The same, and those that `setting` has declared.
const KindRow* FindKindRow(std::string_view api_version, std::string_view kind,
                           const Setting& setting);
/// "batch" of "batch/v1"; empty of "v1".
std::string_view GroupOfVersion(std::string_view api_version);
const KindRow* FindKindRow(const Value& object);
std::span<const KindRow> KindTable();

/// Writes into an elastic RayJob or RayService which generation its live cluster is of; answers
/// whether that changed the object.
bool FollowCluster(const KindRow& row, Value& object, const Setting& setting);

/// Whether it is a Ray cluster that changes its own size while it runs.
bool ScalesItself(const Value& object);

/// Whether its counts are those of the cluster that it has made, which `setting` has not: of an
/// elastic RayJob or RayService that scales itself.
bool LacksCluster(const Value& object, const Setting& setting);

bool IsSuspended(const KindRow& row, const Value& object);
bool IsElastic(const KindRow& row, const Value& object, const Setting& setting);

/// The podsets with names in lower case, repeated environment names collapsed, and topology
/// requests.
JobPodSets BuildPodSets(const KindRow& row, const Value& object, const Setting& setting);

}  // namespace muster::objects

#endif  // MUSTER_BINDINGS_OBJECTS_KIND_H_
