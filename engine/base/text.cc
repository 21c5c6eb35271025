// See muster/text.h.
#include "muster/text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <ostream>

#include "engine/base/words.h"

namespace muster {
namespace {

bool Before(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

auto Sorted() {
  std::array words = {condition::kQuotaReserved,
                      condition::kAdmitted,
                      condition::kPodsReady,
                      condition::kEvicted,
                      condition::kPreempted,
                      condition::kRequeued,
                      condition::kBlockedOnPreemptionGates,
                      condition::kFinished,
                      word::kWaitForStart,
                      word::kPendingEvaluation,
                      word::kNoReservation,
                      word::kHasNoReservation,
                      word::kIsAdmitted,
                      word::kNotReady,
                      word::kStarted,
                      word::kAllReady,
                      word::kWaitForRecovery,
                      word::kNotReadyAnyMore,
                      word::kSucceeded,
                      word::kFailed,
                      word::kJobFinished,
                      word::kJobFailed,
                      eviction::kPodsReadyTimeout,
                      eviction::kAdmissionCheck,
                      eviction::kClusterQueueStopped,
                      eviction::kLocalQueueStopped,
                      eviction::kNodeFailures,
                      eviction::kFlavorMigration,
                      eviction::kDeactivated,
                      eviction::kLimitExceeded,
                      eviction::kExecutionTimeExceeded};
  std::sort(words.begin(), words.end(), Before);
  return words;
}

}  // namespace

std::span<const KnownWord> KnownWords() {
  static const auto words = Sorted();  // here, for texts that are made before main()
  return words;
}

const char* Text::Find(std::string_view words) {
  if (words.empty()) return nullptr;
  const std::span<const KnownWord> known = KnownWords();
  const auto at = std::lower_bound(known.begin(), known.end(), words, Before);
  if (at != known.end() && std::string_view(*at) == words) return AddressOf(at->text());
  char* const memory = static_cast<char*>(::operator new(sizeof(CountedText) + words.size()));
  std::memcpy(memory + sizeof(CountedText), words.data(), words.size());
  new (memory) CountedText(static_cast<std::uint32_t>(words.size()));
  return memory + kCounted;
}

void Text::Drop() {
  const CountedText& last = counted();
  last.~CountedText();
  ::operator delete(const_cast<CountedText*>(&last));
}

std::ostream& operator<<(std::ostream& out, const Text& text) { return out << text.view(); }

}  // namespace muster
