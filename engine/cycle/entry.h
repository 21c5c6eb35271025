// Entry: one head on its way through a cycle.
#ifndef MUSTER_ENGINE_CYCLE_ENTRY_H_
#define MUSTER_ENGINE_CYCLE_ENTRY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/assign/assignment.h"
#include "engine/base/ids.h"
#include "engine/base/prefetch.h"
#include "engine/life/requeue_reason.h"
#include "engine/policy/cycle_keys.h"
#include "engine/preempt/preemption_search.h"
#include "muster/decision.h"
#include "muster/text.h"
#include "muster/trace.h"

namespace muster {

enum class Outcome : std::uint8_t {
  kNotNominated,  ///< a check before flavor assignment failed
  kNoFit,
  kNoCandidates,
  kGated,
  kDeferredFit,  ///< fits once the victims of an earlier entry are gone
  kSkipped,
  kPreempting,
  kMigrating,  ///< waits for a variant of the same job to leave
  kAdmitted,
  kOnHold,  ///< a policy holds it back after what earlier entries took
};
std::string_view OutcomeName(Outcome outcome);

/// What a head that simply starts needs stands in the first line of the cache; nothing else of its
/// entry is looked at then, nor has to be as new.
class alignas(kCacheLine) Entry {
  const Assignment* known_ = nullptr;  ///< what it was given, where `own_` is not that

 public:
  WorkloadId workload;
  QueueId queue;

  // Of the workload and its queue, for the order of entries; once nominated.
  std::uint32_t position = 0;
  std::int64_t priority = 0;  ///< the effective one
  TimeNs timestamp = 0;
  std::int64_t generation = 0;  ///< of the queue, as FlavorProgress has it

  bool nominated = false;
  bool starts_over = false;  ///< the next flavor walk does; else it goes on where this one ended
  bool room_stays = false;   ///< what is kept for another one of its queue is kept on
  Outcome outcome = Outcome::kNotNominated;
  RequeueReason requeue = RequeueReason::kGeneric;
  PendingReason reason = PendingReason::kNone;

 private:
  bool keyed_ = false;

 public:
  Text message;
  std::vector<Victim> victims;
  /// Whose place it takes once it starts, if it is a slice and something came of its nomination.
  WorkloadId replaces;
  /// The sibling that has to leave, of a variant with outcome kMigrating.
  WorkloadId migrates;

  /// As new, for another head; keeps the memory of its lists.
  void Begin(WorkloadId new_workload, QueueId new_queue);

  /// What it was given, once nominated.
  const Assignment& assignment() const { return known_ != nullptr ? *known_ : own_; }
  /// Takes over one that is known already and outlives the cycle, without copying it.
  /// Precondition: as new.
  void TakeOver(const Assignment& known) { known_ = &known; }
  void SetAssignment(Assignment assignment) {
    own_ = std::move(assignment);
    known_ = nullptr;
  }

  /// Of hook cycle_order, once nominated.
  const CycleKeys& keys() const { return keys_; }
  void SetKeys(const CycleKeys& keys) {
    keys_ = keys;
    keyed_ = true;
  }

  /// Filled only when the cycle is traced; then nothing is taken over.
  std::vector<FlavorAttempt> attempts;
  std::unique_ptr<SearchReport> report;  ///< null: no search was made

 private:
  CycleKeys keys_;
  Assignment own_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_ENTRY_H_
