// See slices.h.
#include "engine/life/slices.h"

#include <cstddef>
#include <string>

#include "engine/kin/elastic_job.h"
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

void EndOutgrown(World& world, WorkloadRecord& slice) {
  if (!world.any_slices || world.catalog.engine_config.overcommit_as_kueue || !slice.active ||
      !IsOfElasticJob(world, slice.series().annotations)) {
    return;
  }
  const WorkloadRecord& newest = world.workload(SlicesOfJob(world, slice).back());
  const auto& annotations = newest.series().annotations;
  const auto replaced = annotations.find(kReplacementForAnnotation);
  if (&newest == &slice || newest.holds() || !newest.active ||
      IsTrue(newest.spec.status, condition::kFinished) || replaced == annotations.end() ||
      replaced->second != slice.spec.key.ToString()) {
    return;
  }
  EndWorkload(world, slice, kOutOfSync, "The workload slice is out of sync with its parent job");
}

}  // namespace muster
