// Nomination: may this head be looked at, and what would it take to start it?
#ifndef MUSTER_ENGINE_CYCLE_NOMINATE_H_
#define MUSTER_ENGINE_CYCLE_NOMINATE_H_

#include "engine/assign/quota_look.h"
#include "engine/cycle/cycle_memory.h"
#include "engine/cycle/entry.h"
#include "engine/preempt/preemption_search.h"
#include "engine/state/world.h"

namespace muster {

/// Runs the checks of nomination in their order; the first that fails sets reason and message and
/// leaves `nominated` false. Otherwise computes flavors and victims on current usage, or takes them
/// from `memory`; null where everything is to be computed.
void Nominate(World& world, PreemptionSearch& search, Entry& entry, CycleMemory* memory,
              bool traced);

/// Flavors, partial admission and victims for the entry on current usage. With `only`, just the
/// flavors chosen there are tried, and the walk starts at the first flavor. `looks`, when given,
/// receives what the last walk read of quota.
void ComputeAssignment(World& world, PreemptionSearch& search, Entry& entry, const Assignment* only,
                       bool traced, QuotaLooks* looks = nullptr);

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_NOMINATE_H_
