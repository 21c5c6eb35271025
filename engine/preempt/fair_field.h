// FairField: the queues of one tree that have a workload to evict, and whose turn it is to give.
//
// Rule (spec: preemption under fair sharing): from the root downwards, in every cohort the child
// with the highest share, of those with candidates below them that use more than is theirs; of
// equal ones a cohort before a queue, the last cohort by name, the queue whose candidate comes
// first. The preemptor's own queue and the cohorts above it take part whatever they use.
//
// Method: every cohort has a bracket over its children. A step changes the front of one queue and
// shares on one path, so that path alone plays again: O(depth log fan-out) a step. In a search
// usage only falls and candidates only leave, so what cannot give any more never can again.
//
// Preemptors that may evict the same share a field: shares and fronts of all queues are those
// before anything is tried, and each search changes the path of its own queue and what it takes
// from, and puts it back in the end. So a search costs what it does and not how many queues there
// are.
#ifndef MUSTER_ENGINE_PREEMPT_FAIR_FIELD_H_
#define MUSTER_ENGINE_PREEMPT_FAIR_FIELD_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "engine/base/bracket.h"
#include "engine/policy/share_rule.h"
#include "engine/preempt/candidates.h"
#include "engine/quota/quota_tree.h"

namespace muster {

class FairField {
 public:
  /// The share of a node on the usage as it is now.
  using Shares = std::function<NodeShare(NodeIndex)>;

  /// It is empty. The tree must outlive it.
  explicit FairField(const QuotaTree& tree);
  /// The queue is not in it, and has a candidate. Before Open, or between searches; then it plays.
  void Add(NodeIndex queue, QueueCandidates candidates);
  /// Lets all of them play. O(nodes x the cost of a share + queues log queues).
  void Open(const ShareRule& rule, const CandidateOrder& order, const Shares& shares);
  /// Between searches: the queue is not in it any more; then it plays.
  void Remove(NodeIndex queue);
  /// Between searches: candidates at the front of the queue that are gone are none any more; one
  /// that has none left is removed. Then it plays. Precondition: it is in.
  void PassGone(NodeIndex queue);

  /// Whether another queue than `queue` is in it.
  bool HasOthersThan(NodeIndex queue) const {
    return present_ > (place_[queue] == kNobody ? 0U : 1U);
  }
  /// Begins the search of a preemptor of `own`, whose demand is charged; its own candidates take
  /// the place of those that its queue has for others. What is given must outlive the search.
  void Enter(NodeIndex own, const QueueCandidates& own_candidates, const ShareRule& rule,
             const CandidateOrder& order, const Shares& shares);
  /// All is as before Enter. Precondition: the usage is.
  void Leave(const ShareRule& rule, const CandidateOrder& order, const Shares& shares);

  /// The queue to take from; kNoNode when there is none. O(depth).
  NodeIndex Next() const;
  /// Null when the queue has no candidate left.
  const WorkloadRecord* Front(NodeIndex queue) const;
  /// Takes the front out; the queue must then play.
  const WorkloadRecord& Pop(NodeIndex queue);
  /// The front of the queue, or the usage on its path, has changed. O(depth log fan-out).
  void Play(NodeIndex queue);
  /// The node gives nothing any more in this pass.
  void TakeOut(NodeIndex node);

  /// A strategy refused this one: the first of each queue comes again in the second pass.
  void Refuse(NodeIndex queue, const WorkloadRecord& candidate) {
    refused_.emplace(queue, &candidate);
  }
  /// It refuses all below the cohort, of each queue the front.
  void RefuseAllBelow(NodeIndex cohort);
  /// From now on each queue has the one candidate that was refused first, if any was.
  void BeginSecondPass();

  /// Whether anything at or below `node` can give.
  bool CanGive(NodeIndex node) const { return Takes(node); }
  bool IsOnOwnPath(NodeIndex node) const { return seats_[node].on_path; }
  /// Candidates of `queue` as they are before any search; null when it is not in it.
  const QueueCandidates* Initial(NodeIndex queue) const {
    return place_[queue] == kNobody ? nullptr : &candidates_[place_[queue]];
  }

 private:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  struct Seat {
    std::uint32_t position = 0;  ///< among the children of its parent
    bool out = false;
    bool on_path = false;  ///< the preemptor's queue, or above it
    NodeShare share;
  };
  struct Touched {
    QueueCandidates left;
  };

  bool IsQueue(NodeIndex n) const { return tree_.node(n).queue.valid(); }
  NodeIndex ChildAt(NodeIndex cohort, std::size_t position) const;
  bool Takes(NodeIndex n) const;
  bool Beats(NodeIndex a, NodeIndex b) const;
  void PlayOnce(NodeIndex n);
  bool IsBelow(NodeIndex cohort, NodeIndex n) const { return tree_.IsAncestor(cohort, n); }

  const QuotaTree& tree_;
  std::vector<Seat> seats_;                  ///< by node
  std::vector<Bracket> brackets_;            ///< by node; of a queue: unused
  std::vector<std::uint32_t> place_;         ///< by node: in candidates_
  std::vector<QueueCandidates> candidates_;  ///< as they are before any search; some are removed
  std::size_t present_ = 0;                  ///< queues that are in

  // Of the search that is under way.
  NodeIndex own_ = kNoNode;
  const ShareRule* rule_ = nullptr;
  const CandidateOrder* order_ = nullptr;
  const Shares* shares_ = nullptr;
  std::map<NodeIndex, Touched> touched_;                ///< queues that candidates left, or own
  std::map<NodeIndex, const WorkloadRecord*> refused_;  ///< null: that came again
  std::vector<NodeIndex> out_;
  bool second_pass_ = false;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PREEMPT_FAIR_FIELD_H_
