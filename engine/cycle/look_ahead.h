// LookAhead: prefetches what the next heads of a cycle need while the one before them is looked at.
//
// A cycle goes over a thousand heads several times, and what belongs to one - its record, its
// queue, the heaps it stands in - lies in some twenty places, more in all than the caches hold.
// Where they are is known long before their turn.
#ifndef MUSTER_ENGINE_CYCLE_LOOK_AHEAD_H_
#define MUSTER_ENGINE_CYCLE_LOOK_AHEAD_H_

#include <cstddef>
#include <span>

#include "engine/cycle/entry.h"
#include "engine/state/look_ahead.h"
#include "engine/state/world.h"

namespace muster {

/// To be called before the i-th is nominated.
inline void LookAheadToNominate(const World& world, std::span<const Entry> entries, std::size_t i) {
  if (i + kObjectsAhead < entries.size()) {
    const Entry& entry = entries[i + kObjectsAhead];
    world.Peek(entry.workload)->PrefetchHot();
    world.queue(entry.queue).PrefetchFront();
  }
  if (i + kPartsAhead < entries.size()) {
    SendForCells(world, world.queue(entries[i + kPartsAhead].queue));
  }
}

/// To be called before the i-th is carried out.
inline void LookAheadToCarryOut(const World& world, std::span<Entry* const> entries,
                                std::size_t i) {
  if (i + kObjectsAhead < entries.size()) {
    const Entry& entry = *entries[i + kObjectsAhead];
    world.Peek(entry.workload)->PrefetchHot();
    world.queue(entry.queue).PrefetchHot();
  }
  if (i + kPartsAhead < entries.size()) {
    const Entry& entry = *entries[i + kPartsAhead];
    const ClusterQueueState& queue = world.queue(entry.queue);
    const WorkloadRecord& workload = world.workload(entry.workload);
    queue.pending.PrefetchFor(workload.key);
    PrefetchLine(workload.spec.key.name.data());
    SendForCells(world, queue);
  }
  if (i + kDetailsAhead < entries.size()) {
    const Entry& entry = *entries[i + kDetailsAhead];
    world.queue(entry.queue).pending.PrefetchSlots(world.workload(entry.workload).key);
  }
  if (i + 1 < entries.size()) {
    const Entry& entry = *entries[i + 1];
    world.queue(entry.queue).pending.PrefetchSecond(world.workload(entry.workload).key);
  }
}

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_LOOK_AHEAD_H_
