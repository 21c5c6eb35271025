// The JSON contract of `schedule -o json`: what every cycle admitted, preempted and left pending.
#ifndef MUSTER_BINDINGS_LAB_CONTRACT_H_
#define MUSTER_BINDINGS_LAB_CONTRACT_H_

#include "bindings/lab/json.h"
#include "bindings/lab/player.h"

namespace muster::lab {

/// One entry of `steps`, the list of {"steps": [...]}: at, admitted, preempted, pending; workloads
/// by "namespace/name", sorted. `reason` and `message` are absent while the scheduler has not
/// looked at a workload, `closed` where its queue is open. With `workloads` when the outcome has
/// them.
Json StepJson(const CycleOutcome& cycle);

/// What an `expect` may say of a workload beside the contract: phase, conditions, checks,
/// requeueState, evictions, pods, flavors and what its pods get at start, by name.
Json WorkloadJson(const WorkloadView& workload);

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_CONTRACT_H_
