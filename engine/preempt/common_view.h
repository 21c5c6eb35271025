// CommonView: what all preemptors of one tree see alike that contest the same pairs and may evict
// the same from others. Made once in a cycle, as long as the usage is the same, and asked by each.
// Once entries claim victims, there is one for those after them: it follows the claims, queue by
// queue, so that a head which preempts costs what it changes.
//
// It shortens a search and decides nothing: what it says is what the search would find by itself.
// Preemptors of different priorities may evict the same where no holder of the tree has a priority
// in between.
#ifndef MUSTER_ENGINE_PREEMPT_COMMON_VIEW_H_
#define MUSTER_ENGINE_PREEMPT_COMMON_VIEW_H_

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/base/bracket.h"
#include "engine/preempt/candidates.h"
#include "engine/preempt/claims.h"
#include "engine/preempt/fair_field.h"
#include "engine/preempt/room_bound.h"
#include "engine/state/world.h"

namespace muster {

class CommonView {
 public:
  /// That of `request`, decided natively, on a tree on which nothing is tried, or what `claims`
  /// says. Its preemptor and `claims` must outlive this.
  CommonView(World& world, const PreemptionRequest& request, const FrozenUsage& usage,
             const Claims* claims);
  CommonView(const CommonView&) = delete;
  CommonView& operator=(const CommonView&) = delete;

  /// How much memory it takes, in cells of some hundred bytes.
  std::size_t size() const { return tree_.size() * (1 + tree_.columns() / kColumnsACell); }
  /// Whether it has compared what changes with time alone.
  bool ReadTime() const { return order_.ReadTime(); }

  /// Takes in what has been claimed since the last call; to be called before it is used.
  /// O(changes x (depth log fan-out + pairs)).
  void Follow();
  /// Of all queues that exceed their nominal quota of a contested pair and have candidates.
  FairField& field();
  /// Ends the search that is in the field; the tree is as before it.
  void LeaveField() { field_->Leave(rule_, order_, shares_); }
  const RoomBound& bound();
  /// The highest share of a child of `cohort` once any one candidate below it left, before anything
  /// is tried but the demand of `request`; null: not worth knowing yet. O(candidates x depth), once
  /// and again of each child below which something was claimed.
  const DominantShare* HighestLeft(const PreemptionRequest& request, NodeIndex cohort);

 private:
  static constexpr std::size_t kColumnsACell = 32;

  /// The children of a cohort with what HighestLeft is the maximum of.
  struct Left {
    explicit Left(const QuotaNode& cohort);
    std::size_t PositionOf(NodeIndex child) const;

    std::vector<NodeIndex> children;
    std::vector<DominantShare> shares;  ///< by position
    Bracket highest;
    std::set<std::size_t> stale;  ///< positions
  };

  void Measure(Left& left);
  /// The highest share of `side` once any one candidate at or below `node` left; none: there is no
  /// candidate.
  std::optional<DominantShare> HighestBelow(NodeIndex side, NodeIndex node);
  /// The candidates of a queue, if it is one to take from.
  std::optional<QueueCandidates> CandidatesOf(NodeIndex queue) const;
  void RenewInField(NodeIndex queue);
  /// What is known of the children above the queue is so no more.
  void NoteStale(NodeIndex queue);

  World& world_;
  QuotaTree& tree_;
  PreemptionRequest request_;  ///< without its demand
  PreemptionPolicy policy_;
  CandidateOrder order_;
  std::set<WorkloadId> nobody_;
  const Claims* claims_;
  std::size_t followed_ = 0;  ///< so many of its changes
  CandidateScope scope_;
  ShareRule rule_;
  FairField::Shares shares_;
  std::optional<FairField> field_;
  std::optional<RoomBound> bound_;
  std::map<NodeIndex, std::optional<Left>> left_;  ///< by cohort; none: asked for once
  DominantShare nobody_left_;
};

/// The views of one cycle; how much they take follows from the number of queues.
class CommonViews {
 public:
  /// That of the request; see CommonView. O(log views + those of one reach), and making it.
  CommonView& For(World& world, const PreemptionRequest& request, const FrozenUsage& usage);
  /// The same while claims are followed, of a tree always the same. Null when such a request comes
  /// for the first time: making it pays when it is asked again. O(log views + those of one
  /// reach), and what it has to follow.
  CommonView* ForSecond(World& world, const PreemptionRequest& request, const FrozenUsage& usage,
                        const Claims& claims);

 private:
  /// Cells a queue, and in all where there are few queues: each flavor has a view of all queues.
  static constexpr std::size_t kMostEach = 32;
  static constexpr std::size_t kMost = 4096;

  /// Which holders of other queues a preemptor may evict, as far as that is its own doing.
  struct Reach {
    PreemptionPolicy policy = PreemptionPolicy::kNever;
    std::size_t rank = 0;        ///< so many priorities of holders are below its own
    bool equals = false;         ///< some have its own, and newer ones count
    TimeNs timestamp = kNoTime;  ///< its own, if so
    auto operator<=>(const Reach&) const = default;
  };
  struct OfPairs {
    std::vector<FlavorResourceId> contested;
    std::unique_ptr<CommonView> view = nullptr;  ///< null: not made yet
    bool asked = false;                          ///< for one that follows claims
  };
  struct OfTree {
    std::uint64_t version = 0;
    std::optional<std::vector<std::int64_t>> priorities;  ///< of holders, ascending; once asked for
    std::map<Reach, std::vector<OfPairs>> views;
  };
  /// Of the request, which is noted if it is the first such one.
  OfPairs& Find(World& world, const PreemptionRequest& request);
  static Reach ReachOf(const World& world, const PreemptionRequest& request, OfTree& tree);

  std::map<std::uint32_t, OfTree> trees_;
  std::size_t size_ = 0;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PREEMPT_COMMON_VIEW_H_
