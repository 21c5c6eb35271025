// What stands before a workload that would fit, or could make room: other heads, its own queue.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/unit/explain/explaining.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::DefaultKey;
using ::testing::HasSubstr;
using testing::Holding;
using testing::kNoon;
using testing::MakeFlavor;
using testing::MakeLocalQueue;
using testing::MakeNamespace;
using testing::MakeQueue;
using testing::MakeWorkload;

ClusterQueue Strict(ClusterQueue queue) {
  queue.queueing_strategy = QueueingStrategy::kStrictFifo;
  return queue;
}

using Turns = Explaining;

TEST_F(Turns, AHeadOfAnotherQueueThatReservesInEachCycleIsNamedWithItsCure) {
  Apply({MakeQueue("a", "co", {{.nominal = 4}}), MakeQueue("b", "co", {{.nominal = 2, .lend = 0}}),
         Strict(MakeQueue("c", "co", {{.nominal = 4}})), MakeLocalQueue("a"), MakeLocalQueue("b"),
         MakeLocalQueue("c"), Holding(MakeWorkload("h", "a", Cpu(6)), "a"),
         MakeWorkload("head", "c", Cpu(4), 5), MakeWorkload("w", "b", Cpu(4))});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Of("w").verdict,
              "default/w fits, but default/head of ClusterQueue c goes first and reserves what it "
              "needs, though it cannot start and may evict none that would make room: as the head "
              "of a StrictFIFO queue it does so in each cycle.");
    EXPECT_EQ(Of("w").cure,
              "let default/head start or leave, or set queueingStrategy of ClusterQueue c to "
              "BestEffortFIFO");
    EXPECT_TRUE(engine_.RunCycle(kNoon)->admitted.empty());
  }
  const Key head = DefaultKey("head");
  ASSERT_TRUE(engine_.Cancel(std::span(&head, 1), kNoon).ok());
  EXPECT_EQ(Of("w").verdict, "default/w fits and will be looked at in the next cycle.");
  EXPECT_EQ(engine_.RunCycle(kNoon)->admitted.size(), 1u);
}

TEST_F(Turns, InARaceTheOneThatGoesFirstIsNamed) {
  Apply({MakeQueue("a", "co", {{.nominal = 2}}), MakeQueue("b", "co", {{.nominal = 2}}),
         MakeLocalQueue("a"), MakeLocalQueue("b"), MakeWorkload("first", "a", Cpu(3), 5),
         MakeWorkload("w", "b", Cpu(3))});
  EXPECT_EQ(Of("w").verdict,
            "default/w fits, but default/first of ClusterQueue a goes first and takes what it "
            "needs.");
  EXPECT_EQ(Of("first").verdict, "default/first fits and will be looked at in the next cycle.");
  EXPECT_EQ(testing::AdmittedNames(*engine_.RunCycle(kNoon)), std::vector<std::string>{"first"});
}

TEST_F(Turns, AHeadThatLeavesEnoughIsNotNamed) {
  Apply({MakeQueue("a", "co", {{.nominal = 4}}), MakeQueue("b", "co", {{.nominal = 4}}),
         MakeLocalQueue("a"), MakeLocalQueue("b"), MakeWorkload("first", "a", Cpu(3), 5),
         MakeWorkload("w", "b", Cpu(3))});
  EXPECT_EQ(Of("w").verdict, "default/w fits and will be looked at in the next cycle.");
}

TEST_F(Turns, RoomThatEvictionsMakeIsForTheHeadFirst) {
  for (const bool strict : {false, true}) {
    Engine engine;
    ClusterQueue queue = MakeQueue("a", "", {{.nominal = 4}}, kLowerOrAny);
    if (strict) queue = Strict(queue);
    const std::vector<Object> objects{MakeNamespace(),
                                      MakeFlavor("default"),
                                      queue,
                                      MakeLocalQueue("a"),
                                      Holding(MakeWorkload("low", "a", Cpu(4), 1), "a"),
                                      MakeWorkload("head", "a", Cpu(4), 9),
                                      MakeWorkload("w", "a", Cpu(4), 5)};
    ASSERT_TRUE(engine.Apply(objects, kNoon).ok());
    EXPECT_EQ(engine.Explain(DefaultKey("w"))->verdict,
              std::string("default/w starts once 1 workload made room for it: default/low") +
                  (strict ? ". ClusterQueue a is StrictFIFO: none passes its head default/head."
                          : ", but default/head comes first."));
    EXPECT_EQ(engine.Explain(DefaultKey("head"))->verdict,
              "default/head starts once 1 workload made room for it: default/low.");
  }
}

TEST_F(Turns, OneThatIsParkedIsNotPromisedAStart) {
  Apply({MakeFlavor("h100"), MakeFlavor("a100"),
         MakeQueue("a", "co", {{.flavor = "h100", .nominal = 8}, {.flavor = "a100", .nominal = 4}},
                   kLowerOrAny),
         MakeQueue("b", "co", {{.flavor = "h100", .nominal = 8}}), MakeLocalQueue("a"),
         MakeLocalQueue("b"), Holding(MakeWorkload("low", "a", Cpu(4)), "a", "h100"),
         MakeWorkload("hi", "a", Cpu(8), 100), MakeWorkload("other", "b", Cpu(8))});
  while (!engine_.RunCycle(kNoon)->at_rest) {
  }
  const Explanation explanation = Of("hi");
  ASSERT_TRUE(explanation.workload.parked);
  EXPECT_EQ(explanation.verdict,
            "default/hi could start once 1 workload made room for it: default/low; but it is "
            "parked until something changes in its cohort (the last cycle said "
            "ExceedsMaxQuota).");
  EXPECT_THAT(explanation.cure, HasSubstr("change something in its cohort"));
}

TEST_F(Turns, AFlavorThatIsTooSmallIsNotToBeMatchedOrTolerated) {
  ResourceFlavor tainted = MakeFlavor("tainted");
  tainted.node_taints.push_back({"spot", "yes", TaintEffect::kNoSchedule});
  Apply({tainted, MakeQueue("a", "", {{.nominal = 4}, {.flavor = "tainted", .nominal = 1}}),
         MakeQueue("b", "", {{.flavor = "tainted", .nominal = 1}}), MakeLocalQueue("a"),
         MakeLocalQueue("b"), Holding(MakeWorkload("h", "a", Cpu(3)), "a"),
         MakeWorkload("w", "a", Cpu(2)), MakeWorkload("small", "a", Cpu(1), -1),
         MakeWorkload("alone", "b", Cpu(2))});
  EXPECT_EQ(Of("w").cure, "free 1 cpu of flavor default");
  EXPECT_EQ(Of("alone").cure,
            "ask for at most 1 cpu in flavor tainted, and tolerate the taint of flavor tainted");
}

TEST_F(Turns, AQueueWithoutANamespaceSelectorIsToGetOne) {
  ClusterQueue queue = MakeQueue("a", "", {{.nominal = 4}});
  queue.namespace_selector.reset();
  Apply({queue, MakeLocalQueue("a"), MakeWorkload("w", "a", Cpu(1))});
  EXPECT_THAT(Of("w").cure, HasSubstr("write `namespaceSelector: {}`"));
}

TEST_F(Turns, UnderFairSharingACandidateHasTheReasonOfTheDecision) {
  Configuration fair;
  fair.fair_sharing.emplace();
  Apply({fair, MakeQueue("a", "co", {{.nominal = 4}}, kLowerOrAny),
         MakeQueue("b", "co", {{.nominal = 4}}), MakeLocalQueue("a"), MakeLocalQueue("b"),
         Holding(MakeWorkload("h1", "b", Cpu(4)), "b"),
         Holding(MakeWorkload("h2", "b", Cpu(4)), "b"), MakeWorkload("w", "a", Cpu(4))});
  const Explanation explanation = Of("w");
  const CycleResult cycle = *engine_.RunCycle(kNoon);
  ASSERT_EQ(cycle.preempted.size(), 1u);
  EXPECT_EQ(cycle.preempted[0].reason, PreemptionReason::kInCohortReclamation);
  ASSERT_FALSE(explanation.candidates.empty());
  for (const CandidateTrace& candidate : explanation.candidates) {
    EXPECT_EQ(candidate.reason, cycle.preempted[0].reason) << candidate.workload.name;
  }
}

TEST_F(Turns, AStartWithFewerPodsIsForetold) {
  Workload elastic = MakeWorkload("w", "a", Cpu(1), 0, 8);
  elastic.pod_sets[0].min_count = 2;
  Apply({MakeQueue("a", "", {{.nominal = 5}}), MakeLocalQueue("a"), elastic});
  EXPECT_EQ(Of("w").verdict,
            "default/w fits with 5 of 8 pods and will be looked at in the next cycle.");
}

TEST_F(Turns, WhatKeepsAQueueClosedIsNamed) {
  LocalQueue stopped = MakeLocalQueue("a");
  stopped.stop_policy = StopPolicy::kHold;
  ClusterQueue held = MakeQueue("c", "", {{.nominal = 1}});
  held.stop_policy = StopPolicy::kHold;
  Apply({MakeQueue("a", "", {{.nominal = 4}}), stopped, MakeLocalQueue("b"), held,
         MakeLocalQueue("c"), MakeQueue("e", "", {{.flavor = "none", .nominal = 1}}),
         MakeLocalQueue("e"), MakeQueue("f", "", {{.nominal = 1}}), MakeLocalQueue("f"),
         MakeWorkload("wa", "a", Cpu(1)), MakeWorkload("wb", "b", Cpu(1)),
         MakeWorkload("wc", "c", Cpu(1)), MakeWorkload("wd", "d", Cpu(1)),
         MakeWorkload("we", "e", Cpu(1)), MakeWorkload("wf", "f", Cpu(1))});
  EXPECT_EQ(Of("wa").workload.closed, "LocalQueue default/lq-a is stopped");
  EXPECT_EQ(Of("wb").workload.closed, "ClusterQueue b does not exist");
  EXPECT_EQ(Of("wc").workload.closed, "ClusterQueue c is stopped");
  EXPECT_EQ(Of("wd").workload.closed, "LocalQueue default/lq-d does not exist");
  EXPECT_THAT(Of("we").workload.closed, HasSubstr("ClusterQueue e is not active: "));
  EXPECT_EQ(Of("wf").workload.closed, "");
  std::vector<std::string> held_ones;
  for (const PendingWorkload& each : *engine_.Held()) held_ones.push_back(each.workload.name);
  EXPECT_EQ(held_ones, (std::vector<std::string>{"wa", "wb", "wd"}));
}

TEST_F(Turns, OneThatIsActiveAgainIsNotCalledDeactivated) {
  Apply(
      {MakeQueue("a", "", {{.nominal = 1}}), MakeLocalQueue("a"), MakeWorkload("w", "a", Cpu(2))});
  WorkloadUpdate update;
  update.workload = DefaultKey("w");
  update.active = false;
  ASSERT_TRUE(engine_.Update(update, kNoon).ok());
  EXPECT_EQ(Of("w").workload.message, "The workload is deactivated");
  update.active = true;
  ASSERT_TRUE(engine_.Update(update, kNoon).ok());
  EXPECT_EQ(Of("w").workload.message, "");
}

TEST_F(Turns, AnAdmittedOneSaysUntilWhenItMayGoOn) {
  Configuration config;
  config.wait_for_pods_ready.emplace();
  config.wait_for_pods_ready->timeout = 60 * kSecond;
  Workload limited = MakeWorkload("w", "a", Cpu(1));
  limited.max_execution_seconds = 600;
  Apply({config, MakeQueue("a", "", {{.nominal = 4}}), MakeLocalQueue("a"), limited});
  ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
  EXPECT_EQ(Of("w").verdict,
            "default/w is admitted, has to be ready by 2026-01-01T12:01:00Z (waitForPodsReady), "
            "and may run until 2026-01-01T12:10:00Z (maximumExecutionTimeSeconds).");
  EXPECT_EQ(Of("w").until, kNoon + 60 * kSecond);
  const Key key = DefaultKey("w");
  ASSERT_TRUE(engine_.Ready(std::span(&key, 1), kNoon).ok());
  EXPECT_EQ(Of("w").until, kNoon + 600 * kSecond);
}

}  // namespace
}  // namespace muster
