// The verdict of an explanation: one sentence that says why a workload waits, and until when.
#ifndef MUSTER_ENGINE_CYCLE_VERDICT_H_
#define MUSTER_ENGINE_CYCLE_VERDICT_H_

#include "engine/cycle/entry.h"
#include "engine/state/world.h"
#include "muster/views.h"

namespace muster {

/// How a workload came out of a nomination made for the explanation alone.
struct Hypothesis {
  Entry entry;                               ///< not nominated while the workload is in no queue
  const WorkloadRecord* kept_for = nullptr;  ///< it would fit in what is kept for this one
};

/// Fills `verdict` and `until` from the rest of the explanation.
void GiveVerdict(const World& world, const WorkloadRecord& workload, const Hypothesis& hypothesis,
                 Explanation& explanation);

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_VERDICT_H_
