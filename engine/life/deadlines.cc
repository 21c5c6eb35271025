// See deadlines.h. Jitter, which Kueue adds to backoffs, is left out: decisions are deterministic.
#include "engine/life/deadlines.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "engine/base/sooner.h"
#include "engine/life/lifecycle.h"
#include "engine/life/queueing.h"
#include "engine/life/variant_gates.h"
#include "engine/record/payload.h"
#include "engine/state/records.h"

namespace muster {
namespace {

bool IsRunning(const WorkloadRecord& workload) {
  const KeptStatus& status = workload.spec.status;
  return workload.active && !workload.evicted && !IsTrue(status, condition::kFinished) &&
         IsTrue(status, condition::kQuotaReserved) && IsTrue(status, condition::kAdmitted);
}

/// Whether the workload waits for the end of a backoff, not for a restart of something.
bool WaitsForTime(const WorkloadRecord& workload) {
  const KeptStatus& status = workload.spec.status;
  const auto requeued = FindCondition(status, condition::kRequeued);
  return requeued && !requeued->status && workload.active &&
         !IsTrue(status, condition::kFinished) && !IsTrue(status, condition::kQuotaReserved) &&
         (requeued->reason == eviction::kPodsReadyTimeout ||
          requeued->reason == eviction::kAdmissionCheck);
}

TimeNs BackoffEnd(const WorkloadRecord& workload) {
  if (!WaitsForTime(workload)) return kNoTime;
  const auto& state = workload.spec.status.rare->requeue_state;
  const TimeNs since = FindCondition(workload.spec.status, condition::kRequeued)->since;
  return state && state->requeue_at != kNoTime ? state->requeue_at : since;
}

void NoteFinished(World& world, const WorkloadRecord& workload) {
  if (!IsTrue(workload.spec.status, condition::kFinished) || workload.of_job) return;
  world.finished.emplace(FinishedAs(workload), workload.id());
}

/// kNoTime where there is no such time.
TimeNs After(TimeNs since, const std::optional<DurationNs>& time) {
  const bool known = since != kNoTime && time.has_value();
  return known && since <= std::numeric_limits<TimeNs>::max() - *time ? since + *time : kNoTime;
}

/// When a workload that is over has been kept for long enough.
TimeNs KeptUntil(const World& world, const WorkloadRecord& workload) {
  if (workload.of_job) return kNoTime;  // it goes with its job
  const Configuration& config = world.catalog.config;
  const KeptStatus& status = workload.spec.status;
  if (const auto finished = FindCondition(status, condition::kFinished);
      finished && finished->status) {
    return After(finished->since, config.retain_finished);
  }
  if (workload.active || workload.evicted) return kNoTime;
  const auto evicted = FindCondition(status, condition::kEvicted);
  const bool by_itself = evicted && evicted->status && eviction::IsOwnDeactivation(evicted->reason);
  return by_itself ? After(evicted->since, config.retain_deactivated) : kNoTime;
}

void Forget(World& world, WorkloadRecord& workload) {
  const bool finished = IsTrue(workload.spec.status, condition::kFinished);
  ForgetWorkload(world, workload,
                 finished ? forgotten::kAfterFinished : forgotten::kAfterDeactivation);
}

void FinishBackoff(World& world, WorkloadRecord& workload) {
  KeptStatus& status = workload.spec.status;
  SetCondition(status, condition::kRequeued, true, "BackoffFinished",
               "The workload backoff was finished", world.now);
  if (status.rare->requeue_state) status.rare.Mutable().requeue_state->requeue_at = kNoTime;
  world.changes.Touch(workload.id());
  world.changes.Report(EventKind::kRequeued, workload.spec.key,
                       [] { return ReasonPayload("BackoffFinished"); });
  if (MayQueue(world, workload)) Enqueue(world, workload, true, true);
}

DurationNs Backoff(const WaitForPodsReadyConfig& config, std::int32_t count) {
  std::int64_t seconds = config.backoff_base_seconds;
  for (std::int32_t i = 1; i < count && seconds < config.backoff_max_seconds; ++i) seconds *= 2;
  return std::min<std::int64_t>(seconds, config.backoff_max_seconds) * kSecond;
}

/// Notes for the next cycle's result that the eviction just ordered is a deadline's.
void NoteTimedOut(World& world, const WorkloadRecord& workload) {
  const ConditionView evicted = *FindCondition(workload.spec.status, condition::kEvicted);
  const QueueId queue = workload.queue.valid() ? workload.queue : workload.holds_in;
  world.timed_out.push_back(
      {workload.spec.key, queue.valid() ? world.queue(queue).name() : std::string(),
       std::string(evicted.reason), workload.is_job ? !workload.active : !workload.holds()});
}

void TimeOut(World& world, WorkloadRecord& workload) {
  const WaitForPodsReadyConfig& config = *world.catalog.config.wait_for_pods_ready;
  const auto& state = workload.spec.status.rare->requeue_state;
  const std::int32_t count = (state ? state->count : 0) + 1;
  if (config.backoff_limit_count && count > *config.backoff_limit_count) {
    return Deactivate(world, workload, eviction::kLimitExceeded,
                      "exceeding the maximum number of re-queuing retries");
  }
  workload.spec.status.rare.Mutable().requeue_state =
      RequeueState{count, CutToSecond(world.now) + Backoff(config, count)};
  OrderEviction(world, workload, eviction::kPodsReadyTimeout,
                "Exceeded the PodsReady timeout " + workload.spec.key.ToString());
}

void Expire(World& world, WorkloadRecord& workload) {
  const auto due = [&](TimeNs at) { return at != kNoTime && at <= world.now; };
  if (due(KeptUntil(world, workload))) return Forget(world, workload);
  if (due(ExecutionEnd(workload))) {
    workload.spec.status.rare.Mutable().past_execution_seconds = 0;
    Deactivate(world, workload, eviction::kExecutionTimeExceeded,
               "exceeding the maximum execution time");
    NoteTimedOut(world, workload);
  } else if (due(ReadyBy(world, workload))) {
    TimeOut(world, workload);
    NoteTimedOut(world, workload);
  } else if (workload.is_job && !due(BackoffEnd(workload))) {
    UngateDue(world, workload);
  } else {
    FinishBackoff(world, workload);
  }
  SyncDeadline(world, workload);
}

}  // namespace

TimeNs ExecutionEnd(const WorkloadRecord& workload) {
  if (!workload.series().max_execution_seconds || !IsRunning(workload)) return kNoTime;
  const KeptStatus& status = workload.spec.status;
  const std::int64_t left =
      *workload.series().max_execution_seconds - status.rare->past_execution_seconds;
  return FindCondition(status, condition::kAdmitted)->since + left * kSecond;
}

TimeNs ReadyBy(const World& world, const WorkloadRecord& workload) {
  const auto& config = world.catalog.config.wait_for_pods_ready;
  const KeptStatus& status = workload.spec.status;
  if (!config || !IsRunning(workload) || IsTrue(status, condition::kPodsReady)) return kNoTime;
  if (workload.of_job) return kNoTime;  // its job is late
  const auto ready = FindCondition(status, condition::kPodsReady);
  if (ready && ready->reason == word::kWaitForRecovery) {
    return ready->since + config->recovery_timeout.value_or(config->timeout);
  }
  return FindCondition(status, condition::kAdmitted)->since + config->timeout;
}

TimeNs DeadlineOf(const World& world, const WorkloadRecord& workload) {
  if (workload.spec.status.conditions.empty() && !workload.is_job) return kNoTime;
  const TimeNs kept_until = KeptUntil(world, workload);  // what is over waits for nothing else
  if (kept_until != kNoTime) return kept_until;
  const TimeNs ungates = workload.is_job ? NextUngating(world, workload) : kNoTime;
  return Sooner(Sooner(BackoffEnd(workload), ungates),
                 Sooner(ExecutionEnd(workload), ReadyBy(world, workload)));
}

std::pair<TimeNs, std::int64_t> FinishedAs(const WorkloadRecord& workload) {
  return {FindCondition(workload.spec.status, condition::kFinished)->since,
          workload.id().arrival()};
}

void SyncDeadline(World& world, WorkloadRecord& workload) {
  // What just came has nothing that could be late or unsettled.
  const bool new_here = workload.spec.status.conditions.empty() && workload.active &&
                        workload.aside.IsNew() && !workload.unready && world.unsettled.empty() &&
                        !workload.is_job;
  if (new_here) return;
  NoteUnsettled(world, workload);
  SyncUnready(world, workload);
  if (world.catalog.engine_config.keep_finished) NoteFinished(world, workload);
  const TimeNs at = DeadlineOf(world, workload);
  if (at == workload.deadline()) return;
  if (workload.deadline() != kNoTime) world.deadlines.erase({workload.deadline(), workload.id()});
  if (at != kNoTime) world.deadlines.insert({at, workload.id()});
  workload.aside.Mutable().deadline = at;
}

void SyncDeadlines(World& world) {
  for (const auto& workload : world.workloads) {
    if (workload != nullptr) SyncDeadline(world, *workload);
  }
}

void SyncFinished(World& world) {
  world.finished.clear();
  if (!world.catalog.engine_config.keep_finished) return;
  for (const auto& workload : world.workloads) {
    if (workload != nullptr) NoteFinished(world, *workload);
  }
}

void ExpireDeadlines(World& world) {
  while (!world.deadlines.empty() && world.deadlines.begin()->first <= world.now) {
    Expire(world, world.workload(world.deadlines.begin()->second));
  }
}

void WaitForBackoff(World& world, WorkloadRecord& workload, std::string_view reason) {
  SetCondition(workload.spec.status, condition::kRequeued, false, reason, "", world.now);
  const bool queued = workload.queued();
  if (queued) Dequeue(world, workload);
  RefreshKey(world, workload);  // its place is that of its eviction, also while it is in no queue
  if (queued) Enqueue(world, workload, true, true);
  const TimeNs end = BackoffEnd(workload);
  if (end != kNoTime && end <= world.now) FinishBackoff(world, workload);
  SyncDeadline(world, workload);
}

bool WaitsForPodsReady(const World& world) {
  const auto& config = world.catalog.config.wait_for_pods_ready;
  return config && config->block_admission && world.unready > 0;
}

}  // namespace muster
