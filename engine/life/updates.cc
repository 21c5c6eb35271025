// Changes to a workload while it waits or runs, its disappearance, and usage sampling.
#include <set>
#include <string>
#include <utility>

#include "engine/base/check.h"
#include "engine/hand_over/decide.h"
#include "engine/life/deadlines.h"
#include "engine/life/kept_room.h"
#include "engine/life/lifecycle.h"
#include "engine/life/queueing.h"
#include "engine/record/payload.h"
#include "engine/state/forest.h"
#include "engine/state/records.h"
#include "engine/state/variant_marks.h"
#include "engine/state/whole_workload.h"

namespace muster {
namespace {

/// An inactive or finished workload leaves its queue; others may want its place.
void Withdraw(World& world, WorkloadRecord& workload) {
  if (workload.queued()) Dequeue(world, workload);
  if (!workload.active && !IsTrue(workload.spec.status, condition::kAdmitted)) {
    DropPenalty(world, workload);
  }
  WakeThroughLocalQueue(world, workload);
}

/// The variants of a job go with it.
void ForgetVariants(World& world, const WorkloadRecord& job, std::string_view reason) {
  const std::set<WorkloadId> variants = world.jobs[job.id()];
  for (const WorkloadId id : variants) ForgetWorkload(world, world.workload(id), reason);
}

/// It is no job any more, or none of its job's variants.
void LeaveJob(World& world, const WorkloadRecord& workload) {
  if (workload.is_job) {
    world.jobs.erase(workload.id());
    world.jobs_due.erase(workload.id());
  } else if (workload.of_job) {
    if (const WorkloadRecord* job = JobOf(world, workload)) {
      world.jobs[job->id()].erase(workload.id());
      world.changes.Touch(job->id());
    }
  }
}

}  // namespace

void UpdateWorkload(World& world, WorkloadRecord& workload, const Workload& changed) {
  const Workload before = WholeWorkload(workload);
  const Workload& now = changed;
  const bool reclaimed = before.status.reclaimable_pods != now.status.reclaimable_pods;
  const bool reprioritized = before.priority != now.priority;
  const bool resized = before.pod_sets != now.pod_sets;
  const bool regated = before.status.open_preemption_gates != now.status.open_preemption_gates;
  const QueueId held_in = workload.holds_in;
  world.changes.Touch(workload.id());
  world.changes.Report(EventKind::kUpdated, now.key, [&] { return UpdatePayload(now); });
  if (reprioritized) world.changes.Report(EventKind::kPriorityChanged, now.key);
  if (reclaimed) world.changes.Report(EventKind::kReclaimablePodsUpdated, now.key);

  workload.active = now.active;
  workload.spec.series = Shared<Series>(SeriesOf(now));
  workload.spec.status = Keep(now.status);
  const bool over = IsTrue(workload.spec.status, condition::kFinished);
  ResolveRequests(world, workload);
  SyncQuota(world, workload);
  RefreshKey(world, workload);
  if (held_in.valid()) world.AdvanceGeneration(held_in);
  const bool holder_wakes =
      held_in.valid() &&
      ((reclaimed && IsTrue(workload.spec.status, condition::kAdmitted)) || resized ||
       (reprioritized && now.priority_source == PriorityClassSource::kWorkloadPriorityClass));
  if (!now.active || over) {
    Withdraw(world, workload);
  } else {
    if (holder_wakes) WakeThroughLocalQueue(world, workload);
    if (MayQueue(world, workload)) {
      const bool may_start =
          reclaimed || reprioritized || resized || regated || before.active != now.active;
      Enqueue(world, workload, may_start, true);
    }
  }
  NoteUnsettled(world, workload);
  ReconcileLifecycle(world);
  SyncDeadline(world, workload);
}

void SetActive(World& world, WorkloadRecord& workload, bool active) {
  const QueueId held_in = workload.holds_in;
  workload.active = active;
  world.changes.Touch(workload.id());
  SyncQuota(world, workload);
  RefreshKey(world, workload);
  if (held_in.valid()) world.AdvanceGeneration(held_in);
  if (!active) {
    Withdraw(world, workload);
  } else if (MayQueue(world, workload)) {
    Enqueue(world, workload, true, true);
  }
  SettleOne(world, workload);
  SyncDeadline(world, workload);
}

void NoteCheckpoint(World& world, WorkloadRecord& workload, TimeNs at) {
  if (at <= workload.checkpointed()) return;
  workload.aside.Mutable().checkpointed = at;
  world.NoteHolders(world.queue(workload.holds_in));
  world.changes.Touch(workload.id());
  world.changes.Report(EventKind::kCheckpointed, workload.spec.key,
                       [&] { return CheckpointPayload(at); });
}

void Deactivate(World& world, WorkloadRecord& workload, std::string_view cause,
                const std::string& message) {
  workload.active = false;
  workload.reason = PendingReason::kDeactivated;
  workload.SetMessage("The workload is deactivated due to " + message);
  ForgetRequeueState(workload.spec.status);
  world.changes.Report(EventKind::kDeactivated, workload.spec.key,
                       [&] { return ReasonPayload(cause); });
  OrderEviction(world, workload, std::string(eviction::kDeactivated) + "DueTo" + std::string(cause),
                workload.message());
  SyncQuota(world, workload);
  Withdraw(world, workload);
}

void MarkReady(World& world, WorkloadRecord& workload, bool ready) {
  KeptStatus& status = workload.spec.status;
  if (IsTrue(status, condition::kPodsReady) == ready) return;
  SetCondition(status, condition::kPodsReady, ready,
               ready ? word::kStarted : word::kWaitForRecovery,
               ready ? word::kAllReady : word::kNotReadyAnyMore, world.now);
  world.changes.Touch(workload.id());
  world.changes.Report(ready ? EventKind::kPodsReady : EventKind::kPodsNotReady, workload.spec.key);
  SyncDeadline(world, workload);
}

void ForgetWorkload(World& world, WorkloadRecord& workload, std::string_view reason) {
  const WorkloadId id = workload.id();
  if (workload.is_job) ForgetVariants(world, workload, reason);
  LeaveJob(world, workload);
  KeptStatus& status = workload.spec.status;
  const bool ended = IsTrue(status, condition::kFinished);
  const bool deactivated = reason == forgotten::kAfterDeactivation;
  const bool cancelled = !ended && !deactivated && !workload.of_job;
  world.changes.Report(cancelled ? EventKind::kCancelled : EventKind::kForgotten, workload.spec.key,
                       [&] { return ReasonPayload(reason); });
  if (cancelled) world.accounts.Count(world, workload, AccountOf::kCancelled);
  if (workload.queued()) Dequeue(world, workload);
  DropPenalty(world, workload);
  ForgetVictim(world, workload);
  const QueueId held_in = workload.holds_in;
  const bool reserved = IsTrue(status, condition::kQuotaReserved);
  if (ended) world.finished.erase(FinishedAs(workload));
  DecideWithdrawn(world, workload, reserved && !ended && !deactivated);
  status.admission.reset();
  SyncQuota(world, workload);
  if (held_in.valid()) world.AdvanceGeneration(held_in);
  if (reserved && !ended) WakeThroughLocalQueue(world, workload);
  world.accounts.Release(world, workload);
  world.LeaveRoster(workload);
  world.deadlines.erase({workload.deadline(), id});
  world.unsettled.erase(id);
  MUSTER_CHECK(!world.dormant.contains(id) && "I18 held amounts");
  world.changes.workloads.erase(id);
  if (world.changes.recording) {
    world.changes.forgotten.insert(workload.spec.key);
  }
  world.Forget(workload);
}

void ForgetOldFinished(World& world) {
  const auto& most = world.catalog.engine_config.keep_finished;
  while (most && world.finished.size() > static_cast<std::size_t>(*most)) {
    ForgetWorkload(world, world.workload(world.finished.begin()->second), forgotten::kBeyondLimit);
  }
}

void WakeForFinished(World& world) {
  for (const WorkloadId id : UnsettledByName(world)) {
    WorkloadRecord& workload = world.workload(id);
    if (!workload.finished_while_evicting) continue;
    workload.finished_while_evicting = false;
    NoteUnsettled(world, workload);
    world.changes.Touch(id);
    WakeThroughLocalQueue(world, workload);
  }
}

void SampleFairUsage(World& world) {
  const auto& config = world.catalog.config.admission_fair_sharing;
  if (!config) return;
  for (const auto& [key, id] : world.local_queue_ids) {
    LocalQueueState& queue = world.local_queue(id);
    if (queue.spec.stop_policy != StopPolicy::kNone || !queue.queue.valid()) continue;
    if (!world.queue(queue.queue).active) continue;
    if (queue.fair_usage.SampleIfDue(queue.admitted.List(world.names), *config, world.now)) {
      world.changes.Touch(id);
      world.UsageChanged(queue);
    }
  }
}

}  // namespace muster
