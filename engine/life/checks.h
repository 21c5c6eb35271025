// Admission checks: the second phase of admission. A workload with quota is admitted when every
// check that its queue asks for, and that concerns its flavors, is Ready.
#ifndef MUSTER_ENGINE_LIFE_CHECKS_H_
#define MUSTER_ENGINE_LIFE_CHECKS_H_

#include "engine/state/world.h"
#include "muster/engine.h"

namespace muster {

/// Whether one of them asks for a retry, or rejects it.
bool HasFailedCheck(const KeptStatus& status);
/// Lists in the workload's status exactly the checks it has to pass: those for every flavor and,
/// once it has quota, those for its flavors. Answers that are there stay. O(checks x flavors).
void SyncChecks(World& world, WorkloadRecord& workload);
/// SyncChecks for all of a queue whose checks changed.
void SyncChecksOf(World& world, const ClusterQueueState& queue);

/// Admits a workload with quota once nothing is missing; else does nothing.
void AdmitWhenReady(World& world, WorkloadRecord& workload);

/// Takes an answer for a check that the workload lists: admits it, evicts it (kRetry) or
/// deactivates it (kRejected). The same answer again is no change.
void AnswerCheck(World& world, WorkloadRecord& workload, const CheckUpdate& update);

/// Puts every check back to Pending; one that asked for a retry is counted.
void ResetChecks(KeptStatus& status, TimeNs now);

}  // namespace muster

#endif  // MUSTER_ENGINE_LIFE_CHECKS_H_
