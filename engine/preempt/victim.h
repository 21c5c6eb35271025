// Victim: a workload that is to make room, and why it is that one.
#ifndef MUSTER_ENGINE_PREEMPT_VICTIM_H_
#define MUSTER_ENGINE_PREEMPT_VICTIM_H_

#include <limits>

#include "engine/base/ids.h"
#include "muster/decision.h"

namespace muster {

struct Victim {
  WorkloadId workload;
  PreemptionReason reason = PreemptionReason::kInClusterQueue;
  /// By the budget of its key, where hook victim keeps one: what it spends, and what all may.
  double spends = 0;
  double left = std::numeric_limits<double>::infinity();
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PREEMPT_VICTIM_H_
