// Applier: puts validated objects into the world, and does what their change calls for.
//
// Method: objects are stored one by one, in order; what follows from them (a new quota forest,
// woken trees, queues to fill or empty) is collected and done once at the end, so that a call's
// cost follows what it changed and its result does not depend on intermediate states.
#ifndef MUSTER_ENGINE_COMMAND_APPLIER_H_
#define MUSTER_ENGINE_COMMAND_APPLIER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/codec/written_memory.h"
#include "engine/model/kinds.h"
#include "engine/nodes/node_failures.h"
#include "engine/policy/policy_table.h"
#include "engine/state/forest.h"
#include "engine/state/world.h"
#include "muster/engine.h"
#include "muster/object.h"

namespace muster {

/// What is known already of a workload that is new and without a mistake.
struct Understood {
  const LocalQueueState* queue = nullptr;  ///< where it waits
  Shared<Series> series;                   ///< its own, if one is known
};

class Applier {
 public:
  explicit Applier(World& world) : world_(world), first_arrival_(world.next_sequence) {}

  /// Stores one object; every Apply must be followed by one Finish in the end.
  Applied Apply(const Object& object);
  /// The same for a workload of which that is known.
  Applied Submit(const Workload& workload, Understood understood);
  /// Does everything that the applied objects call for. Once, as the last call.
  void Finish();
  /// Has the policies told what their answers follow from and has changed. After Finish.
  void RefreshPolicies(PolicyTable& policies);

 private:
  struct Newcomer {
    WorkloadId id;
    bool resolved = false;  ///< its queues are
    bool is_new = false;    ///< it was not known before this call
    bool shrinks = false;   ///< it holds quota, and gives some of its pods up
  };

  /// Of a kind that has a table in the catalog.
  template <typename Spec>
  Applied Store(const Spec& spec);
  Applied Store(const ClusterQueue& queue);
  Applied Store(const Cohort& cohort);
  Applied Store(const LocalQueue& queue);
  Applied Store(const Workload& workload);
  /// The same for one whose series may be known, null: it is not; `queue` as KeepWorkload has it.
  Applied Store(const Workload& workload, Shared<Series> known, const Text& queue);
  /// A workload that exists: what the submitter may change takes effect, its status stays.
  Applied Resubmit(WorkloadRecord& existing, const Workload& spec);
  /// What runs of the job of which `slice` waits gets its class: the job has one.
  void FollowClass(const Workload& slice);
  Applied Store(const ResourceFlavor& flavor);
  Applied Store(const Namespace& ns);
  /// The same where what was before the call is kept in `before`.
  template <typename Spec, typename Table, typename Before>
  Applied StoreNoting(const Spec& spec, Table& table, Before& before);
  Applied Store(const Node& node);
  Applied Store(const Pod& pod);
  Applied Store(const Configuration& config);
  Applied Store(const EngineConfiguration& config);

  void MarkStale(Stale stale, const Key& key);
  void TouchTreeOf(const std::string& cohort);
  void TouchTree(QueueId queue);
  void AdmitNewcomer(const Newcomer& newcomer);
  /// It holds less now, which others may want.
  void NoteShrunk(const WorkloadRecord& workload);
  void NameNewcomersOnce();

  // ---- parts of Finish (applier_finish.cc)
  // -------------------------------------------------------
  void SyncLocalQueue(LocalQueueState& queue);
  /// Workloads with a reservation in a queue that exists now are charged.
  void ChargeReturned();
  void ResolveStaleRequests();
  void UpdateForest();
  /// All queues of the trees that were touched are.
  void TouchQueuesOfTrees();
  /// What was remembered of flavors in the trees that were touched is out of date.
  void NoteRequoted();
  void WakeBySelectors();
  /// Second passes of newcomers, and what follows from nodes.
  void FollowPlaces();
  void NoteStops();

  /// A Namespace whose labels changed, and what they were; unset: it is new.
  struct Relabeled {
    std::string name;
    std::optional<LabelMap> before;
  };

  World& world_;
  bool policies_stale_ = false;             ///< what policies are asked anywhere changed
  bool places_stale_ = false;               ///< where pods can be did
  ChangedNodes changed_nodes_;              ///< and pods outside
  bool forest_stale_ = false;               ///< nodes or pairs of a tree changed
  bool everything_stale_ = false;           ///< what all queues derive from the catalog changed
  ForestChange refill_;                     ///< where numbers alone changed; may repeat
  std::set<std::string> flavors_;           ///< created or changed
  bool boosts_stale_ = false;               ///< the feature gate of boosts was opened or closed
  bool charges_stale_ = false;              ///< what counts in queues of variants changed
  bool limits_stale_ = false;               ///< time limits of workloads must be computed anew
  bool requests_stale_ = false;             ///< requests of all workloads must be recomputed
  std::set<std::string> stale_in_;          ///< or of those in these namespaces
  bool queues_created_ = false;             ///< a ClusterQueue was
  std::vector<QueueId> respecified_;        ///< queues that are new or have another spec
  std::vector<QueueId> touched_;            ///< queues whose tree or quota changed; may repeat
  std::set<std::uint32_t> touched_trees_;   ///< old trees that changed
  std::set<std::string> requoted_cohorts_;  ///< with another parent or other resource groups
  std::set<std::string> wake_cohorts_;      ///< cohorts whose (new) tree wakes
  std::set<QueueId> checks_changed_;        ///< queues that ask for other admission checks
  std::set<QueueId> stops_changed_;         ///< queues with another stopPolicy
  std::set<LocalQueueId> local_queues_;     ///< created or changed
  std::vector<Relabeled> relabeled_;
  std::vector<Newcomer> newcomers_;  ///< in order
  std::int64_t first_arrival_;       ///< of the workloads that come in this call
  bool several_times_ = false;       ///< a workload stands among the newcomers more than once
  WrittenMemory written_;            ///< of their events
};

}  // namespace muster

#endif  // MUSTER_ENGINE_COMMAND_APPLIER_H_
