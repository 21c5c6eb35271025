// Which flavor is better, when the walk stops, which refusal weighs more.
#include "engine/assign/flavor_preference.h"

#include <gtest/gtest.h>

#include <vector>

namespace muster {
namespace {

constexpr FlavorMode kModes[] = {FlavorMode::kNoFit, FlavorMode::kNoCandidates,
                                 FlavorMode::kPreempt, FlavorMode::kReclaim, FlavorMode::kFit};

FlavorFungibility Preferring(FungibilityPreference preference) {
  FlavorFungibility fungibility;
  fungibility.preference = preference;
  return fungibility;
}

TEST(IsPreferred, NeverHoldsBothWays) {
  for (const auto preference : {FungibilityPreference::kBorrowingOverPreemption,
                                FungibilityPreference::kPreemptionOverBorrowing}) {
    const FlavorFungibility fungibility = Preferring(preference);
    for (const FlavorMode a : kModes) {
      for (const FlavorMode b : kModes) {
        for (int level_a = 0; level_a < 3; ++level_a) {
          for (int level_b = 0; level_b < 3; ++level_b) {
            const FlavorFit x{a, level_a};
            const FlavorFit y{b, level_b};
            EXPECT_FALSE(IsPreferred(x, y, fungibility) && IsPreferred(y, x, fungibility));
          }
        }
      }
    }
  }
}

TEST(IsPreferred, WhatDoesNotFitBeatsNothingAndLosesToAll) {
  const FlavorFungibility fungibility;
  for (const FlavorMode mode : kModes) {
    EXPECT_FALSE(IsPreferred({FlavorMode::kNoFit, 0}, {mode, 9}, fungibility));
    if (mode != FlavorMode::kNoFit) {
      EXPECT_TRUE(IsPreferred({mode, 9}, {FlavorMode::kNoFit, 0}, fungibility));
    }
  }
}

TEST(IsPreferred, ByDefaultBorrowingBeatsPreempting) {
  const FlavorFungibility unset;
  EXPECT_TRUE(IsPreferred({FlavorMode::kFit, 2}, {FlavorMode::kReclaim, 0}, unset));
  EXPECT_TRUE(IsPreferred({FlavorMode::kReclaim, 2}, {FlavorMode::kPreempt, 0}, unset));
  EXPECT_TRUE(IsPreferred({FlavorMode::kFit, 0}, {FlavorMode::kFit, 1}, unset));
}

TEST(IsPreferred, PreemptionOverBorrowingComparesLevelsFirst) {
  const auto fungibility = Preferring(FungibilityPreference::kPreemptionOverBorrowing);
  EXPECT_TRUE(IsPreferred({FlavorMode::kPreempt, 0}, {FlavorMode::kFit, 1}, fungibility));
  EXPECT_FALSE(IsPreferred({FlavorMode::kNoCandidates, 0}, {FlavorMode::kFit, 1}, fungibility))
      << "without candidates nothing is gained";
}

TEST(ShouldTryNextFlavor, FollowsBothPolicies) {
  FlavorFungibility fungibility;  // borrow: stop, preempt: next
  EXPECT_FALSE(ShouldTryNextFlavor({FlavorMode::kFit, 0}, fungibility));
  EXPECT_FALSE(ShouldTryNextFlavor({FlavorMode::kFit, 1}, fungibility));
  EXPECT_TRUE(ShouldTryNextFlavor({FlavorMode::kReclaim, 0}, fungibility));
  EXPECT_TRUE(ShouldTryNextFlavor({FlavorMode::kNoFit, 0}, fungibility));
  fungibility.when_can_borrow = FungibilityPolicy::kTryNextFlavor;
  fungibility.when_can_preempt = FungibilityPolicy::kMayStopSearch;
  EXPECT_TRUE(ShouldTryNextFlavor({FlavorMode::kFit, 1}, fungibility));
  EXPECT_FALSE(ShouldTryNextFlavor({FlavorMode::kPreempt, 0}, fungibility));
  EXPECT_TRUE(ShouldTryNextFlavor({FlavorMode::kNoCandidates, 0}, fungibility));
}

TEST(Severity, OrdersTheReasons) {
  const std::vector<PendingReason> ascending = {
      PendingReason::kNone, PendingReason::kTopologyPlacementFailed,
      PendingReason::kWaitingForQuota, PendingReason::kExceedsMaxQuota,
      PendingReason::kNoMatchingFlavor};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    for (std::size_t j = 0; j < ascending.size(); ++j) {
      EXPECT_EQ(MoreSevere(ascending[i], ascending[j]), ascending[std::max(i, j)]);
      EXPECT_EQ(LessSevere(ascending[i], ascending[j]), ascending[std::min(i, j)]);
    }
  }
}

}  // namespace
}  // namespace muster
