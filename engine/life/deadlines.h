// Deadlines: requeue backoffs, readiness timeouts and execution limits, on the engine's own clock.
//
// Each workload has at most one deadline, its nearest; they stand in one ordered set, so that time
// costs nothing while nothing is due.
#ifndef MUSTER_ENGINE_LIFE_DEADLINES_H_
#define MUSTER_ENGINE_LIFE_DEADLINES_H_

#include <cstdint>
#include <string_view>
#include <utility>

#include "engine/state/world.h"

namespace muster {

/// When the workload's nearest backoff or limit ends, from its status and the configuration;
/// kNoTime when none runs.
TimeNs DeadlineOf(const World& world, const WorkloadRecord& workload);
/// When a running workload has used up its execution time; kNoTime: it may run for ever.
TimeNs ExecutionEnd(const WorkloadRecord& workload);
/// When a running workload has to be ready, or ready again; kNoTime: it is, or need not be.
TimeNs ReadyBy(const World& world, const WorkloadRecord& workload);
/// Brings the set, what is counted of readiness, and World::unsettled up to date after a change of
/// the workload's status. O(log n).
void SyncDeadline(World& world, WorkloadRecord& workload);
/// The same for all, after a change of the configuration.
void SyncDeadlines(World& world);

/// How a workload that finished stands in World::finished.
std::pair<TimeNs, std::int64_t> FinishedAs(const WorkloadRecord& workload);
/// Makes World::finished anew, after a change of how many are kept. O(workloads).
void SyncFinished(World& world);

/// Does what is due: backoffs end, workloads that were not ready in time are evicted or, at their
/// limit, deactivated, those that ran too long are deactivated, and those that are over and were
/// kept for long enough are forgotten. O(due x log n).
void ExpireDeadlines(World& world);

/// Requeued=False with `reason` until the backoff of the workload's requeueState is over; queues it
/// at once when it is.
void WaitForBackoff(World& world, WorkloadRecord& workload, std::string_view reason);

/// Whether admission waits because an admitted workload is not ready (blockAdmission). O(1).
bool WaitsForPodsReady(const World& world);

}  // namespace muster

#endif  // MUSTER_ENGINE_LIFE_DEADLINES_H_
