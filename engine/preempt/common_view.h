// CommonView: what all preemptors of one tree see alike that contest the same pairs and may evict
// the same from others. Made once in a cycle, as long as the usage is the same, and asked by each.
//
// It shortens a search and decides nothing: what it says is what the search would find by itself.
// Preemptors of different priorities may evict the same where no holder of the tree has a priority
// in between.
#ifndef MUSTER_ENGINE_PREEMPT_COMMON_VIEW_H_
#define MUSTER_ENGINE_PREEMPT_COMMON_VIEW_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/preempt/candidates.h"
#include "engine/preempt/fair_field.h"
#include "engine/preempt/room_bound.h"
#include "engine/state/world.h"

namespace muster {

class CommonView {
 public:
  /// That of `request`, decided natively, on a tree on which nothing is tried. Its preemptor must
  /// outlive this.
  CommonView(World& world, const PreemptionRequest& request, const FrozenUsage& usage);
  CommonView(const CommonView&) = delete;
  CommonView& operator=(const CommonView&) = delete;

  const PreemptionRequest& request() const { return request_; }
  std::size_t size() const { return tree_.size(); }
  /// Whether it has compared what changes with time alone.
  bool ReadTime() const { return order_.ReadTime(); }

  /// Of all queues that exceed their nominal quota of a contested pair and have candidates.
  FairField& field();
  /// Ends the search that is in the field; the tree is as before it.
  void LeaveField() { field_->Leave(rule_, order_, shares_); }
  const RoomBound& bound();
  /// The highest share of a child of `cohort` once any one candidate below it left, before anything
  /// is tried but the demand of `request`; null: not worth knowing yet. O(candidates x depth),
  /// once.
  const DominantShare* HighestLeft(const PreemptionRequest& request, NodeIndex cohort);

 private:
  DominantShare FindHighestLeft(NodeIndex cohort);

  World& world_;
  QuotaTree& tree_;
  PreemptionRequest request_;  ///< without its demand
  PreemptionPolicy policy_;
  CandidateOrder order_;
  std::set<WorkloadId> nobody_;
  CandidateScope scope_;
  ShareRule rule_;
  FairField::Shares shares_;
  std::optional<FairField> field_;
  std::optional<RoomBound> bound_;
  std::map<NodeIndex, std::optional<DominantShare>> highest_left_;  ///< none: asked for once
};

/// The views of one cycle; how much they take follows from the number of queues.
class CommonViews {
 public:
  /// That of the request; see CommonView. O(views of the tree), and making it.
  CommonView& For(World& world, const PreemptionRequest& request, const FrozenUsage& usage);

 private:
  static constexpr std::size_t kMost = 4096;  ///< nodes, or four a queue, if that is more

  /// Which holders of other queues a preemptor may evict, as far as that is its own doing.
  struct Reach {
    PreemptionPolicy policy = PreemptionPolicy::kNever;
    std::size_t rank = 0;        ///< so many priorities of holders are below its own
    bool equals = false;         ///< some have its own, and newer ones count
    TimeNs timestamp = kNoTime;  ///< its own, if so
    bool operator==(const Reach&) const = default;
  };
  struct OfTree {
    std::uint64_t version = 0;
    std::optional<std::vector<std::int64_t>> priorities;  ///< of holders, ascending; once asked for
    std::vector<std::pair<Reach, std::unique_ptr<CommonView>>> views;
  };
  static Reach ReachOf(const World& world, const PreemptionRequest& request, OfTree& tree);

  std::map<std::uint32_t, OfTree> trees_;
  std::size_t size_ = 0;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PREEMPT_COMMON_VIEW_H_
