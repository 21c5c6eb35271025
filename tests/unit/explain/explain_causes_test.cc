// Every cause for which a workload waits is named with its figures and with what would help.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/unit/explain/explaining.h"

namespace muster {
namespace {

using testing::Cpu;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Holding;
using ::testing::IsEmpty;
using testing::kNoon;
using testing::MakeFlavor;
using testing::MakeLocalQueue;
using testing::MakeQueue;
using testing::MakeWorkload;
using ::testing::SizeIs;
using Fate = CandidateTrace::Fate;

using Causes = Explaining;

TEST_F(Causes, AShortageSaysWhatIsAskedWhatIsLeftAndWhatEvictionsCouldFree) {
  Apply({MakeQueue("a", "", {{.nominal = 6}}, kLowerOrAny), MakeLocalQueue("a"),
         Holding(MakeWorkload("low", "a", Cpu(1), 1), "a"),
         Holding(MakeWorkload("high", "a", Cpu(4), 9), "a")});
  const Explanation explanation = OfNew(MakeWorkload("w", "a", Cpu(4), 5));
  EXPECT_EQ(explanation.verdict,
            "default/w is short of 3 cpu in flavor default: it asks for 4, ClusterQueue a has 1 "
            "left, and evictions could free at most 1.");
  EXPECT_EQ(explanation.cure, "free 3 cpu of flavor default");
  EXPECT_EQ(explanation.flavors.at(0).resources.at(0).freeable, 1000);
  EXPECT_FALSE(explanation.never);
}

TEST_F(Causes, NoHolderIsEvictableWhereNoneIsTakenAndEachSaysWhy) {
  Apply({MakeQueue("a", "co", {{.nominal = 6}}, kLowerOrAny),
         MakeQueue("b", "co", {{.nominal = 1}}), MakeLocalQueue("a"), MakeLocalQueue("b"),
         Holding(MakeWorkload("low", "a", Cpu(1), 1), "a"),
         Holding(MakeWorkload("high", "a", Cpu(5), 9), "a"),
         Holding(MakeWorkload("other", "b", Cpu(1)), "b")});
  const Explanation explanation = OfNew(MakeWorkload("w", "a", Cpu(4), 5));
  std::vector<std::string> why;
  for (const HolderView& holder : explanation.holders) {
    EXPECT_FALSE(holder.evictable) << holder.workload.name;
    why.push_back(holder.workload.name + ": " + holder.why);
  }
  EXPECT_THAT(why, ElementsAre("low: would not make enough room",
                               "high: withinClusterQueue: LowerPriority, and its priority 9 is not "
                               "below 5",
                               "other: its ClusterQueue borrows none of it"));
}

TEST_F(Causes, ReclaimThatWouldBorrowSaysThatItMayNot) {
  Apply({MakeQueue("a", "co", {{.nominal = 4}}, kLowerOrAny),
         MakeQueue("b", "co", {{.nominal = 4}}), MakeLocalQueue("a"), MakeLocalQueue("b"),
         Holding(MakeWorkload("own", "a", Cpu(2), 9), "a"),
         Holding(MakeWorkload("other", "b", Cpu(5)), "b")});
  const Explanation explanation = OfNew(MakeWorkload("w", "a", Cpu(3)));
  EXPECT_EQ(explanation.verdict,
            "default/w is short of 2 cpu in flavor default: it asks for 3, ClusterQueue a has 1 "
            "left, and evictions could free at most 5, but no set that it may evict makes room: it "
            "would borrow, and may reclaim only within its nominal quota.");
  ASSERT_THAT(explanation.holders, SizeIs(2));
  EXPECT_EQ(explanation.holders[0].why,
            "withinClusterQueue: LowerPriority, and its priority 9 is not below 0");
  EXPECT_EQ(explanation.holders[1].why, "reclaim does not go beyond nominal quota");
}

constexpr PreemptionRules kLowerWhileBorrowing{
    PreemptionPolicy::kLowerPriority, PreemptionPolicy::kAny, PreemptionPolicy::kLowerPriority, 5};

class BorrowingCauses : public Explaining {
 protected:
  BorrowingCauses() : Explaining({"default", "small"}) {}

  /// One of queue a, beside one of 3 there and one of 5 and `theirs` in queue b.
  Explanation Asking(std::int32_t ours, std::int32_t theirs,
                     std::vector<testing::Quota> more = {}) {
    std::vector<testing::Quota> quotas{{.nominal = 4}};
    quotas.insert(quotas.end(), more.begin(), more.end());
    Apply({MakeQueue("a", "co", quotas, kLowerWhileBorrowing),
           MakeQueue("b", "co", {{.nominal = 4}}), MakeLocalQueue("a"), MakeLocalQueue("b"),
           Holding(MakeWorkload("own", "a", Cpu(3), 99), "a"),
           Holding(MakeWorkload("other", "b", Cpu(5), theirs), "b")});
    return OfNew(MakeWorkload("w", "a", Cpu(3), ours));
  }
};

TEST_F(BorrowingCauses, APriorityThatIsNotBelowIsNamed) {
  const Explanation explanation = Asking(0, 0);
  EXPECT_EQ(explanation.verdict,
            "default/w is short of 3 cpu in flavor default: it asks for 3, ClusterQueue a has 0 "
            "left, and evictions could free at most 5, but no set that it may evict makes room: it "
            "would borrow, and may then evict in other queues only priorities below 0 "
            "(borrowWithinCohort).");
  ASSERT_THAT(explanation.holders, SizeIs(2));
  EXPECT_EQ(explanation.holders[1].why,
            "borrowWithinCohort: LowerPriority, and its priority 0 is not below 0");
}

TEST_F(BorrowingCauses, AThresholdIsNamed) {
  const Explanation explanation = Asking(9, 6);
  EXPECT_THAT(explanation.verdict, HasSubstr("it would borrow, and may then evict in other queues "
                                             "only priorities up to 5 "
                                             "(borrowWithinCohort.maxPriorityThreshold)."));
  ASSERT_THAT(explanation.holders, SizeIs(2));
  EXPECT_EQ(
      explanation.holders[1].why,
      "borrowWithinCohort: LowerPriority, and its priority 6 is above maxPriorityThreshold 5");
}

TEST_F(BorrowingCauses, OneThatIsLowEnoughLeaves) {
  const Explanation explanation = Asking(1, 0);
  ASSERT_THAT(explanation.holders, SizeIs(2));
  EXPECT_TRUE(explanation.holders[0].evictable) << explanation.holders[0].why;
}

TEST_F(BorrowingCauses, OfTwoFlavorsItIsSaidToo) {
  EXPECT_THAT(
      Asking(0, 0, {{.flavor = "small", .nominal = 2}}).verdict,
      HasSubstr("default is short of 3 cpu (3 asked, 0 left, evictions could free at most 5, but "
                "no set that it may evict makes room: it would borrow, and may then evict in other "
                "queues only priorities below 0 (borrowWithinCohort))"));
}

TEST_F(Causes, EveryFlavorThatWasTriedIsNamed) {
  ResourceFlavor spot = MakeFlavor("spot");
  spot.node_taints.push_back({"spot", "yes", TaintEffect::kNoSchedule});
  Apply({spot, MakeFlavor("small"),
         MakeQueue("a", "",
                   {{.flavor = "spot", .nominal = 8},
                    {.flavor = "small", .nominal = 1},
                    {.flavor = "default", .nominal = 4}}),
         MakeLocalQueue("a"), Holding(MakeWorkload("h", "a", Cpu(3)), "a")});
  const Explanation explanation = OfNew(MakeWorkload("w", "a", Cpu(2)));
  EXPECT_EQ(explanation.verdict,
            "default/w fits none of 3 flavors of ClusterQueue a: untolerated taint "
            "spot=yes:NoSchedule in flavor spot; small can never have more than 1 cpu (2 "
            "asked); default is short of 1 cpu (2 asked, 1 left, evictions could free none).");
  EXPECT_THAT(explanation.cure, HasSubstr("tolerate the taint of flavor spot"));
  EXPECT_THAT(explanation.cure, HasSubstr("free 1 cpu of flavor default"));
  EXPECT_FALSE(explanation.never);
}

TEST_F(Causes, NeverIsSaidWhereNoFlavorCouldDo) {
  Apply({MakeFlavor("small"),
         MakeQueue("a", "", {{.flavor = "small", .nominal = 1}, {.nominal = 4}}),
         MakeLocalQueue("a")});
  const Explanation explanation = OfNew(MakeWorkload("w", "a", Cpu(5)));
  EXPECT_TRUE(explanation.never);
  EXPECT_THAT(explanation.verdict, HasSubstr("It can never start as objects are now."));
  EXPECT_THAT(explanation.cure, HasSubstr("ask for at most 4 cpu in flavor default"));
}

TEST_F(Causes, AResourceThatNoGroupCoversIsNamedWithHowMuchIsAsked) {
  Apply({MakeQueue("a", "", {{.nominal = 4}}), MakeLocalQueue("a")});
  const Explanation explanation = OfNew(MakeWorkload(
      "w", "a", {{"cpu", Quantity::Units(1)}, {"nvidia.com/gpu", Quantity::Units(2)}}));
  EXPECT_TRUE(explanation.never);
  EXPECT_EQ(
      explanation.verdict,
      "default/w asks for 2 nvidia.com/gpu, which no resource group of ClusterQueue a covers: "
      "it can never start there.");
  EXPECT_THAT(explanation.cure, HasSubstr("cover nvidia.com/gpu"));
}

TEST_F(Causes, ABorrowingLimitInTheWayIsNamed) {
  Apply({MakeQueue("a", "co", {{.nominal = 4, .borrow = 1}}),
         MakeQueue("b", "co", {{.nominal = 4}}), MakeLocalQueue("a"),
         Holding(MakeWorkload("h", "a", Cpu(4)), "a")});
  EXPECT_THAT(OfNew(MakeWorkload("w", "a", Cpu(2))).cure,
              HasSubstr("raise borrowingLimit 1 of ClusterQueue a, above which 4 are idle"));
  const Explanation never = OfNew(MakeWorkload("huge", "a", Cpu(7)));
  EXPECT_TRUE(never.never);
  EXPECT_THAT(never.cure, HasSubstr("raise borrowingLimit 1 of ClusterQueue a"));
}

TEST_F(Causes, ALendingLimitThatKeepsQuotaIdleIsNamed) {
  Apply({MakeQueue("a", "co", {{.nominal = 4}}), MakeQueue("b", "co", {{.nominal = 4, .lend = 1}}),
         MakeLocalQueue("a"), Holding(MakeWorkload("h", "a", Cpu(4)), "a")});
  EXPECT_THAT(OfNew(MakeWorkload("w", "a", Cpu(2))).cure,
              HasSubstr("lendingLimit 1 of ClusterQueue b, which keeps 3 idle"));
  EXPECT_THAT(OfNew(MakeWorkload("huge", "a", Cpu(7))).cure,
              HasSubstr("lendingLimit 1 of ClusterQueue b, which keeps 3 for itself"));
}

TEST_F(Causes, ALimitThatNoValueWouldCureIsNotNamed) {
  Apply({MakeQueue("a", "co", {{.nominal = 4, .borrow = 2, .lend = 2}}),
         MakeQueue("b", "co", {{.nominal = 4}}), MakeLocalQueue("a"),
         Holding(MakeWorkload("h", "a", Cpu(5)), "a"),
         Holding(MakeWorkload("g", "b", Cpu(2)), "b")});
  EXPECT_EQ(OfNew(MakeWorkload("big", "a", Cpu(9))).cure,
            "ask for at most 6 cpu in flavor default, or raise the quota of cpu there");
  EXPECT_EQ(OfNew(MakeWorkload("now", "a", Cpu(3))).cure, "free 2 cpu of flavor default")
      << "above the limit is only 1 idle";
}

TEST_F(Causes, LimitsThatHelpTogetherAreNamedTogether) {
  Apply({testing::MakeCohort("top", ""),
         testing::MakeCohort("left", "top", {{.nominal = 0, .borrow = 1}}),
         MakeQueue("a", "left", {{.nominal = 2, .borrow = 1}}),
         MakeQueue("b", "top", {{.nominal = 9, .lend = 3}}), MakeLocalQueue("a")});
  EXPECT_EQ(OfNew(MakeWorkload("w", "a", Cpu(4))).cure,
            "ask for at most 3 cpu in flavor default, or raise borrowingLimit 1 of ClusterQueue a "
            "and borrowingLimit 1 of Cohort left");
  EXPECT_EQ(OfNew(MakeWorkload("v", "a", Cpu(8))).cure,
            "ask for at most 3 cpu in flavor default, or raise borrowingLimit 1 of ClusterQueue a "
            "and borrowingLimit 1 of Cohort left and lendingLimit 3 of ClusterQueue b, which keeps "
            "6 for itself");
}

TEST_F(Causes, AllThatAFlavorRefusesForIsToldTogether) {
  ResourceFlavor spot = MakeFlavor("spot");
  spot.node_labels["zone"] = "a";
  spot.node_taints.push_back({"spot", "yes", TaintEffect::kNoSchedule});
  ResourceFlavor other = MakeFlavor("other");
  other.node_labels["zone"] = "b";
  Apply({spot, other,
         MakeQueue("a", "", {{.flavor = "spot", .nominal = 8}, {.flavor = "other", .nominal = 8}}),
         MakeQueue("b", "", {{.flavor = "spot", .nominal = 8}}), MakeLocalQueue("a"),
         MakeLocalQueue("b")});
  Workload picky = MakeWorkload("w", "a", Cpu(1));
  picky.pod_sets[0].pods.node_selector["zone"] = "c";
  EXPECT_EQ(OfNew(picky).cure,
            "let its node selector or affinity match the nodeLabels of flavor other");
  Workload lost = MakeWorkload("v", "b", Cpu(1));
  lost.pod_sets[0].pods.node_selector["zone"] = "c";
  EXPECT_EQ(OfNew(lost).cure,
            "tolerate the taint of flavor spot, and let its node selector or affinity match the "
            "nodeLabels of flavor spot");
}

TEST_F(Causes, UnderPartialAdmissionTheFewestPodsCount) {
  Apply({MakeQueue("a", "", {{.nominal = 4}}), MakeLocalQueue("a"),
         Holding(MakeWorkload("h", "a", Cpu(3)), "a")});
  Workload elastic = MakeWorkload("w", "a", Cpu(1), 0, 6);
  elastic.pod_sets[0].min_count = 2;
  const Explanation explanation = OfNew(elastic);
  EXPECT_TRUE(explanation.fewest_pods);
  EXPECT_FALSE(explanation.never) << "6 pods never fit, 2 do";
  EXPECT_THAT(explanation.verdict,
              HasSubstr("default/w with the fewest pods that it may start with is short of 1 cpu"));
  Workload hopeless = MakeWorkload("v", "a", Cpu(1), 0, 9);
  hopeless.pod_sets[0].min_count = 5;
  EXPECT_TRUE(OfNew(hopeless).never);
}

TEST_F(Causes, BehindAStrictHeadTheHeadIsNamed) {
  ClusterQueue queue = MakeQueue("a", "", {{.nominal = 4}});
  queue.queueing_strategy = QueueingStrategy::kStrictFifo;
  Apply({queue, MakeLocalQueue("a"), Holding(MakeWorkload("h", "a", Cpu(3)), "a"),
         MakeWorkload("head", "a", Cpu(2), 5)});
  ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
  const Explanation explanation = OfNew(MakeWorkload("w", "a", Cpu(1)));
  EXPECT_EQ(
      explanation.verdict,
      "default/w fits. ClusterQueue a is StrictFIFO: none passes its head default/head, which "
      "waits (WaitingForQuota).");
  EXPECT_THAT(explanation.cure, HasSubstr("let default/head start or leave"));
}

TEST_F(Causes, AdmissionGatesAreNamedUntilTheyAreGone) {
  Workload job = MakeWorkload("w", "a", Cpu(1));
  job.annotations["kueue.x-k8s.io/admission-gated-by"] = "example.com/data,example.com/budget";
  Apply({MakeQueue("a", "", {{.nominal = 4}}), MakeLocalQueue("a"), job});
  EXPECT_EQ(Of("w").verdict,
            "default/w is not queued before its admission gates are gone: "
            "example.com/data,example.com/budget.");
  EXPECT_THAT(Of("w").cure, HasSubstr("take each gate out of its annotation"));
  job.annotations.clear();
  Apply({job});
  EXPECT_EQ(Of("w").verdict, "default/w fits and will be looked at in the next cycle.");
}

TEST_F(Causes, WhatIsStoppedOrMissingIsNamedWithItsCure) {
  LocalQueue stopped = MakeLocalQueue("a");
  stopped.stop_policy = StopPolicy::kHold;
  LocalQueue lost = MakeLocalQueue("b");
  ClusterQueue drained = MakeQueue("c", "", {{.nominal = 1}});
  drained.stop_policy = StopPolicy::kHoldAndDrain;
  Apply({MakeQueue("a", "", {{.nominal = 4}}), stopped, lost, drained, MakeLocalQueue("c"),
         MakeWorkload("wa", "a", Cpu(1)), MakeWorkload("wb", "b", Cpu(1)),
         MakeWorkload("wc", "c", Cpu(1)), MakeWorkload("wd", "d", Cpu(1))});
  EXPECT_THAT(Of("wa").verdict, HasSubstr("LocalQueue default/lq-a is stopped"));
  EXPECT_THAT(Of("wa").cure, HasSubstr("stopPolicy of LocalQueue default/lq-a"));
  EXPECT_THAT(Of("wb").verdict, HasSubstr("ClusterQueue b of its LocalQueue default/lq-b"));
  EXPECT_THAT(Of("wc").cure, HasSubstr("stopPolicy of ClusterQueue c"));
  EXPECT_THAT(Of("wd").verdict, HasSubstr("LocalQueue default/lq-d does not exist"));
  for (const char* name : {"wa", "wb", "wc", "wd"}) EXPECT_NE(Of(name).cure, "") << name;
}

TEST_F(Causes, WhatCannotBeCountedDoesNotFit) {
  ResourceList most{{"memory", *Quantity::Parse("1000000000000000000")}};
  ClusterQueue queue = MakeQueue("a", "", {{.resource = "memory"}});
  queue.resource_groups[0].flavors[0].resources[0].nominal = *Quantity::Parse("9E");
  Apply({queue, MakeLocalQueue("a")});
  for (const char* name : {"b", "c", "d", "e"}) {
    ClusterQueue other = queue;
    other.name = name;
    Apply(
        {other, MakeLocalQueue(name), Holding(MakeWorkload("h-" + other.name, name, most), name)});
  }
  const Explanation explanation = OfNew(MakeWorkload("w", "a", most));
  EXPECT_THAT(explanation.verdict, HasSubstr("which is as much as can be counted"));
  EXPECT_EQ(explanation.cure, "others have to end first");
}

/// Answers of hooks: `victim` protects all, `preempt_limits` allows none, `queue_order` by name.
class Answers : public Policy {
 public:
  explicit Answers(Hook hook) {
    info_.name = "careful";
    info_.hash = std::string(64, 'a');
    HookInfo& info = info_.hooks.emplace_back();
    info.hook = hook;
    info.keys = 1;
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook hook, const muster_batch&, std::span<double> answers) override {
    for (double& answer : answers) {
      answer = hook == Hook::kVictim ? std::numeric_limits<double>::infinity() : 0;
    }
    return {};
  }

 private:
  PolicyInfo info_;
};

class PolicyCauses : public Causes {
 protected:
  Explanation Under(Hook hook, std::int32_t priority = 9) {
    Apply({MakeQueue("a", "", {{.nominal = 2}}, kLowerOrAny), MakeLocalQueue("a"),
           Holding(MakeWorkload("h", "a", Cpu(2), 5), "a")});
    EXPECT_TRUE(engine_.ActivatePolicy(std::make_shared<Answers>(hook), kNoon).ok());
    return OfNew(MakeWorkload("w", "a", Cpu(1), priority));
  }
};

TEST_F(PolicyCauses, AHolderThatAPolicyProtectsSaysWhich) {
  const Explanation explanation = Under(Hook::kVictim);
  ASSERT_THAT(explanation.holders, SizeIs(1));
  EXPECT_EQ(explanation.holders[0].why, "protected by policy careful");
  ASSERT_THAT(explanation.candidates, SizeIs(1));
  EXPECT_EQ(explanation.candidates[0].fate, Fate::kProtected);
  EXPECT_EQ(explanation.candidates[0].policy, "careful");
  EXPECT_THAT(explanation.verdict, HasSubstr("Policy careful protects 1 workload"));
}

TEST_F(PolicyCauses, LimitsThatForbidAnEvictionSayWhose) {
  const Explanation explanation = Under(Hook::kPreemptLimits);
  ASSERT_THAT(explanation.holders, SizeIs(1));
  EXPECT_EQ(explanation.holders[0].why, "forbidden by policy careful");
  EXPECT_EQ(explanation.candidates.at(0).fate, Fate::kForbidden);
  EXPECT_THAT(explanation.verdict, HasSubstr("Policy careful forbids the evictions"));
}

TEST_F(PolicyCauses, PrioritiesThatDecideAgainstTheOrderAreNoted) {
  const Explanation explanation = Under(Hook::kQueueOrder, 5);
  ASSERT_THAT(explanation.notes, SizeIs(1));
  EXPECT_THAT(explanation.notes[0],
              HasSubstr("Priority decides here, not queue_order of policy careful"));
}

TEST_F(PolicyCauses, WithoutAPolicyThereIsNothingToNote) {
  Apply({MakeQueue("a", "", {{.nominal = 2}}, kLowerOrAny), MakeLocalQueue("a"),
         Holding(MakeWorkload("h", "a", Cpu(2), 5), "a")});
  EXPECT_THAT(OfNew(MakeWorkload("w", "a", Cpu(1), 5)).notes, IsEmpty());
}

TEST_F(PolicyCauses, AnotherQueueThatCameFirstByPriorityIsNoted) {
  Apply({MakeQueue("a", "co", {{.nominal = 1}}), MakeQueue("b", "co", {{.nominal = 1}}),
         MakeLocalQueue("a"), MakeLocalQueue("b"), MakeWorkload("w", "a", Cpu(2), 1),
         MakeWorkload("first", "b", Cpu(2), 9)});
  ASSERT_TRUE(engine_.ActivatePolicy(std::make_shared<Answers>(Hook::kQueueOrder), kNoon).ok());
  ASSERT_THAT(testing::AdmittedNames(*engine_.RunCycle(kNoon)), ElementsAre("first"));
  const Explanation explanation = Of("w");
  ASSERT_THAT(explanation.notes, SizeIs(1));
  EXPECT_THAT(explanation.notes[0], HasSubstr("default/first came first with priority 9"));
}

}  // namespace
}  // namespace muster
