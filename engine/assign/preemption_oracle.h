// PreemptionOracle: the question flavor assignment asks about a flavor that is full.
//
// Answered by the preemption search; an interface, so that assign/ does not depend on preempt/.
#ifndef MUSTER_ENGINE_ASSIGN_PREEMPTION_ORACLE_H_
#define MUSTER_ENGINE_ASSIGN_PREEMPTION_ORACLE_H_

#include "engine/assign/flavor_preference.h"
#include "engine/base/ids.h"
#include "engine/state/world.h"

namespace muster {

class PreemptionOracle {
 public:
  virtual ~PreemptionOracle() = default;
  /// Whether `workload` could have `demand` in its queue by preempting, ignoring topology. The mode
  /// is kNoCandidates (then `level` means nothing), kPreempt when a victim is in the own queue, or
  /// kReclaim; `level` is the borrowing level with the victims gone.
  virtual FlavorFit Ask(const WorkloadRecord& workload, const ClusterQueueState& queue,
                        Usage demand) = 0;
  /// Whether an earlier entry of the cycle has taken it away.
  virtual bool IsGone(WorkloadId /*workload*/) const { return false; }
};

}  // namespace muster

#endif  // MUSTER_ENGINE_ASSIGN_PREEMPTION_ORACLE_H_
