// The invariants of engine/README.md as code. Both throw InvariantBroken.
#ifndef MUSTER_ENGINE_CYCLE_INVARIANTS_H_
#define MUSTER_ENGINE_CYCLE_INVARIANTS_H_

#include <span>

#include "engine/cycle/entry.h"
#include "engine/state/world.h"

namespace muster {

/// Every invariant of the whole state. O(state).
void CheckEverything(const World& world);

/// What the decisions of one cycle touched, after they were carried out: usage of every node above
/// an admitted workload, its queue's limits, whole gangs, and victims that the rules allow. Also in
/// release builds. O(admitted * depth * children + victims).
void CheckDecisions(const World& world, std::span<const Entry> entries);

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_INVARIANTS_H_
