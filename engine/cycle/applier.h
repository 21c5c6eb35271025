// Applier: puts validated objects into the world, and does what their change calls for.
//
// Method: objects are stored one by one, in order; what follows from them (a new quota forest,
// woken trees, queues to fill or empty) is collected and done once at the end, so that a call's
// cost follows what it changed and its result does not depend on intermediate states.
#ifndef MUSTER_ENGINE_CYCLE_APPLIER_H_
#define MUSTER_ENGINE_CYCLE_APPLIER_H_

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "engine/model/written_memory.h"
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
  explicit Applier(World& world) : world_(world) {}

  /// Stores one object; every Apply must be followed by one Finish in the end.
  Applied Apply(const Object& object);
  /// The same for a workload of which that is known.
  Applied Submit(const Workload& workload, Understood understood);
  /// Does everything that the applied objects call for. Once, as the last call.
  void Finish();

 private:
  struct Newcomer {
    WorkloadId id;
    bool resolved = false;  ///< its queues are
  };

  Applied StoreObject(const Object& object);
  Applied Store(const ClusterQueue& queue);
  Applied Store(const Cohort& cohort);
  Applied Store(const LocalQueue& queue);
  Applied Store(const Workload& workload);
  /// The same for one whose series may be known, null: it is not; `queue` as KeepWorkload has it.
  Applied Store(const Workload& workload, Shared<Series> known, const Text& queue);
  /// A workload that exists: what the submitter may change takes effect, its status stays.
  Applied Resubmit(WorkloadRecord& existing, const Workload& spec);
  Applied Store(const ResourceFlavor& flavor);
  Applied Store(const Namespace& ns);
  Applied Store(const Configuration& config);
  Applied Store(const EngineConfiguration& config);
  template <typename Value, typename Name>
  Applied StoreIn(std::map<Name, Value>& table, const Name& name, const Value& value);

  /// What requests are computed from has changed.
  void RecomputeRequests();
  void TouchTreeOf(const std::string& cohort);
  void TouchTree(QueueId queue);
  void WakeQueuesUsing(const std::string& flavor);
  void WakeEveryQueue();
  void SyncLocalQueue(LocalQueueState& queue);
  void AdmitNewcomer(const Newcomer& newcomer);

  World& world_;
  bool forest_stale_ = false;
  bool limits_stale_ = false;            ///< time limits of workloads must be computed anew
  bool requests_stale_ = false;          ///< requests of pending workloads must be recomputed
  std::set<QueueId> touched_;            ///< queues whose tree or quota changed
  std::set<std::string> wake_cohorts_;   ///< cohorts whose (new) tree wakes
  std::set<QueueId> checks_changed_;     ///< queues that ask for other admission checks
  std::set<LocalQueueId> local_queues_;  ///< created or changed
  std::vector<Newcomer> newcomers_;      ///< in order
  WrittenMemory written_;                ///< of their events
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_APPLIER_H_
