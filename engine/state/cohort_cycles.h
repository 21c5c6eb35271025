// Cycles of cohorts: a cohort that is its own ancestor. No queue below one can admit anything.
#ifndef MUSTER_ENGINE_STATE_COHORT_CYCLES_H_
#define MUSTER_ENGINE_STATE_COHORT_CYCLES_H_

#include <span>
#include <vector>

#include "engine/state/world.h"
#include "muster/object.h"
#include "muster/status.h"

namespace muster {

/// One problem for every cycle that there would be with `objects` applied and that a Cohort among
/// them is part of: at the first such Cohort, with the names on the cycle.
/// O(cohorts of the world * log), nothing when `objects` has no Cohort with a parent.
std::vector<Problem> CohortCycles(const World& world, std::span<const Object> objects);

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_COHORT_CYCLES_H_
