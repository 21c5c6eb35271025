// FairTournament: the order of entries under fair sharing.
//
// Rule: for every remaining entry of a tree, its usage is added to its queue for a moment, and the
// share of every node on the way up is looked at. Each cohort, bottom up, picks the best among the
// winners of its child cohorts and the entries of its queues: not borrowing what it asks for, lower
// share, higher priority, earlier timestamp; ties keep the first, cohorts before queues, by name.
//
// Method: every node keeps its winner and how that one stands there, every cohort a bracket over
// its children. Processing an entry changes usage on the path of its queue and nowhere else, and
// what an entry looks like at a node depends on the cells of that node and of those below it on its
// own path; so afterwards only the nodes of that path are measured and play again: O(depth log
// fan-out) an entry, not one share for each entry that remains. Shares that are needed together are
// measured together, because a policy may be asked for them: those of one depth when a tree opens,
// and later one on each level of the path. What of a winner's usage comes through to a node is kept
// beside it, so that a node is measured with what came through to the child that its winner is
// from: one step up, and not the whole way from the queue.
#ifndef MUSTER_ENGINE_CYCLE_FAIR_TOURNAMENT_H_
#define MUSTER_ENGINE_CYCLE_FAIR_TOURNAMENT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "engine/base/bracket.h"
#include "engine/cycle/entry_order.h"
#include "engine/policy/share_rule.h"

namespace muster {

class FairTournament : public EntryOrder {
 public:
  FairTournament(World& world, PolicyCalls& calls, std::vector<Entry>& entries);
  /// Trees in the order of their root names, ClusterQueues without a cohort after them by name.
  Entry* Next() override;

 private:
  /// A node of the tree whose turn it is.
  struct Seat {
    std::size_t position = 0;        ///< among the children of its parent
    Entry* winner = nullptr;         ///< of those at or below it that remain
    UsageList added;                 ///< what of the winner's usage is charged here
    NodeShare share;                 ///< of the node with that
    bool borrows_requested = false;  ///< a pair the winner asks a positive amount of
  };

  void OpenTree(std::uint32_t index);
  /// Takes the winner of its bracket to a cohort.
  void TakeWinner(NodeIndex cohort);
  /// Notes how the winner of the seat stands there; Measure gets what was noted its shares.
  void Note(NodeIndex n);
  void Measure();
  /// Lets the seat play in the bracket of its parent.
  void Play(NodeIndex n);
  NodeIndex ChildAt(NodeIndex cohort, std::size_t position) const;
  bool Beats(const Seat& a, const Seat& b) const;

  World& world_;
  PolicyCalls& calls_;
  bool non_borrowing_first_;
  bool by_priority_;
  std::map<std::uint32_t, std::vector<Entry*>> waiting_;  ///< by tree: their turn is to come
  QuotaTree* tree_ = nullptr;                             ///< whose turn it is
  std::optional<ShareRule> rule_;                         ///< of that tree
  std::vector<Seat> seats_;                               ///< by node
  std::vector<Bracket> brackets_;                         ///< by node; of a queue: unused
  std::vector<NodeIndex> noted_;                          ///< whose shares are to be measured
  NodeIndex processed_ = kNoNode;                         ///< queue of the entry handed out last
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_FAIR_TOURNAMENT_H_
