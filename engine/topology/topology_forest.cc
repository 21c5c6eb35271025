// See topology_forest.h.
#include "engine/topology/topology_forest.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/base/amount.h"

namespace muster {
namespace {

/// Adds what `leaving` uses of the host, as the tree of `seen` counts it.
void AddBack(const Placed& leaving, const LeafKey& host, const PlacedPods& seen,
             std::vector<Amount>& free) {
  if (leaving == nullptr) return;
  for (const PlacedPods& pods : *leaving) {
    if (pods.by_host != seen.by_host || (!pods.by_host && pods.flavor != seen.flavor)) continue;
    for (const auto& [key, count] : pods.pods) {
      if (key != host) continue;
      for (const HostAmount& need : pods.needs.amounts) {
        if (need.resource < free.size()) free[need.resource] += Mul(need.amount, count);
      }
    }
  }
}

}  // namespace

bool TopologyForest::Rebuild(const std::map<std::string, ResourceFlavor>& flavors,
                             const std::map<std::string, Topology>& topologies,
                             const std::map<std::string, Node>& nodes,
                             const std::map<Key, Pod>& pods) {
  const std::map<std::string, TopologyTree, std::less<>> before = std::exchange(trees_, {});
  for (const auto& [name, flavor] : flavors) {
    const auto topology = topologies.find(flavor.topology_name);
    if (flavor.topology_name.empty() || topology == topologies.end()) continue;
    trees_.try_emplace(name, flavor, topology->second, nodes, all_nodes_);
  }
  const bool other_flavors =
      !std::equal(before.begin(), before.end(), trees_.begin(), trees_.end(),
                  [](const auto& a, const auto& b) { return a.first == b.first; });
  stale_.clear();
  outside_.clear();
  if (trees_.empty()) {
    holders_.clear();
    holders_on_.clear();
    return other_flavors;
  }
  for (const auto& [key, pod] : pods) NoteOutside(pod);
  for (auto& [name, tree] : trees_) Fill(tree);
  for (const auto& [holder, placed] : holders_) UseAll(placed, 1, true);
  return other_flavors;
}

const TopologyTree* TopologyForest::Find(std::string_view flavor) const {
  const auto it = trees_.find(flavor);
  return it == trees_.end() ? nullptr : &it->second;
}

Placed TopologyForest::HeldBy(WorkloadId holder) const {
  const auto it = holders_.find(holder);
  return it == holders_.end() ? nullptr : it->second;
}

void TopologyForest::Hold(WorkloadId holder, Placed placed) {
  Release(holder);
  if (placed == nullptr || placed->empty()) return;
  UseAll(placed, 1, true);
  for (const PlacedPods& pods : *placed) {
    for (const auto& [leaf, count] : pods.pods) {
      std::vector<WorkloadId>& there = holders_on_[leaf];
      const auto at = std::lower_bound(there.begin(), there.end(), holder);
      if (at == there.end() || *at != holder) there.insert(at, holder);
    }
  }
  holders_.emplace(holder, std::move(placed));
}

void TopologyForest::Release(WorkloadId holder) {
  const auto it = holders_.find(holder);
  if (it == holders_.end()) return;
  UseAll(it->second, -1, true);
  for (const PlacedPods& pods : *it->second) {
    for (const auto& [leaf, count] : pods.pods) {
      const auto there = holders_on_.find(leaf);
      if (there == holders_on_.end()) continue;
      std::erase(there->second, holder);
      if (there->second.empty()) holders_on_.erase(there);
    }
  }
  holders_.erase(it);
}

std::span<const WorkloadId> TopologyForest::HoldersOn(const LeafKey& leaf) const {
  const auto there = holders_on_.find(leaf);
  if (there == holders_on_.end()) return {};
  return there->second;
}

bool TopologyForest::AddsUp() const {
  if (!told_.empty()) return false;
  TopologyForest again;
  for (const auto& [flavor, tree] : trees_)
    again.trees_.emplace(flavor, tree).first->second.Empty();
  for (const auto& [holder, placed] : holders_) again.UseAll(placed, 1, true);
  return std::all_of(trees_.begin(), trees_.end(), [&](const auto& each) {
    return again.trees_.find(each.first)->second.HasSameFree(each.second) &&
           each.second.CountsAreRight();
  });
}

bool TopologyForest::HasRoomFor(WorkloadId holder, const std::set<WorkloadId>& leave) const {
  const Placed placed = HeldBy(holder);
  if (placed == nullptr) return true;
  return std::all_of(placed->begin(), placed->end(), [&](const PlacedPods& pods) {
    const TopologyTree* tree = Find(pods.flavor);
    if (tree == nullptr) return true;
    return std::all_of(pods.pods.begin(), pods.pods.end(), [&](const auto& at) {
      const std::optional<std::uint32_t> leaf = tree->FindLeaf(at.first);
      if (!leaf) return true;
      std::vector<Amount> free(tree->FreeOf(*leaf).begin(), tree->FreeOf(*leaf).end());
      for (const WorkloadId other : leave) AddBack(HeldBy(other), at.first, pods, free);
      return std::all_of(pods.needs.amounts.begin(), pods.needs.amounts.end(),
                         [&](const HostAmount& need) {
                           return need.resource < free.size() && free[need.resource] >= 0;
                         });
    });
  });
}

void TopologyForest::TryAndTell(const Placed& placed, int sign) {
  if (placed == nullptr || placed->empty()) return;
  UseAll(placed, sign, !follows_kueue_);
  told_.push_back({placed, sign});
}

void TopologyForest::TakeBack(std::size_t size) {
  while (told_.size() > size) {
    UseAll(told_.back().placed, -told_.back().sign, !follows_kueue_);
    told_.pop_back();
  }
}

void TopologyForest::UseAll(const Placed& placed, int sign, bool shared) {
  for (const PlacedPods& pods : *placed) Use(pods, sign, shared);
}

void TopologyForest::Use(const PlacedPods& pods, int sign, bool shared) {
  const auto use_in = [&](TopologyTree& tree) {
    for (const auto& [key, count] : pods.pods) {
      const std::optional<std::uint32_t> leaf = tree.FindLeaf(key);
      if (leaf) tree.Use(*leaf, pods.needs, std::int64_t{sign} * count);
    }
  };
  if (!shared || !pods.by_host) {
    const auto own = trees_.find(pods.flavor);
    if (own != trees_.end() && own->second.by_host() == pods.by_host) use_in(own->second);
    return;
  }
  for (auto& [flavor, tree] : trees_) {
    if (tree.by_host()) use_in(tree);
  }
}

}  // namespace muster
