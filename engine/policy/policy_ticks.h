// Ticks: when preemptors that a policy held back are to be tried again.
//
// A preemptor parked because its victims were protected, or because its policy forbade the
// preemption, waits for no event: what changes by itself has to wake it. Hooks that read the time
// say how often, with `every`; without it, whenever time goes on. Ticks are multiples of ledger
// time, so that a replay has the same ones.
#ifndef MUSTER_ENGINE_POLICY_POLICY_TICKS_H_
#define MUSTER_ENGINE_POLICY_POLICY_TICKS_H_

#include "engine/policy/policy_table.h"

namespace muster {

/// The time that a hook looks at: `now`, but under queue_order, hold and boost the last multiple of
/// its `every`, so that an answer holds until the next one.
TimeNs TimeFor(Hook hook, const HookInfo& info, TimeNs now);
/// The next multiple of its `every`, if it has one and reads what changes with time; else kNoTime.
TimeNs NextTick(const HookInfo& info, TimeNs now);

/// Asks for the trees to be woken in which a workload is parked and such a hook has had a tick
/// after `before`, up to now. O(policies); where one has had a tick, O(queues with parked
/// workloads).
void WakeByTicks(World& world, const PolicyTable& table, TimeNs before);

/// Whether some policy may find other victims when a run has saved more.
bool AsksAboutCheckpoints(const PolicyTable& table);

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_POLICY_TICKS_H_
