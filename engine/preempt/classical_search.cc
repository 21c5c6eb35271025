// See classical_search.h. Every step follows the order in which Kueue looks at candidates, because
// the set of victims depends on it.
#include "engine/preempt/classical_search.h"

#include <algorithm>
#include <map>

#include "engine/model/amount.h"

namespace muster {

ClassicalSearch::ClassicalSearch(PreemptionSearch& search, const PreemptionRequest& request,
                                 std::vector<CandidateTrace>* trace)
    : search_(search),
      world_(search.world_),
      request_(request),
      tree_(search.world_.tree_of(request.queue)),
      trace_(search.world_, trace),
      order_(search.world_, request.queue.id, search.usage_) {}

std::vector<Victim> ClassicalSearch::Run() {
  CollectOwn();
  CollectFromCohorts();
  any_advantage_ = !advantage_.empty();
  any_other_ = !other_.empty();
  Candidates sequence, evicted_other, evicted_own;
  SortAndSplit(advantage_, sequence);
  SortAndSplit(other_, evicted_other);
  SortAndSplit(own_, evicted_own);
  for (const Candidates* list : {&evicted_other, &evicted_own, &advantage_, &other_, &own_}) {
    sequence.insert(sequence.end(), list->begin(), list->end());
  }
  for (const Candidate& candidate : sequence) {
    trace_.Candidate(candidate.workload, ReasonOf(candidate.kind));
  }
  for (const bool allow_borrowing : Attempts()) {
    std::vector<Victim> victims = Attempt(sequence, allow_borrowing);
    if (!victims.empty()) return victims;
  }
  return {};
}

void ClassicalSearch::CollectOwn() {
  for (const WorkloadId id :
       CandidatesOf(world_, request_.queue, request_.queue.spec.preemption.within_cluster_queue,
                    request_, search_.gone_)) {
    own_.push_back({id, Kind::kWithinQueue, kNoNode});
  }
}

void ClassicalSearch::CollectFromCohorts() {
  const NodeIndex queue = request_.queue.node;
  if (!tree_.HasParent(queue) ||
      request_.queue.spec.preemption.reclaim_within_cohort == PreemptionPolicy::kNever) {
    return;
  }
  std::vector<Usage> rest(request_.demand.begin(), request_.demand.end());
  // Whether `node` holds the rest within its own quota; what it cannot absorb goes on upwards.
  const auto absorb = [&](NodeIndex node) {
    bool fits = true;
    for (Usage& usage : rest) {
      const Column column = tree_.ColumnOf(usage.fr);
      fits &= !tree_.Borrowing(node, column, usage.amount);
      usage.amount = std::max<Amount>(0, Sub(usage.amount, tree_.LocalAvailable(node, column)));
    }
    return fits;
  };
  bool advantage = absorb(queue);
  NodeIndex visited = queue;
  for (NodeIndex a = tree_.node(queue).parent; a != kNoNode; a = tree_.node(a).parent) {
    CollectSubtree(a, a, visited, advantage);
    advantage = absorb(a) || advantage;
    visited = a;
  }
}

void ClassicalSearch::CollectSubtree(NodeIndex cohort, NodeIndex lowest_common, NodeIndex skip,
                                     bool advantage) {
  for (const NodeIndex child : tree_.node(cohort).child_cohorts) {
    if (child == skip || WithinQuota(child)) continue;
    CollectSubtree(child, lowest_common, kNoNode, advantage);
  }
  for (const NodeIndex child : tree_.node(cohort).child_queues) {
    if (child == request_.queue.node || WithinQuota(child)) continue;
    CollectQueue(child, lowest_common, advantage);
  }
}

void ClassicalSearch::CollectQueue(NodeIndex node, NodeIndex lowest_common, bool advantage) {
  const ClusterQueueState& queue = world_.queue(tree_.node(node).queue);
  for (const WorkloadId id :
       CandidatesOf(world_, queue, request_.queue.spec.preemption.reclaim_within_cohort, request_,
                    search_.gone_)) {
    if (advantage) {
      advantage_.push_back({id, Kind::kHierarchicalReclaim, lowest_common});
    } else {
      other_.push_back({id, KindWithoutAdvantage(world_.workload(id)), lowest_common});
    }
  }
}

ClassicalSearch::Kind ClassicalSearch::KindWithoutAdvantage(const WorkloadRecord& candidate) const {
  const PreemptionRules& rules = request_.queue.spec.preemption;
  const bool too_important =
      candidate.priority() >= request_.preemptor.priority() ||
      (rules.max_priority_threshold && candidate.priority() > *rules.max_priority_threshold);
  if (rules.borrow_within_cohort == PreemptionPolicy::kNever || too_important) {
    return Kind::kReclaimWithoutBorrowing;
  }
  return Kind::kReclaimWhileBorrowing;
}

void ClassicalSearch::SortAndSplit(Candidates& list, Candidates& evicted) {
  std::map<WorkloadId, Candidate> by_id;
  std::vector<WorkloadId> ids;
  for (const Candidate& candidate : list) {
    by_id[candidate.workload] = candidate;
    ids.push_back(candidate.workload);
  }
  order_.Sort(ids);
  list.clear();
  for (const WorkloadId id : ids) {
    (world_.workload(id).evicted ? evicted : list).push_back(by_id[id]);
  }
}

bool ClassicalSearch::WithinQuota(NodeIndex node) const {
  return std::all_of(
      request_.contested.begin(), request_.contested.end(),
      [&](FlavorResourceId fr) { return !tree_.Borrowing(node, tree_.ColumnOf(fr), 0); });
}

bool ClassicalSearch::StillValid(const Candidate& candidate, bool allow_borrowing) const {
  if (candidate.kind == Kind::kWithinQueue) return true;
  if (candidate.kind == Kind::kReclaimWithoutBorrowing && allow_borrowing) return false;
  NodeIndex node = world_.queue(world_.workload(candidate.workload).holds_in).node;
  for (; node != candidate.lowest_common; node = tree_.node(node).parent) {
    if (WithinQuota(node)) return false;
  }
  return true;
}

std::vector<bool> ClassicalSearch::Attempts() const {
  const bool outside = any_advantage_ || any_other_;
  const bool never_borrow =
      request_.queue.spec.preemption.borrow_within_cohort == PreemptionPolicy::kNever;
  const NodeIndex node = request_.queue.node;
  const bool at_nominal =
      std::any_of(request_.contested.begin(), request_.contested.end(), [&](FlavorResourceId fr) {
        const QuotaCell& cell = tree_.cell(node, tree_.ColumnOf(fr));
        return cell.usage >= cell.nominal;
      });
  if (!outside || (never_borrow && at_nominal)) return {true};
  if (never_borrow && !any_advantage_) return {false, true};
  return {true, false};
}

std::vector<Victim> ClassicalSearch::Attempt(const Candidates& sequence, bool allow_borrowing) {
  UsageMark mark(tree_);
  std::vector<Victim> victims;
  for (const Candidate& candidate : sequence) {
    if (!StillValid(candidate, allow_borrowing)) continue;
    SimulateRemoval(world_, tree_, candidate.workload);
    victims.push_back({candidate.workload, ReasonOf(candidate.kind)});
    if (!DemandFits(tree_, request_, allow_borrowing)) continue;
    const std::vector<Victim> taken = victims;
    FillBack(world_, tree_, request_, allow_borrowing, victims);
    trace_.Outcome(taken, victims);
    return victims;
  }
  return {};
}

PreemptionReason ClassicalSearch::ReasonOf(Kind kind) {
  switch (kind) {
    case Kind::kWithinQueue:
      return PreemptionReason::kInClusterQueue;
    case Kind::kHierarchicalReclaim:
    case Kind::kReclaimWithoutBorrowing:
      return PreemptionReason::kInCohortReclamation;
    case Kind::kReclaimWhileBorrowing:
      return PreemptionReason::kInCohortReclaimWhileBorrowing;
  }
  return PreemptionReason::kInClusterQueue;
}

}  // namespace muster
