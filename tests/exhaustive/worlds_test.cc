// The whole engine against the naive reference in every world of a scope. Each scope varies some
// things through all their values and holds the others still.
#include <gtest/gtest.h>

#include <iostream>

#include "tests/exhaustive/small_world.h"
#include "tests/property/judge.h"
#include "tests/testing/exhaustigen.h"

namespace muster::testing {
namespace {

using enum PreemptionPolicy;
using enum FungibilityPolicy;

const PreemptionRules kNoRules;
const PreemptionRules kReclaimLower = {kLowerPriority, kLowerPriority, kNever, std::nullopt};
const PreemptionRules kReclaimAny = {kLowerOrNewerEqualPriority, kAny, kNever, std::nullopt};
const PreemptionRules kBorrowLower = {kLowerPriority, kAny, kLowerPriority, std::nullopt};
const PreemptionRules kBorrowBelowTwo = {kNever, kLowerPriority, kLowerPriority, 1};

std::vector<PreemptionRules> AllRules() {
  std::vector<PreemptionRules> all;
  for (const PreemptionPolicy within : {kNever, kLowerPriority, kLowerOrNewerEqualPriority}) {
    all.push_back({within, kNever, kNever, std::nullopt});
    for (const PreemptionPolicy reclaim : {kLowerPriority, kAny}) {
      all.push_back({within, reclaim, kNever, std::nullopt});
      all.push_back({within, reclaim, kLowerPriority, std::nullopt});
      all.push_back({within, reclaim, kLowerPriority, 0});
    }
  }
  return all;
}

std::vector<FlavorFungibility> AllFungibility() {
  std::vector<FlavorFungibility> all;
  for (const FungibilityPolicy borrow : {kMayStopSearch, kTryNextFlavor}) {
    for (const FungibilityPolicy preempt : {kMayStopSearch, kTryNextFlavor}) {
      all.push_back({borrow, preempt, std::nullopt});
    }
  }
  all.push_back({kTryNextFlavor, kTryNextFlavor, FungibilityPreference::kPreemptionOverBorrowing});
  return all;
}

// Where a job may run or wait, with these sizes and priorities.
std::vector<SmallJob> Jobs(const std::vector<std::optional<int>>& holds,
                           const std::vector<int>& sizes, const std::vector<int>& priorities) {
  std::vector<SmallJob> all;
  for (const auto& hold : holds) {
    for (const int size : sizes) {
      for (const int priority : priorities) all.push_back({hold, size, priority});
    }
  }
  return all;
}

const std::optional<int> kWaits;

void CheckAll(const WorldScope& scope) {
  Exhaustigen gen;
  int worlds = 0;
  int eventful = 0;
  for (; gen.Next(); ++worlds) {
    const World world = MakeSmallWorld(gen, scope);
    const std::optional<std::string> disagreement = FindDisagreement(world);
    ASSERT_FALSE(disagreement.has_value()) << *disagreement;
    eventful += !oracle::RunCycle(world, kNow).preempted.empty();
  }
  std::cout << worlds << " worlds, a preemption in " << eventful << "\n";
  EXPECT_GT(eventful, 0);
}

// Trees: every shape and limit, one flavor.
const std::vector<SmallQuota> kLimits = {
    {.nominal = 0}, {.nominal = 2}, {2, 0, std::nullopt}, {2, std::nullopt, 0}, {2, 1, 1}};

TEST(Worlds, EveryTreeOfUpToThreeNodes) {
  CheckAll(
      {.nodes = {1, 2, 3},
       .queue_quotas = kLimits,
       .cohort_quotas = {{}, {.nominal = 1}, {1, 1, 1}},
       .rules = {kReclaimAny, kBorrowLower},
       .jobs = {Jobs({0}, {2, 3}, {0}), Jobs({0, kWaits}, {1}, {0}), Jobs({kWaits}, {2}, {1})}});
}

TEST(LongWorlds, EveryTreeOfFourNodes) {
  CheckAll(
      {.nodes = {4},
       .queue_quotas = kLimits,
       .cohort_quotas = {{}, {1, 1, 1}},
       .rules = {kReclaimAny, kBorrowLower},
       .jobs = {Jobs({0}, {2, 3}, {0}), Jobs({0, kWaits}, {1}, {0}), Jobs({kWaits}, {2}, {1})}});
}

// Rules: every combination of preemption policies.
TEST(Worlds, EveryPreemptionPolicy) {
  CheckAll(
      {.nodes = {2, 3},
       .queue_quotas = {{.nominal = 1}, {.nominal = 3}},
       .rules = AllRules(),
       .jobs = {Jobs({0}, {1, 2}, {0, 1}), Jobs({0}, {2}, {0}), Jobs({kWaits}, {1, 2}, {0, 1})}});
}

// Flavors: every way of choosing between two.
TEST(Worlds, EveryFungibility) {
  CheckAll(
      {.nodes = {3},
       .flavors = 2,
       .queue_quotas = {{.nominal = 0}, {.nominal = 2}},
       .rules = {kReclaimLower, kBorrowLower},
       .fungibility = AllFungibility(),
       .jobs = {Jobs({0, 1}, {1}, {0}), Jobs({0, kWaits}, {2}, {0}), Jobs({kWaits}, {2}, {1})}});
}

TEST(LongWorlds, EveryTreeWithTwoFlavors) {
  CheckAll(
      {.nodes = {1, 2, 3, 4},
       .flavors = 2,
       .queue_quotas = {{.nominal = 0}, {.nominal = 2}},
       .rules = {kNoRules, kReclaimAny, kBorrowBelowTwo},
       .fungibility = {{kMayStopSearch, kTryNextFlavor, std::nullopt},
                       {kTryNextFlavor, kTryNextFlavor,
                        FungibilityPreference::kPreemptionOverBorrowing}},
       .jobs = {Jobs({0, 1}, {2}, {0}), Jobs({0, kWaits}, {1}, {0}), Jobs({kWaits}, {2}, {2})}});
}

}  // namespace
}  // namespace muster::testing
