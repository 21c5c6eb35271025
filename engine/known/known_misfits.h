// KnownMisfits: what heads of one form found out in one queue that neither fitted nor found
// victims, taken over while it would come out the same.
//
// In a full tree the same heads fail after each job that ends. Why the walk over the flavors then
// needs no repeating: it looks at what KnownFits says, at quota, and at whether victims are found.
// What it read of quota is kept beside its answer, and has to be so again. That there are no
// victims is searched for each time, once for each question, because it follows from all that holds
// quota in the tree. Where more than quota limits (Capacity::FollowsFromQuota), where a policy has
// a say, and of workloads that may do with fewer pods, nothing is kept.
#ifndef MUSTER_ENGINE_KNOWN_KNOWN_MISFITS_H_
#define MUSTER_ENGINE_KNOWN_KNOWN_MISFITS_H_

#include <cstdint>
#include <vector>

#include "engine/assign/assignment.h"
#include "engine/assign/quota_look.h"
#include "engine/base/hash.h"
#include "engine/preempt/preemption_search.h"
#include "engine/state/world.h"

namespace muster {

class KnownMisfits {
 public:
  /// To be called before the first Find of a cycle: forgets what holds no longer, and everything
  /// once it is too much to keep.
  void Begin(const World& world);
  /// What Assign would give `workload`, with all its pods and from the first flavor on, but for the
  /// time in its progress, where that is no start and `search` finds no victims; null when it has
  /// to be computed. Valid until another head of the queue is remembered, or Begin.
  /// O(kept of the queue x pairs x depth + searches).
  const Assignment* Find(const World& world, const ClusterQueueState& queue,
                         const WorkloadRecord& workload, PreemptionSearch& search) const;
  /// Keeps what Assign has just given it, with what it looked at, if that can be taken over and has
  /// been given before: most that fail once are not asked again before quota has changed.
  /// Preconditions: no victims were found for it; Find has not found it.
  void Remember(const World& world, const ClusterQueueState& queue, const WorkloadRecord& workload,
                const QuotaLooks& looks, const Assignment& assignment);

 private:
  /// Whether this came out before, as far as is known; from now on it did.
  bool CameOutBefore(QueueId queue, const Hash128& form, const QuotaLooks& looks);

  struct Known {
    Hash128 form;
    QuotaLooks looks;
    bool asked_whole = false;  ///< one of them asked for victims for all that is demanded
    Assignment assignment;
  };
  struct OfQueue {
    std::vector<Known> known;
    std::size_t next = 0;  ///< to be replaced, once it is full
  };
  static constexpr std::size_t kMost = 4096;  ///< or two a queue, if that is more
  static constexpr std::size_t kMostOfQueue = 32;
  static constexpr std::size_t kSeen = 4096;  ///< a power of two

  std::uint64_t epoch_ = 0;      ///< of the world for which everything here holds
  std::vector<OfQueue> queues_;  ///< by QueueId
  std::size_t size_ = 0;
  std::vector<std::uint64_t> seen_;  ///< hashes of what came out, in the slots of their low bits
};

}  // namespace muster

#endif  // MUSTER_ENGINE_KNOWN_KNOWN_MISFITS_H_
