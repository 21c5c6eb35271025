// Candidates: workloads that hold quota and may have to give it up, and the order in which to ask.
#ifndef MUSTER_ENGINE_PREEMPT_CANDIDATES_H_
#define MUSTER_ENGINE_PREEMPT_CANDIDATES_H_

#include <functional>
#include <set>
#include <span>
#include <vector>

#include "engine/model/ids.h"
#include "engine/state/world.h"
#include "muster/decision.h"

namespace muster {

/// Who asks for room, and for what.
struct PreemptionRequest {
  const WorkloadRecord& preemptor;
  const ClusterQueueState& queue;
  std::span<const Usage> demand;            ///< everything the workload would use, ascending
  std::vector<FlavorResourceId> contested;  ///< the pairs that need preemption, ascending
};

/// Snapshot of LocalQueue usage at the start of the cycle; null without admission fair sharing.
using FrozenUsage = std::function<double(LocalQueueId)>;

/// Whether `policy` lets the preemptor evict the candidate.
bool PolicyAllows(PreemptionPolicy policy, const WorkloadRecord& preemptor,
                  const WorkloadRecord& candidate);

/// Holders of `queue` that use a contested pair and that `policy` allows to evict, without `gone`.
std::vector<WorkloadId> CandidatesOf(const World& world, const ClusterQueueState& queue,
                                     PreemptionPolicy policy, const PreemptionRequest& request,
                                     const std::set<WorkloadId>& gone);

/// Order of candidates: already evicted first, other queues before the preemptor's, then (inside
/// one usage-based queue) higher LocalQueue usage, lower priority, most recent reservation, UID.
class CandidateOrder {
 public:
  CandidateOrder(const World& world, QueueId preemptor_queue, FrozenUsage usage)
      : world_(world), own_(preemptor_queue), usage_(std::move(usage)) {}
  bool Before(WorkloadId a, WorkloadId b) const;
  /// Sorts inside each queue, then merges the queues by their first candidates: LocalQueue usage
  /// compares only inside one queue, so the order is not transitive across queues. O(n log n).
  void Sort(std::vector<WorkloadId>& candidates) const;

 private:
  bool UsageBefore(const WorkloadRecord& a, const WorkloadRecord& b, bool& decided) const;

  const World& world_;
  QueueId own_;
  FrozenUsage usage_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PREEMPT_CANDIDATES_H_
