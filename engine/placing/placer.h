// Placer: finds domains for the pods of one podset, or of a leader and its workers.
//
// Method: first, bottom up, how many pods, and slices of them, each domain has room for. Then the
// domains of the level where choosing begins are put in order and chosen from; then, level by
// level, what was chosen is handed out over the domains below. At and above the level of slices all
// domains below the chosen ones stand together; under it each parent hands out its own pods.
//
// A scorer says which domains are wanted more. Of those that have all pods in one domain only the
// most wanted stay to choose from; where several are needed they are taken in the order of scores.
// Whatever is left equal by that is as without a scorer. It is asked where two or more have room.
//
// What asks for nothing out of the common is placed from counts that the tree keeps, to the same
// result (counted_placement.h).
#ifndef MUSTER_ENGINE_PLACING_PLACER_H_
#define MUSTER_ENGINE_PLACING_PLACER_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/placing/place_request.h"
#include "engine/topology/topology_tree.h"

namespace muster {

/// What earlier podsets of the same workload take of leaves, by leaf.
using AssumedPods = std::vector<std::pair<std::uint32_t, std::vector<HostAmount>>>;

class Placer {
 public:
  enum class Counts : std::uint8_t { kKept, kOwn };
  /// `tree` must outlive it. With its own counts it counts every leaf, each time.
  explicit Placer(const TopologyTree& tree, Counts counts = Counts::kKept)
      : tree_(tree), counts_(counts == Counts::kKept) {}
  /// `assumed` ascending by leaf. O(leaves x amounts + domains log domains); from kept counts
  /// O(domains of the level + changed leaves + chosen log chosen).
  PlaceResult Place(const PlaceRequest& request, const AssumedPods& assumed);

 private:
  friend class BalancedPlacement;
  using Domain = std::uint32_t;
  using Set = std::vector<Domain>;

  /// What a domain has room for; once chosen, what it got.
  struct Room {
    std::int32_t pods = 0;
    std::int32_t pods_beside = 0;  ///< with the leader there, too
    std::int32_t slices = 0;
    std::int32_t slices_beside = 0;
    std::int32_t leaders = 0;
    std::int64_t score = 0;  ///< how much the pods prefer its nodes
  };
  /// What is counted when a set hands out pods: slices of `size`, or single pods.
  struct Unit {
    std::int32_t size = 1;
    bool pods = false;
  };
  struct Found {
    bool found = false;
    std::size_t level = 0;
    Set domains;
    std::int32_t most = 0;
    std::vector<LeafPods> best = {};  ///< see PlaceResult
  };

  Room& At(std::size_t level, Domain d) { return rooms_[level][d]; }
  const Room& At(std::size_t level, Domain d) const { return rooms_[level][d]; }
  std::int32_t Units(const Room& room, Unit unit) const {
    return unit.pods ? room.pods : room.slices;
  }
  std::int32_t UnitsBeside(const Room& room, Unit unit) const {
    return unit.pods ? room.pods_beside : room.slices_beside;
  }
  std::size_t SliceLevel() const;
  std::int32_t SliceSize() const { return request_->SliceSize(); }
  bool LeastFree() const { return request_->spread == Spread::kUnconstrained; }

  void CountLeaves(const AssumedPods& assumed);
  std::int64_t PreferenceFor(const Node& node) const;
  void CountParents();
  void CountParent(std::size_t level, Domain d);
  void CountSlices(std::size_t level, Room& room) const;

  void SortToStart(std::size_t level, Set& set) const;
  void SortLater(std::size_t level, Set& set) const;
  /// Puts the first that can have the leader, and lose no more than there is to spare, in front.
  void LeaderToFront(std::size_t level, Set& set, std::int32_t need, Unit unit) const;
  /// Asks the scorer, if there is one, about those of the set with room. Whether it was asked.
  bool Want(std::size_t level, std::span<const Domain> set);
  bool HasRoom(std::size_t level, Domain d) const;
  std::int64_t SlicesIn(std::size_t level, std::span<const Domain> set) const;
  double Wanted(std::size_t level, Domain d) const {
    return wanted_.empty() || wanted_[level].empty() ? 0 : wanted_[level][d];
  }
  /// Takes those of the set that are `allowed` and wanted less than another such out of it.
  template <typename IsAllowed>
  void KeepMostWanted(std::size_t level, Set& set, const IsAllowed& allowed) const;
  Found Choose(std::size_t level);
  Found ChooseSeveral(std::size_t level, Set set, std::int32_t need);
  /// The one with the smallest sufficient room in `set` from `from` on.
  Domain Smallest(std::size_t level, std::span<const Domain> set, std::int32_t need,
                  std::int32_t leaders, Unit unit) const;
  /// Hands `count` pods and leaders out over the set; those that got none leave it.
  bool HandOut(std::size_t level, Set& set, std::int32_t count, std::int32_t leaders, Unit unit);
  /// Domains that have nodes: all of a level, or those right below some of it.
  Set AllOf(std::size_t level) const;
  Set ChildrenOf(std::size_t level, std::span<const Domain> parents) const;
  bool Descend(std::size_t level, Set& set);
  bool DescendBalanced(std::size_t level, Set& set);
  /// From `level` on each domain of the set hands what it has to its own children.
  bool DescendInParents(std::size_t level, Set& set);
  /// Asks about the children of those whose children have more room than is handed to them.
  void WantBelow(std::size_t level, std::span<const Domain> parents);

  const TopologyTree& tree_;
  bool counts_;  ///< of the tree may be used
  const PlaceRequest* request_ = nullptr;
  std::vector<std::vector<Room>> rooms_;     ///< by level and domain
  std::vector<std::vector<double>> wanted_;  ///< likewise; empty: none was asked about
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PLACING_PLACER_H_
