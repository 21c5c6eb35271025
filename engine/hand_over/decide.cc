// See decide.h.
#include "engine/hand_over/decide.h"

#include <utility>

#include "engine/base/words.h"

namespace muster {
namespace {

Decision About(const World& world, const WorkloadRecord& workload, DecisionKind kind) {
  Decision decision;
  decision.kind = kind;
  decision.at = world.now;
  decision.cycle = world.cycle;
  decision.workload = workload.spec.key;
  decision.uid = std::string(workload.uid());
  decision.run = RunOf(workload);
  return decision;
}

void HandOut(World& world, Decision decision) {
  const std::int64_t number = world.hand_over.Add(std::move(decision));
  world.changes.TouchDecision(number);
}

bool IsTimeLimit(std::string_view reason) {
  return reason == std::string_view(eviction::kPodsReadyTimeout) ||
         reason.ends_with(eviction::kExecutionTimeExceeded);
}

}  // namespace

// Of a job that stands in the queue as variants it is told, not of them: it is what runs. That one
// of them is reserved is said of itself, because its admission checks are its own.
void NoteStart(World& world, const WorkloadRecord& workload) {
  if (workload.of_job) return;
  const bool again = !workload.spec.status.rare->evictions.empty();
  Decision decision =
      About(world, workload, again ? DecisionKind::kStartAgain : DecisionKind::kStart);
  decision.admission = *workload.spec.status.admission;
  HandOut(world, std::move(decision));
}

void NoteReserved(World& world, const WorkloadRecord& workload) {
  if (IsTrue(workload.spec.status, condition::kAdmitted)) return;  // it was started at once
  Decision decision = About(world, workload, DecisionKind::kReserve);
  decision.admission = *workload.spec.status.admission;
  HandOut(world, std::move(decision));
}

void NotePreempted(World& world, const WorkloadRecord& workload, const WorkloadRecord& preemptor) {
  if (workload.of_job) return;
  Decision decision = About(world, workload, DecisionKind::kMakeRoom);
  decision.reason = std::string(eviction::kPreempted);
  decision.by = preemptor.spec.key;
  decision.stop = workload.evicted;
  HandOut(world, std::move(decision));
}

void NoteLeaving(World& world, const WorkloadRecord& workload, std::string_view reason) {
  if (workload.of_job) return;
  DecisionKind kind = DecisionKind::kEvict;
  if (IsTimeLimit(reason)) {
    kind = DecisionKind::kExpire;
  } else if (eviction::IsOwnDeactivation(reason)) {
    kind = DecisionKind::kRefuse;
  } else if (!workload.evicted) {
    return;  // it waited, and does so no more: there is nothing to do
  }
  Decision decision = About(world, workload, kind);
  decision.reason = std::string(reason);
  decision.stop = workload.evicted;
  if (!decision.stop) decision.run = 0;  // it waited: there is no run to report about
  HandOut(world, std::move(decision));
}

void NoteWithdrawn(World& world, const WorkloadRecord& workload) {
  if (workload.of_job) return;
  Decision decision = About(world, workload, DecisionKind::kWithdraw);
  decision.stop = true;
  HandOut(world, std::move(decision));
}

void ForgetAcknowledged(World& world) {
  std::int64_t number = world.hand_over.before();
  const std::int64_t upto = world.hand_over.Forget();
  while (number < upto) world.changes.TouchDecision(++number);
}

}  // namespace muster
