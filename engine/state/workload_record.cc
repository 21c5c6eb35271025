// Flavor progress and conditions.
#include "engine/state/workload_record.h"

#include <algorithm>
#include <utility>

namespace muster {

bool FlavorProgress::HasUntriedFlavors() const {
  return std::any_of(tried.begin(), tried.end(),
                     [](const Tried& t) { return t.flavor_index != kStartOver; });
}

std::int32_t FlavorProgress::LastTried(std::size_t pod_set, ResourceId resource) const {
  for (const Tried& t : tried) {
    if (t.pod_set == pod_set && t.resource == resource) return t.flavor_index;
  }
  return kStartOver;
}

WorkloadPhase PhaseOf(const WorkloadRecord& workload) {
  const WorkloadStatus& status = workload.spec.status;
  if (IsTrue(status, condition::kFinished)) return WorkloadPhase::kFinished;
  if (workload.evicted && IsTrue(status, condition::kQuotaReserved))
    return WorkloadPhase::kEvicting;
  if (!workload.spec.active) return WorkloadPhase::kInactive;
  if (IsTrue(status, condition::kAdmitted)) return WorkloadPhase::kAdmitted;
  if (IsTrue(status, condition::kQuotaReserved)) return WorkloadPhase::kReserved;
  return WorkloadPhase::kPending;
}

bool IsUnready(const WorkloadRecord& workload) {
  const WorkloadStatus& status = workload.spec.status;
  return workload.holds() && IsTrue(status, condition::kAdmitted) &&
         !IsTrue(status, condition::kPodsReady);
}

void SetCondition(WorkloadStatus& status, KnownWord type, bool value, Text reason, Text message,
                  TimeNs now) {
  const Condition* found = FindCondition(status, type);
  if (found == nullptr) {
    status.conditions.push_back(
        {type, value, std::move(reason), std::move(message), CutToSecond(now)});
    return;
  }
  Condition& condition =
      status.conditions[static_cast<std::size_t>(found - status.conditions.data())];
  if (condition.status != value) condition.since = CutToSecond(now);
  condition.status = value;
  condition.reason = std::move(reason);
  condition.message = std::move(message);
}

}  // namespace muster
