// RowsAhead: prefetches what rows of a batch are filled from. A record, what its copies share, its
// labels: each says where the next one is, so all records are sent for before any is looked at.
#ifndef MUSTER_ENGINE_STATE_ROWS_AHEAD_H_
#define MUSTER_ENGINE_STATE_ROWS_AHEAD_H_

#include <algorithm>
#include <cstddef>
#include <span>

#include "engine/base/prefetch.h"
#include "engine/state/world.h"

namespace muster {

/// So many fit into the fastest caches.
inline constexpr std::size_t kRowsAhead = 64;

/// For the first kRowsAhead of them. O(1).
inline void SendForRows(const World& world, std::span<const WorkloadId> ids) {
  ids = ids.first(std::min(ids.size(), kRowsAhead));
  for (const WorkloadId id : ids) world.Peek(id)->PrefetchHot();
  for (const WorkloadId id : ids) PrefetchLine(&world.Peek(id)->series());
  for (const WorkloadId id : ids) PrefetchLine(&world.Peek(id)->series().labels.map());
  for (const WorkloadId id : ids) {
    const LabelMap& labels = world.Peek(id)->series().labels.map();
    if (!labels.empty()) Prefetch(&*labels.begin(), 4 * kCacheLine);
  }
}

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_ROWS_AHEAD_H_
