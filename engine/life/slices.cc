// See slices.h.
#include "engine/life/slices.h"

#include <cstddef>
#include <string>

#include "engine/kin/slices.h"
#include "engine/life/lifecycle.h"
#include "engine/life/queueing.h"
#include "engine/model/elastic.h"

namespace muster {

void EndReplaced(World& world, const WorkloadRecord& slice, WorkloadId replaced) {
  if (!replaced.valid()) replaced = FindWaiting(world, slice);
  if (!replaced.valid()) return;
  const std::size_t before = world.wake_trees.size();
  EndWorkload(world, world.workload(replaced), kSliceReplaced,
              "Replaced to accommodate a workload (UID: " + slice.uid() +
                  ") due to workload slice aggregation: " + slice.spec.key.ToString());
  // Those that it wakes hear of it after the cycle, as from Kueue's controllers.
  for (std::size_t i = before; i < world.wake_trees.size(); ++i) {
    WakeTreeNext(world, world.wake_trees[i]);
  }
  world.wake_trees.resize(before);
}

}  // namespace muster
