// TopologyTree: the domains of one flavor's nodes, from the highest level down, and what is
// free on each leaf.
//
// A domain goes by its index in its level. Indices are in the order of label values, so the
// children of a domain stand side by side, and comparing indices compares labels.
//
// A change of one node touches its leaf and the domains above it. A domain whose nodes have all
// left stays, empty, for when they come back: only a domain never seen before moves what stands
// behind it, a few bytes each.
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

#include "engine/base/small_vector.h"
#include "engine/topology/pod_needs.h"
#include "engine/topology/shape_counts.h"
#include "muster/spec.h"
#include "muster/workload.h"

namespace muster {

inline constexpr std::string_view kHostnameLabel = "kubernetes.io/hostname";

/// By which a leaf is known in every tree that has it: its hostname, or its values in one text.
using LeafKey = std::string;
/// The key of a recorded domain.
LeafKey KeyOfDomain(const TopologyAssignment& assignment, const TopologyDomain& domain);

/// Whether the node has the labels of the flavor and one of each level.
bool BelongsTo(const Node& node, const ResourceFlavor& flavor, const Topology& topology);

class TopologyTree {
 public:
  struct Level {
    std::string label;
    std::vector<std::string> values;         ///< of the level's own label, by domain
    std::vector<std::uint32_t> parents;      ///< in the level above; empty at the top
    std::vector<std::uint32_t> first_child;  ///< and one more, the end; empty at the leaves
    std::vector<std::int32_t> nodes;         ///< below each; 0: it is only kept for later
    std::size_t size() const { return values.size(); }
  };

  /// Both must outlive it, and so must the nodes. `all_nodes`: also those that are not ready, or
  /// cordoned.
  TopologyTree(const ResourceFlavor& flavor, const Topology& topology,
               const std::map<std::string, Node>& nodes, bool all_nodes);

  const ResourceFlavor& flavor() const { return *flavor_; }
  const Topology& topology() const { return *topology_; }
  /// Whether the node is a part of it.
  bool Takes(const Node& node) const;
  /// Whether the lowest level is the host: then leaves are hosts that other trees have, too.
  bool by_host() const { return by_host_; }
  const std::vector<Level>& levels() const { return levels_; }
  std::size_t depth() const { return levels_.size(); }
  const Level& leaves() const { return levels_.back(); }
  /// Position of a level by its label; -1: it has none.
  int LevelOf(std::string_view label) const;

  /// The node of a leaf of a tree by host.
  const Node& HostOf(std::uint32_t leaf) const { return *nodes_[leaf].front(); }
  /// Whether the node of such a leaf keeps pods away by a taint.
  bool IsTainted(std::uint32_t leaf) const { return tainted_[leaf]; }
  /// To be called when the nodes of a leaf, or their taints, have changed.
  void NoteTaints(std::uint32_t leaf) {
    tainted_[leaf] = !nodes_[leaf].empty() && !HostOf(leaf).taints.empty();
    Note(leaf);
  }
  /// Nodes below a leaf, by name.
  std::span<const Node* const> NodesOf(std::uint32_t leaf) const {
    return {nodes_[leaf].begin(), nodes_[leaf].size()};
  }
  /// Whether there are any.
  bool IsThere(std::size_t level, std::uint32_t domain) const {
    return levels_[level].nodes[domain] > 0;
  }
  /// None when the leaf has no nodes.
  std::optional<std::uint32_t> FindLeaf(const LeafKey& key) const;
  /// The key by which FindLeaf finds it.
  LeafKey KeyOf(std::uint32_t leaf) const;
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
  void Empty() {
    free_ = alone_;
    shapes_.NoteAll();
  }
  bool HasSameFree(const TopologyTree& other) const { return free_ == other.free_; }
  /// Whether it is as one built from the same objects is, domains without nodes left aside.
  bool IsLike(const TopologyTree& built) const;
  /// `pods` more such pods use the leaf; fewer where it is negative.
  void Use(std::uint32_t leaf, const PodNeeds& needs, std::int64_t pods);
  /// What domains have room for. It holds until the tree changes or is asked again. Precondition:
  /// there is a level.
  const ShapeCounts& CountsFor(const PodShape& shape) const { return shapes_.For(*this, shape); }
  bool CountsAreRight() const { return shapes_.AreRight(*this); }

  // ---- nodes that come and go ------------------------------------------------------------------
  /// What a change comes to.
  struct Change {
    /// It cannot be made in place: the tree must be built anew.
    bool rebuild = false;
    std::optional<std::uint32_t> leaf = {};  ///< whose nodes it concerns
    bool came = false;                       ///< the leaf had none before
  };
  /// The node, which Takes says is a part, comes. O(depth log domains) where its domains are known;
  /// else the domains behind the new ones move.
  Change PutIn(const Node& node);
  /// The one at `node`, which was like `was`, goes. O(depth log domains).
  Change TakeOut(const Node& was, const Node* node);
  /// Sets what a leaf has; what is used of it stays. Precondition: so many resources as there are.
  void SetAlone(std::uint32_t leaf, std::span<const Amount> alone);
  /// Nothing of the leaf is used any more.
  void EmptyLeaf(std::uint32_t leaf);
  /// The leaf of the values that the node has; none: no such domain was ever there.
  std::optional<std::uint32_t> LeafFor(const Node& node) const;

 private:
  /// Where in its level, among [first, last), a domain with the value is or belongs.
  std::uint32_t Search(std::size_t level, std::uint32_t first, std::uint32_t last,
                       const std::string& value) const;
  void InsertDomain(std::size_t level, std::uint32_t parent, std::uint32_t at,
                    const std::string& value);
  void InsertLeaf(std::uint32_t at);
  /// What the leaf has room for may have changed.
  void Note(std::uint32_t leaf) { shapes_.Note(leaf, nodes_.size()); }
  /// Its leaf, which is made if it was never there.
  std::uint32_t DomainsFor(const Node& node);

  const ResourceFlavor* flavor_;
  const Topology* topology_;
  bool all_nodes_ = false;
  bool by_host_ = false;
  std::vector<Level> levels_;
  std::vector<SmallVector<const Node*, 1>> nodes_;  ///< by leaf
  std::vector<std::uint8_t> tainted_;               ///< so that counting need not look at nodes
  /// By key, a number that stays; `leaf_at_` has the leaf, which moves when others come before it.
  std::unordered_map<LeafKey, std::uint32_t> number_of_;
  std::vector<std::uint32_t> leaf_at_;
  bool ambiguous_ = false;          ///< two leaves have one key
  std::size_t leaves_without_ = 0;  ///< that have no nodes
  std::size_t resources_ = 0;
  std::vector<Amount> alone_;
  std::vector<Amount> free_;
  mutable ShapeCache shapes_;  ///< follows all of the above when it is asked
};

}  // namespace muster

#endif  // MUSTER_ENGINE_TOPOLOGY_TOPOLOGY_TREE_H_
