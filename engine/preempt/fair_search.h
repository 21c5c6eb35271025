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
// one left, because the native share does not grow when one leaves. Of those that the first
// strategy refused, the second looks at one a queue: no more are remembered.
//
// Both shares are those of the two sides of the lowest common cohort, and the queue asked is below
// the child of that cohort with the highest share. So where a strategy refuses by these two shares
// alone, and on the preemptor's own side none is left, it refuses all the others below the cohort
// too: their shares are no higher, and the preemptor's falls no more. They are left out in one
// step.
//
// Where hook victim keeps budgets, one whose budget is used up is passed over like one that is not
// there, and the queues play again. What would be left out together is then looked at one by one.
//
// Shares that a policy answers are kept, and measured anew along the path of what was taken: one
// call a step.
#ifndef MUSTER_ENGINE_PREEMPT_FAIR_SEARCH_H_
#define MUSTER_ENGINE_PREEMPT_FAIR_SEARCH_H_

#include <map>
#include <vector>

#include "engine/policy/share_rule.h"
#include "engine/preempt/fair_field.h"
#include "engine/preempt/preemption_search.h"
#include "engine/preempt/search_trace.h"

namespace muster {

class FairSearch {
 public:
  /// `view` may be null: nothing is shared with other searches.
  FairSearch(PreemptionSearch& search, const PreemptionRequest& request, SearchReport* report,
             CommonView* view);
  std::vector<Victim> Run();
  /// Whether it has compared what changes with time alone; see CandidateOrder.
  bool ReadTime() const { return order_.ReadTime(); }

 private:
  /// The two sides of the lowest common ancestor of the preemptor's queue and another.
  struct Sides {
    NodeIndex preemptor = kNoNode;
    NodeIndex target = kNoNode;
    NodeIndex common = kNoNode;
  };

  void Collect();
  /// Reads the same queues again, in the order of what their candidates cost.
  void CollectByCost();
  void AddQueue(const ClusterQueueState& queue, PreemptionPolicy policy);
  /// Reports what may be taken from, where a report is wanted.
  void TraceQueues();
  void TraceCandidates();
  bool ExceedsNominal(NodeIndex queue) const { return tree_.BorrowsAny(queue, request_.contested); }
  /// Has the policy asked about candidates that neither this preemptor nor the view knows.
  void AskInView();
  /// Adds one of the other queues that have a candidate, if there is one. O(queues).
  void AddAnyQueue(std::vector<CandidateQueue>& queues) const;
  /// The search of a preemptor that shares its view of the others.
  std::vector<Victim> RunInView();
  /// Both passes and the fill-back, in a field without the preemptor.
  std::vector<Victim> RunIn(FairField& field, const QueueCandidates& own);
  /// Asks the policy for every share the search may look at, or for those from `queue` up.
  void MeasureShares();
  void MeasurePath(NodeIndex queue);
  void KeepShares(const std::vector<NodeIndex>& nodes);
  /// The share of `n` on the usage as it is now; not under a mark.
  NodeShare ShareAt(NodeIndex n);
  Sides SidesOf(NodeIndex target) const;
  /// Take one candidate by the first strategy; true when the demand fits now.
  bool FirstPassStep(NodeIndex target);
  bool FirstPass();
  bool UsesSecondStrategy() const;
  bool SecondPass();
  /// Whether on the preemptor's side of the cohort no holder is left to be taken.
  bool NobodyOnOwnSide(const Sides& sides) const { return !field_->CanGive(sides.preemptor); }
  /// Whether, whatever leaves, every share below the cohort is less than this one then.
  bool IsAboveAllLeft(const NodeShare& share, NodeIndex cohort);
  bool Take(const WorkloadRecord& candidate, PreemptionReason reason);
  /// Whether its budget allows to take it; if not, that is noted.
  bool Affords(const WorkloadRecord& candidate);
  bool Fits();

  PreemptionSearch& search_;
  World& world_;
  const PreemptionRequest& request_;
  QuotaTree& tree_;
  SearchTrace trace_;
  CandidateOrder order_;
  CandidateScope scope_;
  ShareRule rule_;
  CommonView* view_;
  FairField* field_ = nullptr;               ///< of the search
  std::map<NodeIndex, NodeShare> shares_;    ///< scripted, as they are now, unless as in the view
  std::vector<CandidateQueue> queues_;       ///< that have candidates
  std::vector<QueueCandidates> candidates_;  ///< theirs
  std::vector<Victim> victims_;
  Budget budget_;  ///< spent by the search, and before it
  bool within_nominal_ = false;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PREEMPT_FAIR_SEARCH_H_
