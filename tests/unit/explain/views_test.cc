// What views say of quota, of evictions by time limits and of workloads in no queue.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::DefaultKey;
using ::testing::ElementsAre;
using testing::Holding;
using ::testing::IsEmpty;
using testing::kNoon;
using testing::MakeCohort;
using testing::MakeFlavor;
using testing::MakeLocalQueue;
using testing::MakeNamespace;
using testing::MakeQueue;
using testing::MakeWorkload;
using ::testing::SizeIs;

class Views : public ::testing::Test {
 protected:
  void Apply(std::vector<Object> objects) {
    objects.insert(objects.begin(), {MakeNamespace(), MakeFlavor("default")});
    const Status status = engine_.Apply(objects, kNoon, MissingReference::kAccept);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  QuotaView Cohort(const std::string& name) {
    for (const CohortView& cohort : *engine_.Cohorts()) {
      if (cohort.spec.name == name) return cohort.quotas.at(0);
    }
    return {};
  }
  static std::vector<Amount> Figures(const QuotaView& quota) {
    return {quota.total / 1000,    quota.nominal / 1000, quota.usage / 1000,
            quota.borrowed / 1000, quota.lent / 1000,    quota.offered / 1000};
  }
  Engine engine_;
};

/// top: left (own 2, offers at most 3) with a (4, offers 3); right with b (4), which uses 6.
TEST_F(Views, ACohortShowsWhatAllBelowHaveUseAndOffer) {
  Apply({MakeCohort("top", ""), MakeCohort("left", "top", {{.nominal = 2, .lend = 3}}),
         MakeCohort("right", "top"), MakeQueue("a", "left", {{.nominal = 4, .lend = 3}}),
         MakeQueue("b", "right", {{.nominal = 4}}), MakeLocalQueue("a"), MakeLocalQueue("b"),
         Holding(MakeWorkload("h", "b", Cpu(6)), "b"),
         Holding(MakeWorkload("g", "a", Cpu(1)), "a")});
  // total, own, used, borrowed, lent, offered
  EXPECT_THAT(Figures(Cohort("left")), ElementsAre(6, 2, 1, 0, 2, 3));
  EXPECT_THAT(Figures(Cohort("right")), ElementsAre(4, 0, 6, 2, 0, 4));
  EXPECT_THAT(Figures(Cohort("top")), ElementsAre(10, 0, 7, 0, 0, 0));
  for (const ClusterQueueView& queue : *engine_.ClusterQueues()) {
    if (queue.spec.name != "a") continue;
    EXPECT_THAT(Figures(queue.quotas.at(0)), ElementsAre(4, 4, 1, 0, 0, 3))
        << "left has 2 of its own to lend";
  }
}

TEST_F(Views, WhatACohortLendsUpwardIsLentByItsQueues) {
  Apply({MakeQueue("a", "left", {{.nominal = 4}}), MakeQueue("b", "right", {{.nominal = 4}}),
         MakeCohort("left", "top"), MakeCohort("right", "top"), MakeLocalQueue("b"),
         Holding(MakeWorkload("h", "b", Cpu(6)), "b")});
  for (const ClusterQueueView& queue : *engine_.ClusterQueues()) {
    if (queue.spec.name != "a") continue;
    EXPECT_EQ(queue.quotas.at(0).lent, 2000);
  }
}

class TimeLimits : public Views {
 protected:
  void SetUp() override {
    Configuration config;
    config.wait_for_pods_ready.emplace().timeout = 60 * kSecond;
    Workload limited = MakeWorkload("limited", "a", Cpu(1));
    limited.max_execution_seconds = 30;
    Apply({config, MakeQueue("a", "", {{.nominal = 4}}), MakeLocalQueue("a"),
           MakeWorkload("late", "a", Cpu(1)), limited});
    ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
    ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
  }
};

TEST_F(TimeLimits, ThatEvictAreInTheResultOfTheCycle) {
  const CycleResult result = *engine_.RunCycle(kNoon + 60 * kSecond);
  ASSERT_THAT(result.evicted, SizeIs(2));
  EXPECT_EQ(result.evicted[0].workload, DefaultKey("limited"));
  EXPECT_EQ(result.evicted[0].reason, "DeactivatedDueToMaximumExecutionTimeExceeded");
  EXPECT_TRUE(result.evicted[0].quota_free);
  EXPECT_EQ(result.evicted[1].workload, DefaultKey("late"));
  EXPECT_EQ(result.evicted[1].reason, "PodsReadyTimeout");
  EXPECT_FALSE(result.evicted[1].quota_free);
  EXPECT_EQ(result.evicted[1].cluster_queue, "a");
  EXPECT_THAT(engine_.RunCycle(kNoon + 60 * kSecond)->evicted, IsEmpty()) << "once";
}

TEST_F(TimeLimits, ThatPassBetweenCyclesAreInTheNextOne) {
  ASSERT_TRUE(engine_.Advance(kNoon + 60 * kSecond).ok());
  EXPECT_THAT(engine_.RunCycle(kNoon + 61 * kSecond)->evicted, SizeIs(2));
}

TEST_F(Views, WorkloadsOfWhatIsStoppedOrGoneAreCountedAsHeld) {
  LocalQueue stopped = MakeLocalQueue("a");
  stopped.stop_policy = StopPolicy::kHold;
  Apply({MakeQueue("a", "", {{.nominal = 4}}), stopped, MakeLocalQueue("gone"),
         MakeWorkload("w", "a", Cpu(1)), MakeWorkload("v", "gone", Cpu(1))});
  EXPECT_EQ(engine_.ClusterQueues()->at(0).held, 1);
  for (const LocalQueueView& queue : *engine_.LocalQueues()) {
    EXPECT_EQ(queue.held, 1) << queue.spec.key.name;
    EXPECT_EQ(queue.pending, 0);
  }
  EXPECT_TRUE(engine_.GetWorkload(DefaultKey("v"))->held);
  stopped.stop_policy = StopPolicy::kNone;
  Apply({stopped});
  EXPECT_EQ(engine_.ClusterQueues()->at(0).held, 0);
  EXPECT_FALSE(engine_.GetWorkload(DefaultKey("w"))->held);
}

TEST_F(Views, ANewcomerParkedWithItsClassHasTheReasonOfTheClass) {
  Apply({MakeQueue("a", "", {{.nominal = 4}}), MakeLocalQueue("a"),
         Holding(MakeWorkload("h", "a", Cpu(4)), "a"), MakeWorkload("first", "a", Cpu(1))});
  ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
  const Workload equal = MakeWorkload("w", "a", Cpu(1));
  ASSERT_TRUE(engine_.Submit(std::span(&equal, 1), kNoon).ok());
  const WorkloadView view = *engine_.GetWorkload(DefaultKey("w"));
  EXPECT_TRUE(view.parked);
  EXPECT_EQ(view.reason, PendingReason::kNone);
  EXPECT_EQ(view.class_reason, PendingReason::kWaitingForQuota);
}

TEST_F(Views, OneThatWasEvictedAndIsParkedWithItsClassHasTheReasonOfTheClass) {
  const PreemptionRules reclaims{PreemptionPolicy::kNever, PreemptionPolicy::kAny,
                                 PreemptionPolicy::kNever, std::nullopt};
  Apply({MakeQueue("a", "co", {{.nominal = 0}}), MakeQueue("b", "co", {{.nominal = 4}}, reclaims),
         MakeLocalQueue("a"), MakeLocalQueue("b"), Holding(MakeWorkload("a1", "a", Cpu(2)), "a"),
         Holding(MakeWorkload("a2", "a", Cpu(2)), "a"), MakeWorkload("b1", "b", Cpu(4))});
  ASSERT_EQ(engine_.RunCycle(kNoon)->preempted.size(), 2u);
  ASSERT_TRUE(engine_.Evicted(*engine_.Evicting(), kNoon).ok());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
  int seen = 0;
  for (const char* name : {"a1", "a2"}) {
    const WorkloadView view = *engine_.GetWorkload(DefaultKey(name));
    EXPECT_TRUE(view.parked) << name;
    const bool unseen = view.reason == PendingReason::kPendingEvaluation;
    seen += !unseen;
    EXPECT_EQ(unseen ? view.class_reason : view.reason, PendingReason::kWaitingForQuota) << name;
  }
  EXPECT_EQ(seen, 1) << "the other is parked with the class of the first";
}

}  // namespace
}  // namespace muster
