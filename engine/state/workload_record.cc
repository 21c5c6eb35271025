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

namespace {

/// Most types differ in length or at an end.
bool IsType(const std::string& text, std::string_view type) {
  return text.size() == type.size() && text.front() == type.front() && text == type;
}

}  // namespace

const Condition* FindCondition(const WorkloadStatus& status, std::string_view type) {
  const auto it = std::find_if(status.conditions.begin(), status.conditions.end(),
                               [&](const Condition& c) { return IsType(c.type, type); });
  return it == status.conditions.end() ? nullptr : &*it;
}

bool IsTrue(const WorkloadStatus& status, std::string_view type) {
  const Condition* found = FindCondition(status, type);
  return found != nullptr && found->status;
}

bool IsFalse(const WorkloadStatus& status, std::string_view type) {
  const Condition* found = FindCondition(status, type);
  return found != nullptr && !found->status;
}

void SetCondition(WorkloadStatus& status, std::string_view type, bool value,
                  std::string_view reason, std::string message, TimeNs now) {
  auto it = std::find_if(status.conditions.begin(), status.conditions.end(),
                         [&](const Condition& c) { return IsType(c.type, type); });
  if (it == status.conditions.end()) {
    status.conditions.push_back(
        {std::string(type), value, std::string(reason), std::move(message), CutToSecond(now)});
    return;
  }
  if (it->status != value) it->since = CutToSecond(now);
  it->status = value;
  it->reason = reason;
  it->message = std::move(message);
}

}  // namespace muster
