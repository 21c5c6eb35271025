// The end of a workload whose place a slice has taken.
#ifndef MUSTER_ENGINE_LIFE_SLICES_H_
#define MUSTER_ENGINE_LIFE_SLICES_H_

#include "engine/state/world.h"

namespace muster {

/// `slice` has reserved quota: the workload that it replaces is over, and its own quota free.
void EndReplaced(World& world, const WorkloadRecord& slice, WorkloadRecord& replaced);

}  // namespace muster

#endif  // MUSTER_ENGINE_LIFE_SLICES_H_
