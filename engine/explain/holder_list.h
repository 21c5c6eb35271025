// HolderList: which workloads hold what one is short of.
//
// The numbers come from the sums that every queue keeps of its holders. Names are looked for at the
// front of each queue's index, where those stand that would be evicted first, and only until
// as many are found as an answer lists: so the cost follows the queues and not the holders.
#ifndef MUSTER_ENGINE_EXPLAIN_HOLDER_LIST_H_
#define MUSTER_ENGINE_EXPLAIN_HOLDER_LIST_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/cycle/entry.h"
#include "engine/model/limits.h"
#include "engine/state/world.h"
#include "muster/views.h"

namespace muster {

/// Why `asking`, which would borrow, may not evict one of another queue with priority `theirs`;
/// empty: it may. O(1).
std::string WhyNotWhileBorrowing(const World& world, const WorkloadRecord& asking,
                                 std::int64_t theirs);
/// Whether what it asks for makes `queue` borrow, and each cohort above it that does not hold
/// `other`, too: there it has no claim of its own to what `other` uses. O(depth x demand).
bool WouldBorrowFrom(const World& world, const ClusterQueueState& queue,
                     const ClusterQueueState& other, std::vector<Usage> demand);
/// Of a workload whose evictions of `pair` would be enough: what keeps it from them, in the words
/// of a verdict, where that is that it would borrow. O(queues of the tree x (depth + priorities)).
std::string BarredAsBorrower(const World& world, const WorkloadRecord& asking,
                             FlavorResourceId pair, const std::vector<Usage>& demand);

class HolderList {
 public:
  /// `entry` is the nomination of `asking`, traced. All must outlive this.
  HolderList(const World& world, const WorkloadRecord& asking, const Entry& entry);

  /// Looks for holders of one pair. O(queues of the tree x priorities x pairs), and kMaxHoldersRead
  /// holders at most, over all pairs.
  void Add(FlavorResourceId pair);
  /// How many there are; one that uses an amount of 0 may count where it was not looked at.
  std::int64_t count() const { return count_; }
  /// At most kMaxHolders of them: those that the asking workload may evict come first, then in the
  /// order of pairs, ClusterQueues and arrival.
  std::vector<HolderView> Views() const;

 private:
  struct Holding {
    const WorkloadRecord* holder = nullptr;
    const ClusterQueueState* queue = nullptr;
    Usage usage;
    bool borrowing = false;
  };

  void AddFrom(const ClusterQueueState& queue, FlavorResourceId pair, bool borrowing);
  bool Evictable(const Holding& holding) const;
  /// Why it is not evicted for the asking workload; empty when it could be.
  std::string WhyNot(const Holding& holding) const;
  std::string WhyNotByRules(const Holding& holding) const;
  /// What the largest of its podsets ask for in the flavor of the pair.
  std::vector<Usage> DemandBeside(FlavorResourceId pair) const;
  HolderView ViewOf(const Holding& holding) const;

  const World& world_;
  const WorkloadRecord& asking_;
  const ClusterQueueState& queue_;
  const Entry& entry_;
  const SearchReport& report_;
  std::map<Key, const CandidateTrace*> candidates_;  ///< that the report names
  std::size_t may_read_ = kMaxHoldersRead;
  std::int64_t count_ = 0;
  std::vector<Holding> evictable_, others_;  ///< no more than can be shown
};

}  // namespace muster

#endif  // MUSTER_ENGINE_EXPLAIN_HOLDER_LIST_H_
