// Every reason that the engine has is worded, so none is shown as nothing or as another.
#include "bindings/lab/words.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string>

#include "engine/model/names.h"

namespace muster::lab {
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

TEST(Words, OneThatWasEvictedAndIsParkedUnseenWaitsForWhatItsClassWaitsFor) {
  PendingWorkload evicted;
  evicted.parked = true;
  evicted.reason = PendingReason::kPendingEvaluation;
  evicted.class_reason = PendingReason::kWaitingForQuota;
  EXPECT_EQ(WhyItWaits(evicted), "waits for quota, as an equal job that was looked at");
  evicted.class_reason = PendingReason::kNone;
  EXPECT_EQ(WhyItWaits(evicted), InWords(PendingReason::kPendingEvaluation));
}

TEST(Words, WhereAnotherPodsetIsInTheWayNothingIsSaidForEver) {
  PendingWorkload asks;
  asks.reason = PendingReason::kExceedsMaxQuota;
  asks.message =
      "couldn't assign flavors to pod set p1: insufficient quota for cpu in flavor spot, "
      "previously considered podsets requests (3) + current podset request (4) > maximum capacity "
      "(6)";
  EXPECT_EQ(WhyItWaits(asks), "asks for more than the flavors tried have");
}

TEST(Words, WhatAsksForTooMuchIsToldInWhichFlavorsAndOfWhat) {
  PendingWorkload asks;
  asks.reason = PendingReason::kExceedsMaxQuota;
  const auto in = [](const std::string& resource, const std::string& flavor) {
    return "insufficient quota for " + resource + " in flavor " + flavor +
           ", previously considered podsets requests (0) + current podset request (9) > maximum "
           "capacity (4)";
  };
  asks.message = "couldn't assign flavors to pod set main: " + in("cpu", "spot");
  EXPECT_EQ(WhyItWaits(asks), "asks for more cpu than flavor spot can ever have");
  asks.message += ", " + in("nvidia.com/gpu", "reserved") + "; " + in("cpu", "spot");
  EXPECT_EQ(WhyItWaits(asks),
            "asks for more cpu than flavor spot, more nvidia.com/gpu than flavor reserved can ever "
            "have");
  asks.message += ", " + in("memory", "reserved") + ", " + in("memory", "spot");
  EXPECT_EQ(WhyItWaits(asks),
            "asks for more cpu than flavor spot, more nvidia.com/gpu than flavor reserved can ever "
            "have, and so in 2 more");
  asks.message = "insufficient unused quota for cpu in flavor spot, 2 more needed";
  EXPECT_EQ(WhyItWaits(asks), InWords(PendingReason::kExceedsMaxQuota));
}

TEST(Words, AHookThatFailedSaysThatItsAnswersCountInNoQueue) {
  PolicyFailure failure;
  failure.policy = "aging";
  failure.hook = "queue_order";
  failure.cluster_queue = "red";
  failure.message = "policy.lua:3: no";
  EXPECT_EQ(InWords(failure),
            "queue_order of policy aging failed for red, the built-in rule decided instead, in "
            "every other queue of this policy too: policy.lua:3: no");
}

}  // namespace
}  // namespace muster::lab
