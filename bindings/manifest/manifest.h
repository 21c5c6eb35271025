// Manifests: Kueue YAML (or JSON) text in, the engine's plain objects out, every mistake with its
// place.
//
// Knows Kueue v1beta1 and v1beta2, batch/v1 Job, the core kinds the engine uses, and Muster's own
// kinds. Pure functions over text: no files, no clock. yaml-cpp does not leave this folder.
#ifndef MUSTER_BINDINGS_MANIFEST_MANIFEST_H_
#define MUSTER_BINDINGS_MANIFEST_MANIFEST_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/time_text.h"
#include "muster/command.h"
#include "muster/engine.h"
#include "muster/object.h"
#include "muster/status.h"
#include "muster/types.h"

namespace muster::manifest {

/// A position in an input text; line and column count from 1, 0 when unknown.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  bool operator==(const Place&) const = default;
};

enum class Severity { kError, kWarning };

struct Diagnostic {
  Severity severity = Severity::kError;
  Place place;
  std::string what;
  std::string cure;  ///< may be empty
  /// An error that is none where an engine has a workload of one of these names: see Settle.
  std::vector<Key> unless = {};
  /// "file:line:column: what; cure" ("warning: " before what for a warning).
  std::string ToString() const;
};

struct Source {
  std::string name;  ///< as shown in messages
  std::string text;
};

/// A pod that was given, and where it says what it may not change.
struct GivenPod {
  std::string name;
  std::string group_field;     ///< "metadata.labels[kueue.x-k8s.io/pod-group-name]"
  Place group;                 ///< of that field
  Place retriable;             ///< of its annotation retriable-in-group
  bool not_retriable = false;  ///< by that annotation
};

/// What a workload was made of, beside what it says itself.
struct JobOrigin {
  std::string uid;               ///< of the object; empty: it has none
  std::string name_without_uid;  ///< of the workload, had the object been read without its uid
  std::vector<std::string> lost_pods = {};  ///< of a group: pods that fill no place of it any more
  std::vector<GivenPod> pods = {};          ///< of a Pod or a group of them
  std::optional<Place> scales_itself = {};  ///< of an elastic Ray cluster: where it says so
  std::string kind = {};                    ///< of the object
  bool lacks_cluster = false;      ///< of a Ray job that scales itself, its cluster was not given
  std::int64_t replicas_left = 0;  ///< of a StatefulSet: by its status
};

/// An object that has a workload for each of its replicas, or none while it is scaled to nothing:
/// those that it has no more are to wait.
struct ScaledObject {
  std::string kind;  ///< StatefulSet, LeaderWorkerSet, Deployment or ReplicaSet
  Key key;
  std::string uid;            ///< empty: it has none
  std::int64_t replicas = 0;  ///< that have a workload
  Place place;                ///< of its replicas
  Place name;                 ///< of its name
};

/// What is not yet said of objects that were made of jobs: it depends on what an engine has.
struct OpenJobs {
  std::map<Key, JobOrigin> origins;     ///< of the workloads that were made of objects
  std::vector<Diagnostic> diagnostics;  ///< that an engine may take back
  std::vector<Place> names;             ///< of the objects, where that is known
  std::vector<ScaledObject> scaled;
};

/// One step of a Scenario: commands at a time, and what must come of them.
///
/// Two of them speak of what there is when they are done: Finish of those that hold quota then, and
/// Evicted, which names none, of all that are told to leave. An answer to a check is left alone
/// where the workload has ended, is inactive or on its way out.
struct Step {
  DurationNs after = 0;                       ///< how much later than the step before
  std::vector<Command> commands;              ///< in this order
  std::map<std::size_t, OpenJobs> jobs = {};  ///< by command, which is an Apply: see SettleStep
  int times = 1;                              ///< how often they are given
  std::string refused;             ///< one must be refused, and this be said; empty: none
  bool expects_workloads = false;  ///< `expect` has a part `workloads`
  std::string expect_json;         ///< `expect:` of a cycle step as JSON text; empty: none
  Place expect_place;              ///< of the key `expect`
  Place place;
};

struct Scenario {
  std::string name;  ///< metadata.name, may be empty
  TimeNs now = kNoTime;
  std::vector<Step> steps;
  std::set<Key> arrivals;  ///< workloads that a `submit` step brings: not there before it
  Place place;
};

/// A namespace ResourceQuota; only `validate` looks at it.
struct NamespaceQuota {
  Key key;
  ResourceList hard;
  Place place;
};

/// Fields as "KIND PATH", for example "ClusterQueue spec.resourceGroups[].flavors".
using FieldLog = std::set<std::string>;

struct ParseOptions {
  bool allow_unlabeled = false;  ///< Jobs without a queue-name label: warning, not error
  /// What Kueue decides by and nothing here does is a mistake; else a warning, for recorded cases.
  bool refuse_unread = false;
  std::set<std::string> ignore_kinds;  ///< foreign kinds to skip silently
  FieldLog* fields = nullptr;          ///< gains every field that a mapping of the texts may have
  /// What an engine has, beside what stands in the texts, that decides which jobs are queued where:
  /// its Configuration, Namespaces, LocalQueues `default`.
  std::vector<Object> around;
};

/// Texts with objects of job kinds. They are read again by Settle where an engine has around them
/// what decides otherwise.
struct ReadAgain {
  std::vector<Source> sources;
  ParseOptions options;
  std::set<std::string> namespaces = {};     ///< of all of them
  std::set<std::string> without_queue = {};  ///< of those that name no queue
};

/// All documents of one call.
class Manifests {
 public:
  std::vector<Object> objects;       ///< in file order; a Job has become a Workload
  std::vector<Object> left_out;      ///< those with mistakes, as far as they could be read
  bool all_named = true;             ///< false: a name may be missing where text is wrong
  std::set<std::string> unread;      ///< names of documents of which it is not known what they are
  std::map<Key, JobOrigin> origins;  ///< by workload, of those that were made of objects
  std::vector<ScaledObject> scaled;
  /// By Settle: workloads whose replicas are gone are held back, and return with them, once
  /// `objects` are applied: see Follow.
  std::vector<WorkloadUpdate> updates;
  std::optional<Scenario> scenario;
  std::vector<NamespaceQuota> namespace_quotas;
  std::vector<Diagnostic> diagnostics;  ///< errors and warnings, in file order
  /// Null without objects of job kinds. Where some name no queue no mistake is certain before
  /// Settle.
  std::shared_ptr<const ReadAgain> again;

  bool HasErrors() const;
  /// Where `field` ("spec.resourceGroups[0].name", as in muster::Problem) of objects[i] stands, or
  /// the nearest existing parent of it; indices go on in left_out. The path is v1beta2's also for a
  /// document in v1beta1 and for a Job. An unknown place for an index that is none.
  Place PlaceOf(std::size_t object, std::string_view field) const;

  struct Index;
  std::shared_ptr<const Index> index;  ///< kept for PlaceOf
};

/// Parses everything, collecting all mistakes; never throws. A Job becomes a Workload `job-NAME`.
/// Objects with errors are left out of `objects`. Reported here: syntax, encoding, unknown fields,
/// types, words, quantities, names, duplicates. Limits, counts and references are the engine's
/// (Engine::Validate, then Locate). O(bytes); memory is bounded by limits.h.
Manifests Parse(std::span<const Source> sources, const ParseOptions& options = {});

class GroupsByPod;
class NamesByUid;

/// Brings jobs together with what `engine` knows of them, before they are applied: its
/// Configuration and default queues say which objects are queued, for which the texts may be read
/// again; a workload whose object was submitted before it had a uid keeps the name it had then;
/// pods join a group that waits for its total; children of a known owner are skipped, with a
/// warning, where else an error stands; what an object may not change is an error; workloads of
/// replicas that an object has no more are held back by `read->updates`. Adds what is wrong to
/// `read->diagnostics`. O(objects).
///
/// The workload of an object that was imported, and is written without its uid, is found among the
/// `names` of the engine. Null: it is not, for where none are kept that costs O(workloads of the
/// namespace).
void Settle(const Engine& engine, Manifests* read, NamesByUid* names = nullptr);

/// What Settle has found to be done after what was read is applied. A workload that it sets active
/// again is no longer unchanged in `applied`, the outcomes of `read.objects`.
Status Follow(Engine* engine, const Manifests& read, TimeNs now,
              std::vector<Applied>* applied = nullptr);

/// The workloads that Settle would ask an engine for, but for the later slices of elastic ones.
std::set<Key> AskedBySettle(const Manifests& read);

/// The LocalQueues that it would ask for.
std::set<Key> QueuesAskedBySettle(const Manifests& read);

/// The same for what a step applies, when it comes to it; `groups` are those of the engine that
/// takes all steps. kInvalidArgument with what is wrong.
Status SettleStep(const Engine& engine, const OpenJobs& jobs, GroupsByPod* groups,
                  command::Apply* apply, std::vector<WorkloadUpdate>* updates);

/// The engine's problems about `manifests.objects`, as diagnostics with places.
std::vector<Diagnostic> Locate(const Manifests& manifests, std::span<const Problem> problems,
                               Severity severity = Severity::kError);

/// `object` as Kueue v1beta2 YAML in block style (or JSON in one line), with its status where it
/// has one. Parse reads the same object back.
std::string ToYaml(const Object& object);
std::string ToJson(const Object& object);

/// Reads a list of podSetUpdates, as an admission check has them in a Workload's status.
std::vector<Diagnostic> ParsePodSetUpdates(const Source& source, std::vector<PodSetUpdate>* out);

using muster::FormatTime;
/// RFC 3339, with a zone: "2026-01-01T12:00:00Z", "2026-01-01T13:00:00.5+01:00".
std::optional<TimeNs> ParseTime(std::string_view text);
/// The whole days that a TimeNs can tell.
inline constexpr std::string_view kTimeRange = "from 1677-09-22 to 2262-04-11";
/// What to write instead of `text`, which ParseTime does not read: `form` or, where it has that, a
/// time within kTimeRange.
std::string TimeCure(std::string_view text, std::string_view form);
/// Go durations ("1h30m", "600s", "1.5h", "250ms") and whole days ("7d").
std::optional<DurationNs> ParseDuration(std::string_view text);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_MANIFEST_H_
