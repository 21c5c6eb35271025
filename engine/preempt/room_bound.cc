// See room_bound.h.
#include "engine/preempt/room_bound.h"

#include <algorithm>

#include "engine/base/amount.h"
#include "engine/preempt/preemption_search.h"

namespace muster {

RoomBound::RoomBound(World& world, const PreemptionRequest& request, PreemptionPolicy policy)
    : world_(world),
      request_(request),
      policy_(policy),
      tree_(world.tree_of(request.queue)),
      gifts_(tree_.size()) {
  usage_.reserve(std::size_t{tree_.size()} * tree_.columns());
  for (NodeIndex n = 0; n < tree_.size(); ++n) {
    for (Column c = 0; c < tree_.columns(); ++c) usage_.push_back(tree_.cell(n, c).usage);
  }
  for (NodeIndex n = 0; n < tree_.size(); ++n) {
    if (tree_.node(n).queue.valid()) Renew(n);
  }
}

void RoomBound::Renew(NodeIndex queue) {
  Gift& gift = gifts_[queue];
  gift.given = policy_ != PreemptionPolicy::kNever && tree_.BorrowsAny(queue, request_.contested);
  if (gift.given && !gift.most) {
    gift.most = MostToGain(request_, world_.queue(tree_.node(queue).queue), policy_);
  }
  left_.clear();
  for (Column c = 0; c < tree_.columns(); ++c) left_.push_back(tree_.cell(queue, c).usage);
  if (gift.given) {
    for (const Usage& most : *gift.most) {
      Amount& left = left_[tree_.ColumnOf(most.fr)];
      left = Sub(left, most.amount);
    }
  }
  for (Column c = 0; c < tree_.columns(); ++c) Set(queue, c, left_[c]);
}

// As QuotaTree has it: what a node cannot keep to itself is charged to its parent.
void RoomBound::Set(NodeIndex n, Column c, Amount usage) {
  for (;;) {
    Amount& before = UsageAt(n, c);
    const auto above = [&, local = tree_.cell(n, c).local](Amount amount) {
      return std::max<Amount>(0, Sub(amount, local));
    };
    const Amount more = Sub(above(usage), above(before));
    before = usage;
    if (more == 0 || !tree_.HasParent(n)) return;
    n = tree_.ParentOf(n);
    usage = Add(UsageAt(n, c), more);
  }
}

bool RoomBound::MayMakeRoom(const PreemptionRequest& request, bool allow_borrowing) const {
  const NodeIndex own = request.queue.node;
  QuotaTrial trial(tree_);
  for (NodeIndex n = own; n != kNoNode; n = tree_.ParentOf(n)) {
    for (Column c = 0; c < tree_.columns(); ++c) {
      const Amount usage = usage_[std::size_t{n} * tree_.columns() + c];
      if (usage != tree_.cell(n, c).usage) trial.Suppose(n, c, usage);
    }
  }
  if (gifts_[own].given) trial.Charge(own, *gifts_[own].most);
  const PreemptionPolicy within = request.queue.spec.preemption.within_cluster_queue;
  trial.Release(own, MostToGain(request, request.queue, within));
  return QuotaHolds(tree_, request, allow_borrowing);
}

}  // namespace muster
