// ClassicalSearch: preemption without fair sharing.
//
// Method: candidates are collected on the way up the tree. Those met where the preemptor's own
// subtree quota suffices form list H (it has hierarchical advantage over them), the others list L.
// They are removed one by one, already evicted ones first, until the demand fits; up to two
// attempts differ in whether the preemptor may borrow.
#ifndef MUSTER_ENGINE_PREEMPT_CLASSICAL_SEARCH_H_
#define MUSTER_ENGINE_PREEMPT_CLASSICAL_SEARCH_H_

#include <vector>

#include "engine/preempt/preemption_search.h"
#include "engine/preempt/search_trace.h"

namespace muster {

class ClassicalSearch {
 public:
  ClassicalSearch(PreemptionSearch& search, const PreemptionRequest& request,
                  std::vector<CandidateTrace>* trace);
  std::vector<Victim> Run();

 private:
  enum class Kind {
    kWithinQueue,
    kHierarchicalReclaim,
    kReclaimWithoutBorrowing,
    kReclaimWhileBorrowing
  };
  struct Candidate {
    WorkloadId workload;
    Kind kind = Kind::kWithinQueue;
    NodeIndex lowest_common = kNoNode;  ///< of its queue and the preemptor's; kNoNode: own queue
  };
  using Candidates = std::vector<Candidate>;

  void CollectOwn();
  void CollectFromCohorts();
  void CollectSubtree(NodeIndex cohort, NodeIndex lowest_common, NodeIndex skip, bool advantage);
  void CollectQueue(NodeIndex node, NodeIndex lowest_common, bool advantage);
  Kind KindWithoutAdvantage(const WorkloadRecord& candidate) const;
  void SortAndSplit(Candidates& list, Candidates& evicted);
  bool WithinQuota(NodeIndex node) const;
  bool StillValid(const Candidate& candidate, bool allow_borrowing) const;
  std::vector<bool> Attempts() const;
  std::vector<Victim> Attempt(const Candidates& sequence, bool allow_borrowing);
  static PreemptionReason ReasonOf(Kind kind);

  PreemptionSearch& search_;
  World& world_;
  const PreemptionRequest& request_;
  QuotaTree& tree_;
  SearchTrace trace_;
  CandidateOrder order_;
  Candidates own_, advantage_, other_;  ///< without the evicted ones, once sorted
  bool any_advantage_ = false;          ///< evicted ones included
  bool any_other_ = false;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PREEMPT_CLASSICAL_SEARCH_H_
