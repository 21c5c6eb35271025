// TopologyTree: the domains of one flavor's nodes, from the highest level down, and what is
// free on each leaf.
//
// A domain goes by its index in its level. Indices are in the order of label values, so the
// children of a domain stand side by side, and comparing indices compares labels.
#ifndef MUSTER_ENGINE_TOPOLOGY_TOPOLOGY_TREE_H_
#define MUSTER_ENGINE_TOPOLOGY_TOPOLOGY_TREE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/topology/pod_needs.h"
#include "muster/spec.h"
#include "muster/workload.h"

namespace muster {

inline constexpr std::string_view kHostnameLabel = "kubernetes.io/hostname";

/// By which a leaf is known in every tree that has it: its hostname, or its values in one text.
using LeafKey = std::string;
/// The key of a recorded domain.
LeafKey KeyOfDomain(const TopologyAssignment& assignment, const TopologyDomain& domain);

/// Why nodes of a flavor are no part of its tree, and how many.
struct NodesLeftOut {
  std::int32_t not_ready = 0;
  std::int32_t unschedulable = 0;
  std::int32_t without_level = 0;
};

/// Whether the node has the labels of the flavor and one of each level.
bool BelongsTo(const Node& node, const ResourceFlavor& flavor, const Topology& topology);

class TopologyTree {
 public:
  struct Level {
    std::string label;
    std::vector<std::string> values;         ///< of the level's own label, by domain
    std::vector<std::uint32_t> parents;      ///< in the level above; empty at the top
    std::vector<std::uint32_t> first_child;  ///< and one more, the end; empty at the leaves
    std::size_t size() const { return values.size(); }
  };

  /// Both must outlive it, and so must the nodes. `all_nodes`: also those that are not ready, or
  /// cordoned.
  TopologyTree(const ResourceFlavor& flavor, const Topology& topology,
               const std::map<std::string, Node>& nodes, bool all_nodes);

  const ResourceFlavor& flavor() const { return *flavor_; }
  const Topology& topology() const { return *topology_; }
  /// Whether the lowest level is the host: then leaves are hosts that other trees have, too.
  bool by_host() const { return by_host_; }
  const std::vector<Level>& levels() const { return levels_; }
  std::size_t depth() const { return levels_.size(); }
  const Level& leaves() const { return levels_.back(); }
  /// Position of a level by its label; -1: it has none.
  int LevelOf(std::string_view label) const;
  const NodesLeftOut& left_out() const { return left_out_; }

  /// The node of a leaf of a tree by host.
  const Node& HostOf(std::uint32_t leaf) const { return *hosts_[leaf]; }
  /// Nodes below a leaf.
  std::span<const Node* const> NodesOf(std::uint32_t leaf) const {
    return {nodes_.data() + first_node_[leaf], first_node_[leaf + 1] - first_node_[leaf]};
  }
  std::optional<std::uint32_t> FindLeaf(const LeafKey& key) const;
  /// The leaf's values from the highest level on.
  std::vector<std::string> ValuesOf(std::uint32_t leaf) const;
  /// The domain of `level` that `leaf` is in.
  std::uint32_t AncestorOf(std::uint32_t leaf, std::size_t level) const;
  /// The leaves below a domain: from the first to before the second.
  std::pair<std::uint32_t, std::uint32_t> LeavesBelow(std::size_t level,
                                                      std::uint32_t domain) const;

  // ---- what is free ----------------------------------------------------------------------------
  /// Sets what the leaves have, for so many resources; nothing is used then.
  void SetCapacity(std::size_t resources, std::vector<Amount> alone);
  /// What holders leave of it; may be negative.
  std::span<const Amount> FreeOf(std::uint32_t leaf) const {
    return {free_.data() + leaf * resources_, resources_};
  }
  /// The same if there were none.
  std::span<const Amount> AloneOf(std::uint32_t leaf) const {
    return {alone_.data() + leaf * resources_, resources_};
  }
  std::size_t resources() const { return resources_; }
  /// Nothing is used any more.
  void Empty() { free_ = alone_; }
  bool HasSameFree(const TopologyTree& other) const { return free_ == other.free_; }
  /// `pods` more such pods use the leaf; fewer where it is negative.
  void Use(std::uint32_t leaf, const PodNeeds& needs, std::int64_t pods);

 private:
  const ResourceFlavor* flavor_;
  const Topology* topology_;
  bool by_host_ = false;
  std::vector<Level> levels_;
  std::vector<const Node*> hosts_;
  std::vector<const Node*> nodes_;
  std::vector<std::size_t> first_node_;
  std::unordered_map<LeafKey, std::uint32_t> leaf_of_;
  NodesLeftOut left_out_;
  std::size_t resources_ = 0;
  std::vector<Amount> alone_;
  std::vector<Amount> free_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_TOPOLOGY_TOPOLOGY_TREE_H_
