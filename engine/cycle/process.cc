// The outcomes of an entry, in the order in which Kueue tests for them.
#include "engine/cycle/process.h"

#include <algorithm>

#include "engine/cycle/nominate.h"
#include "engine/model/amount.h"

namespace muster {

std::string_view OutcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::kNotNominated:
      return "not nominated";
    case Outcome::kNoFit:
      return "no fit";
    case Outcome::kNoCandidates:
      return "no candidates";
    case Outcome::kGated:
      return "gated";
    case Outcome::kDeferredFit:
      return "deferred fit";
    case Outcome::kSkipped:
      return "skipped";
    case Outcome::kPreempting:
      return "preempting";
    case Outcome::kAdmitted:
      return "admitted";
  }
  return "";
}

void EntryProcessor::Settle(Entry& entry, Outcome outcome, RequeueReason requeue,
                            PendingReason reason, std::string message) {
  entry.outcome = outcome;
  entry.requeue = requeue;
  entry.reason = reason;
  entry.message = std::move(message);
}

void EntryProcessor::Process(Entry& entry) {
  WorkloadRecord& workload = world_.workload(entry.workload);
  const bool overlapping =
      std::any_of(entry.victims.begin(), entry.victims.end(),
                  [&](const Victim& victim) { return claimed_.contains(victim.workload); });
  bool deferred_fit = false;
  if (overlapping && world_.catalog.Gate("RecomputeAssignmentUponPreemptionTargetsOverlap", true)) {
    Refresh(entry);
    deferred_fit = entry.assignment.mode == AssignmentMode::kFit;
  }
  QuotaTree& tree = world_.tree_of(world_.queue(entry.queue));
  const NodeIndex node = world_.queue(entry.queue).node;

  if (entry.assignment.mode == AssignmentMode::kNoFit) {
    return Settle(entry, Outcome::kNoFit, RequeueReason::kNoFit, entry.assignment.NoFitReason(),
                  entry.assignment.Message(workload));
  }
  const bool preempting = entry.assignment.mode == AssignmentMode::kPreempt;
  if (preempting && entry.victims.empty()) {
    ReserveForBlocked(entry);
    return Settle(entry, Outcome::kNoCandidates, RequeueReason::kPreemptionNoCandidates,
                  PendingReason::kWaitingForQuota, entry.assignment.Message(workload));
  }
  if (preempting && HasClosedGate(workload.spec)) {
    return Settle(entry, Outcome::kGated, RequeueReason::kPreemptionGated,
                  PendingReason::kAdmissionGated, "Workload requires preemption, but it's gated");
  }
  if (deferred_fit) {
    workload.progress = {};
    tree.AddUsage(node, entry.assignment.usage);
    return Settle(entry, Outcome::kDeferredFit, RequeueReason::kPendingPreemption,
                  PendingReason::kWaitingForPreemptedWorkloads,
                  "Waiting for workloads that an earlier entry of this cycle preempted");
  }
  const bool still_overlapping =
      std::any_of(entry.victims.begin(), entry.victims.end(),
                  [&](const Victim& victim) { return claimed_.contains(victim.workload); });
  if (still_overlapping) {
    return Settle(entry, Outcome::kSkipped, RequeueReason::kFailedAfterNomination,
                  PendingReason::kWaitingForQuota,
                  "Workload has overlapping preemption targets with another workload");
  }
  if (!Fits(entry)) {
    return Settle(entry, Outcome::kSkipped, RequeueReason::kFailedAfterNomination,
                  PendingReason::kWaitingForQuota,
                  "Workload no longer fits after processing another workload");
  }
  Claim(entry);
}

void EntryProcessor::Refresh(Entry& entry) {
  const Assignment nominated = entry.assignment;
  UsageMark mark(world_.tree_of(world_.queue(entry.queue)));
  for (const WorkloadId id : claimed_) {
    const ClusterQueueState& holder_queue = world_.queue(world_.workload(id).holds_in);
    if (holder_queue.tree != world_.queue(entry.queue).tree) continue;
    SimulateRemoval(world_, world_.trees[holder_queue.tree], id);
  }
  search_.SetGone(claimed_);
  ComputeAssignment(world_, search_, entry, &nominated, traced_);
  search_.SetGone({});
  world_.workload(entry.workload).progress = entry.assignment.progress;
}

// A preemptor that found no victims keeps what it could have, so that nobody behind it in the cycle
// takes it away - unless it may reclaim from anybody, and so gets it back when it can.
void EntryProcessor::ReserveForBlocked(const Entry& entry) {
  const ClusterQueueState& queue = world_.queue(entry.queue);
  if (queue.spec.preemption.reclaim_within_cohort == PreemptionPolicy::kAny) return;
  QuotaTree& tree = world_.tree_of(queue);
  for (const Usage& usage : entry.assignment.usage) {
    const Column column = tree.ColumnOf(usage.fr);
    const QuotaCell& cell = tree.cell(queue.node, column);
    Amount reserved = usage.amount;
    if (!entry.assignment.Borrows()) {
      reserved = std::max<Amount>(0, std::min(reserved, Sub(cell.nominal, cell.usage)));
    } else if (cell.borrowing_limit != kNoLimit) {
      reserved = std::min(reserved, Sub(Add(cell.nominal, cell.borrowing_limit), cell.usage));
    }
    tree.AddUsage(queue.node, column, reserved);
  }
}

bool EntryProcessor::Fits(const Entry& entry) {
  const ClusterQueueState& queue = world_.queue(entry.queue);
  QuotaTree& tree = world_.tree_of(queue);
  UsageMark mark(tree);
  std::set<WorkloadId> removed = claimed_;
  for (const Victim& victim : entry.victims) removed.insert(victim.workload);
  for (const WorkloadId id : removed) {
    if (world_.queue(world_.workload(id).holds_in).tree == queue.tree) {
      SimulateRemoval(world_, tree, id);
    }
  }
  return tree.Fits(queue.node, entry.assignment.usage);
}

void EntryProcessor::Claim(Entry& entry) {
  const ClusterQueueState& queue = world_.queue(entry.queue);
  for (const Victim& victim : entry.victims) claimed_.insert(victim.workload);
  world_.tree_of(queue).AddUsage(queue.node, entry.assignment.usage);
  if (entry.victims.empty()) {
    return Settle(entry, Outcome::kAdmitted, RequeueReason::kGeneric, PendingReason::kNone, "");
  }
  WorkloadRecord& workload = world_.workload(entry.workload);
  workload.progress = {};
  Settle(entry, Outcome::kPreempting, RequeueReason::kPendingPreemption,
         PendingReason::kWaitingForPreemptedWorkloads,
         entry.assignment.Message(workload) + ". Pending the preemption of " +
             std::to_string(entry.victims.size()) + " workload(s)");
}

}  // namespace muster
