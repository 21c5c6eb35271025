// RunSchedulingCycle: one cycle over the world. Start reading the engine here.
#ifndef MUSTER_ENGINE_CYCLE_CYCLE_H_
#define MUSTER_ENGINE_CYCLE_CYCLE_H_

#include <vector>

#include "engine/cycle/cycle_memory.h"
#include "engine/cycle/entry.h"
#include "engine/policy/policy_calls.h"
#include "engine/state/world.h"
#include "muster/decision.h"
#include "muster/trace.h"

namespace muster {

class Shadow;

/// Decides about memory.entries, which have begun, as `calls` would have it; everything tried on
/// the way is taken back. Returns those that were nominated, in the order in which it was decided
/// about them; they are entries of `memory`.
std::vector<const Entry*> DecideHeads(World& world, PolicyCalls& calls, CycleMemory& memory);

/// Looks at one head per active ClusterQueue and decides about all of them; `trace` may be null.
/// `shadow`, when given, sees what is decided and has no say in it.
CycleResult RunSchedulingCycle(World& world, PolicyTable& policies, CycleMemory& memory,
                               CycleTrace* trace, Shadow* shadow = nullptr);

/// As many cycles as the configuration lets a queue have heads (headsPerCycle), until further ones
/// would decide nothing, as one result: what as many calls at the same time would decide. Between
/// two of them nothing can happen, so gathering the heads of a queue first would decide nothing
/// else.
CycleResult RunSchedulingCycles(World& world, PolicyTable& policies, CycleMemory& memory,
                                CycleTrace* trace, Shadow* shadow = nullptr);

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_CYCLE_H_
