// The invariants of engine/README.md as code. All throw InvariantBroken.
#ifndef MUSTER_ENGINE_CYCLE_INVARIANTS_H_
#define MUSTER_ENGINE_CYCLE_INVARIANTS_H_

#include <span>

#include "engine/cycle/entry.h"
#include "engine/state/world.h"

namespace muster {

/// Every invariant of the whole state. O(state).
void CheckEverything(const World& world);

/// What one decision touched, right after it was carried out: the limits of the queue, the whole
/// gang, and victims that the rules allow. Also in release builds. O(pairs + victims).
void CheckDecision(const World& world, const Entry& entry);
/// The usage of the cohorts above admitted workloads, once all decisions of a cycle were carried
/// out: of small ones each time, of one with many children in one cycle of several. Also in release
/// builds. Amortised O(cohorts above each + those admitted).
void CheckCohorts(const World& world, std::span<const Entry> entries);

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_INVARIANTS_H_
