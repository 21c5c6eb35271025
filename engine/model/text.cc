// See muster/text.h. A block that is counted has its characters right behind it.
#include "muster/text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <ostream>

#include "engine/model/words.h"

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
                      word::kSucceeded,
                      word::kFailed,
                      word::kJobFinished,
                      word::kJobFailed,
                      eviction::kPodsReadyTimeout,
                      eviction::kAdmissionCheck,
                      eviction::kClusterQueueStopped,
                      eviction::kLocalQueueStopped,
                      eviction::kNodeFailures,
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

TextBlock* Text::Find(std::string_view words) {
  if (words.empty()) return nullptr;
  const std::span<const KnownWord> known = KnownWords();
  const auto at = std::lower_bound(known.begin(), known.end(), words, Before);
  if (at != known.end() && std::string_view(*at) == words) return &at->block();
  void* memory = ::operator new(sizeof(TextBlock) + words.size());
  char* copy = static_cast<char*>(memory) + sizeof(TextBlock);
  std::memcpy(copy, words.data(), words.size());
  return new (memory) TextBlock(1, static_cast<std::uint32_t>(words.size()), copy);
}

void Text::Drop(TextBlock* block) {
  block->~TextBlock();
  ::operator delete(block);
}

std::ostream& operator<<(std::ostream& out, const Text& text) { return out << text.view(); }

}  // namespace muster
