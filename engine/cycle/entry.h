// Entry: one head on its way through a cycle.
#ifndef MUSTER_ENGINE_CYCLE_ENTRY_H_
#define MUSTER_ENGINE_CYCLE_ENTRY_H_

#include <cstdint>
#include <string>
#include <utility>
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

class Entry {
  const Assignment* known_ = nullptr;  // here, where the line of the cache is that all look at

 public:
  /// As new, for another head; keeps the memory of its lists.
  void Begin(WorkloadId new_workload, QueueId new_queue);

  /// What it was given, once nominated.
  const Assignment& assignment() const { return known_ != nullptr ? *known_ : own_; }
  /// Takes over one that is known already and outlives the cycle, without copying it.
  void TakeOver(const Assignment& known) { known_ = &known; }
  void SetAssignment(Assignment assignment) {
    own_ = std::move(assignment);
    known_ = nullptr;
  }

  WorkloadId workload;
  QueueId queue;
  bool nominated = false;
  bool starts_over = false;  ///< the next flavor walk does; else it goes on where this one ended
  bool room_stays = false;   ///< what is kept for another one of its queue is kept on

  // Of the workload and its queue, for the order of entries; once nominated.
  std::uint32_t position = 0;
  std::int64_t priority = 0;
  TimeNs timestamp = 0;

  Outcome outcome = Outcome::kNotNominated;
  RequeueReason requeue = RequeueReason::kGeneric;
  PendingReason reason = PendingReason::kNone;
  std::string message;
  std::vector<Victim> victims;
  CycleKeys keys;  ///< of hook cycle_order, once nominated

  /// Filled only when the cycle is traced.
  std::vector<FlavorAttempt> attempts;
  SearchReport report;

 private:
  Assignment own_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_ENTRY_H_
