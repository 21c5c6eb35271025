// Victim: a workload that is to make room, and why it is that one.
#ifndef MUSTER_ENGINE_PREEMPT_VICTIM_H_
#define MUSTER_ENGINE_PREEMPT_VICTIM_H_

#include "engine/base/ids.h"
#include "engine/policy/budget.h"
#include "muster/decision.h"

namespace muster {

struct Victim {
  WorkloadId workload;
  PreemptionReason reason = PreemptionReason::kInClusterQueue;
  Spending spending = {};  ///< where hook victim keeps budgets; of one that is evicted already none
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PREEMPT_VICTIM_H_
