// The end of a workload whose place a slice has taken.
#ifndef MUSTER_ENGINE_LIFE_SLICES_H_
#define MUSTER_ENGINE_LIFE_SLICES_H_

#include "engine/state/world.h"

namespace muster {

/// `slice` has reserved quota in the place of `replaced`, which is over then, and its quota free.
/// `replaced` not valid: what it names to replace, if that waits, is over all the same: a job runs
/// once. Kueue leaves that to the controller of its job, as is done where all is as Kueue has it.
void EndReplaced(World& world, const WorkloadRecord& slice, WorkloadId replaced);

/// The quota of `slice`, which was evicted, is free: where its job waits as the slice that was to
/// replace it, that one asks for all pods, and `slice` is over. Where all is as Kueue has it that
/// is left to the controller of the job.
void EndOutgrown(World& world, WorkloadRecord& slice);

}  // namespace muster

#endif  // MUSTER_ENGINE_LIFE_SLICES_H_
