// See topology_tree.h.
#include "engine/topology/topology_tree.h"

#include <algorithm>
#include <utility>

#include "engine/base/amount.h"

namespace muster {
namespace {

constexpr char kBetweenValues = '\x1f';

LeafKey Joined(std::span<const std::string> values) {
  LeafKey key;
  for (const std::string& value : values) {
    if (!key.empty()) key += kBetweenValues;
    key += value;
  }
  return key;
}

bool HasLabels(const Node& node, const LabelMap& labels) {
  return std::all_of(labels.begin(), labels.end(), [&](const auto& label) {
    const auto own = node.labels.find(label.first);
    return own != node.labels.end() && own->second == label.second;
  });
}

/// A node and its values at the levels.
struct PlacedNode {
  std::vector<std::string> values;
  const Node* node = nullptr;
};

std::vector<std::string> ValuesAt(const Node& node, std::span<const std::string> levels) {
  std::vector<std::string> values;
  for (const std::string& level : levels) {
    values.push_back(node.labels.find(level)->second);
  }
  return values;
}

}  // namespace

LeafKey KeyOfDomain(const TopologyAssignment& assignment, const TopologyDomain& domain) {
  if (domain.values.empty()) return {};
  const bool by_host = !assignment.levels.empty() && assignment.levels.back() == kHostnameLabel;
  return by_host ? domain.values.back() : Joined(domain.values);
}

bool BelongsTo(const Node& node, const ResourceFlavor& flavor, const Topology& topology) {
  return HasLabels(node, flavor.node_labels) &&
         std::all_of(topology.levels.begin(), topology.levels.end(),
                     [&](const std::string& level) { return node.labels.contains(level); });
}

TopologyTree::TopologyTree(const ResourceFlavor& flavor, const Topology& topology,
                           const std::map<std::string, Node>& nodes, bool all_nodes)
    : flavor_(&flavor),
      topology_(&topology),
      all_nodes_(all_nodes),
      by_host_(!topology.levels.empty() && topology.levels.back() == kHostnameLabel) {
  std::vector<PlacedNode> placed;
  for (const auto& [name, node] : nodes) {
    if (Takes(node)) placed.push_back({ValuesAt(node, topology.levels), &node});
  }
  std::stable_sort(placed.begin(), placed.end(),
                   [](const PlacedNode& a, const PlacedNode& b) { return a.values < b.values; });
  const std::size_t depth = topology.levels.size();
  levels_.resize(depth);
  for (std::size_t l = 0; l < depth; ++l) levels_[l].label = topology.levels[l];
  const std::vector<std::string>* before = nullptr;
  for (const PlacedNode& each : placed) {
    std::size_t same = 0;  // levels at which it is in the domain of the one before it
    while (before != nullptr && same < depth && (*before)[same] == each.values[same]) ++same;
    for (std::size_t l = same; l < depth; ++l) {
      Level& level = levels_[l];
      if (l > 0) {
        const auto parent = static_cast<std::uint32_t>(levels_[l - 1].size() - 1);
        level.parents.push_back(parent);
      }
      if (l + 1 < depth) {
        level.first_child.push_back(static_cast<std::uint32_t>(levels_[l + 1].size()));
      } else {
        const auto leaf = static_cast<std::uint32_t>(level.size());
        nodes_.emplace_back();
        tainted_.push_back(0);
        leaf_at_.push_back(leaf);
        const bool is_new =
            number_of_.emplace(by_host_ ? each.values.back() : Joined(each.values), leaf).second;
        ambiguous_ |= !is_new;
      }
      level.values.push_back(each.values[l]);
      level.nodes.push_back(0);
    }
    for (Level& level : levels_) ++level.nodes.back();
    if (depth > 0) nodes_.back().push_back(each.node);
    before = &each.values;
  }
  for (std::size_t l = 0; l + 1 < depth; ++l) {
    levels_[l].first_child.push_back(static_cast<std::uint32_t>(levels_[l + 1].size()));
  }
}

bool TopologyTree::Takes(const Node& node) const {
  return (all_nodes_ || (node.ready && !node.unschedulable)) &&
         BelongsTo(node, *flavor_, *topology_);
}

int TopologyTree::LevelOf(std::string_view label) const {
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    if (levels_[l].label == label) return static_cast<int>(l);
  }
  return -1;
}

std::optional<std::uint32_t> TopologyTree::FindLeaf(const LeafKey& key) const {
  const auto it = number_of_.find(key);
  if (it == number_of_.end() || nodes_[leaf_at_[it->second]].empty()) return std::nullopt;
  return leaf_at_[it->second];
}

LeafKey TopologyTree::KeyOf(std::uint32_t leaf) const {
  return by_host_ ? levels_.back().values[leaf] : Joined(ValuesOf(leaf));
}

std::vector<std::string> TopologyTree::ValuesOf(std::uint32_t leaf) const {
  std::vector<std::string> values(depth());
  std::uint32_t domain = leaf;
  for (std::size_t l = depth(); l-- > 0;) {
    values[l] = levels_[l].values[domain];
    if (l > 0) domain = levels_[l].parents[domain];
  }
  return values;
}

std::uint32_t TopologyTree::AncestorOf(std::uint32_t leaf, std::size_t level) const {
  std::uint32_t domain = leaf;
  for (std::size_t l = depth() - 1; l > level; --l) domain = levels_[l].parents[domain];
  return domain;
}

std::pair<std::uint32_t, std::uint32_t> TopologyTree::LeavesBelow(std::size_t level,
                                                                  std::uint32_t domain) const {
  std::uint32_t first = domain;
  std::uint32_t last = domain + 1;
  for (std::size_t l = level; l + 1 < depth(); ++l) {
    first = levels_[l].first_child[first];
    last = levels_[l].first_child[last];
  }
  return {first, last};
}

void TopologyTree::SetCapacity(std::size_t resources, std::vector<Amount> alone) {
  resources_ = resources;
  alone_ = std::move(alone);
  free_ = alone_;
  shapes_.NoteAll();
}

void TopologyTree::Use(std::uint32_t leaf, const PodNeeds& needs, std::int64_t pods) {
  Amount* const free = free_.data() + leaf * resources_;
  for (const HostAmount& need : needs.amounts) {
    // What the node has nothing of anyway has no room to lose.
    if (need.resource >= resources_) continue;
    free[need.resource] = Sub(free[need.resource], Mul(need.amount, pods));
  }
  Note(leaf);
}

}  // namespace muster
