// FairTournament: the order of entries under fair sharing.
//
// Method: for every remaining entry of a tree, its usage is added to its queue for a moment and the
// share of every node on the way up is noted. Then each cohort, bottom up, picks the best among the
// winners of its child cohorts and the entries of its queues: not borrowing what it asks for, lower
// share, higher priority, earlier timestamp; ties keep the first, cohorts before queues, by name.
// All shares of a round are measured together, because a policy may be asked for them.
#ifndef MUSTER_ENGINE_CYCLE_FAIR_TOURNAMENT_H_
#define MUSTER_ENGINE_CYCLE_FAIR_TOURNAMENT_H_

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "engine/cycle/entry_order.h"
#include "engine/policy/share_rule.h"

namespace muster {

class FairTournament : public EntryOrder {
 public:
  FairTournament(World& world, PolicyCalls& calls, std::vector<Entry>& entries);
  /// Trees in the order of their root names, ClusterQueues without a cohort after them by name.
  Entry* Next() override;

 private:
  /// What one node on an entry's path would look like with the entry's usage added.
  struct Standing {
    NodeShare share;
    bool borrows_requested = false;  ///< a pair the workload asks a positive amount of
  };
  using Standings = std::map<std::pair<const Entry*, NodeIndex>, Standing>;

  /// The standings of every remaining entry of the tree.
  Standings MeasureAll(QuotaTree& tree);
  /// Notes the path of one entry with its usage added.
  void Note(QuotaTree& tree, const Entry& entry, Standings& standings,
            std::vector<Standing*>& noted);
  Entry* Winner(const QuotaTree& tree, NodeIndex cohort, const Standings& standings) const;
  /// Whether `a`, coming up through child node `a_node`, beats `b` coming through `b_node`.
  bool Beats(const Entry& a, const Standing& a_standing, const Entry& b,
             const Standing& b_standing) const;

  World& world_;
  PolicyCalls& calls_;
  std::optional<ShareRule> rule_;  ///< of the tree whose turn it is
  std::map<std::uint32_t, std::map<NodeIndex, Entry*>> remaining_;  ///< by tree, by queue node
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_FAIR_TOURNAMENT_H_
