// Gates of variants: those of one job may evict one after the other, the most preferred first, and
// none sooner than five minutes after the one before (spec: concurrent admission).
//
// When a gate was opened is said by the condition BlockedOnPreemptionGates, which is false since.
#ifndef MUSTER_ENGINE_LIFE_VARIANT_GATES_H_
#define MUSTER_ENGINE_LIFE_VARIANT_GATES_H_

#include "engine/state/world.h"

namespace muster {

/// When the next gate of the job's variants opens; kNoTime: no variant waits for that. O(variants).
TimeNs NextUngating(const World& world, const WorkloadRecord& job);
/// Opens it if it is time. Whether it was.
bool UngateDue(World& world, const WorkloadRecord& job);

}  // namespace muster

#endif  // MUSTER_ENGINE_LIFE_VARIANT_GATES_H_
