// The lifecycle controller: what stopped queues and deactivations call for (sections 10.4 to 10.6).
#include "tests/oracle/history.h"

namespace muster::oracle {

void History::RunController() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& [key, member] : members_) changed |= Control(member);
  }
}

// True when something changed.
bool History::Control(Member& member) {
  Workload& workload = member.workload;
  if (IsTrue(workload, "Finished")) return false;
  const Condition* evicted = FindCondition(workload, "Evicted");
  if (!workload.active) {
    const bool done = evicted && evicted->status &&
                      (member.evicting || evicted->reason.starts_with("Deactivated"));
    if (done) return false;
    member.reason = PendingReason::kDeactivated;
    workload.status.requeue_state.reset();
    OrderEviction(member, "Deactivated");
    WakeFor(workload);  // also of one that was inactive from its creation
    return true;
  }
  const auto* local = Find<LocalQueue>({workload.key.ns, workload.queue});
  const auto* queue = local ? Find<ClusterQueue>({"", local->cluster_queue}) : nullptr;
  const StopPolicy local_stop = local ? local->stop_policy : StopPolicy::kNone;
  const StopPolicy queue_stop = queue ? queue->stop_policy : StopPolicy::kNone;
  if (workload.status.admission) {
    if (member.evicting) return false;
    if (local_stop == StopPolicy::kHoldAndDrain) {
      OrderEviction(member, "LocalQueueStopped");
    } else if (queue_stop == StopPolicy::kHoldAndDrain) {
      OrderEviction(member, "ClusterQueueStopped");
    }
    return member.evicting;
  }
  if (evicted == nullptr) return false;
  const bool restored = Restore(member);
  const PendingReason before = member.reason;
  if (local_stop != StopPolicy::kNone || queue_stop != StopPolicy::kNone) {
    member.reason = PendingReason::kSuspended;
  } else if (before == PendingReason::kPendingEvaluation || before == PendingReason::kDeactivated ||
             before == PendingReason::kSuspended) {
    member.reason = ParkedReason(member).value_or(PendingReason::kPendingEvaluation);
  }
  return restored || member.reason != before;
}

// "Requeued stays False until reactivation or restart." A reactivation ends every wait.
bool History::Restore(Member& member) {
  const Condition* requeued = FindCondition(member.workload, "Requeued");
  if (requeued == nullptr || requeued->status) return false;
  const auto* local = Find<LocalQueue>({member.workload.key.ns, member.workload.queue});
  const auto* queue = local ? Find<ClusterQueue>({"", local->cluster_queue}) : nullptr;
  const Condition* evicted = FindCondition(member.workload, "Evicted");
  const std::string why = requeued->reason;
  const bool over =
      (evicted->status && evicted->reason.starts_with("Deactivated")) ||
      (why == "LocalQueueStopped" && local && local->stop_policy == StopPolicy::kNone) ||
      (why == "ClusterQueueStopped" && queue && queue->stop_policy == StopPolicy::kNone);
  if (!over) return false;
  SetCondition(member.workload, "Requeued", true, "Restored", now_);
  if (MayQueue(member)) Enqueue(member, /*changed=*/true, /*check_class=*/true);
  return true;
}

// What holds nothing has nothing to give back: its eviction is done as soon as it is ordered.
void History::OrderEviction(Member& member, const std::string& reason) {
  SetCondition(member.workload, "Evicted", true, reason, now_);
  if (!member.workload.status.admission) return;
  member.evicting = true;
  AdvanceGeneration(member);
}

}  // namespace muster::oracle
