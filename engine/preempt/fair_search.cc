// See fair_search.h. The preemptor's usage is charged to its queue while shares are compared.
#include "engine/preempt/fair_search.h"

#include <algorithm>
#include <utility>

namespace muster {

FairSearch::FairSearch(PreemptionSearch& search, const PreemptionRequest& request,
                       SearchReport* report)
    : search_(search),
      world_(search.world_),
      request_(request),
      tree_(search.world_.tree_of(request.queue)),
      trace_(search.world_, report),
      order_(search.world_, request.queue.id, search.usage_),
      scope_{request, order_, search.gone_},
      rule_(search.world_, search.policies_, request.queue) {}

std::vector<Victim> FairSearch::Run() {
  Collect();
  if (candidates_.empty()) return {};
  if (search_.victims_.scripted()) CollectByCost();
  if (candidates_.empty()) return {};
  if (trace_.wanted()) {
    trace_.Queues(queues_);
    TraceCandidates();
  }
  if (!MayMakeRoom(tree_, request_, queues_, true)) return {};
  UsageMark mark(tree_);
  const NodeIndex own = request_.queue.node;
  tree_.AddUsage(own, request_.demand);
  within_nominal_ =
      world_.catalog.Gate("FairSharingPreemptWithinNominal", true) && !ExceedsNominal(own);
  MeasureShares();
  bool fits = FirstPass();
  if (!fits && UsesSecondStrategy()) {
    candidates_.clear();
    pruned_.clear();
    for (const auto& [queue, first] : refused_) {
      candidates_.emplace(queue, QueueCandidates(std::vector{first}));
    }
    fits = SecondPass();
  }
  if (!fits) return {};
  tree_.RemoveUsage(own, request_.demand);
  const std::vector<Victim> taken = victims_;
  FillBack(world_, tree_, request_, true, victims_);
  if (!search_.Permits(victims_)) return {};
  trace_.Outcome(taken, victims_);
  return victims_;
}

bool FairSearch::UsesSecondStrategy() const {
  return world_.catalog.config.fair_sharing->preemption_strategies.size() > 1;
}

bool FairSearch::ExceedsNominal(NodeIndex queue) const {
  return std::any_of(
      request_.contested.begin(), request_.contested.end(),
      [&](FlavorResourceId fr) { return tree_.Borrowing(queue, tree_.ColumnOf(fr), 0); });
}

void FairSearch::Collect() {
  const PreemptionRules& rules = request_.queue.spec.preemption;
  AddQueue(request_.queue, rules.within_cluster_queue);
  if (!tree_.HasParent(request_.queue.node)) return;
  for (NodeIndex n = 0; n < tree_.size(); ++n) {
    const QueueId id = tree_.node(n).queue;
    if (!id.valid() || id == request_.queue.id || !ExceedsNominal(n)) continue;
    AddQueue(world_.queue(id), rules.reclaim_within_cohort);
  }
}

void FairSearch::AddQueue(const ClusterQueueState& queue, PreemptionPolicy policy) {
  QueueCandidates candidates(scope_, queue, policy, QueueCandidates::Part::kAll);
  if (candidates.Front() == nullptr) return;
  queues_.push_back({&queue, policy});
  candidates_.emplace(queue.node, std::move(candidates));
}

void FairSearch::CollectByCost() {
  const std::vector<CandidateQueue> queues = std::exchange(queues_, {});
  search_.OrderByCost(scope_, queues, order_);
  candidates_.clear();
  for (const CandidateQueue& from : queues) AddQueue(*from.queue, from.policy);
}

void FairSearch::TraceCandidates() {
  std::vector<QueueCandidates> queues;
  for (const auto& [node, candidates] : candidates_) queues.push_back(candidates);
  MergedCandidates all(order_, std::move(queues));
  for (; all.Front() != nullptr && trace_.TakesMore(); all.Pop()) {
    trace_.Candidate(all.Front()->id, all.Front()->holds_in == request_.queue.id
                                          ? PreemptionReason::kInClusterQueue
                                          : PreemptionReason::kInCohortFairSharing);
  }
}

const WorkloadRecord* FairSearch::Front(NodeIndex queue) const {
  const auto candidates = candidates_.find(queue);
  return candidates == candidates_.end() ? nullptr : candidates->second.Front();
}

const WorkloadRecord& FairSearch::Pop(NodeIndex queue) {
  QueueCandidates& candidates = candidates_.at(queue);
  const WorkloadRecord& front = *candidates.Front();
  candidates.Pop();
  return front;
}

// Cohorts are few; of the queues only those can matter that have somebody to evict.
void FairSearch::MeasureShares() {
  if (!rule_.scripted()) return;
  std::vector<NodeIndex> nodes;
  for (NodeIndex n = 0; n < tree_.size(); ++n) {
    const bool cohort = !tree_.node(n).queue.valid();
    if (cohort || n == request_.queue.node || candidates_.contains(n)) nodes.push_back(n);
  }
  KeepShares(nodes);
}

void FairSearch::MeasurePath(NodeIndex queue) {
  if (!rule_.scripted()) return;
  std::vector<NodeIndex> nodes;
  for (NodeIndex n = queue; n != kNoNode; n = tree_.node(n).parent) nodes.push_back(n);
  KeepShares(nodes);
}

void FairSearch::KeepShares(const std::vector<NodeIndex>& nodes) {
  for (const NodeIndex n : nodes) rule_.Note(n);
  const std::vector<NodeShare> shares = rule_.Measure();
  for (std::size_t i = 0; i < nodes.size(); ++i) shares_[nodes[i]] = shares[i];
}

NodeShare FairSearch::ShareAt(NodeIndex n) {
  return rule_.scripted() ? shares_.at(n) : rule_.Of(n);
}

NodeIndex FairSearch::NextQueue() {
  const NodeIndex own = request_.queue.node;
  if (!tree_.HasParent(own)) return Front(own) == nullptr ? kNoNode : own;
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
  if (best_queue == kNoNode || rule_.Compare(ShareAt(best_cohort), ShareAt(best_queue)) >= 0) {
    return NextBelow(best_cohort);
  }
  return best_queue;
}

NodeIndex FairSearch::BestQueueOf(NodeIndex cohort) {
  NodeIndex best = kNoNode;
  NodeShare best_share;
  for (const NodeIndex queue : tree_.node(cohort).child_queues) {
    if (pruned_.contains(queue)) continue;
    const WorkloadRecord* front = Front(queue);
    if (front == nullptr) {
      pruned_.insert(queue);
      continue;
    }
    const NodeShare share = ShareAt(queue);
    if (!share.native.borrowing && queue != request_.queue.node) {
      pruned_.insert(queue);
      continue;
    }
    const int compared = best == kNoNode ? 1 : rule_.Compare(share, best_share);
    const bool better = compared > 0 || (compared == 0 && order_.Before(*front, *Front(best)));
    if (better) {
      best = queue;
      best_share = share;
    }
  }
  return best;
}

NodeIndex FairSearch::BestCohortOf(NodeIndex cohort) {
  NodeIndex best = kNoNode;
  NodeShare best_share;
  for (const NodeIndex child : tree_.node(cohort).child_cohorts) {
    if (pruned_.contains(child)) continue;
    const NodeShare share = ShareAt(child);
    if (!share.native.borrowing && !tree_.IsAncestor(child, request_.queue.node)) {
      pruned_.insert(child);
      continue;
    }
    // Equal shares: the greatest name, as children stand in name order.
    if (best == kNoNode || rule_.Compare(share, best_share) >= 0) {
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
  if (target == request_.queue.node) return Take(Pop(target), PreemptionReason::kInClusterQueue);
  if (within_nominal_) return Take(Pop(target), PreemptionReason::kInCohortReclamation);

  const Sides sides = SidesOf(target);
  const NodeShare preemptor_new = ShareAt(sides.preemptor);
  const NodeShare target_old = ShareAt(sides.target);
  // A native share does not grow when usage is taken away.
  const bool hopeless = !rule_.scripted() && rule_.Compare(preemptor_new, target_old) > 0;
  const auto strategy = world_.catalog.config.fair_sharing->preemption_strategies.front();
  const bool all_alike = hopeless || strategy == PreemptionStrategy::kLessThanInitialShare;
  const auto accepts = [&](const WorkloadRecord& candidate) {
    if (hopeless) return false;
    if (all_alike) return rule_.Compare(preemptor_new, target_old) < 0;
    UsageMark mark(tree_);
    SimulateRemoval(world_, tree_, candidate.id);
    return rule_.Compare(preemptor_new, rule_.Of(sides.target)) <= 0;
  };
  const WorkloadRecord* refused = nullptr;
  while (Front(target) != nullptr) {
    const WorkloadRecord& candidate = Pop(target);
    const bool as_before = refused != nullptr && (all_alike || candidate.usage == refused->usage);
    if (!as_before && accepts(candidate)) {
      return Take(candidate, PreemptionReason::kInCohortFairSharing);
    }
    refused = &candidate;
    trace_.Fate(candidate.id, CandidateTrace::Fate::kProtected);
    if (UsesSecondStrategy()) refused_.emplace(target, &candidate);
    if (!all_alike) continue;
    if (trace_.wanted()) trace_.ProtectOthersOf(candidate.holds_in);
    candidates_.erase(target);
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
    if (rule_.Compare(ShareAt(sides.preemptor), ShareAt(sides.target)) < 0) {
      if (Take(Pop(target), PreemptionReason::kInCohortFairSharing)) return true;
    }
    pruned_.insert(target);
  }
  return false;
}

bool FairSearch::Take(const WorkloadRecord& candidate, PreemptionReason reason) {
  SimulateRemoval(world_, tree_, candidate.id);
  victims_.push_back({candidate.id, reason});
  trace_.Fate(candidate.id, CandidateTrace::Fate::kVictim);
  if (Fits()) return true;
  MeasurePath(world_.queue(candidate.holds_in).node);
  return false;
}

bool FairSearch::Fits() {
  UsageMark mark(tree_);
  tree_.RemoveUsage(request_.queue.node, request_.demand);
  return DemandFits(tree_, request_, true);
}

}  // namespace muster
