// Capacity: all that limits which workloads may run together. Nothing is charged or released but
// here, and nothing is tried but under a mark on it.
//
// Its first member is the quota forest; others (see capacity_member.h) stand beside it. What fits,
// fits every member. A mark takes back what was tried with all of them at once: the forest by its
// own log of cells, the others by a log of the calls, kept here.
//
// With quota alone a charge costs one comparison more than that of its tree; no call is virtual.
#ifndef MUSTER_ENGINE_CAPACITY_CAPACITY_H_
#define MUSTER_ENGINE_CAPACITY_CAPACITY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/capacity/capacity_member.h"
#include "engine/quota/quota_tree.h"
#include "engine/topology/topology_forest.h"

namespace muster {

/// A node of the quota forest.
struct QuotaPlace {
  std::uint32_t tree = 0;
  NodeIndex node = kNoNode;
};

class Capacity {
 public:
  /// One more member. Precondition: nothing is charged, and nothing is marked.
  void Add(std::unique_ptr<CapacityMember> member) { others_.push_back(std::move(member)); }

  // ---- the quota forest ------------------------------------------------------------------------
  /// All trees. What builds or refills them charges their usage anew, which is quota's alone.
  std::vector<QuotaTree>& trees() { return trees_; }
  const std::vector<QuotaTree>& trees() const { return trees_; }
  QuotaTree& tree(std::uint32_t index) { return trees_[index]; }
  const QuotaTree& tree(std::uint32_t index) const { return trees_[index]; }

  // ---- charging --------------------------------------------------------------------------------
  /// Charges a queue, whether or not it fits. Precondition: its tree knows every pair.
  /// O(pairs x depth).
  void Charge(QuotaPlace place, std::span<const Usage> usage) {
    trees_[place.tree].AddUsage(place.node, usage);
    if (!others_.empty()) [[unlikely]]
      ChargeOthers(QueueAt(place), usage);
  }
  /// Takes a charge back. Precondition: it was made.
  void Release(QuotaPlace place, std::span<const Usage> usage) {
    trees_[place.tree].RemoveUsage(place.node, usage);
    if (!others_.empty()) [[unlikely]]
      ReleaseOthers(QueueAt(place), usage);
  }
  /// The same where the forest is stale: it is built anew with what its queues then hold.
  void ChargeWithoutForest(QueueId queue, std::span<const Usage> usage) {
    if (!others_.empty()) [[unlikely]]
      ChargeOthers(queue, usage);
  }
  void ReleaseWithoutForest(QueueId queue, std::span<const Usage> usage) {
    if (!others_.empty()) [[unlikely]]
      ReleaseOthers(queue, usage);
  }

  // ---- asking ----------------------------------------------------------------------------------
  /// Whether it could be charged on top of what is.
  bool Fits(QuotaPlace place, std::span<const Usage> usage) const {
    return trees_[place.tree].Fits(place.node, usage) && FitsBesideQuota(place, usage);
  }
  /// The same for those that have asked quota themselves.
  bool FitsBesideQuota(QuotaPlace place, std::span<const Usage> usage) const {
    return others_.empty() || OthersFit(QueueAt(place), usage);
  }
  /// Whether it would fit if nothing were charged, quota left aside: its potential says that.
  bool FitsAloneBesideQuota(QuotaPlace place, std::span<const Usage> usage) const {
    return others_.empty() || OthersFitAlone(QueueAt(place), usage);
  }

  // ---- places ----------------------------------------------------------------------------------
  /// Where pods are, for flavors with a topology; empty without one. What is tried on it is under
  /// the same marks.
  TopologyForest& places() { return places_; }
  const TopologyForest& places() const { return places_; }

  // ---- what may be assumed ---------------------------------------------------------------------
  /// Whether all that fits or not follows from the cells of one tree. Only then does what was found
  /// on that tree hold again while they are the same.
  bool FollowsFromQuota() const { return others_.empty() && places_.empty(); }
  /// Whether with less charged no less fits, and of what fits every part does. Quota is so.
  bool IsMonotone() const { return others_.empty() || OthersAreMonotone(); }
  /// Whether nothing of these trees, or of the members beside quota, is tried only. O(trees).
  bool NothingIsTriedIn(std::span<const std::uint32_t> trees) const;

 private:
  friend class OthersMark;
  /// A call that the others have had under a mark.
  struct Told {
    QueueId queue;
    std::vector<Usage> usage;
    bool charged = false;  ///< else released
  };

  QueueId QueueAt(QuotaPlace place) const { return trees_[place.tree].node(place.node).queue; }
  void ChargeOthers(QueueId queue, std::span<const Usage> usage);
  void ReleaseOthers(QueueId queue, std::span<const Usage> usage);
  bool OthersFit(QueueId queue, std::span<const Usage> usage) const;
  bool OthersFitAlone(QueueId queue, std::span<const Usage> usage) const;
  bool OthersAreMonotone() const;
  /// Takes the last calls back until `size` are left.
  void TakeBack(std::size_t size);

  std::vector<QuotaTree> trees_;
  std::vector<std::unique_ptr<CapacityMember>> others_;
  TopologyForest places_;
  std::vector<Told> told_;  ///< under marks
  int marks_ = 0;           ///< on the others
};

/// The part of a mark that is not quota's.
class OthersMark {
 public:
  explicit OthersMark(Capacity& capacity)
      : capacity_(capacity), size_(capacity.told_.size()), tried_(capacity.places_.tried()) {
    ++capacity_.marks_;
  }
  ~OthersMark() {
    RollBack();
    --capacity_.marks_;
  }
  OthersMark(const OthersMark&) = delete;
  OthersMark& operator=(const OthersMark&) = delete;
  void RollBack() {
    if (capacity_.told_.size() > size_) capacity_.TakeBack(size_);
    if (capacity_.places_.tried() > tried_) [[unlikely]]
      capacity_.places_.TakeBack(tried_);
  }

 private:
  Capacity& capacity_;
  std::size_t size_;
  std::size_t tried_;
};

/// Takes back what was charged and released since it was set, with all members, when it goes out
/// of scope. Marks nest like scopes. While it is the newest, only queues of its tree are charged.
class CapacityMark {
 public:
  CapacityMark(Capacity& capacity, std::uint32_t tree)
      : quota_(capacity.tree(tree)), others_(capacity) {}
  /// Takes it back now; the mark stays.
  void RollBack() {
    quota_.RollBack();
    others_.RollBack();
  }

 private:
  UsageMark quota_;
  OthersMark others_;
};

/// The same over several trees, of which some may keep what was charged.
class ForestMark {
 public:
  ForestMark() = default;  ///< of no tree
  ForestMark(Capacity& capacity, std::span<const std::uint32_t> trees);
  /// What was charged in the i-th tree stays, when this goes. Preconditions: the tree has no other
  /// mark; FollowsFromQuota.
  void Keep(std::size_t i) { quota_[i].Keep(); }
  void TakeBack() {
    quota_.clear();
    others_.reset();
  }

 private:
  std::vector<UsageMark> quota_;
  std::unique_ptr<OthersMark> others_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CAPACITY_CAPACITY_H_
