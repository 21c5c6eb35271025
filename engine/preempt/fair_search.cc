// See fair_search.h. The preemptor's usage is charged to its queue while shares are compared.
#include "engine/preempt/fair_search.h"

#include <algorithm>
#include <utility>

namespace muster {

FairSearch::FairSearch(PreemptionSearch& search, const PreemptionRequest& request,
                       SearchReport* report, CommonView* view)
    : search_(search),
      world_(search.world_),
      request_(request),
      tree_(search.world_.tree_of(request.queue)),
      trace_(search.world_, report),
      order_(search.world_, request.queue.id, search.usage_),
      scope_{request, order_, *search.gone_},
      rule_(search.world_, search.policies_, request.queue),
      view_(view),
      budget_(*search.spent_) {}

std::vector<Victim> FairSearch::Run() {
  if (view_ != nullptr) return RunInView();
  Collect();
  if (queues_.empty()) return {};
  if (search_.victims_.scripted()) CollectByCost();
  if (queues_.empty()) return {};
  TraceQueues();
  if (!MayMakeRoom(tree_, request_, queues_, true)) return {};
  FairField field(tree_);
  QueueCandidates own({});
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    if (queues_[i].queue->id == request_.queue.id) {
      own = candidates_[i];
    } else {
      field.Add(queues_[i].queue->node, candidates_[i]);
    }
  }
  return RunIn(field, own);
}

void FairSearch::AskInView() {
  const PreemptionRules& rules = request_.queue.spec.preemption;
  std::vector<CandidateQueue> unknown = {{&request_.queue, rules.within_cluster_queue}};
  for (const NodeIndex n : view_->NotAsked(request_.queue.node)) {
    unknown.push_back({&world_.queue(tree_.node(n).queue), rules.reclaim_within_cohort});
  }
  if (!search_.victims_.asked()) AddAnyQueue(unknown);
  const auto all = [this] {
    Collect();
    candidates_.clear();
    return std::exchange(queues_, {});
  };
  search_.OrderByCost(scope_, unknown, all, order_, trace_.report());
}

void FairSearch::AddAnyQueue(std::vector<CandidateQueue>& queues) const {
  const PreemptionPolicy policy = request_.queue.spec.preemption.reclaim_within_cohort;
  if (policy == PreemptionPolicy::kNever) return;
  for (NodeIndex n = 0; n < tree_.size(); ++n) {
    const QueueId id = tree_.node(n).queue;
    if (!id.valid() || id == request_.queue.id || !ExceedsNominal(n)) continue;
    const QueueCandidates of(scope_, world_.queue(id), policy, QueueCandidates::Part::kAll);
    if (of.Front() == nullptr) continue;
    queues.push_back({&world_.queue(id), policy});
    return;
  }
}

std::vector<Victim> FairSearch::RunInView() {
  if (search_.victims_.scripted()) {
    AskInView();
    if (!search_.victims_.scripted()) return {};  // it failed, and the cycle starts again
  }
  view_->Follow(request_.queue.node);
  if (trace_.wanted()) {
    Collect();
    TraceQueues();
  }
  const PreemptionPolicy within = request_.queue.spec.preemption.within_cluster_queue;
  const QueueCandidates own(scope_, request_.queue, within, QueueCandidates::Part::kAll);
  FairField& field = view_->field();
  std::vector<Victim> victims;
  const bool any = own.Front() != nullptr || field.HasOthersThan(request_.queue.node);
  if (any && view_->bound().MayMakeRoom(request_, true)) {
    victims = RunIn(field, own);
    view_->LeaveField();
  }
  return victims;
}

std::vector<Victim> FairSearch::RunIn(FairField& field, const QueueCandidates& own_candidates) {
  field_ = &field;
  const CapacityMark mark(world_.capacity, request_.queue.tree);
  const NodeIndex own = request_.queue.node;
  world_.capacity.Charge(request_.queue.place(), request_.demand);
  within_nominal_ =
      world_.catalog.Gate("FairSharingPreemptWithinNominal", true) && !ExceedsNominal(own);
  if (within_nominal_) trace_.OthersAre(PreemptionReason::kInCohortReclamation);
  MeasureShares();
  const FairField::Shares shares = [this](NodeIndex n) { return ShareAt(n); };
  if (view_ == nullptr) field.Open(rule_, order_, shares);
  field.Enter(own, own_candidates, rule_, order_, shares);
  trace_.BeginAttempt(true);
  bool fits = FirstPass();
  if (!fits && UsesSecondStrategy()) {
    field.BeginSecondPass();
    fits = SecondPass();
  }
  if (!fits) return {};
  world_.capacity.Release(request_.queue.place(), request_.demand);
  const std::vector<Victim> taken = victims_;
  FillBack(world_, request_, true, victims_);
  if (!search_.Permits(victims_, trace_.report())) return {};
  trace_.Outcome(taken, victims_);
  return victims_;
}

bool FairSearch::UsesSecondStrategy() const {
  return world_.catalog.config.fair_sharing->preemption_strategies.size() > 1;
}

void FairSearch::Collect() {
  const PreemptionRules& rules = request_.queue.spec.preemption;
  AddQueue(request_.queue, rules.within_cluster_queue);
  if (!tree_.HasParent(request_.queue.node)) return;
  if (rules.reclaim_within_cohort == PreemptionPolicy::kNever) return;
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
  candidates_.push_back(std::move(candidates));
}

void FairSearch::CollectByCost() {
  const std::vector<CandidateQueue> queues = std::exchange(queues_, {});
  search_.OrderByCost(
      scope_, queues, [&] { return queues; }, order_, trace_.report());
  candidates_.clear();
  for (const CandidateQueue& from : queues) AddQueue(*from.queue, from.policy);
}

void FairSearch::TraceQueues() {
  if (!trace_.wanted() || queues_.empty()) return;
  trace_.Queues(queues_);
  TraceCandidates();
  MeasureFreeable(world_, tree_, scope_, queues_, *trace_.report());
}

void FairSearch::TraceCandidates() {
  MergedCandidates all(order_, candidates_);
  for (; all.Front() != nullptr && trace_.TakesMore(); all.Pop()) {
    trace_.Candidate(all.Front()->id(), all.Front()->holds_in == request_.queue.id
                                            ? PreemptionReason::kInClusterQueue
                                            : PreemptionReason::kInCohortFairSharing);
  }
}

// Cohorts are few; of the queues only those can matter that have a workload to evict.
void FairSearch::MeasureShares() {
  if (!rule_.scripted()) return;
  if (view_ != nullptr) return MeasurePath(request_.queue.node);
  std::vector<NodeIndex> queues;
  for (const CandidateQueue& from : queues_) queues.push_back(from.queue->node);
  std::sort(queues.begin(), queues.end());
  std::vector<NodeIndex> nodes;
  for (NodeIndex n = 0; n < tree_.size(); ++n) {
    const bool cohort = !tree_.node(n).queue.valid();
    if (cohort || n == request_.queue.node || std::binary_search(queues.begin(), queues.end(), n)) {
      nodes.push_back(n);
    }
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
  if (!rule_.scripted()) return {ShareOf(tree_, n), 0};
  const auto own = shares_.find(n);
  return own != shares_.end() ? own->second : view_->ScriptedShare(n);
}

FairSearch::Sides FairSearch::SidesOf(NodeIndex target) const {
  Sides sides{request_.queue.node, target, tree_.ParentOf(target)};
  for (; !field_->IsOnOwnPath(sides.common); sides.common = tree_.ParentOf(sides.target)) {
    sides.target = sides.common;
  }
  while (tree_.ParentOf(sides.preemptor) != sides.common) {
    sides.preemptor = tree_.ParentOf(sides.preemptor);
  }
  return sides;
}

bool FairSearch::IsAboveAllLeft(const NodeShare& share, NodeIndex cohort) {
  if (view_ == nullptr || !victims_.empty() || !view_->IsNative()) return false;
  const DominantShare* highest = view_->HighestLeft(request_, cohort);
  return highest != nullptr && CompareShares(share.native, *highest) > 0;
}

bool FairSearch::FirstPassStep(NodeIndex target) {
  if (!Affords(*field_->Front(target))) {
    field_->Pop(target);
    field_->Play(target);
    return false;
  }
  if (target == request_.queue.node) {
    return Take(field_->Pop(target), PreemptionReason::kInClusterQueue);
  }
  if (within_nominal_) return Take(field_->Pop(target), PreemptionReason::kInCohortReclamation);

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
    QuotaTrial trial(tree_);
    TryRemoval(world_, trial, candidate.id());
    return rule_.Compare(preemptor_new, rule_.Of(sides.target)) <= 0;
  };
  const bool left_out_together =
      !trace_.wanted() && !search_.victims_.budgeted() && NobodyOnOwnSide(sides);
  const WorkloadRecord* refused = nullptr;
  while (field_->Front(target) != nullptr) {
    const WorkloadRecord& candidate = *field_->Front(target);
    if (!Affords(candidate)) {
      field_->Pop(target);
      continue;
    }
    const bool as_before = refused != nullptr && (all_alike || candidate.usage == refused->usage);
    if (!as_before && accepts(candidate)) {
      return Take(field_->Pop(target), PreemptionReason::kInCohortFairSharing);
    }
    if (refused == nullptr && left_out_together &&
        (all_alike || IsAboveAllLeft(preemptor_new, sides.common))) {
      field_->RefuseAllBelow(sides.common);
      return false;
    }
    refused = &candidate;
    trace_.Fate(candidate.id(), CandidateTrace::Fate::kProtected);
    if (UsesSecondStrategy()) field_->Refuse(target, candidate);
    if (!all_alike) {
      field_->Pop(target);
      continue;
    }
    if (trace_.wanted()) trace_.ProtectOthersOf(candidate.holds_in);
    field_->TakeOut(target);
    return false;
  }
  field_->Play(target);
  return false;
}

bool FairSearch::FirstPass() {
  for (NodeIndex target = field_->Next(); target != kNoNode; target = field_->Next()) {
    if (FirstPassStep(target)) return true;
  }
  return false;
}

bool FairSearch::SecondPass() {
  for (NodeIndex target = field_->Next(); target != kNoNode; target = field_->Next()) {
    const Sides sides = SidesOf(target);
    if (!Affords(*field_->Front(target))) {
      field_->Pop(target);
      field_->TakeOut(target);
    } else if (rule_.Compare(ShareAt(sides.preemptor), ShareAt(sides.target)) < 0) {
      if (Take(field_->Pop(target), PreemptionReason::kInCohortFairSharing)) return true;
      field_->TakeOut(target);
    } else {
      field_->TakeOut(NobodyOnOwnSide(sides) ? sides.common : target);
    }
  }
  return false;
}

bool FairSearch::Take(const WorkloadRecord& candidate, PreemptionReason reason) {
  SimulateRemoval(world_, candidate.id());
  victims_.push_back(search_.TakenFor(candidate, reason, budget_));
  trace_.Taken(candidate.id(), reason);
  trace_.Tried(candidate.id());
  if (Fits()) return true;
  const NodeIndex queue = world_.queue(candidate.holds_in).node;
  MeasurePath(queue);
  field_->Play(queue);
  return false;
}

bool FairSearch::Affords(const WorkloadRecord& candidate) {
  if (search_.Affords(candidate, budget_)) return true;
  if (!trace_.wanted()) return false;
  const VictimRule& rule = search_.victims_;
  trace_.BeyondBudget(candidate.id(), rule.package(), rule.KeyOf(rule.SpendingOf(candidate)));
  return false;
}

bool FairSearch::Fits() {
  const CapacityMark mark(world_.capacity, request_.queue.tree);
  world_.capacity.Release(request_.queue.place(), request_.demand);
  return DemandFits(world_, request_, true);
}

}  // namespace muster
