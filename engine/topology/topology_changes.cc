// TopologyTree under nodes that come and go; see topology_tree.h.
#include <algorithm>
#include <iterator>

#include "engine/base/amount.h"
#include "engine/topology/topology_tree.h"

namespace muster {
namespace {

/// So many leaves without nodes may stay beside as many with.
constexpr std::size_t kLeavesKept = 64;

using Numbers = std::vector<std::uint32_t>;

void CountUp(Numbers::iterator first, Numbers::iterator last) {
  for (; first != last; ++first) ++*first;
}

}  // namespace

std::uint32_t TopologyTree::Search(std::size_t level, std::uint32_t first, std::uint32_t last,
                                   const std::string& value) const {
  const std::vector<std::string>& values = levels_[level].values;
  return static_cast<std::uint32_t>(
      std::lower_bound(values.begin() + first, values.begin() + last, value) - values.begin());
}

std::optional<std::uint32_t> TopologyTree::LeafFor(const Node& node) const {
  if (levels_.empty()) return std::nullopt;
  std::uint32_t first = 0;
  auto last = static_cast<std::uint32_t>(levels_.front().size());
  for (std::size_t l = 0;; ++l) {
    const std::string& value = node.labels.find(levels_[l].label)->second;
    const std::uint32_t at = Search(l, first, last, value);
    if (at == last || levels_[l].values[at] != value) return std::nullopt;
    if (l + 1 == depth()) return at;
    first = levels_[l].first_child[at];
    last = levels_[l].first_child[at + 1];
  }
}

void TopologyTree::InsertDomain(std::size_t level, std::uint32_t parent, std::uint32_t at,
                                const std::string& value) {
  Level& own = levels_[level];
  shapes_.NoteAll();
  own.values.insert(own.values.begin() + at, value);
  own.nodes.insert(own.nodes.begin() + at, 0);
  if (level > 0) {
    own.parents.insert(own.parents.begin() + at, parent);
    Numbers& ends = levels_[level - 1].first_child;
    CountUp(ends.begin() + parent + 1, ends.end());
  }
  if (level + 1 == depth()) return InsertLeaf(at);
  const std::uint32_t below = own.first_child[at];
  own.first_child.insert(own.first_child.begin() + at, below);
  Numbers& parents = levels_[level + 1].parents;
  CountUp(parents.begin() + below, parents.end());
}

void TopologyTree::InsertLeaf(std::uint32_t at) {
  nodes_.emplace(nodes_.begin() + at);
  tainted_.insert(tainted_.begin() + at, 0);
  alone_.insert(alone_.begin() + static_cast<std::ptrdiff_t>(at * resources_), resources_, 0);
  free_.insert(free_.begin() + static_cast<std::ptrdiff_t>(at * resources_), resources_, 0);
  for (std::uint32_t& leaf : leaf_at_) leaf += leaf >= at ? 1 : 0;
  ++leaves_without_;
}

std::uint32_t TopologyTree::DomainsFor(const Node& node) {
  std::uint32_t parent = 0;
  std::uint32_t first = 0;
  auto last = static_cast<std::uint32_t>(levels_.front().size());
  for (std::size_t l = 0; l < depth(); ++l) {
    const std::string& value = node.labels.find(levels_[l].label)->second;
    const std::uint32_t at = Search(l, first, last, value);
    if (at == last || levels_[l].values[at] != value) InsertDomain(l, parent, at, value);
    parent = at;
    if (l + 1 == depth()) break;
    first = levels_[l].first_child[at];
    last = levels_[l].first_child[at + 1];
  }
  return parent;
}

TopologyTree::Change TopologyTree::PutIn(const Node& node) {
  Change change;
  if (ambiguous_ || levels_.empty()) return {.rebuild = true};
  const std::uint32_t leaf = DomainsFor(node);
  SmallVector<const Node*, 1>& there = nodes_[leaf];
  change.leaf = leaf;
  change.came = there.empty();
  const Node* const* const behind = std::find_if(
      there.begin(), there.end(), [&](const Node* other) { return other->name > node.name; });
  there.insert(behind, &node);
  Note(leaf);
  for (std::size_t l = 0; l < depth(); ++l) ++levels_[l].nodes[AncestorOf(leaf, l)];
  if (!change.came) return change;
  --leaves_without_;
  const auto [number, is_new] =
      number_of_.emplace(KeyOf(leaf), static_cast<std::uint32_t>(leaf_at_.size()));
  if (is_new) {
    leaf_at_.push_back(leaf);
  } else if (leaf_at_[number->second] != leaf) {
    change.rebuild = !nodes_[leaf_at_[number->second]].empty();
    leaf_at_[number->second] = leaf;  // the host is in another domain now
  }
  return change;
}

TopologyTree::Change TopologyTree::TakeOut(const Node& was, const Node* node) {
  if (ambiguous_) return {.rebuild = true};
  const std::optional<std::uint32_t> leaf = LeafFor(was);
  if (!leaf) return {.rebuild = true};
  SmallVector<const Node*, 1>& there = nodes_[*leaf];
  const Node** const found = std::find(there.begin(), there.end(), node);
  if (found == there.end()) return {.rebuild = true};
  std::rotate(found, found + 1, there.end());
  there.pop_back();
  Note(*leaf);
  for (std::size_t l = 0; l < depth(); ++l) --levels_[l].nodes[AncestorOf(*leaf, l)];
  if (there.empty()) ++leaves_without_;
  return {.rebuild = leaves_without_ > kLeavesKept + leaves().size() / 2, .leaf = leaf};
}

void TopologyTree::SetAlone(std::uint32_t leaf, std::span<const Amount> alone) {
  for (std::size_t r = 0; r < resources_; ++r) {
    const std::size_t at = leaf * resources_ + r;
    free_[at] = Add(free_[at], Sub(alone[r], alone_[at]));
    alone_[at] = alone[r];
  }
  Note(leaf);
}

void TopologyTree::EmptyLeaf(std::uint32_t leaf) {
  for (std::size_t at = leaf * resources_; at < (leaf + 1) * resources_; ++at) {
    free_[at] = alone_[at];
  }
  Note(leaf);
}

bool TopologyTree::IsLike(const TopologyTree& built) const {
  std::uint32_t other = 0;
  for (std::uint32_t leaf = 0; leaf < leaves().size(); ++leaf) {
    if (nodes_[leaf].empty()) continue;
    if (other == built.leaves().size() || !(nodes_[leaf] == built.nodes_[other])) return false;
    if (ValuesOf(leaf) != built.ValuesOf(other)) return false;
    if (tainted_[leaf] != built.tainted_[other]) return false;
    const LeafKey key = KeyOf(leaf);
    if (!ambiguous_ && (FindLeaf(key) != leaf || built.FindLeaf(key) != other)) return false;
    for (std::size_t r = 0; r < std::max(resources_, built.resources_); ++r) {
      // Of what it has no number for, a leaf has nothing, and use of it is not told.
      const bool known = r < resources_ && r < built.resources_;
      if (known && FreeOf(leaf)[r] != built.FreeOf(other)[r]) return false;
      const Amount own = r < resources_ ? AloneOf(leaf)[r] : 0;
      if (own != (r < built.resources_ ? built.AloneOf(other)[r] : 0)) return false;
    }
    ++other;
  }
  if (other != built.leaves().size()) return false;
  for (std::size_t l = 0; l < depth(); ++l) {
    std::vector<std::int32_t> nodes = levels_[l].nodes;
    std::erase(nodes, 0);
    if (nodes != built.levels_[l].nodes) return false;
  }
  return true;
}

}  // namespace muster
