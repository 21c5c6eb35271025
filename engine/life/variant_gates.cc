// See variant_gates.h.
#include "engine/life/variant_gates.h"

#include <algorithm>
#include <optional>
#include <string>

#include "engine/kin/variants.h"
#include "engine/life/deadlines.h"
#include "engine/life/queueing.h"
#include "engine/model/concurrent.h"
#include "engine/record/payload.h"

namespace muster {
namespace {

constexpr DurationNs kBetweenGates = 5 * 60 * kSecond;

/// Whether no cycle has found out yet what it lacks.
bool IsUnevaluated(const WorkloadRecord& variant) {
  return variant.reason == PendingReason::kNone || variant.reason == PendingReason::kOnHold;
}

bool IsOpen(const WorkloadRecord& variant) {
  const auto& open = variant.spec.status.rare->open_preemption_gates;
  return std::find(open.begin(), open.end(), kVariantGate) != open.end();
}

TimeNs OpenedAt(const WorkloadRecord& variant) {
  const auto blocked = FindCondition(variant.spec.status, condition::kBlockedOnPreemptionGates);
  return blocked ? blocked->since : kNoTime;
}

/// The next gate to open, and not before which time.
struct Next {
  WorkloadId variant;
  TimeNs at = kNoTime;
};

std::optional<Next> NextGate(const World& world, const WorkloadRecord& job) {
  std::optional<Next> next;
  TimeNs last = kNoTime;
  bool stop = false;
  for (const WorkloadId id : VariantsOf(world, job)) {
    const WorkloadRecord& variant = world.workload(id);
    if (!MayQueue(world, variant)) continue;
    if (IsOpen(variant)) {
      last = std::max(last, OpenedAt(variant));
    } else if (!next && !stop) {
      if (IsTrue(variant.spec.status, condition::kBlockedOnPreemptionGates)) {
        next = Next{id, OpenedAt(variant)};  // at once: it was found to be blocked then
      } else {
        stop = IsUnevaluated(variant);
      }
    }
  }
  if (next && last != kNoTime) next->at = last + kBetweenGates;
  return next;
}

}  // namespace

TimeNs NextUngating(const World& world, const WorkloadRecord& job) {
  const std::optional<Next> next = NextGate(world, job);
  return next ? next->at : kNoTime;
}

bool UngateDue(World& world, const WorkloadRecord& job) {
  const std::optional<Next> next = NextGate(world, job);
  if (!next || next->at > world.now) return false;
  WorkloadRecord& variant = world.workload(next->variant);
  KeptStatus& status = variant.spec.status;
  status.rare.Mutable().open_preemption_gates.push_back(std::string(kVariantGate));
  SetCondition(status, condition::kBlockedOnPreemptionGates, false, "PreemptionUngated",
               "The gate of this variant was opened", world.now);
  world.changes.Touch(variant.id());
  world.changes.Report(EventKind::kPreemptionUngatedVariant, job.spec.key,
                       [&] { return VariantPayload(variant); });
  Enqueue(world, variant, true, true);
  SyncDeadline(world, variant);
  return true;
}

}  // namespace muster
