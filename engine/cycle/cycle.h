// RunSchedulingCycle: one cycle over the world. Start reading the engine here.
#ifndef MUSTER_ENGINE_CYCLE_CYCLE_H_
#define MUSTER_ENGINE_CYCLE_CYCLE_H_

#include "engine/cycle/cycle_memory.h"
#include "engine/policy/policy_table.h"
#include "engine/state/world.h"
#include "muster/decision.h"
#include "muster/trace.h"

namespace muster {

/// Looks at one head per active ClusterQueue and decides about all of them; `trace` may be null.
CycleResult RunSchedulingCycle(World& world, PolicyTable& policies, CycleMemory& memory,
                               CycleTrace* trace);

/// As many cycles as the configuration lets a queue have heads (headsPerCycle), until there is no
/// head any more, as one result: what as many calls at the same time would decide. Between two of
/// them nothing can happen, so gathering the heads of a queue first would decide nothing else.
CycleResult RunSchedulingCycles(World& world, PolicyTable& policies, CycleMemory& memory,
                                CycleTrace* trace);

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_CYCLE_H_
