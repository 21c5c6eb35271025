// SearchMemory: victims that were found, or that there are none, as long as a search would find the
// same again.
//
// Why it decides the same: natively, and on a tree on which nothing is tried, a search reads
//   the tree: quota, weights, usage;  its queues: rules, active or not;  the configuration;
//   what holds quota in the tree: priority, queue-order timestamp, reservation, eviction, usage,
//   UID; the preemptor: queue, priority, queue-order timestamp, demand, pairs that are contested.
// The first line changes with World::catalog_epoch, usage and holders with QuotaTree::version, and
// what is read of the preemptor is the key. Not kept, and made each time, are searches
//   in which a policy may have a say (victim, preempt_limits, share), whatever that reads;
//   that compared use of LocalQueues or holders without a time of reservation, as time counts then;
//   while claims or kept room are charged on trial, or others are left out as gone;
//   that are traced: an explanation says why, whatever is kept here.
// What is kept is bounded, and everything is forgotten once it is too much.
#ifndef MUSTER_ENGINE_PREEMPT_SEARCH_MEMORY_H_
#define MUSTER_ENGINE_PREEMPT_SEARCH_MEMORY_H_

#include <cstdint>
#include <vector>

#include "engine/preempt/candidates.h"
#include "engine/preempt/victim.h"
#include "engine/state/world.h"

namespace muster {

class SearchMemory {
 public:
  /// What was found for such a request, null when that has to be computed. Valid until Keep.
  /// O(searches kept of the queue).
  const std::vector<Victim>* Find(const World& world, const PreemptionRequest& request);
  /// Precondition: Find has not found it.
  void Keep(const World& world, const PreemptionRequest& request,
            const std::vector<Victim>& victims);

 private:
  struct Known {
    std::uint64_t hash = 0;
    std::int64_t priority = 0;
    TimeNs timestamp = kNoTime;
    std::vector<Usage> demand;
    std::vector<FlavorResourceId> contested;
    std::vector<Victim> victims;
    std::size_t size() const { return 1 + demand.size() + contested.size() + victims.size(); }
  };
  struct OfQueue {
    std::uint64_t epoch = 0;
    std::uint64_t version = 0;
    std::vector<Known> known;
  };
  static constexpr std::size_t kMost = 500'000;  ///< entries and what is listed in them

  /// What is kept of the queue, if it holds still; else nothing is any more.
  OfQueue& Current(const World& world, const ClusterQueueState& queue);

  std::vector<OfQueue> queues_;  ///< by QueueId
  std::size_t size_ = 0;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PREEMPT_SEARCH_MEMORY_H_
