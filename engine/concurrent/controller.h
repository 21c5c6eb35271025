// The controller of concurrent admission: a job in a queue with the policy stands in it as one
// variant for each flavor, and runs as the one that is admitted (spec: concurrent admission).
//
// Kueue's controller watches the cluster; this one looks, when a call is done, at the jobs of which
// something has changed in it. What it calls for is done in the same call.
#ifndef MUSTER_ENGINE_CONCURRENT_CONTROLLER_H_
#define MUSTER_ENGINE_CONCURRENT_CONTROLLER_H_

#include "engine/state/world.h"
#include "muster/decision.h"

namespace muster {

/// Objects that jobs depend on have changed: all are looked at. O(jobs, and workloads of queues
/// with the policy); nothing where there is neither.
void LookAtAllJobs(World& world);

/// Does what is to be done for jobs: variants come and go, are activated and deactivated, the job
/// is admitted and evicted with them. Whether anything was. One comparison where the gate is closed
/// and there are no jobs, else O(workloads that the call has changed), beside what it does.
bool ReconcileDueJobs(World& world);
inline bool ReconcileJobs(World& world) {
  return (world.changes.watching || !world.jobs_due.empty()) && ReconcileDueJobs(world);
}

/// Tells the outcome of a cycle of jobs instead of their variants. A variant that has quota and
/// waits for its checks is told as itself.
void TellOfKnownJobs(const World& world, CycleResult& result);
inline void TellOfJobs(const World& world, CycleResult& result) {
  if (!world.jobs.empty()) TellOfKnownJobs(world, result);
}

}  // namespace muster

#endif  // MUSTER_ENGINE_CONCURRENT_CONTROLLER_H_
