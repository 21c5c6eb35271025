// LookAhead: sends for what the next heads of a cycle need while the one before them is looked at.
//
// A cycle goes over a thousand heads several times, and what belongs to one - its record, its
// queue, the heaps it stands in - lies in some twenty places, more in all than the caches hold.
// Where they are is known long before their turn.
#ifndef MUSTER_ENGINE_CYCLE_LOOK_AHEAD_H_
#define MUSTER_ENGINE_CYCLE_LOOK_AHEAD_H_

#include <cstddef>
#include <span>

#include "engine/cycle/entry.h"
#include "engine/model/prefetch.h"
#include "engine/state/world.h"

namespace muster {

/// For a loop over `entries`, elements or pointers to them: call At(i) when it begins with the
/// i-th.
template <typename Each>
class LookAhead {
 public:
  LookAhead(const World& world, std::span<const Each> entries) : world_(world), entries_(entries) {
    for (std::size_t i = 0; i < kFar && i < entries_.size(); ++i) SendForObjects(i);
  }
  void At(std::size_t i) const {
    if (i + kFar < entries_.size()) SendForObjects(i + kFar);
    if (i + kNear < entries_.size()) SendForParts(i + kNear);
  }

 private:
  static constexpr std::size_t kFar = 8;
  static constexpr std::size_t kNear = 3;

  static const Entry& Of(const Entry& entry) { return entry; }
  static const Entry& Of(const Entry* entry) { return *entry; }
  void SendForObjects(std::size_t i) const {
    const Entry& entry = Of(entries_[i]);
    Prefetch(*world_.workloads[entry.workload.value]);
    Prefetch(*world_.queues[entry.queue.value]);
  }
  /// What the objects point to; they are here by now.
  void SendForParts(std::size_t i) const {
    const Entry& entry = Of(entries_[i]);
    const WorkloadRecord& workload = world_.workload(entry.workload);
    const ClusterQueueState& queue = world_.queue(entry.queue);
    queue.pending.PrefetchFor(workload.key);
    queue.holders.PrefetchNewest();
    world_.trees[queue.tree].PrefetchNode(queue.node);
    Prefetch(entry.assignment());
  }

  const World& world_;
  std::span<const Each> entries_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_LOOK_AHEAD_H_
