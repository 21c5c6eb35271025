// Admission, eviction in two steps, and the end of a workload.
#include "engine/life/lifecycle.h"

#include <utility>

#include "engine/base/amount.h"
#include "engine/base/check.h"
#include "engine/hand_over/decide.h"
#include "engine/life/checks.h"
#include "engine/life/deadlines.h"
#include "engine/life/kept_room.h"
#include "engine/life/queueing.h"
#include "engine/life/slices.h"
#include "engine/record/payload.h"
#include "engine/state/forest.h"
#include "engine/state/records.h"

namespace muster {
namespace {

/// What a workload asks for in all, for the entry penalty of admission fair sharing: all pods, also
/// under partial admission; undeclared resources drop out only where the quota check ignores them.
ResourceList FullRequests(const World& world, const WorkloadRecord& workload) {
  const ClusterQueueState& queue = world.queue(workload.queue);
  const bool ignore_undeclared =
      world.catalog.config.quota_check == QuotaCheckStrategy::kIgnoreUndeclared;
  ResourceList list;
  for (const PodSetRequests& pod_set : workload.pod_sets) {
    for (const ResourceAmount& request : pod_set.per_pod) {
      if (ignore_undeclared && queue.GroupOf(request.resource) < 0) continue;
      const std::string& resource = world.names.ResourceName(request.resource);
      list[resource] =
          list[resource] + QuantityOf(resource, Mul(request.amount, pod_set.effective_count));
    }
  }
  return list;
}

void ClearEviction(KeptStatus& status, TimeNs now) {
  for (const KnownWord type :
       {condition::kEvicted, condition::kPreempted, condition::kBlockedOnPreemptionGates}) {
    if (IsTrue(status, type)) {
      SetCondition(status, type, false, condition::kQuotaReserved,
                   "Previously: " + FindCondition(status, type)->message, now);
    }
  }
}

void ChargePenalty(World& world, const WorkloadRecord& workload) {
  LocalQueueState& local_queue = world.local_queue(workload.local_queue);
  world.changes.Touch(local_queue.id);
  local_queue.fair_usage.AddPending(workload.id(), FullRequests(world, workload),
                                    *world.catalog.config.admission_fair_sharing);
  world.UsageChanged(local_queue);
}

/// Releases what the workload holds and wakes those that may want it.
void ReleaseAndWake(World& world, WorkloadRecord& workload) {
  const QueueId held_in = workload.holds_in;
  SyncQuota(world, workload);
  if (held_in.valid()) world.AdvanceGeneration(held_in);
  WakeThroughLocalQueue(world, workload);
}

/// Whether nothing has to pass before it may start again; so for reasons that a gateway gives.
bool RequeuesAtOnce(const Text& reason) {
  return reason != eviction::kPodsReadyTimeout && reason != eviction::kAdmissionCheck &&
         reason != eviction::kClusterQueueStopped && reason != eviction::kLocalQueueStopped &&
         reason != eviction::kFlavorMigration && !eviction::IsDeactivation(reason);
}

void CountEviction(KeptStatus& status, std::string_view reason) {
  constexpr std::string_view kDueTo = "DueTo";
  const std::size_t due_to = eviction::IsDeactivation(reason) ? reason.find(kDueTo) : reason.npos;
  const std::string_view base = reason.substr(0, due_to);
  const std::string_view cause =
      due_to == reason.npos ? std::string_view() : reason.substr(due_to + kDueTo.size());
  SharedList<EvictionCount>& evictions = status.rare.Mutable().evictions;
  for (EvictionCount& known : evictions) {
    if (known.reason != base || known.cause != cause) continue;
    ++known.count;
    return;
  }
  evictions.push_back({std::string(base), std::string(cause), 1});
}

/// The run is over: its time counts towards the limit of the workload, unless the limit ended it;
/// then the next run begins afresh.
void EndRun(World& world, WorkloadRecord& workload, std::string_view reason) {
  KeptStatus& status = workload.spec.status;
  const TimeNs now = world.now;
  if (!IsTrue(status, condition::kAdmitted)) return;
  const TimeNs since = FindCondition(status, condition::kAdmitted)->since;
  const bool counts = !reason.ends_with(eviction::kExecutionTimeExceeded) && since != kNoTime;
  const std::int64_t ran = counts ? (CutToSecond(now) - since) / kSecond : 0;
  if (ran != 0) status.rare.Mutable().past_execution_seconds += ran;
  SetCondition(status, condition::kAdmitted, false, word::kNoReservation, word::kHasNoReservation,
               now);
  SyncAdmitted(world, workload);
}

/// ", of priority 15 by boost of policy aging"; empty where no policy gave one.
std::string BoostText(const World& world, const WorkloadRecord& workload) {
  const std::string policy = BoostedBy(world, workload);
  if (policy.empty()) return {};
  return ", of priority " + std::to_string(workload.priority()) + " by boost of policy " + policy;
}

}  // namespace

void DropPenalty(World& world, WorkloadRecord& workload) {
  if (!workload.local_queue.valid()) return;
  LocalQueueState& queue = world.local_queue(workload.local_queue);
  if (!queue.fair_usage.HasPending(workload.id())) return;
  world.changes.Touch(queue.id);
  queue.fair_usage.DropPending(workload.id());
  world.UsageChanged(queue);
}

void SettleFairUsage(World& world, WorkloadRecord& workload) {
  if (!workload.local_queue.valid() || !world.catalog.config.admission_fair_sharing) return;
  LocalQueueState& local_queue = world.local_queue(workload.local_queue);
  if (!local_queue.fair_usage.HasPending(workload.id())) return;
  world.changes.Touch(local_queue.id);
  local_queue.fair_usage.Settle(workload.id(), local_queue.admitted.List(world.names),
                                *world.catalog.config.admission_fair_sharing, world.now);
  world.UsageChanged(local_queue);
}

void SetPending(World& world, WorkloadRecord& workload, PendingReason reason,
                const Text& message) {
  const bool is_new = reason != workload.reason;
  workload.reason = reason;
  workload.SetMessage(message);
  if (reason != PendingReason::kNone && workload.pending_since() == kNoTime) {
    workload.aside.Mutable().pending_since = CutToSecond(world.now);
  }
  world.changes.Touch(workload.id());
  if (!is_new) return;
  world.changes.Report(EventKind::kPending, workload.spec.key, [&] {
    return PendingPayload(workload.reason, workload.message(), workload.key.boost);
  });
}

void Admit(World& world, WorkloadRecord& workload, const Assignment& assignment, bool charged) {
  ClusterQueueState& queue = world.queue(workload.queue);
  Dequeue(world, workload);
  KeptStatus& status = workload.spec.status;
  status.admission = {queue.name_text, GrantedBy(world.names, workload, assignment)};
  if (status.conditions.empty()) {
    status.conditions = queue.reserved.After(CutToSecond(world.now));
  } else {
    ClearEviction(status, world.now);
    ResolveKey(world, workload);  // its place in the queue was that of its eviction
    SetCondition(status, condition::kQuotaReserved, true, condition::kQuotaReserved,
                 queue.reserved_message, world.now);
  }
  if (assignment.places != nullptr && !assignment.places->proof.empty()) {
    SetCondition(status, condition::kQuotaReserved, true, condition::kQuotaReserved,
                 queue.reserved_message + "; " + assignment.places->proof, world.now);
  }
  workload.reserved_at = CutToSecond(world.now);
  workload.evicted = false;
  workload.reason = PendingReason::kNone;
  workload.ForgetWaiting();
  HoldQuota(world, workload, ChargeOf(assignment), charged);
  world.accounts.Admit(world, workload);
  world.AdvanceGeneration(queue.id);  // the confirmed admission is written again
  const Key& key = workload.spec.key;
  world.changes.Touch(workload.id());
  world.changes.Report(EventKind::kQuotaReserved, key,
                       [&] { return AdmissionPayload(*status.admission, workload.key.boost); });
  if (world.UsageBased(queue)) ChargePenalty(world, workload);
  SyncChecks(world, workload);
  AdmitWhenReady(world, workload);
  DecideReserved(world, workload);
}

void AdmitAs(World& world, WorkloadRecord& job, const WorkloadRecord& variant) {
  KeptStatus& status = job.spec.status;
  const std::string message = "The variant " + variant.spec.key.name + " is admitted";
  status.admission = *variant.spec.status.admission;
  ClearEviction(status, world.now);
  SetCondition(status, condition::kQuotaReserved, true, condition::kQuotaReserved, message,
               world.now);
  SetCondition(status, condition::kAdmitted, true, condition::kAdmitted, message, world.now);
  if (world.catalog.config.wait_for_pods_ready) {
    SetCondition(status, condition::kPodsReady, false, word::kWaitForStart, word::kNotReady,
                 world.now);
  }
  job.reserved_at = CutToSecond(world.now);
  job.evicted = false;
  job.reason = PendingReason::kNone;
  job.ForgetWaiting();
  RefreshKey(world, job);
  world.changes.Touch(job.id());
  world.changes.Report(EventKind::kQuotaReserved, job.spec.key,
                       [&] { return AdmissionPayload(*status.admission, job.key.boost); });
  world.changes.Report(EventKind::kAdmitted, job.spec.key);
  DecideStart(world, job);
  SyncDeadline(world, job);
}

namespace {

/// OrderEviction, before any consumer is told.
bool MarkEvicted(World& world, WorkloadRecord& workload, std::string_view reason,
                 std::string_view message) {
  if (workload.evicted) return false;
  KeptStatus& status = workload.spec.status;
  SetCondition(status, condition::kEvicted, true, reason, message, world.now);
  workload.evicted = IsTrue(status, condition::kQuotaReserved);
  if (workload.evicted && !workload.is_job) {  // of a job its variant counts
    world.accounts.Count(world, workload, AccountOf::kEvicted);
  }
  RefreshKey(world, workload);  // its place in the queue depends on why it was evicted
  CountEviction(status, reason);
  ResetChecks(status, world.now);
  status.rare.Mutable().open_preemption_gates.clear();
  status.rare.Mutable().unhealthy_nodes.clear();
  SyncDeadline(world, workload);
  if (workload.holds()) world.AdvanceGeneration(workload.holds_in);
  world.changes.Touch(workload.id());
  world.changes.Report(EventKind::kEvicted, workload.spec.key,
                       [&] { return ReasonPayload(reason); });
  return true;
}

}  // namespace

bool OrderEviction(World& world, WorkloadRecord& workload, std::string_view reason,
                   std::string_view message) {
  if (!MarkEvicted(world, workload, reason, message)) return false;
  DecideLeaving(world, workload, reason);
  return true;
}

bool Preempt(World& world, const Victim& victim, const WorkloadRecord& preemptor) {
  WorkloadRecord& workload = world.workload(victim.workload);
  const std::string message = "Preempted to accommodate a workload (UID: " + preemptor.uid() +
                              ") due to " + std::string(ReasonName(victim.reason)) +
                              "; preemptor " + preemptor.spec.key.ToString() + " of ClusterQueue " +
                              world.queue(preemptor.queue).name() + BoostText(world, preemptor);
  if (!MarkEvicted(world, workload, eviction::kPreempted, message)) return false;
  world.accounts.Preempt(world, workload, preemptor);
  SetCondition(workload.spec.status, condition::kPreempted, true, ReasonName(victim.reason),
               message, world.now);
  world.changes.Report(EventKind::kPreempted, workload.spec.key, [&] {
    return PreemptionPayload(ReasonName(victim.reason), workload.key.boost, preemptor.spec.key,
                             preemptor.key.boost);
  });
  DecidePreempted(world, workload, preemptor);
  return true;
}

void CompleteEviction(World& world, WorkloadRecord& workload) {
  KeptStatus& status = workload.spec.status;
  const auto evicted = FindCondition(status, condition::kEvicted);
  MUSTER_CHECK(workload.evicted && evicted.has_value());
  const Text reason = evicted->reason;
  workload.evicted = false;
  workload.reserved_at = kNoTime;
  workload.ForgetCheckpoint();
  workload.reason = PendingReason::kPendingEvaluation;
  workload.SetMessage("The workload was evicted: " + evicted->message);
  if (IsTrue(status, condition::kQuotaReserved)) {
    SetCondition(status, condition::kQuotaReserved, false, word::kPendingEvaluation,
                 workload.message(), world.now);
  }
  EndRun(world, workload, reason);
  if (IsTrue(status, condition::kPodsReady)) {
    SetCondition(status, condition::kPodsReady, false, word::kWaitForStart, Text(), world.now);
  }
  SetCondition(status, condition::kRequeued, RequeuesAtOnce(reason), reason, Text(), world.now);
  status.admission.reset();
  SyncChecks(world, workload);
  ForgetVictim(world, workload);
  ReleaseAndWake(world, workload);
  RefreshKey(world, workload);
  world.changes.Touch(workload.id());
  world.changes.Report(EventKind::kQuotaReleased, workload.spec.key,
                       [&] { return ReasonPayload(reason); });
  if (MayQueue(world, workload)) Enqueue(world, workload, true, true);
  if (reason == eviction::kPodsReadyTimeout || reason == eviction::kAdmissionCheck) {
    WaitForBackoff(world, workload, reason);
  }
  SyncDeadline(world, workload);
  EndOutgrown(world, workload);
}

void FinishWorkload(World& world, WorkloadRecord& workload, bool failed, const Text& reason,
                    const Text& message) {
  world.accounts.Count(world, workload, AccountOf::kFinished);
  if (failed) world.accounts.Count(world, workload, AccountOf::kFailed);
  const Text own = failed ? word::kFailed : word::kSucceeded;
  const Text says = failed ? word::kJobFailed : word::kJobFinished;
  EndWorkload(world, workload, reason.empty() ? own : reason, message.empty() ? says : message);
}

void EndWorkload(World& world, WorkloadRecord& workload, Text reason, Text message) {
  SetCondition(workload.spec.status, condition::kFinished, true, reason, std::move(message),
               world.now);
  workload.finished_while_evicting = workload.evicted;
  workload.evicted = false;
  if (workload.queued()) Dequeue(world, workload);
  DropPenalty(world, workload);
  ForgetVictim(world, workload);
  SyncDeadline(world, workload);
  ReleaseAndWake(world, workload);
  world.changes.Touch(workload.id());
  world.changes.Report(EventKind::kFinished, workload.spec.key,
                       [&] { return ReasonPayload(reason); });
}

}  // namespace muster
