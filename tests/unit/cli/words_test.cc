// Every reason that the engine has is worded, so none is shown as nothing or as another.
#include "bindings/cli/words.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string>

#include "engine/model/names.h"

namespace muster::cli {
namespace {

TEST(Words, EveryPendingReasonHasItsOwn) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < EnumTable<PendingReason>::kNames.size(); ++i) {
    const auto words = InWords(static_cast<PendingReason>(i));
    EXPECT_FALSE(words.empty()) << EnumTable<PendingReason>::kNames[i];
    EXPECT_TRUE(seen.insert(words).second) << words;
  }
}

TEST(Words, EveryReasonOfAPreemptionHasItsOwn) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < EnumTable<PreemptionReason>::kNames.size(); ++i) {
    const auto words = InWords(static_cast<PreemptionReason>(i));
    EXPECT_FALSE(words.empty()) << EnumTable<PreemptionReason>::kNames[i];
    EXPECT_TRUE(seen.insert(words).second) << words;
  }
}

TEST(Words, OneThatIsParkedWasLookedAtOrIsLikeOneThatWas) {
  PendingWorkload parked;
  parked.parked = true;
  parked.class_reason = PendingReason::kWaitingForQuota;
  EXPECT_EQ(WhyItWaits(parked), "waits for quota, as an equal job that was looked at");
  parked.class_reason = PendingReason::kNone;
  EXPECT_EQ(WhyItWaits(parked), "set aside until something changes");
  parked.parked = false;
  EXPECT_EQ(WhyItWaits(parked), "not looked at yet");
  parked.parked = true;
  parked.reason = PendingReason::kExceedsMaxQuota;
  EXPECT_EQ(WhyItWaits(parked), InWords(PendingReason::kExceedsMaxQuota));
}

}  // namespace
}  // namespace muster::cli
