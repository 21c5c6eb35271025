// FairSearch: preemption under fair sharing.
//
// Method: again and again, the ClusterQueue with the highest dominant share gives up its next
// candidate, if the preemption strategy says that this brings the shares closer together. What the
// first strategy refused is tried once more under the second.
#ifndef MUSTER_ENGINE_PREEMPT_FAIR_SEARCH_H_
#define MUSTER_ENGINE_PREEMPT_FAIR_SEARCH_H_

#include <deque>
#include <map>
#include <set>
#include <vector>

#include "engine/preempt/preemption_search.h"
#include "engine/preempt/search_trace.h"
#include "engine/quota/dominant_share.h"

namespace muster {

class FairSearch {
 public:
  FairSearch(PreemptionSearch& search, const PreemptionRequest& request,
             std::vector<CandidateTrace>* trace);
  std::vector<Victim> Run();

 private:
  /// The two sides of the lowest common ancestor of the preemptor's queue and another.
  struct Sides {
    NodeIndex preemptor = kNoNode;
    NodeIndex target = kNoNode;
  };

  std::vector<WorkloadId> Collect() const;
  bool ExceedsNominal(NodeIndex queue) const;
  void Group(const std::vector<WorkloadId>& candidates);
  /// Queue to take from next; kNoNode when everything is pruned.
  NodeIndex NextQueue();
  NodeIndex NextBelow(NodeIndex cohort);
  NodeIndex BestQueueOf(NodeIndex cohort);
  NodeIndex BestCohortOf(NodeIndex cohort);
  Sides SidesOf(NodeIndex target) const;
  /// Take one candidate by the first strategy; true when the demand fits now.
  bool FirstPassStep(NodeIndex target);
  bool FirstPass();
  bool SecondPass();
  bool Take(WorkloadId candidate, PreemptionReason reason);
  bool Fits();

  PreemptionSearch& search_;
  World& world_;
  const PreemptionRequest& request_;
  QuotaTree& tree_;
  SearchTrace trace_;
  CandidateOrder order_;
  std::map<NodeIndex, std::deque<WorkloadId>> candidates_;  ///< by queue node
  std::set<NodeIndex> pruned_;
  std::vector<WorkloadId> retry_;
  std::vector<Victim> victims_;
  bool within_nominal_ = false;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PREEMPT_FAIR_SEARCH_H_
