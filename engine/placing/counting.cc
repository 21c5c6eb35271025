// How many pods and slices each domain has room for, bottom up.
#include <algorithm>
#include <limits>

#include "engine/base/amount.h"
#include "engine/model/selector.h"
#include "engine/placing/placer.h"
#include "engine/topology/add_room.h"

namespace muster {

std::size_t Placer::SliceLevel() const {
  return request_->slices.empty() ? tree_.depth() - 1 : request_->slices[0].level;
}

void Placer::CountLeaves(const AssumedPods& assumed) {
  const PlaceRequest& request = *request_;
  const std::size_t depth = tree_.depth();
  rooms_.resize(depth);
  for (std::size_t l = 0; l < depth; ++l) rooms_[l].assign(tree_.levels()[l].size(), Room{});
  std::vector<Room>& leaves = rooms_[depth - 1];
  std::uint32_t first = 0;
  auto last = static_cast<std::uint32_t>(leaves.size());
  if (request.only_level >= 0) {
    const auto below =
        tree_.LeavesBelow(static_cast<std::size_t>(request.only_level), request.only_domain);
    first = below.first;
    last = below.second;
  }
  const bool asks_of_nodes = request.filter.AsksOfNodes();
  auto taken = assumed.begin();
  std::vector<Amount> left;
  for (std::uint32_t leaf = first; leaf < last; ++leaf) {
    if (!tree_.IsThere(tree_.depth() - 1, leaf)) continue;
    const bool may_differ = tree_.by_host() && (asks_of_nodes || tree_.IsTainted(leaf));
    if (may_differ && !request.filter.Admits(tree_.HostOf(leaf))) continue;
    std::span<const Amount> free = request.empty ? tree_.AloneOf(leaf) : tree_.FreeOf(leaf);
    while (taken != assumed.end() && taken->first < leaf) ++taken;
    const bool less = taken != assumed.end() && taken->first == leaf;
    if (less || request.leader) left.assign(free.begin(), free.end());
    if (less) {
      for (const HostAmount& each : taken->second) {
        if (each.resource < left.size()) {
          left[each.resource] = Sub(left[each.resource], each.amount);
        }
      }
      free = left;
    }
    Room& room = leaves[leaf];
    room.pods = PodsIn(free, request.needs);
    room.pods_beside = room.pods;
    if (request.leader && PodsIn(left, request.leader_needs) > 0) {
      room.leaders = 1;
      for (const HostAmount& need : request.leader_needs.amounts) {
        if (need.resource < left.size()) left[need.resource] -= need.amount;
      }
      room.pods_beside = PodsIn(left, request.needs);
    }
    if (request.by_affinity && tree_.by_host()) room.score = PreferenceFor(tree_.HostOf(leaf));
  }
}

std::int64_t Placer::PreferenceFor(const Node& node) const {
  if (request_->filter.pods == nullptr) return 0;
  std::int64_t score = 0;
  for (const PreferredNodeTerm& term : request_->filter.pods->preferred_node_affinity) {
    if (MatchesNode(std::span(&term.preference, 1), node)) score += term.weight;
  }
  return score;
}

void Placer::CountSlices(std::size_t level, Room& room) const {
  if (level != SliceLevel()) return;
  room.slices = room.pods / SliceSize();
  room.slices_beside = room.pods_beside / SliceSize();
}

void Placer::CountParent(std::size_t level, Domain d) {
  const std::vector<std::uint32_t>& first_child = tree_.levels()[level].first_child;
  const std::int32_t inner = InnerSizeAt(request_->slices, level + 1);
  constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();
  std::int32_t least_pods = kNone;  // that a leader costs
  std::int32_t least_slices = kNone;
  Room room;
  for (Domain child = first_child[d]; child < first_child[d + 1]; ++child) {
    const Room& below = At(level + 1, child);
    const std::int32_t pods = below.pods / inner * inner;
    const std::int32_t beside = below.pods_beside / inner * inner;
    room.pods = AddRoom(room.pods, pods);
    room.slices = AddRoom(room.slices, below.slices);
    room.score += below.score;
    if (below.leaders == 0) continue;
    room.leaders = std::max(room.leaders, below.leaders);
    least_pods = std::min(least_pods, pods - beside);
    least_slices = std::min(least_slices, below.slices - below.slices_beside);
  }
  if (!request_->leader) {
    room.pods_beside = room.pods;
    room.slices_beside = room.slices;
  } else if (room.leaders > 0) {
    room.pods_beside = room.pods - least_pods;
    room.slices_beside = room.slices - least_slices;
  }
  CountSlices(level, room);
  At(level, d) = room;
}

void Placer::CountParents() {
  const std::size_t leaf_level = tree_.depth() - 1;
  for (Room& room : rooms_[leaf_level]) CountSlices(leaf_level, room);
  for (std::size_t l = leaf_level; l-- > 0;) {
    for (Domain d = 0; d < tree_.levels()[l].size(); ++d) CountParent(l, d);
  }
}

}  // namespace muster
