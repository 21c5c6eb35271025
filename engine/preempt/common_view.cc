// See common_view.h.
#include "engine/preempt/common_view.h"

#include <algorithm>
#include <utility>

#include "engine/base/sort_once.h"
#include "engine/preempt/preemption_search.h"

namespace muster {
namespace {

std::vector<std::int64_t> PrioritiesIn(const World& world, const QuotaTree& tree) {
  std::vector<std::int64_t> all;
  for (NodeIndex n = 0; n < tree.size(); ++n) {
    const QueueId id = tree.node(n).queue;
    if (!id.valid()) continue;
    for (const auto& [priority, totals] : world.queue(id).holders.totals()) all.push_back(priority);
  }
  SortOnce(all);
  return all;
}

}  // namespace

CommonView::CommonView(World& world, const PreemptionRequest& request, const FrozenUsage& usage,
                       const Claims* claims, const SharedHooks& hooks)
    : world_(world),
      tree_(world.tree_of(request.queue)),
      request_{request.preemptor, request.queue, {}, request.contested},
      policy_(request.queue.spec.preemption.reclaim_within_cohort),
      hooks_(hooks),
      order_(world, QueueId{}, usage),
      claims_(claims),
      followed_(claims == nullptr ? 0 : claims->changed.size()),
      scope_{request_, order_, claims == nullptr ? nobody_ : claims->victims},
      rule_(world, hooks.shares == nullptr ? nullptr : hooks.calls, request.queue),
      shares_([this](NodeIndex n) {
        return rule_.scripted() ? ScriptedShare(n) : NodeShare{ShareOf(tree_, n), 0};
      }) {
  if (IsNative()) return;
  if (hooks_.costs != nullptr) order_.TakeCosts(*hooks_.costs, *hooks_.asked);
  scripted_.resize(tree_.size());
  is_stale_.resize(tree_.size());
  for (NodeIndex n = 0; n < tree_.size(); ++n) {
    if (tree_.node(n).queue.valid()) MarkStale(n);
  }
}

std::optional<QueueCandidates> CommonView::CandidatesOf(NodeIndex queue) const {
  const QueueId id = tree_.node(queue).queue;
  if (policy_ == PreemptionPolicy::kNever || !id.valid()) return std::nullopt;
  if (!tree_.BorrowsAny(queue, request_.contested)) return std::nullopt;
  QueueCandidates candidates(scope_, world_.queue(id), policy_, QueueCandidates::Part::kAll);
  if (candidates.Front() == nullptr) return std::nullopt;
  return candidates;
}

FairField& CommonView::field() {
  if (field_) return *field_;
  field_.emplace(tree_);
  for (NodeIndex n = 0; n < tree_.size(); ++n) {
    if (auto candidates = CandidatesOf(n)) field_->Add(n, *std::move(candidates));
  }
  field_->Open(rule_, order_, shares_);
  return *field_;
}

void CommonView::Follow(NodeIndex own) {
  TakeInClaims();
  if (!IsNative()) FollowHooks(own);
}

void CommonView::TakeInClaims() {
  if (claims_ == nullptr) return;
  for (; followed_ < claims_->changed.size(); ++followed_) {
    const NodeIndex queue = claims_->changed[followed_];
    if (bound_) bound_->Renew(queue);
    if (!IsNative()) {
      MarkStale(queue);
      for (NodeIndex n = queue; n != kNoNode; n = tree_.ParentOf(n)) scripted_[n].reset();
      continue;
    }
    if (field_) RenewInField(queue);
    if (!left_.empty()) NoteStale(queue);
  }
}

void CommonView::MarkStale(NodeIndex queue) {
  if (is_stale_[queue]) return;
  is_stale_[queue] = true;
  stale_.push_back(queue);
}

std::vector<NodeIndex> CommonView::NotAsked(NodeIndex own) {
  TakeInClaims();
  std::vector<NodeIndex> queues;
  if (policy_ == PreemptionPolicy::kNever) return queues;
  for (const NodeIndex n : stale_) {
    if (n != own && tree_.BorrowsAny(n, request_.contested)) queues.push_back(n);
  }
  return queues;
}

void CommonView::FollowHooks(NodeIndex own) {
  if (hooks_.asked != nullptr) {
    const std::vector<QueueId>& changed = hooks_.asked->changed();
    for (; asked_changes_ < changed.size(); ++asked_changes_) {
      const ClusterQueueState& queue = world_.queue(changed[asked_changes_]);
      if (queue.tree == request_.queue.tree) MarkStale(queue.node);
    }
  }
  MarkStale(own);
  if (!field_) field_.emplace(tree_);
  const std::vector<NodeIndex> renewed = std::exchange(stale_, {});
  for (const NodeIndex queue : renewed) {
    is_stale_[queue] = false;
    field_->Remove(queue);
    if (queue == own) continue;
    if (auto candidates = CandidatesOf(queue)) field_->Add(queue, *std::move(candidates));
  }
  MarkStale(own);
  MeasureAbove(renewed);
  if (!std::exchange(opened_, true)) return field_->Open(rule_, order_, shares_);
  for (const NodeIndex queue : renewed) field_->Play(queue);
}

void CommonView::MeasureAbove(const std::vector<NodeIndex>& queues) {
  if (!rule_.scripted()) return;
  std::set<NodeIndex> nodes;
  for (const NodeIndex queue : queues) {
    if (field_->Initial(queue) != nullptr && !scripted_[queue]) nodes.insert(queue);
    for (NodeIndex n = tree_.ParentOf(queue); n != kNoNode; n = tree_.ParentOf(n)) {
      if (scripted_[n] || !nodes.insert(n).second) break;
    }
  }
  for (const NodeIndex n : nodes) rule_.Note(n);
  const std::vector<NodeShare> shares = rule_.Measure();
  std::size_t i = 0;
  for (const NodeIndex n : nodes) scripted_[n] = shares[i++];
}

void CommonView::RenewInField(NodeIndex queue) {
  if (!tree_.BorrowsAny(queue, request_.contested)) {
    field_->Remove(queue);
  } else if (field_->Initial(queue) != nullptr) {
    field_->PassGone(queue);
  } else if (auto candidates = CandidatesOf(queue)) {
    field_->Add(queue, *std::move(candidates));
  }
  field_->Play(queue);
}

const RoomBound& CommonView::bound() {
  if (!bound_) bound_.emplace(world_, request_, policy_);
  return *bound_;
}

CommonView::Left::Left(const QuotaNode& cohort)
    : children(cohort.child_cohorts),
      shares(cohort.child_cohorts.size() + cohort.child_queues.size()),
      highest(shares.size()) {
  children.insert(children.end(), cohort.child_queues.begin(), cohort.child_queues.end());
  std::sort(children.begin(), children.end());
  for (std::size_t i = 0; i < children.size(); ++i) stale.insert(stale.end(), i);
}

std::size_t CommonView::Left::PositionOf(NodeIndex child) const {
  const auto found = std::lower_bound(children.begin(), children.end(), child);
  return static_cast<std::size_t>(found - children.begin());
}

const DominantShare* CommonView::HighestLeft(const PreemptionRequest& request, NodeIndex cohort) {
  const auto [known, first] = left_.try_emplace(cohort);
  if (first) return nullptr;
  if (!known->second) known->second.emplace(tree_.node(cohort));
  Left& left = *known->second;
  if (!left.stale.empty()) {
    QuotaTrial trial(tree_);
    trial.Release(request.queue.node, request.demand);
    Measure(left);
  }
  const std::size_t winner = left.highest.winner();
  return winner == Bracket::kNobody ? &nobody_left_ : &left.shares[winner];
}

void CommonView::Measure(Left& left) {
  for (const std::size_t i : std::exchange(left.stale, {})) {
    const std::optional<DominantShare> share = HighestBelow(left.children[i], left.children[i]);
    if (share) left.shares[i] = *share;
    left.highest.Play(i, share.has_value(), [&](std::size_t a, std::size_t b) {
      return CompareShares(left.shares[a], left.shares[b]) > 0;
    });
  }
}

std::optional<DominantShare> CommonView::HighestBelow(NodeIndex side, NodeIndex node) {
  std::optional<DominantShare> highest;
  const auto raise = [&](const std::optional<DominantShare>& share) {
    if (share && (!highest || CompareShares(*share, *highest) > 0)) highest = share;
  };
  for (const auto* children : {&tree_.node(node).child_cohorts, &tree_.node(node).child_queues}) {
    for (const NodeIndex child : *children) raise(HighestBelow(side, child));
  }
  const QueueCandidates* initial = field_->Initial(node);
  if (initial == nullptr) return highest;
  const WorkloadRecord* before = nullptr;
  for (QueueCandidates left = *initial; left.Front() != nullptr; left.Pop()) {
    const WorkloadRecord& candidate = *left.Front();
    if (before != nullptr && before->usage == candidate.usage) continue;
    before = &candidate;
    QuotaTrial trial(tree_);
    TryRemoval(world_, trial, candidate.id());
    raise(ShareOf(tree_, side));
  }
  return highest;
}

void CommonView::NoteStale(NodeIndex queue) {
  for (NodeIndex n = queue; tree_.HasParent(n); n = tree_.ParentOf(n)) {
    const auto known = left_.find(tree_.ParentOf(n));
    if (known != left_.end() && known->second) {
      known->second->stale.insert(known->second->PositionOf(n));
    }
  }
}

CommonViews::Reach CommonViews::ReachOf(const World& world, const PreemptionRequest& request,
                                        const SharedHooks& hooks, OfTree& tree) {
  Reach reach;
  reach.edition = hooks.edition;
  reach.shares = hooks.shares != nullptr;
  reach.policy = request.queue.spec.preemption.reclaim_within_cohort;
  const bool by_priority = reach.policy == PreemptionPolicy::kLowerPriority ||
                           reach.policy == PreemptionPolicy::kLowerOrNewerEqualPriority;
  if (!by_priority) return reach;
  if (!tree.priorities) tree.priorities = PrioritiesIn(world, world.tree_of(request.queue));
  const std::vector<std::int64_t>& all = *tree.priorities;
  const auto own = std::lower_bound(all.begin(), all.end(), request.preemptor.priority());
  reach.rank = static_cast<std::size_t>(own - all.begin());
  reach.equals = reach.policy == PreemptionPolicy::kLowerOrNewerEqualPriority && own != all.end() &&
                 *own == request.preemptor.priority();
  if (reach.equals) reach.timestamp = request.preemptor.key.timestamp;
  return reach;
}

CommonViews::OfPairs& CommonViews::Find(World& world, const PreemptionRequest& request,
                                        const SharedHooks& hooks) {
  if (size_ > std::max(kMost, kMostEach * world.queues.size())) {
    trees_.clear();
    size_ = 0;
  }
  OfTree& tree = trees_[request.queue.tree];
  const std::uint64_t version = world.tree_of(request.queue).version();
  if (tree.version != version) {
    for (const auto& [reach, views] : tree.views) {
      for (const OfPairs& of : views) size_ -= of.view == nullptr ? 0 : of.view->size();
    }
    tree = {};
    tree.version = version;
  }
  std::vector<OfPairs>& views = tree.views[ReachOf(world, request, hooks, tree)];
  const auto known = std::find_if(views.begin(), views.end(), [&](const OfPairs& each) {
    return each.contested == request.contested;
  });
  return known != views.end() ? *known : views.emplace_back(OfPairs{request.contested});
}

CommonView& CommonViews::For(World& world, const PreemptionRequest& request,
                             const FrozenUsage& usage) {
  OfPairs& found = Find(world, request, {});
  if (found.view == nullptr) {
    found.view = std::make_unique<CommonView>(world, request, usage, nullptr, SharedHooks{});
    size_ += found.view->size();
  }
  return *found.view;
}

CommonView* CommonViews::ForSecond(World& world, const PreemptionRequest& request,
                                   const FrozenUsage& usage, const Claims* claims,
                                   const SharedHooks& hooks) {
  OfPairs& found = Find(world, request, hooks);
  if (found.view == nullptr && std::exchange(found.asked, true)) {
    found.view = std::make_unique<CommonView>(world, request, usage, claims, hooks);
    size_ += found.view->size();
  }
  return found.view.get();
}

}  // namespace muster
