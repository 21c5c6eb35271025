// The words that the engine says again and again: types of conditions, reasons, fixed messages.
// Each exists once in the process; see muster/text.h.
#ifndef MUSTER_ENGINE_BASE_WORDS_H_
#define MUSTER_ENGINE_BASE_WORDS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

#include "muster/text.h"

namespace muster {

/// Characters as a template argument.
template <std::size_t kSize>
struct Letters {
  constexpr Letters(const char (&text)[kSize]) { std::copy_n(text, kSize, letters); }
  constexpr std::string_view view() const { return {letters, kSize - 1}; }
  char letters[kSize] = {};
};

/// Of the types of conditions that the engine gives, one bit each; 0 for any other word.
constexpr std::uint8_t ConditionBit(std::string_view word) {
  constexpr std::string_view kTypes[] = {
      "QuotaReserved", "Admitted", "PodsReady", "Evicted",
      "Preempted",     "Requeued", "Finished",  "BlockedOnPreemptionGates"};
  for (std::size_t i = 0; i < std::size(kTypes); ++i) {
    if (word == kTypes[i]) return static_cast<std::uint8_t>(1U << i);
  }
  return 0;
}

/// A word that is known. One that is not in KnownWords() costs memory and time, no more.
class KnownWord {
 public:
  explicit constexpr KnownWord(const KnownText& text)
      : text_(&text), condition_bit_(ConditionBit(text.words)) {}
  constexpr const KnownText& text() const { return *text_; }
  constexpr std::uint8_t condition_bit() const { return condition_bit_; }
  operator Text() const { return Text(*text_); }
  operator std::string_view() const { return text_->words; }
  friend bool operator==(const Text& text, KnownWord word) { return text.Is(*word.text_); }
  friend bool operator==(std::string_view text, KnownWord word) {
    return text == word.text_->words;
  }

 private:
  const KnownText* text_;
  std::uint8_t condition_bit_;
};

template <Letters kLetters>
inline constexpr KnownText kTextOf{kLetters.view()};
template <Letters kLetters>
inline constexpr KnownWord kWord{kTextOf<kLetters>};

/// Types of conditions.
namespace condition {
inline constexpr KnownWord kQuotaReserved = kWord<"QuotaReserved">;
inline constexpr KnownWord kAdmitted = kWord<"Admitted">;
inline constexpr KnownWord kPodsReady = kWord<"PodsReady">;
inline constexpr KnownWord kEvicted = kWord<"Evicted">;
inline constexpr KnownWord kPreempted = kWord<"Preempted">;
inline constexpr KnownWord kRequeued = kWord<"Requeued">;
inline constexpr KnownWord kBlockedOnPreemptionGates = kWord<"BlockedOnPreemptionGates">;
inline constexpr KnownWord kFinished = kWord<"Finished">;
}  // namespace condition

/// Reasons and messages of conditions.
namespace word {
inline constexpr KnownWord kWaitForStart = kWord<"WaitForStart">;
inline constexpr KnownWord kPendingEvaluation = kWord<"PendingEvaluation">;
inline constexpr KnownWord kNoReservation = kWord<"NoReservation">;
inline constexpr KnownWord kHasNoReservation = kWord<"The workload has no reservation">;
inline constexpr KnownWord kIsAdmitted = kWord<"The workload is admitted">;
inline constexpr KnownWord kNotReady = kWord<"Not all pods are ready or succeeded">;
inline constexpr KnownWord kStarted = kWord<"Started">;
inline constexpr KnownWord kAllReady =
    kWord<"All pods reached readiness and the workload is running">;
inline constexpr KnownWord kWaitForRecovery = kWord<"WaitForRecovery">;
inline constexpr KnownWord kNotReadyAnyMore =
    kWord<"At least one pod has failed or is not ready any more">;
inline constexpr KnownWord kSucceeded = kWord<"Succeeded">;
inline constexpr KnownWord kFailed = kWord<"Failed">;
inline constexpr KnownWord kJobFinished = kWord<"Job finished successfully">;
inline constexpr KnownWord kJobFailed = kWord<"Job failed">;
}  // namespace word

/// Reasons of the Evicted condition.
namespace eviction {
inline constexpr KnownWord kPreempted = kWord<"Preempted">;
inline constexpr KnownWord kPodsReadyTimeout = kWord<"PodsReadyTimeout">;
inline constexpr KnownWord kAdmissionCheck = kWord<"AdmissionCheck">;
inline constexpr KnownWord kClusterQueueStopped = kWord<"ClusterQueueStopped">;
inline constexpr KnownWord kLocalQueueStopped = kWord<"LocalQueueStopped">;
inline constexpr KnownWord kNodeFailures = kWord<"NodeFailures">;
inline constexpr KnownWord kFlavorMigration = kWord<"FlavorMigration">;
inline constexpr KnownWord kVariantEvicted = kWord<"VariantEvicted">;
inline constexpr KnownWord kConcurrentAdmission = kWord<"ConcurrentAdmission">;
inline constexpr KnownWord kDeactivated = kWord<"Deactivated">;  ///< or "DeactivatedDueTo" + cause
/// Causes of a deactivation by the engine itself.
inline constexpr KnownWord kCheckRejected = kWord<"AdmissionCheck">;
inline constexpr KnownWord kLimitExceeded = kWord<"RequeuingLimitExceeded">;
inline constexpr KnownWord kExecutionTimeExceeded = kWord<"MaximumExecutionTimeExceeded">;
/// Whether `reason` is a deactivation, for whatever cause.
inline bool IsDeactivation(std::string_view reason) { return reason.starts_with(kDeactivated); }
/// Whether it is one by the engine itself, which names a cause.
inline bool IsOwnDeactivation(std::string_view reason) {
  return IsDeactivation(reason) && reason != std::string_view(kDeactivated);
}
}  // namespace eviction

/// All of them, ascending by length, then characters.
std::span<const KnownWord> KnownWords();

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_WORDS_H_
