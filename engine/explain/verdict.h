// The verdict of an explanation: why a workload waits, until when, and what would let it start.
#ifndef MUSTER_ENGINE_EXPLAIN_VERDICT_H_
#define MUSTER_ENGINE_EXPLAIN_VERDICT_H_

#include "engine/cycle/entry.h"
#include "engine/explain/foresee.h"
#include "engine/explain/place_lack.h"
#include "engine/state/world.h"
#include "muster/views.h"

namespace muster {

/// How a workload came out of a nomination made for the explanation alone.
struct Hypothesis {
  Entry entry;                               ///< not nominated while the workload is in no queue
  const WorkloadRecord* kept_for = nullptr;  ///< it would fit in what is kept for this one
  PolicyHold hold;                           ///< what a policy would answer, were it asked now
  std::optional<PlaceLack> places;           ///< what hosts lack, if that is in the way
  Foreseen foreseen;                         ///< where it fits and is the head of its queue
};

/// Fills `verdict`, `cure`, `never` and `until` from the rest of the explanation.
void GiveVerdict(const World& world, const WorkloadRecord& workload, const Hypothesis& hypothesis,
                 Explanation& explanation);

}  // namespace muster

#endif  // MUSTER_ENGINE_EXPLAIN_VERDICT_H_
