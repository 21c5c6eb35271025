// TopologyForest: the trees of all flavors with a topology, and what uses which of their leaves.
//
// A member of engine/capacity, under the same marks: what is tried is taken back in reverse order.
// Use is kept by holder, and by leaf key, so that nodes may come and go under it. A change of a
// node, or of a pod outside, costs what it touches in each tree that has the node. A host that
// several flavors have is used in all their trees at once, unless `follows_kueue`: then flavors
// see what others of the same cycle take only from the next one on.
//
// Without a flavor that has a topology it is empty, and nothing asks it anything.
#ifndef MUSTER_ENGINE_TOPOLOGY_TOPOLOGY_FOREST_H_
#define MUSTER_ENGINE_TOPOLOGY_TOPOLOGY_FOREST_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/ids.h"
#include "engine/topology/pod_needs.h"
#include "engine/topology/topology_tree.h"
#include "muster/object.h"

namespace muster {

/// Pods of one podset, or of a part of it, where they are.
struct PlacedPods {
  std::string flavor;
  bool by_host = false;
  PodNeeds needs;
  std::vector<std::pair<LeafKey, std::int32_t>> pods;
  bool operator==(const PlacedPods&) const = default;
};
/// All those of one workload; null or empty: none.
using Placed = std::shared_ptr<const std::vector<PlacedPods>>;

class TopologyForest {
 public:
  /// No flavor has a topology. The one question that everything asks first.
  bool empty() const { return trees_.empty(); }

  /// Builds the trees of all flavors anew, as the objects are now, with what holders use. Whether
  /// other flavors have one than before. O(flavors x nodes log nodes + holders).
  bool Rebuild(const std::map<std::string, ResourceFlavor>& flavors,
               const std::map<std::string, Topology>& topologies,
               const std::map<std::string, Node>& nodes, const std::map<Key, Pod>& pods);

  // ---- nodes and pods outside that change ------------------------------------------------------
  /// The node is as `now` says, in the table; null `before`: it is new. After the last change of a
  /// call, Settle. O(trees x (labels + depth log domains + amounts)), and what PutIn says.
  void ChangeNode(const Node* before, const Node& now);
  /// It is about to leave the table.
  void RemoveNode(const Node& node);
  /// The same of pods. `nodes` are as ChangeNode was told.
  void ChangePod(const Pod* before, const Pod& now, const std::map<std::string, Node>& nodes);
  void RemovePod(const Pod& pod, const std::map<std::string, Node>& nodes);
  /// Builds those trees anew that could not follow in place.
  void Settle(const std::map<std::string, Node>& nodes);
  /// Whether all trees are as they would be if built from these. O(Rebuild).
  bool IsAsBuilt(const std::map<std::string, Node>& nodes, const std::map<Key, Pod>& pods) const;

  void FollowKueue(bool follows) { follows_kueue_ = follows; }
  bool follows_kueue() const { return follows_kueue_; }
  /// Nodes that are not ready or cordoned take pods, too; from the next Rebuild on.
  void TakeAllNodes(bool all) { all_nodes_ = all; }

  /// Null when the flavor has none.
  const TopologyTree* Find(std::string_view flavor) const;
  const std::map<std::string, TopologyTree, std::less<>>& trees() const { return trees_; }
  ResourceNumbers& numbers() { return numbers_; }
  const ResourceNumbers& numbers() const { return numbers_; }

  // ---- what holders use ------------------------------------------------------------------------
  /// `holder` uses this now, and nothing else. Not under a mark.
  void Hold(WorkloadId holder, Placed placed);
  void Release(WorkloadId holder);
  /// Null: nothing.
  Placed HeldBy(WorkloadId holder) const;
  const std::map<WorkloadId, Placed>& holders() const { return holders_; }
  /// Those with pods on the leaf, by number. O(1).
  std::span<const WorkloadId> HoldersOn(const LeafKey& leaf) const;

  /// Whether what is free is what hosts have without what holders use, while nothing is tried, and
  /// kept counts of shapes are what that has room for.
  bool AddsUp() const;
  /// Whether no host of the holder is used beyond what it has, those that `leave` set aside.
  bool HasRoomFor(WorkloadId holder, const std::set<WorkloadId>& leave) const;

  // ---- under marks -----------------------------------------------------------------------------
  void Try(const Placed& placed) { TryAndTell(placed, 1); }
  void TryWithout(WorkloadId holder) { TryAndTell(HeldBy(holder), -1); }
  void TryReturn(WorkloadId holder) { TryAndTell(HeldBy(holder), 1); }
  std::size_t tried() const { return told_.size(); }
  /// Takes the last tries back until `size` are left.
  void TakeBack(std::size_t size);

 private:
  struct Told {
    Placed placed;
    int sign = 0;
  };
  void TryAndTell(const Placed& placed, int sign);
  /// `shared`: in the trees of other flavors that have the host, too.
  void Use(const PlacedPods& pods, int sign, bool shared);
  void UseAll(const Placed& placed, int sign, bool shared);

  using Trees = std::map<std::string, TopologyTree, std::less<>>;
  struct OutsidePod {
    const Pod* pod = nullptr;
    std::vector<HostAmount> amounts;  ///< itself included
  };
  std::vector<HostAmount> AmountsOf(const ResourceList& list);
  /// What nodes of the leaf have without pods outside; false: also of a resource that the tree does
  /// not count.
  bool AloneAt(const TopologyTree& tree, std::uint32_t leaf, std::vector<Amount>& alone);
  void NoteOutside(const Pod& pod);
  void DropOutside(const Pod& was, const Pod* pod);
  void Fill(TopologyTree& tree);
  void Follow(Trees::value_type& tree, const TopologyTree::Change& change);
  void FollowPod(const std::string& node, const std::map<std::string, Node>& nodes);
  /// What of it is in the tree, on the leaf `only` unless that is null.
  static void UseInTree(TopologyTree& tree, const Placed& placed, const LeafKey* only);

  bool follows_kueue_ = false;
  bool all_nodes_ = false;
  ResourceNumbers numbers_;
  Trees trees_;  ///< by flavor
  std::map<WorkloadId, Placed> holders_;
  std::unordered_map<LeafKey, std::vector<WorkloadId>> holders_on_;
  std::unordered_map<std::string, std::vector<OutsidePod>> outside_;  ///< by node
  std::set<std::string> stale_;  ///< flavors whose trees Settle builds anew
  std::vector<Told> told_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_TOPOLOGY_TOPOLOGY_FOREST_H_
