// Usage history of a LocalQueue: decay, penalties, exact cutting.
#include "engine/state/fair_usage.h"

#include <gtest/gtest.h>

#include <cmath>

namespace muster {
namespace {

constexpr DurationNs kMinute = 60 * kSecond;
const AdmissionFairSharingConfig kConfig{10 * kMinute, 5 * kMinute, {}};

double Cores(const ResourceList& list) {
  const auto it = list.find("cpu");
  return it == list.end() ? 0 : static_cast<double>(it->second.nano()) * 1e-9;
}

TEST(FairUsage, DecaysTowardsWhatIsAdmitted) {
  FairUsage usage;
  usage.Start({{"cpu", Quantity::Units(10)}}, kConfig, 0);
  EXPECT_FALSE(usage.SampleIfDue({}, kConfig, 5 * kMinute - 1));
  EXPECT_TRUE(usage.SampleIfDue({{"cpu", Quantity::Units(4)}}, kConfig, 5 * kMinute));
  EXPECT_NEAR(Cores(usage.consumed()), 8.242641, 1e-6);
}

TEST(FairUsage, AReservationCountsAsPendingUntilItSettles) {
  FairUsage usage;
  usage.Start({}, kConfig, 0);
  const WorkloadId workload(WorkloadSlot{3}, 7);
  usage.AddPending(workload, {{"cpu", Quantity::Units(2)}}, kConfig);
  EXPECT_NEAR(usage.Value(kConfig, 1), 0.585786, 1e-6);
  usage.Settle(workload, {}, kConfig, 0);
  EXPECT_FALSE(usage.HasPending(workload));
  EXPECT_NEAR(Cores(usage.consumed()), 0.585786, 1e-6) << "the penalty joined what was consumed";
}

TEST(FairUsage, ADroppedPenaltyLeavesNothing) {
  FairUsage usage;
  usage.Start({}, kConfig, 0);
  usage.AddPending(WorkloadId(WorkloadSlot{1}, 1), {{"cpu", Quantity::Units(2)}}, kConfig);
  usage.DropPending(WorkloadId(WorkloadSlot{1}, 1));
  EXPECT_EQ(usage.Value(kConfig, 1), 0);
}

TEST(FairUsage, AHalfLifeOfZeroForgetsEverything) {
  AdmissionFairSharingConfig config = kConfig;
  config.usage_half_life = 0;
  FairUsage usage;
  usage.Start({{"cpu", Quantity::Units(10)}}, config, 0);
  EXPECT_EQ(usage.Value(config, 1), 0) << "the sample at the start empties it";
  EXPECT_TRUE(std::isinf(usage.Value(config, 0)));
}

TEST(FairUsage, WeightsOfResourcesAndOfTheQueueApply) {
  AdmissionFairSharingConfig config = kConfig;
  config.resource_weights = {{"memory", 0.0}, {"cpu", 3.0}};
  FairUsage usage;
  usage.Start({{"cpu", Quantity::Units(4)}, {"memory", Quantity::Units(1 << 30)}}, config, 0);
  EXPECT_DOUBLE_EQ(usage.Value(config, 2), 6.0);
}

TEST(ScaleDown, CutsAtOneBillionthAndSurvivesHugeAmounts) {
  EXPECT_EQ(ScaleDown(Quantity::FromNano(3), 0.5).nano(), Quantity::Nano{1});
  EXPECT_EQ(ScaleDown(Quantity::Units(8), 0.25), Quantity::Units(2));
  const Quantity huge = Quantity::Units(1'000'000'000'000'000'000);
  EXPECT_EQ(ScaleDown(huge, 1.0), huge);
  // 1e18 * 0.7071067811865476, exactly.
  EXPECT_EQ(ScaleDown(huge, 0.7071067811865476), Quantity::Units(707'106'781'186'547'600));
  EXPECT_TRUE(ScaleDown(huge, 0).IsZero());
}

}  // namespace
}  // namespace muster
