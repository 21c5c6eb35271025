// Candidates: workloads that hold quota and may have to give it up, and the order in which to ask.
#ifndef MUSTER_ENGINE_PREEMPT_CANDIDATES_H_
#define MUSTER_ENGINE_PREEMPT_CANDIDATES_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/ids.h"
#include "engine/policy/victim_rule.h"
#include "engine/preempt/asked_candidates.h"
#include "engine/state/world.h"
#include "muster/decision.h"

namespace muster {

/// Whether, as capacity is charged now, there is a place for the pods.
class PlaceQuestion {
 public:
  virtual ~PlaceQuestion() = default;
  virtual bool HasPlace() const = 0;
};

/// What asks for room, and for how much.
struct PreemptionRequest {
  const WorkloadRecord& preemptor;
  const ClusterQueueState& queue;
  std::span<const Usage> demand;            ///< everything the workload would use, ascending
  std::vector<FlavorResourceId> contested;  ///< the pairs that need preemption, ascending
  const PlaceQuestion* places = nullptr;    ///< null: quota alone is asked for

  bool Contests(FlavorResourceId fr) const;
};

/// Snapshot of LocalQueue usage at the start of the cycle; null without admission fair sharing.
using FrozenUsage = std::function<double(LocalQueueId)>;

/// Whether `policy` lets the preemptor evict the candidate.
bool PolicyAllows(PreemptionPolicy policy, const WorkloadRecord& preemptor,
                  const WorkloadRecord& candidate);

/// Order of candidates: already evicted first, other queues before the preemptor's, then (inside
/// one usage-based queue) higher LocalQueue usage, lower priority, most recent reservation, UID.
/// Total inside one queue, and among candidates of which no two are of one queue. With costs, lower
/// cost comes right after the first two.
class CandidateOrder {
 public:
  CandidateOrder(const World& world, QueueId preemptor_queue, FrozenUsage usage)
      : world_(world), own_(preemptor_queue), usage_(std::move(usage)) {}
  bool Before(const WorkloadRecord& a, const WorkloadRecord& b) const;
  /// From now on what the policy answered orders the candidates, and those it protects are none.
  /// All that are compared must have been asked for, and are in `asked`, by cost. Both must outlive
  /// this.
  void TakeCosts(const VictimRule& costs, const AskedCandidates& asked) {
    costs_ = &costs;
    asked_ = &asked;
  }
  /// Those that the policy was asked about; null: it was not.
  const AskedCandidates* asked() const { return asked_; }
  /// Whether the queue's own index of its holders is in this order.
  bool IsThatOfIndex(const ClusterQueueState& queue) const;
  /// Whether use of LocalQueues orders the queue's own candidates, those of lower priority behind
  /// others too.
  bool IsByUsage(const ClusterQueueState& queue) const {
    return usage_ && world_.UsageBased(queue);
  }
  /// Whether a comparison so far looked at what changes while nothing is done: use of LocalQueues,
  /// or the time of those without a time of reservation.
  bool ReadTime() const { return read_time_; }

 private:
  bool UsageBefore(const WorkloadRecord& a, const WorkloadRecord& b, bool& decided) const;

  const World& world_;
  QueueId own_;
  FrozenUsage usage_;
  const VictimRule* costs_ = nullptr;  ///< null: native
  const AskedCandidates* asked_ = nullptr;
  mutable bool read_time_ = false;
};

/// What is the same for all queues that a search looks at. Owns nothing.
struct CandidateScope {
  const PreemptionRequest& request;
  const CandidateOrder& order;
  const std::set<WorkloadId>& gone;  ///< no candidates: claimed by others
};

/// The candidates of one ClusterQueue in order, found one at a time: holders that use a contested
/// pair, that the policy allows to evict, and that are not gone.
class QueueCandidates {
 public:
  enum class Part { kEvicted, kOthers, kAll };  ///< all: the evicted ones first

  /// The policy is the preemptor's for this queue, and none is above priority `highest`. O(pairs
  /// log priorities), and O(n) when the queue's index is not in the order of candidates and no
  /// policy was asked about them; the first Pop then sorts them.
  QueueCandidates(const CandidateScope& scope, const ClusterQueueState& queue,
                  PreemptionPolicy policy, Part part,
                  std::int64_t highest = std::numeric_limits<std::int64_t>::max());
  /// Those of a list, as they stand there.
  explicit QueueCandidates(std::vector<const WorkloadRecord*> list);

  /// Null when there is none left. O(1).
  const WorkloadRecord* Front() const { return front_; }
  /// Amortised O(1) over the holders passed; the first one O(n log n) without an index in order.
  void Pop();
  /// To be called when others of the scope are gone than before: passes those at the front.
  void PassGone();

 private:
  using Iterator = HolderIndex::Order::const_iterator;
  void Settle();
  /// Lists all that Settle finds from here on.
  void ListAll();
  /// The same as Settle, in the order of what they cost.
  void SettleByCost();
  void Sort();
  bool IsGone(const WorkloadRecord& holder) const {
    return scope_ != nullptr && !scope_->gone.empty() && scope_->gone.contains(holder.id());
  }

  const CandidateScope* scope_ = nullptr;  ///< null: from a list
  PreemptionPolicy policy_ = PreemptionPolicy::kAny;
  std::int64_t highest_ = 0;                  ///< none above this priority is one
  Iterator next_, end_;                       ///< of the order that is being read
  const HolderIndex::Order* then_ = nullptr;  ///< the one to be read after it
  std::vector<const WorkloadRecord*> list_;
  AskedCandidates::List by_cost_;
  std::size_t position_ = 0;  ///< in the list, or by cost
  bool listed_ = false;
  bool costed_ = false;
  bool sorted_ = false;  ///< else the front alone is known
  const WorkloadRecord* front_ = nullptr;
};

/// The candidates of several ClusterQueues, merged.
class MergedCandidates {
 public:
  MergedCandidates(const CandidateOrder& order, std::vector<QueueCandidates> queues);
  const WorkloadRecord* Front() const { return heap_.empty() ? nullptr : FrontOf(heap_.front()); }
  /// Position, in the list given, of the queue that the front is of.
  std::size_t source() const { return heap_.front(); }
  void Pop();   ///< O(log queues)
  void Drop();  ///< all that is left of the queue that the front is of; O(log queues)

 private:
  const WorkloadRecord* FrontOf(std::size_t source) const { return queues_[source].Front(); }
  bool Later(std::size_t a, std::size_t b) const { return order_.Before(*FrontOf(b), *FrontOf(a)); }

  const CandidateOrder& order_;
  std::vector<QueueCandidates> queues_;
  std::vector<std::size_t> heap_;  ///< of positions of queues that have candidates left
};

/// Whether a holder of a queue for which the preemptor has `policy` may be evicted, as far as it is
/// not for a hook to say.
bool IsCandidate(const CandidateScope& scope, PreemptionPolicy policy,
                 const WorkloadRecord& holder);

/// Of those that `policy` lets the preemptor evict none has a higher priority.
std::int64_t HighestAllowed(PreemptionPolicy policy, const PreemptionRequest& request,
                            const HolderIndex& holders);

/// All that hold quota in `queue`, in the order of candidates without costs.
std::vector<const WorkloadRecord*> HoldersInOrder(const CandidateOrder& order,
                                                  const ClusterQueueState& queue);

/// Adds the candidates of `queue` to `all`, in their order.
void ListCandidates(const CandidateScope& scope, const ClusterQueueState& queue,
                    PreemptionPolicy policy, std::vector<const WorkloadRecord*>& all);

/// An upper bound of what the candidates of `queue` use of every pair, ascending by pair; empty
/// when they use nothing contested. O(priorities x pairs).
std::vector<Usage> MostToGain(const PreemptionRequest& request, const ClusterQueueState& queue,
                              PreemptionPolicy policy);

}  // namespace muster

#endif  // MUSTER_ENGINE_PREEMPT_CANDIDATES_H_
