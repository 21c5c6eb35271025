// Nomination: may this head be looked at, and what would it take to start it?
#ifndef MUSTER_ENGINE_CYCLE_NOMINATE_H_
#define MUSTER_ENGINE_CYCLE_NOMINATE_H_

#include "engine/assign/known_fits.h"
#include "engine/cycle/entry.h"
#include "engine/preempt/preemption_search.h"
#include "engine/state/world.h"

namespace muster {

/// Runs the checks of nomination in their order; the first that fails sets reason and message and
/// leaves `nominated` false. Otherwise computes flavors and victims on current usage, or takes them
/// from `fits`; null where everything is to be computed, as for a trace.
void Nominate(World& world, PreemptionSearch& search, Entry& entry, KnownFits* fits, bool traced);

/// Flavors, partial admission and victims for the entry on current usage. With `only`, just the
/// flavors chosen there are tried, and the walk starts at the first flavor.
void ComputeAssignment(World& world, PreemptionSearch& search, Entry& entry, const Assignment* only,
                       bool traced);

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_NOMINATE_H_
