// Flavor progress and conditions.
#include "engine/state/workload_record.h"

#include <algorithm>
#include <array>
#include <charconv>
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

void WorkloadRecord::SetMessage(const Text& text) {
  if (message() != text) aside.Mutable().message = text;
}

void WorkloadRecord::ForgetWaiting() {
  key.scripted = false;
  if (aside.IsNew()) return;
  if (deadline() == kNoTime && aside->room.IsNew()) return aside.Reset();
  aside.Mutable().message.clear();
  aside.Mutable().pending_since = kNoTime;
  aside.Mutable().checkpointed = kNoTime;
  aside.Mutable().progress.Reset();
}

std::string MadeUid(std::int64_t arrival) {
  constexpr std::size_t kDigits = 20;  // one more than any number has
  std::array<char, 2 * kDigits> text;
  text.fill('0');
  char* const digits = text.data() + kDigits;
  const char* const end = std::to_chars(digits, text.data() + text.size(), arrival).ptr;
  return std::string(end - kDigits, end);
}

std::int64_t RunOf(const WorkloadRecord& workload) {
  const KeptStatus& status = workload.spec.status;
  std::int64_t left = 0;
  for (const EvictionCount& evictions : status.rare->evictions) left += evictions.count;
  if (!IsTrue(status, condition::kQuotaReserved)) return left;
  // Until it is told to leave it is in a run that no eviction counts; so is one that ended then.
  // One that came from elsewhere while it had to leave may have no count.
  return IsTrue(status, condition::kEvicted) ? std::max<std::int64_t>(left, 1) : left + 1;
}

WorkloadPhase PhaseOf(const WorkloadRecord& workload) {
  const KeptStatus& status = workload.spec.status;
  if (IsTrue(status, condition::kFinished)) return WorkloadPhase::kFinished;
  if (workload.evicted && IsTrue(status, condition::kQuotaReserved))
    return WorkloadPhase::kEvicting;
  if (!workload.active) return WorkloadPhase::kInactive;
  if (IsTrue(status, condition::kAdmitted)) return WorkloadPhase::kAdmitted;
  if (IsTrue(status, condition::kQuotaReserved)) return WorkloadPhase::kReserved;
  return WorkloadPhase::kPending;
}

bool IsUnready(const WorkloadRecord& workload) {
  const KeptStatus& status = workload.spec.status;
  return workload.holds() && IsTrue(status, condition::kAdmitted) &&
         !IsTrue(status, condition::kPodsReady);
}

void SetCondition(KeptStatus& status, KnownWord type, bool value, Text reason, Text message,
                  TimeNs now) {
  status.conditions.Set(type, value, std::move(reason), std::move(message), CutToSecond(now));
}

}  // namespace muster
