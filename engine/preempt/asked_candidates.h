// AskedCandidates: the candidates that a policy was asked about, queue by queue in the order of
// what they cost: those told to leave first, then the cheapest, then as without a policy.
//
// They are for all preemptors that share the answers. Each queue knows which of its holders were
// asked about, and how far: so a search goes through the holders of a queue only where some may be
// new to the policy, and what was sorted stays sorted.
#ifndef MUSTER_ENGINE_PREEMPT_ASKED_CANDIDATES_H_
#define MUSTER_ENGINE_PREEMPT_ASKED_CANDIDATES_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/base/ids.h"
#include "engine/policy/victim_rule.h"
#include "engine/state/workload_record.h"
#include "muster/object.h"

namespace muster {

struct CandidateScope;

class AskedCandidates {
 public:
  struct Item {
    double cost = 0;
    std::int64_t priority = 0;
    const WorkloadRecord* workload = nullptr;
    std::uint32_t rank = 0;  ///< among the holders of its queue, in the order without costs
    bool leaving = false;    ///< evicted
    bool IsProtected() const { return !leaving && cost == std::numeric_limits<double>::infinity(); }
  };
  using List = std::span<const Item>;
  using Holders = std::vector<const WorkloadRecord*>;

  /// For a preemptor of `own`. Forgets all unless it is still of this edition of the answers;
  /// `own_apart` belongs to that: candidates of `own` are then apart from what others see of it.
  /// O(1), or O(queues).
  void Begin(std::int64_t edition, QueueId own, bool own_apart);
  /// Notes those candidates of a queue that the policy was not asked about. `holders` are all of
  /// the queue, in the order without costs, the same at every call. O(1), or O(holders) when the
  /// preemptor may evict others than those before it.
  void Look(const CandidateScope& scope, const ClusterQueueState& queue, PreemptionPolicy policy,
            const Holders& holders);
  /// All that were noted since Begin or Take, in this order.
  const Holders& unknown() const { return unknown_; }
  /// What was noted has costs now. O(n log n) for the queues it is of.
  void Take(const VictimRule& costs);

  /// Those of a queue that were asked about and are told to leave, those that are not, or both.
  /// Valid until Begin or Take.
  List Of(QueueId queue, bool leaving, bool staying) const;
  /// Queues whose lists changed, as other queues see them, each time that they did: what was got
  /// from Of before is not valid any more. Begins anew with each edition.
  const std::vector<QueueId>& changed() const { return changed_; }

 private:
  struct OfQueue {
    std::vector<bool> noted;  ///< by rank
    std::size_t left = 0;     ///< that are not noted; known once there is `noted`
    /// Of those that use one of `contested`, all up to this priority are noted.
    std::int64_t up_to = std::numeric_limits<std::int64_t>::min();
    std::vector<FlavorResourceId> contested;
    std::vector<Item> items;  ///< by cost
    std::size_t staying = 0;  ///< the first of them that is not told to leave
    std::size_t sorted = 0;   ///< those behind came last
  };

  std::size_t PlaceOf(QueueId queue) const {
    return own_apart_ ? 2 * std::size_t{queue.value} + (queue == own_ ? 1 : 0) : queue.value;
  }

  std::int64_t edition_ = 0;
  QueueId own_;
  bool own_apart_ = false;
  std::vector<OfQueue> queues_;        ///< by PlaceOf
  std::vector<std::size_t> added_to_;  ///< places
  std::vector<QueueId> changed_;
  Holders unknown_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PREEMPT_ASKED_CANDIDATES_H_
