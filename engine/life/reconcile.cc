// The lifecycle controller: what stopped queues and deactivated workloads call for.
#include "engine/life/deadlines.h"
#include "engine/life/lifecycle.h"
#include "engine/life/queueing.h"
#include "engine/record/payload.h"
#include "engine/state/records.h"

namespace muster {
namespace {

constexpr std::string_view kDeactivatedMessage = "The workload is deactivated";

StopPolicy LocalStop(const World& world, const WorkloadRecord& workload) {
  return workload.local_queue.valid() ? world.local_queue(workload.local_queue).spec.stop_policy
                                      : StopPolicy::kNone;
}

StopPolicy ClusterStop(const World& world, const WorkloadRecord& workload) {
  return workload.queue.valid() ? world.queue(workload.queue).spec.stop_policy : StopPolicy::kNone;
}

/// Whether a holder must go because its queue stopped: all of them when draining, those that are
/// not admitted yet when holding.
bool MustGo(const WorkloadRecord& workload, StopPolicy policy) {
  return policy == StopPolicy::kHoldAndDrain ||
         (policy == StopPolicy::kHold && !IsTrue(workload.spec.status, condition::kAdmitted));
}

/// Lets a workload queue again once the cause of its eviction is gone.
bool RestoreRequeued(World& world, WorkloadRecord& workload) {
  const auto requeued = FindCondition(workload.spec.status, condition::kRequeued);
  if (!requeued || requeued->status) return false;
  // A deactivation ends what it waited for before: its backoff, or a restart.
  const auto evicted = FindCondition(workload.spec.status, condition::kEvicted);
  std::string_view why;
  if (evicted->status && eviction::IsDeactivation(evicted->reason)) {
    why = "Reactivated";
  } else if (requeued->reason == eviction::kClusterQueueStopped &&
             ClusterStop(world, workload) == StopPolicy::kNone) {
    why = "ClusterQueueRestarted";
  } else if (requeued->reason == eviction::kLocalQueueStopped &&
             LocalStop(world, workload) == StopPolicy::kNone) {
    why = "LocalQueueRestarted";
  } else {
    return false;
  }
  SetCondition(workload.spec.status, condition::kRequeued, true, why, "", world.now);
  SyncDeadline(world, workload);
  world.changes.Touch(workload.id());
  world.changes.Report(EventKind::kRequeued, workload.spec.key, [&] { return ReasonPayload(why); });
  if (MayQueue(world, workload)) Enqueue(world, workload, true, true);
  return true;
}

bool IsDeactivationOrdered(const WorkloadRecord& workload) {
  const auto evicted = FindCondition(workload.spec.status, condition::kEvicted);
  return evicted && evicted->status &&
         (workload.evicted || eviction::IsDeactivation(evicted->reason));
}

bool ReconcileOne(World& world, WorkloadRecord& workload) {
  const KeptStatus& status = workload.spec.status;
  if (IsTrue(status, condition::kFinished)) return false;
  if (!workload.active) {
    if (IsDeactivationOrdered(workload)) return false;
    workload.reason = PendingReason::kDeactivated;
    workload.SetMessage(kDeactivatedMessage);
    ForgetRequeueState(workload.spec.status);
    world.changes.Report(EventKind::kDeactivated, workload.spec.key);
    WakeThroughLocalQueue(world, workload);
    return OrderEviction(world, workload, eviction::kDeactivated, kDeactivatedMessage);
  }
  if (IsTrue(status, condition::kQuotaReserved)) {
    if (workload.evicted) return false;
    if (MustGo(workload, LocalStop(world, workload))) {
      return OrderEviction(world, workload, eviction::kLocalQueueStopped,
                           "The LocalQueue is stopped");
    }
    if (MustGo(workload, ClusterStop(world, workload))) {
      return OrderEviction(world, workload, eviction::kClusterQueueStopped,
                           "The ClusterQueue is stopped");
    }
    return false;
  }
  if (!FindCondition(status, condition::kEvicted)) return false;
  const bool restored = RestoreRequeued(world, workload);
  return RefreshReason(world, workload) || restored;
}

}  // namespace

bool RefreshReason(World& world, WorkloadRecord& workload) {
  PendingReason reason = workload.reason;
  const bool stopped = LocalStop(world, workload) != StopPolicy::kNone ||
                       ClusterStop(world, workload) != StopPolicy::kNone;
  if (stopped) {
    reason = PendingReason::kSuspended;
  } else if (reason == PendingReason::kPendingEvaluation || reason == PendingReason::kDeactivated ||
             reason == PendingReason::kSuspended) {
    reason = PendingReason::kPendingEvaluation;
    if (workload.queue.valid()) {
      reason = ReasonOfClass(world.queue(workload.queue), workload).value_or(reason);
    }
  }
  const bool changed = reason != workload.reason;
  if (changed) world.changes.Touch(workload.id());
  workload.reason = reason;
  return changed;
}

// The reason of what was evicted follows its class, which changes by itself.
bool MayBeUnsettled(const World& world, const WorkloadRecord& workload) {
  if (workload.evicted || workload.finished_while_evicting) return true;
  const KeptStatus& status = workload.spec.status;
  if (IsTrue(status, condition::kFinished)) return false;
  if (!workload.active) return !IsDeactivationOrdered(workload);
  if (IsTrue(status, condition::kQuotaReserved)) {
    const bool maybe_stopped = world.stopped_local_queues > 0 ||
                               (workload.queue.valid() && !world.queue(workload.queue).active);
    return maybe_stopped && (LocalStop(world, workload) != StopPolicy::kNone ||
                             ClusterStop(world, workload) != StopPolicy::kNone);
  }
  return FindCondition(status, condition::kEvicted).has_value();
}

void NoteUnsettled(World& world, const WorkloadRecord& workload) {
  if (MayBeUnsettled(world, workload)) {
    world.unsettled.insert(workload.id());
  } else if (!world.unsettled.empty()) {
    world.unsettled.erase(workload.id());
  }
}

std::vector<WorkloadId> UnsettledByName(const World& world) {
  return world.InNameOrder(world.unsettled);
}

void SettleOne(World& world, WorkloadRecord& workload) {
  while (ReconcileOne(world, workload)) {
  }
  NoteUnsettled(world, workload);
}

void ReconcileLifecycle(World& world) {
  const std::vector<WorkloadId> ids = UnsettledByName(world);
  bool changed = true;
  while (changed) {
    changed = false;
    for (const WorkloadId id : ids) changed |= ReconcileOne(world, world.workload(id));
  }
  for (const WorkloadId id : ids) NoteUnsettled(world, world.workload(id));
}

}  // namespace muster
