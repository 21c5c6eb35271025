// See room_bound.h.
#include "engine/preempt/room_bound.h"

#include <algorithm>

#include "engine/preempt/preemption_search.h"

namespace muster {

RoomBound::RoomBound(World& world, const PreemptionRequest& request, PreemptionPolicy policy)
    : policy_(policy) {
  QuotaTree& tree = world.tree_of(request.queue);
  gives_.resize(tree.size());
  UsageMark mark(tree);
  for (NodeIndex n = 0; n < tree.size() && policy != PreemptionPolicy::kNever; ++n) {
    const QueueId id = tree.node(n).queue;
    if (!id.valid() || !tree.BorrowsAny(n, request.contested)) continue;
    gives_[n] = true;
    tree.RemoveUsage(n, MostToGain(request, world.queue(id), policy));
  }
  usage_.reserve(std::size_t{tree.size()} * tree.columns());
  for (NodeIndex n = 0; n < tree.size(); ++n) {
    for (Column c = 0; c < tree.columns(); ++c) usage_.push_back(tree.cell(n, c).usage);
  }
}

bool RoomBound::MayMakeRoom(World& world, const PreemptionRequest& request,
                            bool allow_borrowing) const {
  QuotaTree& tree = world.tree_of(request.queue);
  const NodeIndex own = request.queue.node;
  UsageMark mark(tree);
  for (NodeIndex n = own; n != kNoNode; n = tree.ParentOf(n)) {
    for (Column c = 0; c < tree.columns(); ++c) {
      const Amount usage = usage_[std::size_t{n} * tree.columns() + c];
      if (usage != tree.cell(n, c).usage) tree.Pretend(n, c, usage);
    }
  }
  if (gives_[own]) tree.AddUsage(own, MostToGain(request, request.queue, policy_));
  const PreemptionPolicy within = request.queue.spec.preemption.within_cluster_queue;
  tree.RemoveUsage(own, MostToGain(request, request.queue, within));
  return DemandFits(tree, request, allow_borrowing);
}

}  // namespace muster
