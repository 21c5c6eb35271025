// See fair_search.h. The preemptor's usage is charged to its queue while shares are compared.
#include "engine/preempt/fair_search.h"

#include <algorithm>

namespace muster {

FairSearch::FairSearch(PreemptionSearch& search, const PreemptionRequest& request,
                       std::vector<CandidateTrace>* trace)
    : search_(search),
      world_(search.world_),
      request_(request),
      tree_(search.world_.tree_of(request.queue)),
      trace_(search.world_, trace),
      order_(search.world_, request.queue.id, search.usage_) {}

std::vector<Victim> FairSearch::Run() {
  std::vector<WorkloadId> candidates = Collect();
  if (candidates.empty()) return {};
  order_.Sort(candidates);
  for (const WorkloadId id : candidates) {
    trace_.Candidate(id, world_.workload(id).holds_in == request_.queue.id
                             ? PreemptionReason::kInClusterQueue
                             : PreemptionReason::kInCohortFairSharing);
  }
  UsageMark mark(tree_);
  const NodeIndex own = request_.queue.node;
  tree_.AddUsage(own, request_.demand);
  within_nominal_ =
      world_.catalog.Gate("FairSharingPreemptWithinNominal", true) && !ExceedsNominal(own);
  Group(candidates);
  const auto& strategies = world_.catalog.config.fair_sharing->preemption_strategies;
  bool fits = FirstPass();
  if (!fits && strategies.size() > 1) {
    Group(retry_);
    fits = SecondPass();
  }
  if (!fits) return {};
  tree_.RemoveUsage(own, request_.demand);
  const std::vector<Victim> taken = victims_;
  FillBack(world_, tree_, request_, true, victims_);
  trace_.Outcome(taken, victims_);
  return victims_;
}

bool FairSearch::ExceedsNominal(NodeIndex queue) const {
  return std::any_of(
      request_.contested.begin(), request_.contested.end(),
      [&](FlavorResourceId fr) { return tree_.Borrowing(queue, tree_.ColumnOf(fr), 0); });
}

std::vector<WorkloadId> FairSearch::Collect() const {
  const PreemptionRules& rules = request_.queue.spec.preemption;
  std::vector<WorkloadId> all =
      CandidatesOf(world_, request_.queue, rules.within_cluster_queue, request_, search_.gone_);
  if (!tree_.HasParent(request_.queue.node)) return all;
  for (NodeIndex n = 0; n < tree_.size(); ++n) {
    const QueueId id = tree_.node(n).queue;
    if (!id.valid() || id == request_.queue.id || !ExceedsNominal(n)) continue;
    const std::vector<WorkloadId> more = CandidatesOf(
        world_, world_.queue(id), rules.reclaim_within_cohort, request_, search_.gone_);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

void FairSearch::Group(const std::vector<WorkloadId>& candidates) {
  candidates_.clear();
  pruned_.clear();
  for (const WorkloadId id : candidates) {
    candidates_[world_.queue(world_.workload(id).holds_in).node].push_back(id);
  }
}

NodeIndex FairSearch::NextQueue() {
  const NodeIndex own = request_.queue.node;
  if (!tree_.HasParent(own)) return candidates_[own].empty() ? kNoNode : own;
  while (!pruned_.contains(0)) {  // 0: the root
    const NodeIndex next = NextBelow(0);
    if (next != kNoNode) return next;
  }
  return kNoNode;
}

NodeIndex FairSearch::NextBelow(NodeIndex cohort) {
  const NodeIndex best_queue = BestQueueOf(cohort);
  const NodeIndex best_cohort = BestCohortOf(cohort);
  if (best_queue == kNoNode && best_cohort == kNoNode) {
    pruned_.insert(cohort);
    return kNoNode;
  }
  if (best_cohort == kNoNode) return best_queue;
  if (best_queue == kNoNode ||
      CompareShares(ShareOf(tree_, best_cohort), ShareOf(tree_, best_queue)) >= 0) {
    return NextBelow(best_cohort);
  }
  return best_queue;
}

NodeIndex FairSearch::BestQueueOf(NodeIndex cohort) {
  NodeIndex best = kNoNode;
  DominantShare best_share;
  for (const NodeIndex queue : tree_.node(cohort).child_queues) {
    if (pruned_.contains(queue)) continue;
    const DominantShare share = ShareOf(tree_, queue);
    const auto list = candidates_.find(queue);
    const bool empty = list == candidates_.end() || list->second.empty();
    if (empty || (!share.borrowing && queue != request_.queue.node)) {
      pruned_.insert(queue);
      continue;
    }
    const int compared = best == kNoNode ? 1 : CompareShares(share, best_share);
    const bool better = compared > 0 || (compared == 0 && order_.Before(list->second.front(),
                                                                        candidates_[best].front()));
    if (better) {
      best = queue;
      best_share = share;
    }
  }
  return best;
}

NodeIndex FairSearch::BestCohortOf(NodeIndex cohort) {
  NodeIndex best = kNoNode;
  DominantShare best_share;
  for (const NodeIndex child : tree_.node(cohort).child_cohorts) {
    if (pruned_.contains(child)) continue;
    const DominantShare share = ShareOf(tree_, child);
    if (!share.borrowing && !tree_.IsAncestor(child, request_.queue.node)) {
      pruned_.insert(child);
      continue;
    }
    // Equal shares: the greatest name, as children stand in name order.
    if (best == kNoNode || CompareShares(share, best_share) >= 0) {
      best = child;
      best_share = share;
    }
  }
  return best;
}

FairSearch::Sides FairSearch::SidesOf(NodeIndex target) const {
  Sides sides{request_.queue.node, target};
  while (!tree_.IsAncestor(tree_.node(sides.target).parent, request_.queue.node)) {
    sides.target = tree_.node(sides.target).parent;
  }
  const NodeIndex common = tree_.node(sides.target).parent;
  while (tree_.node(sides.preemptor).parent != common) {
    sides.preemptor = tree_.node(sides.preemptor).parent;
  }
  return sides;
}

bool FairSearch::FirstPassStep(NodeIndex target) {
  std::deque<WorkloadId>& list = candidates_[target];
  const auto pop = [&] {
    const WorkloadId id = list.front();
    list.pop_front();
    return id;
  };
  if (target == request_.queue.node) return Take(pop(), PreemptionReason::kInClusterQueue);
  if (within_nominal_) return Take(pop(), PreemptionReason::kInCohortReclamation);

  const Sides sides = SidesOf(target);
  const DominantShare preemptor_new = ShareOf(tree_, sides.preemptor);
  const DominantShare target_old = ShareOf(tree_, sides.target);
  const bool hopeless = preemptor_new.IsInfinite() && !target_old.IsInfinite();
  const auto strategy = world_.catalog.config.fair_sharing->preemption_strategies.front();
  while (!list.empty()) {
    const WorkloadId id = pop();
    bool accepted = false;
    if (!hopeless && strategy == PreemptionStrategy::kLessThanInitialShare) {
      accepted = CompareShares(preemptor_new, target_old) < 0;
    } else if (!hopeless) {
      UsageMark mark(tree_);
      SimulateRemoval(world_, tree_, id);
      accepted = CompareShares(preemptor_new, ShareOf(tree_, sides.target)) <= 0;
    }
    if (accepted) return Take(id, PreemptionReason::kInCohortFairSharing);
    trace_.Fate(id, CandidateTrace::Fate::kProtected);
    retry_.push_back(id);
  }
  return false;
}

bool FairSearch::FirstPass() {
  for (NodeIndex target = NextQueue(); target != kNoNode; target = NextQueue()) {
    if (FirstPassStep(target)) return true;
  }
  return false;
}

bool FairSearch::SecondPass() {
  for (NodeIndex target = NextQueue(); target != kNoNode; target = NextQueue()) {
    const Sides sides = SidesOf(target);
    if (CompareShares(ShareOf(tree_, sides.preemptor), ShareOf(tree_, sides.target)) < 0) {
      const WorkloadId id = candidates_[target].front();
      candidates_[target].pop_front();
      if (Take(id, PreemptionReason::kInCohortFairSharing)) return true;
    }
    pruned_.insert(target);
  }
  return false;
}

bool FairSearch::Take(WorkloadId candidate, PreemptionReason reason) {
  SimulateRemoval(world_, tree_, candidate);
  victims_.push_back({candidate, reason});
  trace_.Fate(candidate, CandidateTrace::Fate::kVictim);
  return Fits();
}

bool FairSearch::Fits() {
  UsageMark mark(tree_);
  tree_.RemoveUsage(request_.queue.node, request_.demand);
  return DemandFits(tree_, request_, true);
}

}  // namespace muster
