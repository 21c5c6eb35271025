// See classical_search.h. Every step follows the order in which Kueue looks at candidates, because
// the set of victims depends on it.
#include "engine/preempt/classical_search.h"

#include <algorithm>
#include <utility>

#include "engine/base/amount.h"

namespace muster {
namespace {

/// Whether `node` holds the rest within its own quota; takes from it what the node can absorb,
/// which goes no further up.
bool Absorbs(const QuotaTree& tree, NodeIndex node, UsageList& rest) {
  bool fits = true;
  for (Usage& usage : rest) {
    const Column column = tree.ColumnOf(usage.fr);
    fits &= !tree.Borrowing(node, column, usage.amount);
    usage.amount = std::max<Amount>(0, Sub(usage.amount, tree.LocalAvailable(node, column)));
  }
  return fits;
}

UsageList RestOf(const PreemptionRequest& request) {
  UsageList rest;
  for (const Usage& usage : request.demand) rest.push_back(usage);
  return rest;
}

bool HasAdvantage(const QuotaTree& tree, const PreemptionRequest& request) {
  UsageList rest = RestOf(request);
  for (NodeIndex n = request.queue.node; tree.HasParent(n); n = tree.ParentOf(n)) {
    if (Absorbs(tree, n, rest)) return true;
  }
  return false;
}

bool Borrows(const QuotaTree& tree, const PreemptionRequest& request) {
  return std::any_of(request.demand.begin(), request.demand.end(), [&](const Usage& usage) {
    return tree.Borrowing(request.queue.node, tree.ColumnOf(usage.fr), usage.amount);
  });
}

}  // namespace

bool FindsNoneWhileBorrowing(World& world, const PreemptionRequest& request) {
  QuotaTree& tree = world.tree_of(request.queue);
  const PreemptionRules& rules = request.queue.spec.preemption;
  if (rules.borrow_within_cohort != PreemptionPolicy::kNever) return false;
  if (!Borrows(tree, request) || HasAdvantage(tree, request)) return false;
  const std::vector<Usage> own = MostToGain(request, request.queue, rules.within_cluster_queue);
  if (own.empty()) return !QuotaHolds(tree, request, true);
  QuotaTrial trial(tree);
  trial.Release(request.queue.node, own);
  return Borrows(tree, request) && !QuotaHolds(tree, request, true);
}

ClassicalSearch::ClassicalSearch(PreemptionSearch& search, const PreemptionRequest& request,
                                 SearchReport* report, CommonView* view)
    : search_(search),
      world_(search.world_),
      request_(request),
      tree_(search.world_.tree_of(request.queue)),
      view_(view),
      trace_(search.world_, report),
      order_(search.world_, request.queue.id, search.usage_),
      scope_{request, order_, *search.gone_} {}

std::vector<Victim> ClassicalSearch::Run() {
  if (view_ != nullptr && !MayFind()) return {};
  AddQueue(own_, request_.queue, request_.queue.spec.preemption.within_cluster_queue, kNoNode);
  CollectFromCohorts();
  std::vector<CandidateQueue> all;
  for (const List* list : {&own_, &advantage_, &other_}) {
    all.insert(all.end(), list->queues.begin(), list->queues.end());
  }
  search_.OrderByCost(
      scope_, all, [&] { return all; }, order_, trace_.report());
  if (trace_.wanted()) {
    trace_.Queues(all);
    TraceCandidates();
    MeasureFreeable(world_, tree_, scope_, all, *trace_.report());
  }
  for (const bool allow_borrowing : Attempts()) {
    if (!MayMakeRoom(tree_, request_, all, allow_borrowing)) continue;
    std::vector<Victim> victims = Attempt(allow_borrowing);
    if (!victims.empty()) return victims;
  }
  return {};
}

bool ClassicalSearch::MayFind() {
  if (FindsNoneWhileBorrowing(world_, request_)) return false;
  view_->Follow(request_.queue.node);
  return view_->bound().MayMakeRoom(request_, true);
}

void ClassicalSearch::CollectFromCohorts() {
  const NodeIndex queue = request_.queue.node;
  if (!tree_.HasParent(queue) ||
      request_.queue.spec.preemption.reclaim_within_cohort == PreemptionPolicy::kNever) {
    return;
  }
  UsageList rest = RestOf(request_);
  bool advantage = Absorbs(tree_, queue, rest);
  NodeIndex visited = queue;
  for (NodeIndex a = tree_.node(queue).parent; a != kNoNode; a = tree_.node(a).parent) {
    CollectSubtree(a, a, visited, advantage);
    advantage = Absorbs(tree_, a, rest) || advantage;
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
    AddQueue(advantage ? advantage_ : other_, world_.queue(tree_.node(child).queue),
             request_.queue.spec.preemption.reclaim_within_cohort, lowest_common);
  }
}

void ClassicalSearch::AddQueue(List& list, const ClusterQueueState& queue, PreemptionPolicy policy,
                               NodeIndex lowest_common) {
  list.queues.push_back({&queue, policy});
  list.lowest_common.push_back(lowest_common);
}

MergedCandidates ClassicalSearch::Candidates(const List& list, Part part,
                                             std::int64_t highest) const {
  std::vector<QueueCandidates> queues;
  queues.reserve(list.queues.size());
  for (const CandidateQueue& from : list.queues) {
    queues.emplace_back(scope_, *from.queue, from.policy, part, highest);
  }
  return MergedCandidates(order_, std::move(queues));
}

std::int64_t ClassicalSearch::HighestWhileBorrowing(const List& list) const {
  if (&list != &other_) return kNoHighest;
  const PreemptionRules& rules = request_.queue.spec.preemption;
  if (rules.borrow_within_cohort == PreemptionPolicy::kNever) {
    return std::numeric_limits<std::int64_t>::min();
  }
  const std::int64_t below = request_.preemptor.priority() - 1;
  return rules.max_priority_threshold ? std::min<std::int64_t>(below, *rules.max_priority_threshold)
                                      : below;
}

bool ClassicalSearch::IsByUsage(const List& list) const {
  return std::any_of(list.queues.begin(), list.queues.end(),
                     [&](const CandidateQueue& from) { return order_.IsByUsage(*from.queue); });
}

bool ClassicalSearch::AnyIn(const List& list) const {
  return std::any_of(list.queues.begin(), list.queues.end(), [&](const CandidateQueue& from) {
    return QueueCandidates(scope_, *from.queue, from.policy, Part::kAll).Front() != nullptr;
  });
}

ClassicalSearch::Kind ClassicalSearch::KindOf(const List& list,
                                              const WorkloadRecord& candidate) const {
  if (&list == &own_) return Kind::kWithinQueue;
  if (&list == &advantage_) return Kind::kHierarchicalReclaim;
  const PreemptionRules& rules = request_.queue.spec.preemption;
  const bool too_important =
      candidate.priority() >= request_.preemptor.priority() ||
      (rules.max_priority_threshold && candidate.priority() > *rules.max_priority_threshold);
  if (rules.borrow_within_cohort == PreemptionPolicy::kNever || too_important) {
    return Kind::kReclaimWithoutBorrowing;
  }
  return Kind::kReclaimWhileBorrowing;
}

void ClassicalSearch::TraceCandidates() {
  for (const Part part : {Part::kEvicted, Part::kOthers}) {
    for (const List* list : {&advantage_, &other_, &own_}) {
      MergedCandidates candidates = Candidates(*list, part);
      for (; candidates.Front() != nullptr; candidates.Pop()) {
        if (!trace_.TakesMore()) return;
        const WorkloadRecord& candidate = *candidates.Front();
        trace_.Candidate(candidate.id(), ReasonOf(KindOf(*list, candidate)));
      }
    }
  }
}

bool ClassicalSearch::WithinQuota(NodeIndex node) const {
  return !tree_.BorrowsAny(node, request_.contested);
}

bool ClassicalSearch::GivesNothing(NodeIndex queue, NodeIndex lowest_common) const {
  if (lowest_common == kNoNode) return false;
  for (NodeIndex node = queue; node != lowest_common; node = tree_.node(node).parent) {
    if (WithinQuota(node)) return true;
  }
  return false;
}

std::vector<bool> ClassicalSearch::Attempts() const {
  const bool any_advantage = AnyIn(advantage_);
  const bool outside = any_advantage || AnyIn(other_);
  const bool never_borrow =
      request_.queue.spec.preemption.borrow_within_cohort == PreemptionPolicy::kNever;
  const NodeIndex node = request_.queue.node;
  const bool at_nominal =
      std::any_of(request_.contested.begin(), request_.contested.end(), [&](FlavorResourceId fr) {
        const QuotaCell& cell = tree_.cell(node, tree_.ColumnOf(fr));
        return cell.usage >= cell.nominal;
      });
  if (!outside || (never_borrow && at_nominal)) return {true};
  if (never_borrow && !any_advantage) return {false, true};
  return {true, false};
}

std::vector<Victim> ClassicalSearch::Attempt(bool allow_borrowing) {
  const CapacityMark mark(world_.capacity, request_.queue.tree);
  budget_ = *search_.spent_;
  trace_.BeginAttempt(allow_borrowing);
  std::vector<Victim> victims;
  for (const Part part : {Part::kEvicted, Part::kOthers}) {
    for (const List* list : {&advantage_, &other_, &own_}) {
      if (!TakeFrom(*list, part, allow_borrowing, victims)) continue;
      const std::vector<Victim> taken = victims;
      FillBack(world_, request_, allow_borrowing, victims);
      if (!search_.Permits(victims, trace_.report())) return {};
      trace_.Outcome(taken, victims);
      return victims;
    }
  }
  return {};
}

bool ClassicalSearch::TakeFrom(const List& list, Part part, bool allow_borrowing,
                               std::vector<Victim>& victims) {
  const std::int64_t highest = allow_borrowing ? HighestWhileBorrowing(list) : kNoHighest;
  if (highest == std::numeric_limits<std::int64_t>::min()) return false;
  const bool all = highest != kNoHighest && IsByUsage(list);
  MergedCandidates candidates = Candidates(list, part, all ? kNoHighest : highest);
  while (const WorkloadRecord* candidate = candidates.Front()) {
    if (candidate->priority() > highest) {
      candidates.Pop();
      continue;
    }
    const Kind kind = KindOf(list, *candidate);
    const ClusterQueueState& queue = *list.queues[candidates.source()].queue;
    if (GivesNothing(queue.node, list.lowest_common[candidates.source()])) {
      trace_.KeepsTheRest(queue.id);
      candidates.Drop();
      continue;
    }
    candidates.Pop();
    if (!Affords(*candidate)) continue;
    SimulateRemoval(world_, candidate->id());
    trace_.Tried(candidate->id());
    victims.push_back(search_.TakenFor(*candidate, ReasonOf(kind), budget_));
    if (DemandFits(world_, request_, allow_borrowing)) return true;
  }
  return false;
}

bool ClassicalSearch::Affords(const WorkloadRecord& candidate) {
  if (search_.Affords(candidate, budget_)) return true;
  if (!trace_.wanted()) return false;
  const VictimRule& rule = search_.victims_;
  trace_.BeyondBudget(candidate.id(), rule.package(), rule.KeyOf(rule.SpendingOf(candidate)));
  return false;
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
