// Entry: one head on its way through a cycle.
#ifndef MUSTER_ENGINE_CYCLE_ENTRY_H_
#define MUSTER_ENGINE_CYCLE_ENTRY_H_

#include <string>
#include <vector>

#include "engine/assign/assignment.h"
#include "engine/model/ids.h"
#include "engine/policy/cycle_keys.h"
#include "engine/preempt/preemption_search.h"
#include "muster/decision.h"
#include "muster/trace.h"

namespace muster {

/// Why a head goes back to its queue; decides between heap and parking.
enum class RequeueReason {
  kGeneric,  ///< never nominated for a reason of its own
  kFailedAfterNomination,
  kNamespaceMismatch,
  kPreemptionGated,
  kPendingPreemption,
  kNoFit,
  kPreemptionNoCandidates,
};

enum class Outcome {
  kNotNominated,  ///< a check before flavor assignment failed
  kNoFit,
  kNoCandidates,
  kGated,
  kDeferredFit,  ///< fits once the victims of an earlier entry are gone
  kSkipped,
  kPreempting,
  kAdmitted,
};
std::string_view OutcomeName(Outcome outcome);

struct Entry {
  /// As new, for another head; keeps the memory of its lists.
  void Begin(WorkloadId new_workload, QueueId new_queue);

  WorkloadId workload;
  QueueId queue;
  bool nominated = false;
  Assignment assignment;
  FlavorProgress progress;  ///< where the walk goes on, unless it is admitted; once nominated
  std::vector<Victim> victims;
  CycleKeys keys;  ///< of hook cycle_order, once nominated

  Outcome outcome = Outcome::kNotNominated;
  RequeueReason requeue = RequeueReason::kGeneric;
  PendingReason reason = PendingReason::kNone;
  std::string message;
  bool room_stays = false;  ///< what is kept for another one of its queue is kept on

  /// Filled only when the cycle is traced.
  std::vector<FlavorAttempt> attempts;
  SearchReport report;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_ENTRY_H_
