// Prefetches what a loop over workloads or queues needs a few turns later.
//
// What belongs to one of them lies in some twenty places, more in all than the caches hold. Where
// they are is known long before their turn.
#ifndef MUSTER_ENGINE_STATE_LOOK_AHEAD_H_
#define MUSTER_ENGINE_STATE_LOOK_AHEAD_H_

#include <cstddef>

#include "engine/state/world.h"

namespace muster {

/// How many turns before theirs they are prefetched: objects, what these point to, what those do.
inline constexpr std::size_t kObjectsAhead = 8;
inline constexpr std::size_t kPartsAhead = 4;
inline constexpr std::size_t kDetailsAhead = 2;

/// Prefetches a workload and the queue that it holds quota of or waits in.
inline void SendForHolder(const World& world, const WorkloadRecord& workload) {
  workload.PrefetchHot();
  if (workload.queue.valid()) world.queue(workload.queue).PrefetchHot();
}
/// Prefetches the cells of a queue.
inline void SendForCells(const World& world, const ClusterQueueState& queue) {
  world.tree_of(queue).PrefetchNode(queue.node);
}

/// Prefetches what the record of a holder leads to.
inline void SendForParts(const World& world, const WorkloadRecord& workload) {
  workload.spec.status.conditions.Prefetch();
  workload.usage.Prefetch();
  if (workload.holds()) SendForCells(world, world.queue(workload.holds_in));
}

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_LOOK_AHEAD_H_
