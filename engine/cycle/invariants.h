// The invariants of engine/README.md as code. Both throw InvariantBroken.
#ifndef MUSTER_ENGINE_CYCLE_INVARIANTS_H_
#define MUSTER_ENGINE_CYCLE_INVARIANTS_H_

#include "engine/state/world.h"

namespace muster {

/// Every invariant of the whole state. O(state).
void CheckEverything(const World& world);

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_INVARIANTS_H_
