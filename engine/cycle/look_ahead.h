// LookAhead: sends for what the next heads of a cycle need while the one before them is looked at.
//
// A cycle goes over a thousand heads several times, and what belongs to one - its record, its
// queue, the heaps it stands in - lies in some twenty places, more in all than the caches hold.
// Where they are is known long before their turn.
#ifndef MUSTER_ENGINE_CYCLE_LOOK_AHEAD_H_
#define MUSTER_ENGINE_CYCLE_LOOK_AHEAD_H_

#include <cstddef>
#include <span>
#include <type_traits>

#include "engine/cycle/entry.h"
#include "engine/cycle/entry_order.h"
#include "engine/model/prefetch.h"
#include "engine/state/world.h"

namespace muster {

/// Sends for the head and its queue.
inline void SendForObjects(const World& world, const Entry& entry) {
  world.workloads[entry.workload.value]->PrefetchHot();
  world.queues[entry.queue.value]->PrefetchHot();
}
/// Sends for a workload and the queue that it holds quota of or waits in.
inline void SendForHolder(const World& world, const WorkloadRecord& workload) {
  workload.PrefetchHot();
  if (workload.queue.valid()) world.queue(workload.queue).PrefetchHot();
}
/// Sends for what these point to; they should be here by now.
inline void SendForParts(const World& world, const Entry& entry) {
  const ClusterQueueState& queue = world.queue(entry.queue);
  queue.pending.PrefetchFor(world.workload(entry.workload).key);
  queue.holders.PrefetchNewest();
  world.trees[queue.tree].PrefetchNode(queue.node);
  Prefetch(entry.assignment());
}
/// Sends for what those lead to.
inline void SendForDetails(const World& world, const Entry& entry) {
  world.queue(entry.queue).pending.PrefetchSlots(world.workload(entry.workload).key);
  entry.assignment().granted.Prefetch();
  entry.assignment().charge.Prefetch();
}
/// How many turns before theirs they are sent for.
inline constexpr std::size_t kObjectsAhead = 8;
inline constexpr std::size_t kPartsAhead = 4;
inline constexpr std::size_t kDetailsAhead = 2;

/// For a loop over `entries`, elements or pointers to them: to be called when it begins with the
/// i-th.
template <typename Each>
void LookAhead(const World& world, std::span<const Each> entries, std::size_t i) {
  const auto entry = [&](std::size_t at) -> const Entry& {
    if constexpr (std::is_pointer_v<Each>) {
      return *entries[at];
    } else {
      return entries[at];
    }
  };
  if (i + kObjectsAhead < entries.size()) SendForObjects(world, entry(i + kObjectsAhead));
  if (i + kPartsAhead < entries.size()) SendForParts(world, entry(i + kPartsAhead));
  if (i + kDetailsAhead < entries.size()) SendForDetails(world, entry(i + kDetailsAhead));
}
inline void LookAhead(const World& world, const EntryOrder& order) {
  if (const Entry* entry = order.Ahead(kObjectsAhead)) SendForObjects(world, *entry);
  if (const Entry* entry = order.Ahead(kPartsAhead)) SendForParts(world, *entry);
}

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_LOOK_AHEAD_H_
