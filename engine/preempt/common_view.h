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
#include "engine/policy/policy_calls.h"
#include "engine/policy/share_rule.h"
#include "engine/policy/victim_rule.h"
#include "engine/preempt/asked_candidates.h"
#include "engine/preempt/candidates.h"
#include "engine/preempt/claims.h"
#include "engine/preempt/fair_field.h"
#include "engine/preempt/room_bound.h"
#include "engine/state/world.h"

namespace muster {

/// What hooks answer in the searches that share a view; all null: they are decided natively.
struct SharedHooks {
  PolicyCalls* calls = nullptr;
  const Policy* shares = nullptr;     ///< whose hook `share` there is
  const VictimRule* costs = nullptr;  ///< of hook `victim`, in `asked`
  const AskedCandidates* asked = nullptr;
  std::int64_t edition = 0;  ///< of the costs
};

class CommonView {
 public:
  /// That of `request` on a tree on which nothing is tried, or what `claims` says. Its preemptor,
  /// `claims` and what `hooks` names must outlive this; with costs of another edition it must not
  /// be asked any more.
  CommonView(World& world, const PreemptionRequest& request, const FrozenUsage& usage,
             const Claims* claims, const SharedHooks& hooks);
  CommonView(const CommonView&) = delete;
  CommonView& operator=(const CommonView&) = delete;

  /// How much memory it takes, in cells of some hundred bytes.
  std::size_t size() const { return tree_.size() * (1 + tree_.columns() / kColumnsACell); }
  /// Whether it has compared what changes with time alone.
  bool ReadTime() const { return order_.ReadTime(); }
  /// Whether no hook has a say in it.
  bool IsNative() const { return hooks_.costs == nullptr && hooks_.shares == nullptr; }

  /// Queues but `own` to take from whose candidates the policy may not have been asked about; to be
  /// called before Follow where it has costs.
  std::vector<NodeIndex> NotAsked(NodeIndex own);
  /// Takes in what has been claimed since the last call; to be called before a search of `own`.
  /// Under hooks the queue `own` is left out: what others are told of it may not be known.
  /// O(changes x (depth log fan-out + pairs)).
  void Follow(NodeIndex own);
  /// The share of `n` as hook `share` says before the search. Precondition: the field was asked
  /// for.
  NodeShare ScriptedShare(NodeIndex n) const { return scripted_[n].value_or(NodeShare{}); }
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
  void TakeInClaims();
  void FollowHooks(NodeIndex own);
  void MarkStale(NodeIndex queue);
  /// Asks for the shares of these queues, where they are in the field, and of all above them, as
  /// far as they are not known.
  void MeasureAbove(const std::vector<NodeIndex>& queues);
  /// The candidates of a queue, if it is one to take from.
  std::optional<QueueCandidates> CandidatesOf(NodeIndex queue) const;
  void RenewInField(NodeIndex queue);
  /// What is known of the children above the queue is so no more.
  void NoteStale(NodeIndex queue);

  World& world_;
  QuotaTree& tree_;
  PreemptionRequest request_;  ///< without its demand
  PreemptionPolicy policy_;
  SharedHooks hooks_;
  CandidateOrder order_;
  std::set<WorkloadId> nobody_;
  const Claims* claims_;
  std::size_t followed_ = 0;  ///< so many of its changes
  CandidateScope scope_;
  ShareRule rule_;
  FairField::Shares shares_;
  std::optional<FairField> field_;
  // Under hooks.
  std::vector<std::optional<NodeShare>> scripted_;  ///< by node; none: not asked for
  std::vector<NodeIndex> stale_;                    ///< queues that are to be renewed in the field
  std::vector<bool> is_stale_;                      ///< by node
  bool opened_ = false;                             ///< the field
  std::size_t asked_changes_ = 0;  ///< so many of hooks_.asked->changed() are taken in
  std::optional<RoomBound> bound_;
  std::map<NodeIndex, std::optional<Left>> left_;  ///< by cohort; none: asked for once
  DominantShare nobody_left_;
};

/// The views of one cycle; how much they take follows from the number of queues.
class CommonViews {
 public:
  /// That of the request; see CommonView. O(log views + those of one reach), and making it.
  CommonView& For(World& world, const PreemptionRequest& request, const FrozenUsage& usage);
  /// Null when such a request comes for the first time: making it pays when it is asked again. With
  /// `claims` these are followed, and the tree must always be the same. O(log views + those of one
  /// reach).
  CommonView* ForSecond(World& world, const PreemptionRequest& request, const FrozenUsage& usage,
                        const Claims* claims, const SharedHooks& hooks);

 private:
  /// Cells a queue, and in all where there are few queues: each flavor has a view of all queues.
  static constexpr std::size_t kMostEach = 32;
  static constexpr std::size_t kMost = 4096;

  /// Which holders of other queues a preemptor may evict, as far as that is its own doing, and
  /// what hooks say of them.
  struct Reach {
    PreemptionPolicy policy = PreemptionPolicy::kNever;
    std::size_t rank = 0;        ///< so many priorities of holders are below its own
    bool equals = false;         ///< some have its own, and newer ones count
    TimeNs timestamp = kNoTime;  ///< its own, if so
    std::int64_t edition = 0;    ///< of costs
    bool shares = false;         ///< hook `share` has a say; of one tree it is always the same one
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
  OfPairs& Find(World& world, const PreemptionRequest& request, const SharedHooks& hooks);
  static Reach ReachOf(const World& world, const PreemptionRequest& request,
                       const SharedHooks& hooks, OfTree& tree);

  std::map<std::uint32_t, OfTree> trees_;
  std::size_t size_ = 0;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PREEMPT_COMMON_VIEW_H_
