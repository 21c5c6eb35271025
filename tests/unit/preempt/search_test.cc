// Both preemption searches, through the engine: the worked examples of the specification and the
// rules that decide what may be a victim.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using ::testing::ElementsAre;
using testing::Holding;
using ::testing::IsEmpty;
using testing::kNoon;
using testing::MakeWorkload;
using ::testing::UnorderedElementsAre;

constexpr PreemptionRules kReclaimAny{PreemptionPolicy::kNever, PreemptionPolicy::kAny,
                                      PreemptionPolicy::kNever, std::nullopt};

/// Queues x and y, four cpu each, in one cohort; x reclaims from any.
class ReclaimExample : public ::testing::Test {
 protected:
  void Build(PreemptionRules rules, std::vector<Object> more) {
    std::vector<Object> objects{testing::MakeNamespace(),
                                testing::MakeFlavor("default"),
                                testing::MakeQueue("x", "co", {{.nominal = 4}}, rules),
                                testing::MakeQueue("y", "co", {{.nominal = 4}}),
                                testing::MakeLocalQueue("x"),
                                testing::MakeLocalQueue("y")};
    objects.insert(objects.end(), more.begin(), more.end());
    const Status status = engine_.Apply(objects, kNoon);
    ASSERT_TRUE(status.ok()) << status.message();
  }

  std::vector<Object> Holders() {
    return {Holding(MakeWorkload("x1", "x", Cpu(2)), "x"),
            Holding(MakeWorkload("y1", "y", Cpu(2)), "y", "default", kNoon - 300 * kSecond),
            Holding(MakeWorkload("y2", "y", Cpu(3)), "y", "default", kNoon - 200 * kSecond),
            Holding(MakeWorkload("y3", "y", Cpu(1), 5), "y", "default", kNoon - 100 * kSecond)};
  }

  CycleResult Submit(Workload workload) {
    EXPECT_TRUE(engine_.Submit(std::span(&workload, 1), kNoon).ok());
    Result<CycleResult> result = engine_.RunCycle(kNoon);
    EXPECT_TRUE(result.ok());
    EXPECT_TRUE(engine_.CheckInvariants().ok());
    return *result;
  }

  Engine engine_;
};

TEST_F(ReclaimExample, TakesTheNewestOfTheLowestPriorityFromTheBorrower) {
  Build(kReclaimAny, Holders());
  const CycleResult result = Submit(MakeWorkload("head", "x", Cpu(2), -10));
  ASSERT_THAT(testing::PreemptedNames(result), ElementsAre("y2"));
  EXPECT_EQ(result.preempted[0].reason, PreemptionReason::kInCohortReclamation);
  EXPECT_EQ(result.preempted[0].by.name, "head");
}

TEST_F(ReclaimExample, PreemptsNobodyWhenItWouldHaveToBorrow) {
  Build(kReclaimAny, Holders());
  const CycleResult result = Submit(MakeWorkload("head", "x", Cpu(3), -10));
  EXPECT_THAT(result.preempted, IsEmpty());
  EXPECT_EQ(engine_.Pending()->front().reason, PendingReason::kWaitingForQuota);
}

TEST_F(ReclaimExample, LowerPriorityPolicyProtectsEqualAndHigherPriorities) {
  PreemptionRules rules = kReclaimAny;
  rules.reclaim_within_cohort = PreemptionPolicy::kLowerPriority;
  Build(rules, Holders());
  EXPECT_THAT(testing::PreemptedNames(Submit(MakeWorkload("head", "x", Cpu(2), 0))), IsEmpty());
  EXPECT_THAT(testing::PreemptedNames(Submit(MakeWorkload("urgent", "x", Cpu(2), 1))),
              ElementsAre("y2"));
}

TEST_F(ReclaimExample, BorrowWithinCohortStopsAtItsThreshold) {
  PreemptionRules rules = kReclaimAny;
  rules.borrow_within_cohort = PreemptionPolicy::kLowerPriority;
  rules.max_priority_threshold = 0;
  Build(rules, Holders());
  const CycleResult result = Submit(MakeWorkload("head", "x", Cpu(3), 100));
  ASSERT_THAT(testing::PreemptedNames(result), ElementsAre("y2"));
  EXPECT_EQ(result.preempted[0].reason, PreemptionReason::kInCohortReclaimWhileBorrowing);
}

TEST_F(ReclaimExample, BorrowWithinCohortEvictsNoneAboveItsThreshold) {
  PreemptionRules rules = kReclaimAny;
  rules.borrow_within_cohort = PreemptionPolicy::kLowerPriority;
  rules.max_priority_threshold = -1;
  Build(rules, Holders());
  EXPECT_THAT(Submit(MakeWorkload("head", "x", Cpu(3), 100)).preempted, IsEmpty());
}

TEST_F(ReclaimExample, FillBackReturnsWhatWasNotNeeded) {
  PreemptionRules rules;
  rules.within_cluster_queue = PreemptionPolicy::kLowerPriority;
  Build(rules, {Holding(MakeWorkload("small", "x", Cpu(1), 0), "x", "default", kNoon - kSecond),
                Holding(MakeWorkload("large", "x", Cpu(3), 1), "x"),
                Holding(MakeWorkload("other", "y", Cpu(4), 9), "y")});
  // Lowest priority first takes `small`, then `large`; three cpu come free without `small`.
  EXPECT_THAT(testing::PreemptedNames(Submit(MakeWorkload("head", "x", Cpu(3), 5))),
              ElementsAre("large"));
}

TEST_F(ReclaimExample, NewerEqualPriorityIsAVictimOnlyUnderItsPolicy) {
  PreemptionRules rules;
  rules.within_cluster_queue = PreemptionPolicy::kLowerOrNewerEqualPriority;
  Workload newer = MakeWorkload("newer", "x", Cpu(4));
  newer.created = kNoon + 10 * kSecond;
  Build(rules, {Holding(newer, "x"), Holding(MakeWorkload("other", "y", Cpu(4), 9), "y")});
  EXPECT_THAT(testing::PreemptedNames(Submit(MakeWorkload("head", "x", Cpu(4)))),
              ElementsAre("newer"));
}

TEST_F(ReclaimExample, AnEvictedVictimIsNotEvictedTwiceAndItsQuotaStaysCharged) {
  Build(kReclaimAny, Holders());
  Submit(MakeWorkload("head", "x", Cpu(2), -10));
  const Result<CycleResult> again = engine_.RunCycle(kNoon);
  EXPECT_THAT(again->preempted, IsEmpty());
  EXPECT_THAT(again->admitted, IsEmpty());
  const std::vector<Key> victims = *engine_.Evicting();
  ASSERT_EQ(victims.size(), 1u);
  EXPECT_TRUE(engine_.Evicted(victims, kNoon).ok());
  EXPECT_THAT(testing::AdmittedNames(*engine_.RunCycle(kNoon)), ElementsAre("head"));
  EXPECT_TRUE(engine_.CheckInvariants().ok());
}

class FairExample : public ReclaimExample {
 protected:
  void BuildFair(std::vector<Object> more) {
    Configuration config;
    config.fair_sharing = FairSharingConfig{};
    more.insert(more.begin(), config);
    Build(kReclaimAny, std::move(more));
  }
};

TEST_F(FairExample, WithinNominalTakesFromTheBorrowerWithoutAskingForShares) {
  BuildFair(Holders());
  const CycleResult result = Submit(MakeWorkload("head", "x", Cpu(2), -10));
  ASSERT_THAT(testing::PreemptedNames(result), ElementsAre("y2"));
  EXPECT_EQ(result.preempted[0].reason, PreemptionReason::kInCohortReclamation);
}

TEST_F(FairExample, ABorrowerTakesOnlyWhatLeavesTheOtherNoPoorer) {
  BuildFair({testing::MakeCohort("co", "", {{.nominal = 4}}),
             Holding(MakeWorkload("x1", "x", Cpu(4)), "x"),
             Holding(MakeWorkload("y1", "y", Cpu(2)), "y"),
             Holding(MakeWorkload("y2", "y", Cpu(6)), "y")});
  // x would borrow 2 of 12: share 166.67. Taking y1 leaves y at 6, 166.67: allowed.
  const CycleResult result = Submit(MakeWorkload("head", "x", Cpu(2)));
  ASSERT_THAT(testing::PreemptedNames(result), ElementsAre("y1"));
  EXPECT_EQ(result.preempted[0].reason, PreemptionReason::kInCohortFairSharing);
}

TEST_F(FairExample, TheLowerShareIsServedFirst) {
  BuildFair({testing::MakeCohort("co", "", {{.nominal = 4}}),
             Holding(MakeWorkload("x1", "x", Cpu(4), 9), "x"),
             Holding(MakeWorkload("y1", "y", Cpu(6), 9), "y"), MakeWorkload("hy", "y", Cpu(2), 5)});
  const CycleResult result = Submit(MakeWorkload("hx", "x", Cpu(2)));
  EXPECT_THAT(testing::AdmittedNames(result), ElementsAre("hx"));
}

}  // namespace
}  // namespace muster
