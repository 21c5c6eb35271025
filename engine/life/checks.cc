// See checks.h.
#include "engine/life/checks.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/find_named.h"
#include "engine/life/deadlines.h"
#include "engine/hand_over/decide.h"
#include "engine/life/lifecycle.h"
#include "engine/life/second_pass.h"
#include "engine/model/names.h"
#include "engine/record/payload.h"

namespace muster {
namespace {

bool Concerns(const AdmissionCheckRule& rule, const MaybeAdmission& admission) {
  if (rule.on_flavors.empty()) return true;
  if (!admission) return false;
  for (const PodSetAssignment& pod_set : admission->pod_sets) {
    for (const auto& [resource, flavor] : pod_set.flavors) {
      const auto& on = rule.on_flavors;
      if (std::find(on.begin(), on.end(), flavor) != on.end()) return true;
    }
  }
  return false;
}

/// The queue whose rules apply: the one that holds its quota, else the one it waits in.
const ClusterQueueState* RulingQueue(const World& world, const WorkloadRecord& workload) {
  if (workload.holds()) return &world.queue(workload.holds_in);
  if (const auto& admission = workload.spec.status.admission) {
    return world.FindQueue(admission->cluster_queue);
  }
  return workload.queue.valid() ? &world.queue(workload.queue) : nullptr;
}

AdmissionCheckStatus PendingCheck(const std::string& name, TimeNs now) {
  AdmissionCheckStatus check;
  check.name = name;
  check.since = CutToSecond(now);
  return check;
}

/// The first check in `state`; null when none is.
const AdmissionCheckStatus* FirstIn(const KeptStatus& status, CheckState state) {
  for (const AdmissionCheckStatus& check : status.rare->admission_checks) {
    if (check.state == state) return &check;
  }
  return nullptr;
}

std::string Said(const AdmissionCheckStatus& check, std::string_view what) {
  std::string text = "Admission check " + check.name + " " + std::string(what);
  return check.message.empty() ? text : text + ": " + check.message;
}

/// The latest time that a check in Retry asks to wait for; kNoTime when none names one.
TimeNs RetryAt(const KeptStatus& status) {
  TimeNs at = kNoTime;
  for (const AdmissionCheckStatus& check : status.rare->admission_checks) {
    if (check.state != CheckState::kRetry || !check.requeue_after_seconds) continue;
    at = std::max(at, check.since + *check.requeue_after_seconds * kSecond);
  }
  return at;
}

void Retry(World& world, WorkloadRecord& workload, const AdmissionCheckStatus& check) {
  KeptStatus& status = workload.spec.status;
  const std::string message = Said(check, "asks for a retry");
  std::optional<RequeueState>& state = status.rare.Mutable().requeue_state;
  if (!state) state.emplace();
  TimeNs& requeue_at = state->requeue_at;
  requeue_at = std::max(requeue_at, RetryAt(status));  // a backoff that runs is not cut short
  OrderEviction(world, workload, eviction::kAdmissionCheck, message);
  if (!workload.evicted) WaitForBackoff(world, workload, eviction::kAdmissionCheck);
}

}  // namespace

bool HasFailedCheck(const KeptStatus& status) {
  const auto& checks = status.rare->admission_checks;
  return std::any_of(checks.begin(), checks.end(), [](const AdmissionCheckStatus& check) {
    return check.state == CheckState::kRetry || check.state == CheckState::kRejected;
  });
}

void SyncChecks(World& world, WorkloadRecord& workload) {
  const ClusterQueueState* queue = RulingQueue(world, workload);
  KeptStatus& status = workload.spec.status;
  if (queue == nullptr || workload.is_job) return;  // its variants have them
  if (queue->spec.admission_checks.empty() && status.rare->admission_checks.empty()) return;
  if (IsTrue(status, condition::kFinished)) return;
  std::vector<AdmissionCheckStatus> checks;
  for (const AdmissionCheckRule& rule : queue->spec.admission_checks) {
    if (!Concerns(rule, status.admission)) continue;
    const AdmissionCheckStatus* known = FindNamed(status.rare->admission_checks, rule.name);
    checks.push_back(known != nullptr ? *known : PendingCheck(rule.name, world.now));
  }
  SharedList<AdmissionCheckStatus> synced = std::move(checks);
  if (synced == status.rare->admission_checks) return;
  status.rare.Mutable().admission_checks = std::move(synced);
  world.changes.Touch(workload.id());
}

void SyncChecksOf(World& world, const ClusterQueueState& queue) {
  std::set<WorkloadId> concerned;
  queue.holders.ForEach([&](const WorkloadRecord& holder) { concerned.insert(holder.id()); });
  const auto naming = world.local_queues_naming.find(queue.name());
  if (naming != world.local_queues_naming.end()) {
    for (const LocalQueueId local_queue : naming->second) {
      const auto ids = world.WorkloadsOf(world.local_queue(local_queue));
      concerned.insert(ids.begin(), ids.end());
    }
  }
  for (const WorkloadId id : world.InNameOrder(concerned)) {
    WorkloadRecord& workload = world.workload(id);
    if (RulingQueue(world, workload) != &queue) continue;
    SyncChecks(world, workload);
    AdmitWhenReady(world, workload);
  }
}

void AdmitWhenReady(World& world, WorkloadRecord& workload) {
  KeptStatus& status = workload.spec.status;
  if (!workload.holds() || workload.evicted || IsTrue(status, condition::kAdmitted)) return;
  const auto& checks = status.rare->admission_checks;
  const bool ready = std::all_of(checks.begin(), checks.end(), [](const auto& check) {
    return check.state == CheckState::kReady;
  });
  if (!ready) return;
  if (AwaitsPlaces(world, workload)) return SyncSecondPass(world, workload);
  const ClusterQueueState& queue = world.queue(workload.holds_in);
  const TimeNs now = CutToSecond(world.now);
  if (status.conditions.IsCopyOf(queue.reserved, now)) {
    status.conditions = queue.admitted.After(now);
  } else {
    SetCondition(status, condition::kAdmitted, true, condition::kAdmitted, word::kIsAdmitted, now);
  }
  if (world.catalog.config.wait_for_pods_ready) {
    SetCondition(status, condition::kPodsReady, false, word::kWaitForStart, word::kNotReady,
                 world.now);
  }
  world.changes.Touch(workload.id());
  world.changes.Report(EventKind::kAdmitted, workload.spec.key);
  DecideStart(world, workload);
  SyncAdmitted(world, workload);
  SettleFairUsage(world, workload);
  SyncDeadline(world, workload);
}

void AnswerCheck(World& world, WorkloadRecord& workload, const CheckUpdate& update) {
  KeptStatus& status = workload.spec.status;
  AdmissionCheckStatus& check = *FindNamed(status.rare.Mutable().admission_checks, update.check);
  AdmissionCheckStatus answered = check;
  answered.state = update.state;
  answered.message = update.message;
  answered.requeue_after_seconds = update.requeue_after_seconds;
  answered.pod_set_updates = update.pod_set_updates;
  if (answered.state != check.state) answered.since = CutToSecond(world.now);
  if (answered == check) return;
  check = std::move(answered);
  world.changes.Touch(workload.id());
  world.changes.Report(EventKind::kCheckUpdated, workload.spec.key,
                       [&] { return CheckPayload(check); });
  // What is said of one that never had quota counts when it is looked at, as in Kueue.
  if (!IsTrue(status, condition::kQuotaReserved) && !FindCondition(status, condition::kEvicted)) {
    return;
  }
  if (const AdmissionCheckStatus* rejected = FirstIn(status, CheckState::kRejected)) {
    return Deactivate(world, workload, eviction::kCheckRejected, Said(*rejected, "rejects it"));
  }
  if (const AdmissionCheckStatus* retry = FirstIn(status, CheckState::kRetry)) {
    return Retry(world, workload, *retry);
  }
  AdmitWhenReady(world, workload);
}

void ResetChecks(KeptStatus& status, TimeNs now) {
  if (status.rare->admission_checks.empty()) return;
  for (AdmissionCheckStatus& check : status.rare.Mutable().admission_checks) {
    if (check.state == CheckState::kPending) continue;
    const AdmissionCheckStatus before = std::exchange(check, PendingCheck(check.name, now));
    check.message = "Reset after eviction; it was " + std::string(EnumName(before.state));
    if (before.state == CheckState::kRetry) check.retry_count = before.retry_count + 1;
  }
}

}  // namespace muster
