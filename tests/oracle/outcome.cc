// A single cycle from nothing, and where the heads that did not start go (sections 3.4 and 3.5).
#include "tests/oracle/world.h"

namespace muster::oracle {
namespace {

bool IsParked(const Snapshot& world, const Verdict& verdict) {
  const bool strict =
      world.queues.at(verdict.job.queue).queueing_strategy == QueueingStrategy::kStrictFifo;
  return !strict && !HasUntriedFlavors(verdict.progress) &&
         (verdict.requeue == Requeue::kNoFit ||
          verdict.requeue == Requeue::kPreemptionNoCandidates);
}

void Settle(const Snapshot& world, const Verdict& verdict, Outcome& outcome) {
  const Job& head = verdict.job;
  const std::string& name = world.queues.at(head.queue).name;
  for (const auto& [key, reason] : verdict.preempts) outcome.preempted[key] = {reason, head.key};
  if (verdict.admission) {
    outcome.pending.erase(head.key);
    outcome.admitted[head.key] = *verdict.admission;
    return;
  }
  const bool parked = IsParked(world, verdict);
  for (const Job& job : world.heaps.at(head.queue)) {
    const bool equal = job.priority == head.priority && job.asks == head.asks;
    if (parked && equal) outcome.pending[job.key] = {name, true, PendingReason::kNone};
  }
  outcome.pending[head.key] = {name, parked, verdict.reason};
}

}  // namespace

Outcome RunCycle(const std::vector<Object>& objects, TimeNs now) {
  const Snapshot world = Load(objects, now);
  Outcome outcome;
  for (const auto& [queue, heap] : world.heaps) {
    for (const Job& job : heap) {
      outcome.pending[job.key].cluster_queue = world.queues.at(queue).name;
    }
  }
  for (const Verdict& verdict : Decide(world)) Settle(world, verdict, outcome);
  return outcome;
}

}  // namespace muster::oracle
