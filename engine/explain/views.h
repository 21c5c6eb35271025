// Views: the world as users see it. Copies; names in order; nothing is changed.
#ifndef MUSTER_ENGINE_EXPLAIN_VIEWS_H_
#define MUSTER_ENGINE_EXPLAIN_VIEWS_H_

#include <string_view>
#include <vector>

#include "engine/state/world.h"
#include "muster/views.h"

namespace muster {

/// One workload: its spec and status with its place in the queue. O(workload).
WorkloadView ViewOf(const World& world, const WorkloadRecord& workload);
/// Those of a namespace; all of them when it is empty. O(workloads).
std::vector<WorkloadView> WorkloadViews(const World& world, std::string_view ns);
/// Those in a queue, in its heap or parked. O(workloads).
std::vector<PendingWorkload> PendingViews(const World& world);
/// Those that wait outside a queue, and why. O(workloads).
std::vector<PendingWorkload> HeldViews(const World& world);
/// O(queues * pairs + workloads in stopped LocalQueues).
std::vector<ClusterQueueView> ClusterQueueViews(const World& world);
/// Declared cohorts, and those that are only named. O(nodes * pairs).
std::vector<CohortView> CohortViews(const World& world);
/// Those of a namespace; all of them when it is empty. O(their workloads).
std::vector<LocalQueueView> LocalQueueViews(const World& world, std::string_view ns);
/// Values as they are at the time of the last call. O(balances).
std::vector<AccountView> AccountViews(const World& world);

}  // namespace muster

#endif  // MUSTER_ENGINE_EXPLAIN_VIEWS_H_
