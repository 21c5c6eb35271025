// FairSearch: preemption under fair sharing.
//
// Method: again and again, the ClusterQueue with the highest dominant share gives up its next
// candidate, if the preemption strategy says that this brings the shares closer together. What the
// first strategy refused is tried once more under the second.
//
// Candidates are read from each queue's index as they are asked for. A strategy looks at a
// candidate through its usage only, and a refusal changes nothing: so equal usage is refused
// without looking, and LessThanInitialShare, which does not look at the candidate at all, refuses
// the whole queue. So does every strategy where the preemptor's share is above the queue's before
// anybody left, because the native share does not grow when somebody leaves. Of whom the first
// strategy refused, the second looks at one a queue: no more are remembered.
//
// Shares that a policy answers are kept, and measured anew along the path of what was taken: one
// call a step.
#ifndef MUSTER_ENGINE_PREEMPT_FAIR_SEARCH_H_
#define MUSTER_ENGINE_PREEMPT_FAIR_SEARCH_H_

#include <map>
#include <set>
#include <vector>

#include "engine/policy/share_rule.h"
#include "engine/preempt/preemption_search.h"
#include "engine/preempt/search_trace.h"

namespace muster {

class FairSearch {
 public:
  FairSearch(PreemptionSearch& search, const PreemptionRequest& request, SearchReport* report);
  std::vector<Victim> Run();

 private:
  /// The two sides of the lowest common ancestor of the preemptor's queue and another.
  struct Sides {
    NodeIndex preemptor = kNoNode;
    NodeIndex target = kNoNode;
  };

  void Collect();
  /// Reads the same queues again, in the order of what their candidates cost.
  void CollectByCost();
  void AddQueue(const ClusterQueueState& queue, PreemptionPolicy policy);
  void TraceCandidates();
  bool ExceedsNominal(NodeIndex queue) const;
  const WorkloadRecord* Front(NodeIndex queue) const;
  const WorkloadRecord& Pop(NodeIndex queue);
  /// Asks the policy for every share the search may look at, or for those from `queue` up.
  void MeasureShares();
  void MeasurePath(NodeIndex queue);
  void KeepShares(const std::vector<NodeIndex>& nodes);
  /// The share of `n` on the usage as it is now; not under a mark.
  NodeShare ShareAt(NodeIndex n);
  /// Queue to take from next; kNoNode when everything is pruned.
  NodeIndex NextQueue();
  NodeIndex NextBelow(NodeIndex cohort);
  NodeIndex BestQueueOf(NodeIndex cohort);
  NodeIndex BestCohortOf(NodeIndex cohort);
  Sides SidesOf(NodeIndex target) const;
  /// Take one candidate by the first strategy; true when the demand fits now.
  bool FirstPassStep(NodeIndex target);
  bool FirstPass();
  bool UsesSecondStrategy() const;
  bool SecondPass();
  bool Take(const WorkloadRecord& candidate, PreemptionReason reason);
  bool Fits();

  PreemptionSearch& search_;
  World& world_;
  const PreemptionRequest& request_;
  QuotaTree& tree_;
  SearchTrace trace_;
  CandidateOrder order_;
  CandidateScope scope_;
  ShareRule rule_;
  std::map<NodeIndex, NodeShare> shares_;               ///< scripted, as they are now
  std::vector<CandidateQueue> queues_;                  ///< that have candidates
  std::map<NodeIndex, QueueCandidates> candidates_;     ///< by queue node
  std::map<NodeIndex, const WorkloadRecord*> refused_;  ///< of each queue the first refused
  std::set<NodeIndex> pruned_;
  std::vector<Victim> victims_;
  bool within_nominal_ = false;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PREEMPT_FAIR_SEARCH_H_
