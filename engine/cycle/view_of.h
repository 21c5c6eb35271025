// ViewOf: one workload as users see it.
#ifndef MUSTER_ENGINE_CYCLE_VIEW_OF_H_
#define MUSTER_ENGINE_CYCLE_VIEW_OF_H_

#include "engine/state/world.h"
#include "muster/views.h"

namespace muster {

/// A copy of the workload's spec and status with its place in the queue. O(workload).
WorkloadView ViewOf(const World& world, const WorkloadRecord& workload);

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_VIEW_OF_H_
