// See common_view.h.
#include "engine/preempt/common_view.h"

#include <algorithm>

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

CommonView::CommonView(World& world, const PreemptionRequest& request, const FrozenUsage& usage)
    : world_(world),
      tree_(world.tree_of(request.queue)),
      request_{request.preemptor, request.queue, {}, request.contested},
      policy_(request.queue.spec.preemption.reclaim_within_cohort),
      order_(world, QueueId{}, usage),
      scope_{request_, order_, nobody_},
      rule_(world, nullptr, request.queue),
      shares_([this](NodeIndex n) {
        return NodeShare{ShareOf(tree_, n), 0};
      }) {}

FairField& CommonView::field() {
  if (field_) return *field_;
  field_.emplace(tree_);
  for (NodeIndex n = 0; n < tree_.size() && policy_ != PreemptionPolicy::kNever; ++n) {
    const QueueId id = tree_.node(n).queue;
    if (!id.valid() || !tree_.BorrowsAny(n, request_.contested)) continue;
    QueueCandidates candidates(scope_, world_.queue(id), policy_, QueueCandidates::Part::kAll);
    if (candidates.Front() != nullptr) field_->Add(n, std::move(candidates));
  }
  field_->Open(rule_, order_, shares_);
  return *field_;
}

const RoomBound& CommonView::bound() {
  if (!bound_) bound_.emplace(world_, request_, policy_);
  return *bound_;
}

const DominantShare* CommonView::HighestLeft(const PreemptionRequest& request, NodeIndex cohort) {
  const auto [left, first] = highest_left_.try_emplace(cohort);
  if (first) return nullptr;
  if (!left->second) {
    UsageMark mark(tree_);
    tree_.RemoveUsage(request.queue.node, request.demand);
    left->second = FindHighestLeft(cohort);
  }
  return &*left->second;
}

DominantShare CommonView::FindHighestLeft(NodeIndex cohort) {
  DominantShare highest;
  for (NodeIndex n = 0; n < tree_.size(); ++n) {
    const QueueCandidates* initial = field_->Initial(n);
    if (initial == nullptr || !tree_.IsAncestor(cohort, n)) continue;
    NodeIndex side = n;
    while (tree_.ParentOf(side) != cohort) side = tree_.ParentOf(side);
    const WorkloadRecord* before = nullptr;
    for (QueueCandidates left = *initial; left.Front() != nullptr; left.Pop()) {
      const WorkloadRecord& candidate = *left.Front();
      if (before != nullptr && before->usage == candidate.usage) continue;
      before = &candidate;
      UsageMark mark(tree_);
      SimulateRemoval(world_, tree_, candidate.id());
      const DominantShare share = ShareOf(tree_, side);
      if (CompareShares(share, highest) > 0) highest = share;
    }
  }
  return highest;
}

CommonViews::Reach CommonViews::ReachOf(const World& world, const PreemptionRequest& request,
                                        OfTree& tree) {
  Reach reach;
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

CommonView& CommonViews::For(World& world, const PreemptionRequest& request,
                             const FrozenUsage& usage) {
  if (size_ > std::max(kMost, 4 * world.queues.size())) {
    trees_.clear();
    size_ = 0;
  }
  OfTree& tree = trees_[request.queue.tree];
  const std::uint64_t version = world.tree_of(request.queue).version();
  if (tree.version != version) {
    for (const auto& [reach, view] : tree.views) size_ -= view->size();
    tree = {};
    tree.version = version;
  }
  const Reach reach = ReachOf(world, request, tree);
  const auto known = std::find_if(tree.views.begin(), tree.views.end(), [&](const auto& view) {
    return view.first == reach && view.second->request().contested == request.contested;
  });
  if (known != tree.views.end()) return *known->second;
  tree.views.emplace_back(reach, std::make_unique<CommonView>(world, request, usage));
  size_ += tree.views.back().second->size();
  return *tree.views.back().second;
}

}  // namespace muster
