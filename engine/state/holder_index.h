// HolderIndex: the workloads charged to one ClusterQueue, in the order in which they would be asked
// to give way: those told to leave first, then lower priority, more recent reservation, UID.
//
// So a search that needs three victims looks at three holders, however many there are. Beside them
// stands, per priority, what all its holders use together: whether it would be enough if all
// left is known without looking at any.
//
// Most holders end before one is asked to give way. So a newcomer is only noted, and ranked
// when the order is asked for or when there are too many such. Those of a copy of an engine are all
// deferred: most copies end before any order is asked for.
#ifndef MUSTER_ENGINE_STATE_HOLDER_INDEX_H_
#define MUSTER_ENGINE_STATE_HOLDER_INDEX_H_

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "engine/base/ids.h"
#include "engine/state/workload_record.h"

namespace muster {

class HolderIndex {
 public:
  /// A holder and what ranks it; `workload` breaks ties by its UID, then its id.
  struct Entry {
    std::int64_t priority = 0;
    TimeNs reserved_at = kNoTime;
    const WorkloadRecord* workload = nullptr;
  };
  struct Before {
    bool operator()(const Entry& a, const Entry& b) const;
  };
  using Order = std::set<Entry, Before>;
  /// What the holders of one priority use of one pair, and how many of them use it, be it 0.
  struct Total {
    std::int64_t priority = 0;
    FlavorResourceId fr;
    Amount amount = 0;
    std::int64_t holders = 0;
    TimeNs newest = kNoTime;  ///< no queue-order timestamp of theirs is later; it may be too late
  };

  /// Takes in a holder; its rank is that of its priority, reservation and eviction, which its
  /// record remembers once it is ranked. Precondition: it is not in an index. Amortised O(log n).
  void Insert(WorkloadRecord& workload);
  /// Ranks those that were only noted: for callers with many newcomers, each when its record is at
  /// hand.
  void RankNewcomers();
  /// Those that were only noted are not ranked before the order is asked for, however many come.
  void DeferNewcomers();
  /// Takes it out, whatever became of it since it was ranked. O(1) for those that are not ranked,
  /// else O(log n).
  void Erase(WorkloadRecord& workload);
  /// Ranks it anew when what decides its rank, or its queue-order timestamp, has changed.
  /// O(log priorities + pairs log pairs) when its rank has not.
  void Refresh(WorkloadRecord& workload);

  std::size_t size() const {
    return leaving_.size() + staying_.size() + newcomers_ + deferred_.size();
  }
  const Order& leaving() const { return Ranked().leaving_; }  ///< told to leave: evicted
  const Order& staying() const { return Ranked().staying_; }
  /// Whether every holder has a time of reservation. Without one it ranks by the time of the
  /// question, and the order here does not hold.
  bool all_dated() const { return Ranked().undated_ == 0; }
  /// By priority, those of each ascending by pair: as many priorities as there are holders cost
  /// log n each. Sums saturate and may then be too high for good, never too low.
  using Totals = std::map<std::int64_t, std::vector<Total>>;
  const Totals& totals() const { return Ranked().totals_; }
  /// Those of one priority, ascending by pair. O(log priorities).
  std::span<const Total> TotalsOf(std::int64_t priority) const;

  /// Calls `visit(const WorkloadRecord&)` for each, those that are leaving first, in both orders.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const Order* order : {&Ranked().leaving_, &staying_}) {
      for (const Entry& entry : *order) visit(*entry.workload);
    }
  }

 private:
  static constexpr std::size_t kMostNewcomers = 8;

  /// With all in the order. It says nothing new about any holder: const for its readers.
  const HolderIndex& Ranked() const {
    if (newcomers_ > 0) const_cast<HolderIndex*>(this)->RankNewcomers();
    if (!deferred_.empty()) const_cast<HolderIndex*>(this)->RankDeferred();
    return *this;
  }
  void RankDeferred();
  void Rank(WorkloadRecord& workload);
  void Unrank(WorkloadRecord& workload);
  Order::iterator Put(Order& order, Order::const_iterator near, const Entry& entry);
  void Count(const WorkloadRecord& workload, std::int64_t sign);
  /// Of one priority, which is there afterwards.
  std::vector<Total>& TotalsToChange(std::int64_t priority);

  std::size_t newcomers_ = 0;
  std::array<WorkloadRecord*, kMostNewcomers> newcomer_ = {};  ///< holders without a rank
  Order leaving_;
  Order staying_;
  Order::node_type spare_;  ///< of the last one that left: the next one mostly comes soon
  Order::iterator newest_;  ///< a place in staying_ near which the next one may belong
  bool has_newest_ = false;
  Totals totals_;               ///< no list is empty
  Totals::node_type no_total_;  ///< of a priority that no holder has any more
  std::int64_t undated_ = 0;
  std::vector<WorkloadRecord*> deferred_;  ///< holders without a rank, too
};

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_HOLDER_INDEX_H_
