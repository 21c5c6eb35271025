// HoldBack: what policies hold back leaves the heaps before heads are taken, and comes back.
//
// What is on hold is in no heap, under StrictFIFO too: it blocks none, and none waits for it. A
// call that fails holds nothing back, wherever its package decides, for the whole cycle.
#ifndef MUSTER_ENGINE_CYCLE_HOLD_BACK_H_
#define MUSTER_ENGINE_CYCLE_HOLD_BACK_H_

#include "engine/policy/policy_calls.h"
#include "engine/state/world.h"

namespace muster {

/// Puts on hold, and lets go, what policies want now: one call for each queue in which something
/// has to be asked about. O(queues with heads, or with something on hold) and O(newcomers) where no
/// input has changed, else O(waiting).
void HoldBack(World& world, PolicyCalls& calls);

/// The workload is on hold from now on, which is told where it was not so, or for another reason.
void SetOnHold(World& world, WorkloadRecord& workload, PolicyHold hold);

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_HOLD_BACK_H_
