// ClassicalSearch: preemption without fair sharing.
//
// Method: candidates are collected on the way up the tree. Those met where the preemptor's own
// subtree quota suffices form list H (it has hierarchical advantage over them), the others list L.
// They are removed one by one, already evicted ones first, until the demand fits; up to two
// attempts differ in whether the preemptor may borrow.
//
// What is collected are queues; their candidates are read only as far as an attempt gets. Those
// that are too important for a preemptor that borrows are left out from the start. In an attempt
// usage only falls: so once one of a queue may not be taken, because its side is within its quota,
// none behind it may, and the rest of the queue is left out unseen.
#ifndef MUSTER_ENGINE_PREEMPT_CLASSICAL_SEARCH_H_
#define MUSTER_ENGINE_PREEMPT_CLASSICAL_SEARCH_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/preempt/preemption_search.h"
#include "engine/preempt/search_trace.h"

namespace muster {

/// True proves, without a look at other queues, that a search finds nothing: without advantage
/// anywhere others give nothing to one that may not borrow while it has them evicted, and its own
/// queue gives too little.
bool FindsNoneWhileBorrowing(World& world, const PreemptionRequest& request);

class ClassicalSearch {
 public:
  /// `view` may be null: nothing is shared with other searches.
  ClassicalSearch(PreemptionSearch& search, const PreemptionRequest& request, SearchReport* report,
                  CommonView* view);
  std::vector<Victim> Run();
  /// Whether it has compared what changes with time alone; see CandidateOrder.
  bool ReadTime() const { return order_.ReadTime(); }

 private:
  enum class Kind {
    kWithinQueue,
    kHierarchicalReclaim,
    kReclaimWithoutBorrowing,
    kReclaimWhileBorrowing
  };
  /// Queues that are asked in one go, and for each the lowest cohort it has in common with the
  /// preemptor's; kNoNode for the preemptor's own.
  struct List {
    std::vector<CandidateQueue> queues;
    std::vector<NodeIndex> lowest_common;
  };
  using Part = QueueCandidates::Part;
  static constexpr std::int64_t kNoHighest = std::numeric_limits<std::int64_t>::max();

  /// False proves, without a look at other queues, that there is nothing to be found: what all of
  /// them give is known from the view.
  bool MayFind();
  void CollectFromCohorts();
  void CollectSubtree(NodeIndex cohort, NodeIndex lowest_common, NodeIndex skip, bool advantage);
  static void AddQueue(List& list, const ClusterQueueState& queue, PreemptionPolicy policy,
                       NodeIndex lowest_common);
  MergedCandidates Candidates(const List& list, Part part, std::int64_t highest = kNoHighest) const;
  /// Above this priority those in `list` stay where the preemptor borrows.
  std::int64_t HighestWhileBorrowing(const List& list) const;
  /// Whether those that stay can be in front of others of their queue, which then wait for them.
  bool IsByUsage(const List& list) const;
  bool AnyIn(const List& list) const;
  Kind KindOf(const List& list, const WorkloadRecord& candidate) const;
  void TraceCandidates();
  bool WithinQuota(NodeIndex node) const;
  /// Whether a node between `queue` and the common cohort is within its quota: then it keeps it.
  bool GivesNothing(NodeIndex queue, NodeIndex lowest_common) const;
  std::vector<bool> Attempts() const;
  std::vector<Victim> Attempt(bool allow_borrowing);
  /// Removes candidates of one list until the demand fits; false when it never did.
  bool TakeFrom(const List& list, Part part, bool allow_borrowing, std::vector<Victim>& victims);
  static PreemptionReason ReasonOf(Kind kind);
  /// Whether its budget allows to take it; if not, that is noted.
  bool Affords(const WorkloadRecord& candidate);

  PreemptionSearch& search_;
  World& world_;
  const PreemptionRequest& request_;
  QuotaTree& tree_;
  CommonView* view_;
  SearchTrace trace_;
  CandidateOrder order_;
  CandidateScope scope_;
  List own_, advantage_, other_;
  Budget budget_;  ///< spent by the attempt, and before the search
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PREEMPT_CLASSICAL_SEARCH_H_
