// No sum of charges can overflow: what is asked for and what is held is bounded, with a word.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::DefaultKey;
using ::testing::HasSubstr;
using testing::Holding;
using testing::kNoon;
using testing::MakeFlavor;
using testing::MakeLocalQueue;
using testing::MakeNamespace;
using testing::MakeQueue;
using testing::MakeWorkload;

constexpr std::int64_t kMost = 1'000'000'000'000'000'000;  // what one workload may ask for

ResourceList Memory(const char* text) { return {{"memory", *Quantity::Parse(text)}}; }

class AmountLimits : public ::testing::Test {
 protected:
  /// A queue with this much memory, in a cohort where one is named.
  void AddQueue(const std::string& name, const char* memory, const std::string& cohort = "") {
    ClusterQueue queue = MakeQueue(name, cohort, {{"default", "memory", 0, {}, {}}});
    queue.resource_groups[0].flavors[0].resources[0].nominal = *Quantity::Parse(memory);
    Apply({MakeNamespace(), MakeFlavor("default"), queue, MakeLocalQueue(name)});
  }
  void Apply(const std::vector<Object>& objects) {
    const Status status = engine_.Apply(objects, kNoon);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  std::string Refusal(const Workload& workload) {
    return Text(engine_.Submit(std::vector{workload}, kNoon));
  }
  /// Places, what is wrong and what to write instead.
  static std::string Text(const Status& status) {
    if (status.ok()) return "accepted";
    std::string text;
    for (const Problem& problem : status.problems()) {
      text += problem.field + ": " + problem.what + "; " + problem.cure + "\n";
    }
    return text;
  }
  void Cycle() {
    ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
    const Status status = engine_.CheckInvariants();
    ASSERT_TRUE(status.ok()) << status.message();
  }
  Amount Usage(const std::string& name) {
    for (const ClusterQueueView& queue : *engine_.ClusterQueues()) {
      if (queue.spec.name == name) return queue.quotas.at(0).usage;
    }
    return -1;
  }
  Engine engine_;
};

TEST_F(AmountLimits, AJobOfTwiceTheLargestQuotaIsRefused) {
  AddQueue("q", "8Ei", "cohort");
  EXPECT_THAT(Refusal(MakeWorkload("w", "q", Memory("7Ei"), 0, 2)),
              HasSubstr("spec.podSets[0].template.spec.containers[0].resources.requests[memory]: 2 "
                        "pods with 7Ei memory each: a workload may ask for at most 1E memory "
                        "in all; write 1E or less"));
  Cycle();
}

TEST_F(AmountLimits, JobsThatTogetherWouldOverflowAreRefusedOneByOne) {
  AddQueue("q", "8Ei");
  EXPECT_THAT(Refusal(MakeWorkload("a", "q", Memory("6Ei"))), HasSubstr("at most 1E memory"));
}

TEST_F(AmountLimits, TheCountIsNamedWhereTheRequestAloneIsFine) {
  AddQueue("q", "8Ei");
  EXPECT_THAT(Refusal(MakeWorkload("w", "q", Memory("1P"), 0, 1001)),
              HasSubstr("spec.podSets[0].count: 1001 pods with 1P memory each: a workload may ask "
                        "for at most 1E memory in all; write a count of 1000 or less, or a smaller "
                        "request"));
  EXPECT_EQ(Refusal(MakeWorkload("w", "q", Memory("1P"), 0, 1000)), "accepted");
}

TEST_F(AmountLimits, PodsetsCountTogether) {
  AddQueue("q", "8Ei");
  Workload workload = MakeWorkload("w", "q", Memory("600P"));
  PodSet second = std::as_const(workload).pod_sets.front();
  second.name = "second";
  workload.pod_sets.push_back(second);
  EXPECT_THAT(Refusal(workload), HasSubstr("spec.podSets[1].count"));
}

TEST_F(AmountLimits, WhatALimitStandsForCountsToo) {
  AddQueue("q", "8Ei");
  Workload workload = MakeWorkload("w", "q", {});
  workload.pod_sets.Mutable().front().pods.containers[0].limits = Memory("2E");
  EXPECT_THAT(Refusal(workload), HasSubstr("resources.limits[memory]"));
}

TEST_F(AmountLimits, UnlimitedQuotaHoldsNoMoreThanCanBeCounted) {
  AddQueue("a", "8Ei");
  AddQueue("b", "8Ei");
  for (const char* name : {"a1", "a2", "a3", "b1", "b2", "b3"}) {
    ASSERT_EQ(Refusal(MakeWorkload(name, std::string(1, name[0]), Memory("1E"))), "accepted");
  }
  for (int i = 0; i < 4; ++i) Cycle();
  EXPECT_EQ(Usage("a") + Usage("b"), 4 * kMost) << "the queues are endless, the counting is not";
  ASSERT_TRUE(engine_.Finish(std::vector{DefaultKey("a1")}, false, kNoon).ok());
  for (int i = 0; i < 4; ++i) Cycle();
  EXPECT_EQ(Usage("a") + Usage("b"), 4 * kMost) << "the next one had waited for it";
}

TEST_F(AmountLimits, OneThatCannotBeCountedLetsOthersPass) {
  AddQueue("full", "10E");
  AddQueue("q", "10E");
  Apply({Holding(MakeWorkload("a", "full", Memory("1E")), "full"),
         Holding(MakeWorkload("b", "full", Memory("1E")), "full"),
         Holding(MakeWorkload("c", "full", Memory("1E")), "full"),
         Holding(MakeWorkload("d", "full", Memory("500P")), "full")});
  ASSERT_EQ(Refusal(MakeWorkload("big", "q", Memory("1E"), 9)), "accepted");
  ASSERT_EQ(Refusal(MakeWorkload("equal", "q", Memory("1E"), 9)), "accepted");
  ASSERT_EQ(Refusal(MakeWorkload("small", "q", Memory("1P"))), "accepted");
  Cycle();
  const std::string verdict = engine_.Explain(DefaultKey("big"))->verdict;
  EXPECT_THAT(verdict, HasSubstr("All workloads together may hold at most 4E memory, which is as "
                                 "much as can be counted; others must end first"));
  Cycle();
  EXPECT_EQ(Usage("q"), kMost / 1000) << "the small one behind it started";
  for (const PendingWorkload& waits : *engine_.Pending()) EXPECT_TRUE(waits.parked);
  const Result<CycleResult> idle = engine_.RunCycle(kNoon);
  ASSERT_TRUE(idle.ok());
  EXPECT_TRUE(idle->idle());
  ASSERT_TRUE(engine_.Finish(std::vector{DefaultKey("a")}, false, kNoon).ok());
  Cycle();
  EXPECT_EQ(Usage("q"), kMost + kMost / 1000) << "an end in a tree of its own makes room to count";
}

TEST_F(AmountLimits, AStrictQueueWaitsForItsHeadThatCannotBeCounted) {
  ClusterQueue strict = MakeQueue("q", "", {{"default", "memory", 0, {}, {}}});
  strict.resource_groups[0].flavors[0].resources[0].nominal = *Quantity::Parse("10E");
  strict.queueing_strategy = QueueingStrategy::kStrictFifo;
  Apply({MakeNamespace(), MakeFlavor("default"), strict, MakeLocalQueue("q")});
  for (const char* name : {"a", "b", "c", "d"}) {
    Apply({Holding(MakeWorkload(name, "q", Memory("1E")), "q")});
  }
  ASSERT_EQ(Refusal(MakeWorkload("big", "q", Memory("1E"), 9)), "accepted");
  ASSERT_EQ(Refusal(MakeWorkload("small", "q", Memory("1P"))), "accepted");
  Cycle();
  Cycle();
  EXPECT_EQ(Usage("q"), 4 * kMost);
  EXPECT_FALSE(engine_.Pending()->at(0).parked);
  ASSERT_TRUE(engine_.Finish(std::vector{DefaultKey("a")}, false, kNoon).ok());
  Cycle();
  EXPECT_EQ(Usage("q"), 4 * kMost);
}

TEST_F(AmountLimits, WhatALimitRangeAddsIsBoundedToo) {
  AddQueue("q", "10E");
  LimitRange range;
  range.key = {"default", "range"};
  range.items.resize(1);
  range.items[0].default_requests = Memory("600P");
  Apply({range});
  ASSERT_EQ(Refusal(MakeWorkload("w", "q", {}, 0, 2)), "accepted");
  Cycle();
  EXPECT_EQ(Usage("q"), 0);
  EXPECT_THAT(engine_.Pending()->at(0).message,
              HasSubstr("A workload may hold at most 1E memory in all, and it asks for more"));
  const Explanation explanation = *engine_.Explain(DefaultKey("w"));
  EXPECT_THAT(explanation.verdict, HasSubstr("never starts"));
  const FlavorAttempt& attempt = explanation.flavors.at(0);
  EXPECT_EQ(attempt.mode, FlavorMode::kNoFit) << "its figures say the same";
  EXPECT_EQ(attempt.resources.at(0).mode, FlavorMode::kNoFit);
  EXPECT_EQ(attempt.resources.at(0).maximum, kMost);
}

TEST_F(AmountLimits, QuotaThatCanNeverBeUsedIsRefused) {
  const auto refusal = [&](const char* nominal, const char* borrowing) {
    ClusterQueue queue = MakeQueue("q", "cohort", {{"default", "memory", 0, {}, {}}});
    ResourceQuota& quota = queue.resource_groups[0].flavors[0].resources[0];
    quota.nominal = *Quantity::Parse(nominal);
    quota.borrowing_limit = *Quantity::Parse(borrowing);
    return Text(
        engine_.Apply(std::vector<Object>{MakeNamespace(), MakeFlavor("default"), queue}, kNoon));
  };
  EXPECT_EQ(refusal("4E", "4E"), "accepted");
  EXPECT_EQ(refusal("8Ei", "10E"), "accepted") << "no end";
  EXPECT_THAT(refusal("5E", "1"),
              HasSubstr("resources[0].nominalQuota: 5E memory can never be used: all workloads "
                        "together may hold at most 4E; write 4E or less, or 10E for no end"));
  EXPECT_THAT(refusal("1", "4001P"), HasSubstr("resources[0].borrowingLimit: 4001P memory"));
}

TEST_F(AmountLimits, WhatIsSaidToBeHeldIsBoundedWithWhatIsHeld) {
  AddQueue("q", "1");  // what is held already may exceed the quota
  std::vector<Object> holders;
  for (const char* name : {"a", "b", "c", "d"}) {
    holders.push_back(Holding(MakeWorkload(name, "q", Memory("1E")), "q"));
  }
  Apply(holders);
  const Workload one_more = Holding(MakeWorkload("e", "q", Memory("1")), "q");
  EXPECT_THAT(Refusal(one_more),
              HasSubstr("status.admission.podSetAssignments[0].resourceUsage[memory]: 1 beside 4E "
                        "that workloads hold already: together they may hold at most 4E memory"));
  ASSERT_TRUE(engine_.Finish(std::vector{DefaultKey("a")}, false, kNoon).ok());
  EXPECT_EQ(Refusal(one_more), "accepted");
  Cycle();
}

TEST_F(AmountLimits, WhatADeletedQueueWasChargedCountsUntilItEnds) {
  AddQueue("q", "1");
  AddQueue("other", "8Ei");
  std::vector<Object> holders;
  for (const char* name : {"a", "b", "c", "d"}) {
    holders.push_back(Holding(MakeWorkload(name, "q", Memory("1E")), "q"));
  }
  Apply(holders);
  ASSERT_TRUE(engine_.Delete(ObjectKind::kClusterQueue, {"", "q"}, kNoon, /*force=*/true).ok());
  EXPECT_THAT(Refusal(Holding(MakeWorkload("e", "other", Memory("1")), "other")),
              HasSubstr("hold already"));
  ASSERT_EQ(Refusal(MakeWorkload("waits", "other", Memory("1"))), "accepted");
  Cycle();
  EXPECT_EQ(Usage("other"), 0) << "the queue may come back, and its workloads with it";
  AddQueue("q", "1");
  Cycle();
  EXPECT_EQ(Usage("q"), 4 * kMost);
  ASSERT_TRUE(engine_.Finish(std::vector{DefaultKey("b")}, false, kNoon).ok());
  Cycle();
  EXPECT_EQ(Usage("other"), 1);
}

TEST_F(AmountLimits, AnInactiveHolderCountsUntilItsPodsAreGone) {
  AddQueue("q", "8Ei");
  Apply({Holding(MakeWorkload("a", "q", Memory("1E")), "q")});
  WorkloadUpdate off;
  off.workload = DefaultKey("a");
  off.active = false;
  ASSERT_TRUE(engine_.Update(off, kNoon).ok());
  ASSERT_TRUE(engine_.CheckInvariants().ok());
  ASSERT_TRUE(engine_.Evicted(*engine_.Evicting(), kNoon).ok());
  ASSERT_TRUE(engine_.CheckInvariants().ok());
}

TEST_F(AmountLimits, DevicesAreNotDivided) {
  AddQueue("q", "8Ei");
  const auto refusal = [&](const char* resource, const char* amount) {
    return Refusal(MakeWorkload("w", "q", {{resource, *Quantity::Parse(amount)}}));
  };
  EXPECT_THAT(refusal("nvidia.com/gpu", "0.5"),
              HasSubstr("requests[nvidia.com/gpu]: 500m is not a whole number: \"nvidia.com/gpu\" "
                        "is not divided; write 1"));
  EXPECT_THAT(refusal("nvidia.com/gpu", "1500m"), HasSubstr("write 1 or 2"));
  EXPECT_EQ(refusal("memory", "0.5"), "accepted") << "rounded up, as Kubernetes does";
}

TEST_F(AmountLimits, NothingThatAddsToARequestMayBeDividedEither) {
  LimitRange range;
  range.key = {"default", "range"};
  range.items.resize(1);
  range.items[0].default_requests = {{"nvidia.com/gpu", Quantity::Milli(500)}};
  EXPECT_THAT(Text(engine_.Apply(std::vector<Object>{MakeNamespace(), range}, kNoon)),
              HasSubstr("defaultRequest[nvidia.com/gpu]"));
  RuntimeClass runtime;
  runtime.name = "boxed";
  runtime.overhead = {{"nvidia.com/gpu", Quantity::Milli(500)}};
  EXPECT_THAT(Text(engine_.Apply(std::vector<Object>{runtime}, kNoon)),
              HasSubstr("overhead.podFixed[nvidia.com/gpu]"));
}

TEST_F(AmountLimits, MisfitsNameWhatNeverFits) {
  AddQueue("q", "10");
  EXPECT_TRUE(engine_.Misfits(MakeWorkload("w", "q", Memory("10")))->empty());
  const auto misfit = [&](const Workload& workload) {
    const std::vector<Problem> found = *engine_.Misfits(workload);
    return found.size() == 1 ? found[0].field + ": " + found[0].what : "not one";
  };
  EXPECT_EQ(misfit(MakeWorkload("w", "q", Memory("6"), 0, 2)),
            "spec.podSets[0].template.spec.containers[0].resources.requests[memory]: asks for 12 "
            "memory in 2 pods, and ClusterQueue q can never have more than 10 in one flavor, "
            "borrowing included: it will never start");
  EXPECT_THAT(misfit(MakeWorkload("w", "q", {{"example.com/fpga", Quantity::Units(1)}})),
              HasSubstr("asks for 1 example.com/fpga, which no resource group of ClusterQueue q "
                        "covers"));
  Workload two = MakeWorkload("w", "q", Memory("6"));
  PodSet second = std::as_const(two).pod_sets.front();
  second.name = "second";
  two.pod_sets.push_back(second);
  EXPECT_THAT(misfit(two), HasSubstr("spec.podSets: asks for 12 memory in all"));
  AddQueue("rich", "100", "cohort");
  ClusterQueue poor = MakeQueue("q", "cohort", {{"default", "memory", 10, {}, {}}});
  Apply({poor});
  EXPECT_TRUE(engine_.Misfits(MakeWorkload("w", "q", Memory("6"), 0, 2))->empty())
      << "it can borrow";
}

}  // namespace
}  // namespace muster
