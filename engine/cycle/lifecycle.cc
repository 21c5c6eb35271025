// Admission, eviction in two steps, and the end of a workload.
#include "engine/cycle/lifecycle.h"

#include <utility>

#include "engine/cycle/queueing.h"
#include "engine/model/amount.h"
#include "engine/model/check.h"
#include "engine/record/payload.h"
#include "engine/state/forest.h"
#include "engine/state/records.h"

namespace muster {
namespace {

/// Most workloads get no more of them in their life than these: reserved, admitted, ready,
/// finished.
constexpr std::size_t kUsualConditions = 4;

Quantity ToQuantity(const std::string& resource, Amount amount) {
  return resource == "cpu" ? Quantity::Milli(amount) : Quantity::Units(amount);
}

Admission ToAdmission(const World& world, const WorkloadRecord& workload,
                      const Assignment& assignment) {
  Admission admission;
  admission.cluster_queue = world.queue(workload.queue).name();
  for (std::size_t i = 0; i < assignment.pod_sets.size(); ++i) {
    PodSetAssignment pod_set;
    pod_set.name = workload.spec.pod_sets[i].name;
    pod_set.count = assignment.pod_sets[i].count;
    for (const AssignedFlavor& assigned : assignment.pod_sets[i].flavors) {
      const std::string& resource = world.names.ResourceName(assigned.resource);
      pod_set.flavors[resource] = world.names.FlavorName(assigned.flavor);
      pod_set.resource_usage[resource] = ToQuantity(resource, assigned.amount);
    }
    admission.pod_sets.push_back(std::move(pod_set));
  }
  return admission;
}

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
          list[resource] + ToQuantity(resource, Mul(request.amount, pod_set.effective_count));
    }
  }
  return list;
}

void ClearEviction(WorkloadStatus& status, TimeNs now) {
  for (const std::string_view type : {condition::kEvicted, condition::kPreempted}) {
    if (IsTrue(status, type)) {
      SetCondition(status, type, false, "QuotaReserved",
                   "Previously: " + FindCondition(status, type)->message, now);
    }
  }
}

void SettleFairUsage(World& world, WorkloadRecord& workload) {
  LocalQueueState& local_queue = world.local_queue(workload.local_queue);
  const AdmissionFairSharingConfig& config = *world.catalog.config.admission_fair_sharing;
  world.changes.Touch(local_queue.id);
  local_queue.fair_usage.AddPending(workload.id, FullRequests(world, workload), config);
  if (!IsTrue(workload.spec.status, condition::kAdmitted)) return;
  local_queue.fair_usage.Settle(workload.id, AdmittedUsage(world, local_queue), config, world.now);
}

void DropPenalty(World& world, WorkloadRecord& workload) {
  if (!workload.local_queue.valid()) return;
  FairUsage& usage = world.local_queue(workload.local_queue).fair_usage;
  if (usage.HasPending(workload.id)) world.changes.Touch(workload.local_queue);
  usage.DropPending(workload.id);
}

/// Releases what the workload holds and wakes those who may want it.
void ReleaseAndWake(World& world, WorkloadRecord& workload) {
  const QueueId held_in = workload.holds_in;
  SyncQuota(world, workload);
  const QueueId wake = held_in.valid() ? held_in : workload.queue;
  if (!wake.valid()) return;
  if (held_in.valid()) world.AdvanceGeneration(held_in);
  WakeTreeOf(world, wake);
}

/// Whether nothing has to pass before it may start again; so for reasons that a gateway gives.
bool RequeuesAtOnce(std::string_view reason) {
  return reason != eviction::kPodsReadyTimeout && reason != eviction::kAdmissionCheck &&
         reason != eviction::kClusterQueueStopped && reason != eviction::kLocalQueueStopped &&
         reason != eviction::kDeactivated;
}

}  // namespace

ResourceList AdmittedUsage(const World& world, const LocalQueueState& queue) {
  ResourceList total;
  for (const WorkloadId id : queue.workloads) {
    const WorkloadRecord& workload = world.workload(id);
    if (!workload.holds() || !IsTrue(workload.spec.status, condition::kAdmitted)) continue;
    for (const auto& [name, amount] : UsageByResource(world, workload)) {
      total[name] = total[name] + amount;
    }
  }
  return total;
}

void Admit(World& world, WorkloadRecord& workload, const Assignment& assignment) {
  ClusterQueueState& queue = world.queue(workload.queue);
  Dequeue(world, workload);
  WorkloadStatus& status = workload.spec.status;
  status.admission = ToAdmission(world, workload, assignment);
  status.conditions.reserve(kUsualConditions);
  ClearEviction(status, world.now);
  SetCondition(status, condition::kQuotaReserved, true, "QuotaReserved",
               "Quota reserved in ClusterQueue " + queue.name(), world.now);
  if (queue.spec.admission_checks.empty()) {
    SetCondition(status, condition::kAdmitted, true, "Admitted", "The workload is admitted",
                 world.now);
  }
  workload.reserved_at = CutToSecond(world.now);
  workload.evicted = false;
  workload.reason = PendingReason::kNone;
  workload.message.clear();
  HoldQuota(world, workload, assignment.usage);
  world.AdvanceGeneration(queue.id);  // the confirmed admission is written again
  const Key& key = workload.spec.key;
  world.changes.Touch(workload.id);
  world.changes.Report(EventKind::kQuotaReserved, key,
                       [&] { return AdmissionPayload(*status.admission); });
  if (IsTrue(status, condition::kAdmitted)) world.changes.Report(EventKind::kAdmitted, key);
  if (world.UsageBased(queue)) SettleFairUsage(world, workload);
}

bool OrderEviction(World& world, WorkloadRecord& workload, std::string_view reason,
                   std::string message) {
  if (workload.evicted) return false;
  SetCondition(workload.spec.status, condition::kEvicted, true, reason, std::move(message),
               world.now);
  workload.evicted = IsTrue(workload.spec.status, condition::kQuotaReserved);
  RefreshHolder(world, workload);
  if (workload.holds()) world.AdvanceGeneration(workload.holds_in);
  world.changes.Touch(workload.id);
  world.changes.Report(EventKind::kEvicted, workload.spec.key,
                       [&] { return ReasonPayload(reason); });
  return true;
}

bool Preempt(World& world, const Victim& victim, const WorkloadRecord& preemptor) {
  WorkloadRecord& workload = world.workload(victim.workload);
  const std::string message = "Preempted to accommodate a workload (UID: " + preemptor.uid() +
                              ") due to " + std::string(ReasonName(victim.reason)) +
                              "; preemptor " + preemptor.spec.key.ToString() + " of ClusterQueue " +
                              world.queue(preemptor.queue).name();
  if (!OrderEviction(world, workload, eviction::kPreempted, message)) return false;
  SetCondition(workload.spec.status, condition::kPreempted, true, ReasonName(victim.reason),
               message, world.now);
  world.changes.Report(EventKind::kPreempted, workload.spec.key, [&] {
    return PreemptionPayload(ReasonName(victim.reason), preemptor.spec.key);
  });
  return true;
}

void CompleteEviction(World& world, WorkloadRecord& workload) {
  WorkloadStatus& status = workload.spec.status;
  const Condition* evicted = FindCondition(status, condition::kEvicted);
  MUSTER_CHECK(workload.evicted && evicted != nullptr);
  const std::string reason = evicted->reason;
  workload.evicted = false;
  workload.reserved_at = kNoTime;
  workload.reason = PendingReason::kPendingEvaluation;
  workload.message = "The workload was evicted: " + evicted->message;
  if (IsTrue(status, condition::kQuotaReserved)) {
    SetCondition(status, condition::kQuotaReserved, false, "PendingEvaluation", workload.message,
                 world.now);
  }
  if (IsTrue(status, condition::kAdmitted)) {
    SetCondition(status, condition::kAdmitted, false, "NoReservation",
                 "The workload has no reservation", world.now);
  }
  if (IsTrue(status, condition::kPodsReady)) {
    SetCondition(status, condition::kPodsReady, false, "WaitForStart", "", world.now);
  }
  SetCondition(status, condition::kRequeued, RequeuesAtOnce(reason), reason, "", world.now);
  status.admission.reset();
  ReleaseAndWake(world, workload);
  RefreshKey(world, workload);
  world.changes.Touch(workload.id);
  world.changes.Report(EventKind::kQuotaReleased, workload.spec.key,
                       [&] { return ReasonPayload(reason); });
  if (MayQueue(world, workload)) Enqueue(world, workload, true, true);
}

void FinishWorkload(World& world, WorkloadRecord& workload, bool failed) {
  SetCondition(workload.spec.status, condition::kFinished, true, failed ? "Failed" : "Succeeded",
               failed ? "Job failed" : "Job finished successfully", world.now);
  workload.finished_while_evicting = workload.evicted;
  workload.evicted = false;
  if (workload.place != QueuePlace::kNone) Dequeue(world, workload);
  DropPenalty(world, workload);
  ReleaseAndWake(world, workload);
  world.changes.Touch(workload.id);
  world.changes.Report(EventKind::kFinished, workload.spec.key,
                       [&] { return ReasonPayload(failed ? "Failed" : "Succeeded"); });
}

}  // namespace muster
