// TopologyForest under nodes and pods outside that come, go and change; see topology_forest.h.
#include <algorithm>
#include <optional>
#include <utility>

#include "engine/base/amount.h"
#include "engine/model/limits.h"
#include "engine/topology/topology_forest.h"

namespace muster {
namespace {

/// Of what a leaf has, and of what pods outside take there. With what holders take, no sum of what
/// is free then ends anywhere, and what goes comes back exactly.
constexpr Amount kMostOfHost = Amount{1} << 61;
static_assert(kMostHeld < kUnlimited - 2 * kMostOfHost);

/// Adds to the sums of a leaf; false: also what the tree does not count.
bool AddAll(const std::vector<HostAmount>& amounts, std::vector<Amount>& sums) {
  bool known = true;
  for (const HostAmount& each : amounts) {
    if (each.resource >= sums.size()) {
      known = false;
    } else {
      sums[each.resource] = std::min(kMostOfHost, Add(sums[each.resource], each.amount));
    }
  }
  return known;
}

}  // namespace

std::vector<HostAmount> TopologyForest::AmountsOf(const ResourceList& list) {
  std::vector<HostAmount> amounts;
  amounts.reserve(list.size() + 1);
  for (const auto& [resource, quantity] : list) {
    amounts.push_back(
        {numbers_.Of(resource), std::clamp<Amount>(quantity.ToAmount(resource), 0, kMostOfHost)});
  }
  return amounts;
}

void TopologyForest::NoteOutside(const Pod& pod) {
  if (pod.node.empty()) return;
  OutsidePod& outside = outside_[pod.node].emplace_back();
  outside.pod = &pod;
  outside.amounts = AmountsOf(pod.requests);
  outside.amounts.push_back({0, 1});
}

void TopologyForest::DropOutside(const Pod& was, const Pod* pod) {
  const auto there = outside_.find(was.node);
  if (there == outside_.end()) return;
  std::erase_if(there->second, [&](const OutsidePod& each) { return each.pod == pod; });
  if (there->second.empty()) outside_.erase(there);
}

bool TopologyForest::AloneAt(const TopologyTree& tree, std::uint32_t leaf,
                             std::vector<Amount>& alone) {
  alone.assign(tree.resources(), 0);
  std::vector<Amount> taken;  // by pods outside, of which most leaves have none
  bool known = true;
  for (const Node* node : tree.NodesOf(leaf)) {
    known = AddAll(AmountsOf(node->allocatable), alone) && known;
    const auto outside = outside_.find(node->name);
    if (outside == outside_.end()) continue;
    taken.resize(tree.resources());
    for (const OutsidePod& pod : outside->second) known = AddAll(pod.amounts, taken) && known;
  }
  for (std::size_t r = 0; r < taken.size(); ++r) alone[r] -= taken[r];
  return known;
}

void TopologyForest::Fill(TopologyTree& tree) {
  for (std::uint32_t leaf = 0; leaf < tree.leaves().size(); ++leaf) {
    for (const Node* node : tree.NodesOf(leaf)) {
      for (const auto& [resource, quantity] : node->allocatable) numbers_.Of(resource);
    }
  }
  const std::size_t resources = numbers_.size();
  tree.SetCapacity(resources, std::vector<Amount>(tree.leaves().size() * resources));
  std::vector<Amount> alone;
  for (std::uint32_t leaf = 0; leaf < tree.leaves().size(); ++leaf) {
    AloneAt(tree, leaf, alone);
    tree.SetAlone(leaf, alone);
    tree.NoteTaints(leaf);
  }
}

void TopologyForest::UseInTree(TopologyTree& tree, const Placed& placed, const LeafKey* only) {
  for (const PlacedPods& pods : *placed) {
    if (pods.by_host != tree.by_host()) continue;
    if (!pods.by_host && pods.flavor != tree.flavor().name) continue;
    for (const auto& [key, count] : pods.pods) {
      if (only != nullptr && key != *only) continue;
      if (const auto leaf = tree.FindLeaf(key)) tree.Use(*leaf, pods.needs, count);
    }
  }
}

void TopologyForest::Follow(Trees::value_type& each, const TopologyTree::Change& change) {
  auto& [flavor, tree] = each;
  std::vector<Amount> alone;
  if (change.rebuild || !AloneAt(tree, *change.leaf, alone)) {
    stale_.insert(flavor);
    return;
  }
  const std::uint32_t leaf = *change.leaf;
  tree.SetAlone(leaf, alone);
  tree.NoteTaints(leaf);
  if (tree.NodesOf(leaf).empty()) return tree.EmptyLeaf(leaf);
  if (!change.came) return;
  tree.EmptyLeaf(leaf);
  const LeafKey key = tree.KeyOf(leaf);
  for (const WorkloadId holder : HoldersOn(key)) {
    UseInTree(tree, holders_.find(holder)->second, &key);
  }
}

void TopologyForest::ChangeNode(const Node* before, const Node& now) {
  for (auto& each : trees_) {
    TopologyTree& tree = each.second;
    if (stale_.contains(each.first)) continue;
    const bool was = before != nullptr && tree.Takes(*before);
    const bool is = tree.Takes(now);
    if (was && is && before->labels == now.labels) {
      const std::optional<std::uint32_t> leaf = tree.LeafFor(now);
      Follow(each, {.rebuild = !leaf.has_value(), .leaf = leaf});
      continue;
    }
    if (was) Follow(each, tree.TakeOut(*before, &now));
    if (is && !stale_.contains(each.first)) Follow(each, tree.PutIn(now));
  }
}

void TopologyForest::RemoveNode(const Node& node) {
  for (auto& each : trees_) {
    if (each.second.Takes(node)) Follow(each, each.second.TakeOut(node, &node));
  }
}

void TopologyForest::FollowPod(const std::string& node, const std::map<std::string, Node>& nodes) {
  const auto found = nodes.find(node);
  if (found == nodes.end()) return;
  for (auto& each : trees_) {
    if (stale_.contains(each.first) || !each.second.Takes(found->second)) continue;
    const std::optional<std::uint32_t> leaf = each.second.LeafFor(found->second);
    Follow(each, {.rebuild = !leaf.has_value(), .leaf = leaf});
  }
}

void TopologyForest::ChangePod(const Pod* before, const Pod& now,
                               const std::map<std::string, Node>& nodes) {
  if (trees_.empty()) return;
  if (before != nullptr) DropOutside(*before, &now);
  NoteOutside(now);
  if (before != nullptr && before->node != now.node) FollowPod(before->node, nodes);
  FollowPod(now.node, nodes);
}

void TopologyForest::RemovePod(const Pod& pod, const std::map<std::string, Node>& nodes) {
  if (trees_.empty()) return;
  DropOutside(pod, &pod);
  FollowPod(pod.node, nodes);
}

void TopologyForest::Settle(const std::map<std::string, Node>& nodes) {
  for (const std::string& flavor : std::exchange(stale_, {})) {
    TopologyTree& tree = trees_.find(flavor)->second;
    tree = TopologyTree(tree.flavor(), tree.topology(), nodes, all_nodes_);
    Fill(tree);
    for (const auto& [holder, placed] : holders_) UseInTree(tree, placed, nullptr);
  }
}

bool TopologyForest::IsAsBuilt(const std::map<std::string, Node>& nodes,
                               const std::map<Key, Pod>& pods) const {
  TopologyForest again;
  again.all_nodes_ = all_nodes_;
  again.numbers_ = numbers_;
  if (!trees_.empty()) {
    for (const auto& [key, pod] : pods) again.NoteOutside(pod);
  }
  return std::all_of(trees_.begin(), trees_.end(), [&](const auto& each) {
    const TopologyTree& tree = each.second;
    TopologyTree built(tree.flavor(), tree.topology(), nodes, all_nodes_);
    again.Fill(built);
    for (const auto& [holder, placed] : holders_) UseInTree(built, placed, nullptr);
    return tree.IsLike(built);
  });
}

}  // namespace muster
