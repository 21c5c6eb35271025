// What time does to jobs (sections 3.8, 3.9 and 10.6): pods that are not ready in time, jobs that
// run too long, backoffs that end.
#include <algorithm>

#include "tests/oracle/history.h"

namespace muster::oracle {
namespace {

constexpr char kTooLong[] = "DeactivatedDueToMaximumExecutionTimeExceeded";

TimeNs Since(const Workload& workload, const std::string& type) {
  for (const Condition& condition : workload.status.conditions) {
    if (condition.type == type) return condition.since;
  }
  return kNoTime;
}

bool IsRunning(const Member& member) {
  const Workload& workload = member.workload;
  return workload.active && !member.evicting && workload.status.admission &&
         IsTrue(workload, "Admitted") && !IsTrue(workload, "Finished");
}

// "remaining = max - time accumulated in earlier admissions - (now - Admitted transition)"
bool RanTooLong(const Member& member, TimeNs now) {
  const Workload& workload = member.workload;
  if (!workload.max_execution_seconds || !IsRunning(member)) return false;
  const std::int64_t left =
      *workload.max_execution_seconds - workload.status.past_execution_seconds;
  return now - Since(workload, "Admitted") >= left * kSecond;
}

// "Clock starts at Admitted=True (start) or at PodsReady=False with reason WaitForRecovery."
bool IsLate(const Member& member, const WaitForPodsReadyConfig& config, TimeNs now) {
  const Workload& workload = member.workload;
  if (!IsRunning(member) || IsTrue(workload, "PodsReady")) return false;
  for (const Condition& condition : workload.status.conditions) {
    if (condition.type != "PodsReady" || condition.reason != "WaitForRecovery") continue;
    return now - condition.since >= config.recovery_timeout.value_or(config.timeout);
  }
  return now - Since(workload, "Admitted") >= config.timeout;
}

}  // namespace

void History::Happen(const Ready& step) {
  Member& member = members_.at(step.workload);
  if (!IsRunning(member) || IsTrue(member.workload, "PodsReady") == step.ready) return;
  SetCondition(member.workload, "PodsReady", step.ready, step.ready ? "" : "WaitForRecovery", now_);
}

void History::DoWhatIsDue() {
  for (auto& [key, member] : members_) {
    const auto& ready = config_.wait_for_pods_ready;
    if (RanTooLong(member, now_)) {
      member.workload.status.past_execution_seconds = 0;
      Deactivate(member, kTooLong);
    } else if (ready && IsLate(member, *ready, now_)) {
      TimeOut(member, *ready);
    } else {
      EndBackoff(member);
    }
  }
}

// "count += 1, requeueAt = now + min(max, base * 2^(count - 1)); when count would exceed
// backoffLimitCount the WL is deactivated instead." Ours: without jitter.
void History::TimeOut(Member& member, const WaitForPodsReadyConfig& config) {
  auto& state = member.workload.status.requeue_state;
  const std::int32_t count = (state ? state->count : 0) + 1;
  if (config.backoff_limit_count && count > *config.backoff_limit_count) {
    return Deactivate(member, "DeactivatedDueToRequeuingLimitExceeded");
  }
  std::int64_t seconds = config.backoff_base_seconds;
  for (std::int32_t i = 1; i < count; ++i) {
    seconds = std::min<std::int64_t>(2 * seconds, config.backoff_max_seconds);
  }
  seconds = std::min<std::int64_t>(seconds, config.backoff_max_seconds);
  state = RequeueState{count, CutToSecond(now_) + seconds * kSecond};
  OrderEviction(member, "PodsReadyTimeout");
}

// "Takes it out of usage at once, evicts it and clears requeueState."
void History::Deactivate(Member& member, const std::string& reason) {
  OrderEviction(member, reason);
  member.workload.active = false;
  member.workload.status.requeue_state.reset();
  member.reason = PendingReason::kDeactivated;
  WakeFor(member.workload);
}

// "Requeued stays False until backoff ends (BackoffFinished)."
void History::EndBackoff(Member& member) {
  Workload& workload = member.workload;
  const Condition* requeued = FindCondition(workload, "Requeued");
  const bool waits = workload.active && !workload.status.admission && requeued &&
                     !requeued->status && requeued->reason == "PodsReadyTimeout" &&
                     !IsTrue(workload, "Finished");
  auto& state = workload.status.requeue_state;
  if (!waits || (state && state->requeue_at > now_)) return;
  if (state) state->requeue_at = kNoTime;
  SetCondition(workload, "Requeued", true, "BackoffFinished", now_);
  if (MayQueue(member)) Enqueue(member, /*changed=*/true, /*check_class=*/true);
}

// The run of a job whose pods are gone; that of one that ran too long is forgiven. The next run
// begins to wait for its pods afresh.
void History::EndRun(Member& member) {
  Workload& workload = member.workload;
  if (!IsTrue(workload, "Admitted")) return;
  const bool forgiven = FindCondition(workload, "Evicted")->reason == kTooLong;
  const DurationNs ran = CutToSecond(now_) - Since(workload, "Admitted");
  if (!forgiven) workload.status.past_execution_seconds += ran / kSecond;
  if (FindCondition(workload, "PodsReady") != nullptr) {
    SetCondition(workload, "PodsReady", false, "WaitForStart", now_);
  }
}

}  // namespace muster::oracle
