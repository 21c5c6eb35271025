// Explanations: the exact shortage, what holds it, what is ahead and by which key.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::DefaultKey;
using ::testing::HasSubstr;
using testing::Holding;
using ::testing::IsEmpty;
using testing::kNoon;
using testing::MakeWorkload;
using ::testing::SizeIs;

class Explain : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<Object> objects{
        testing::MakeNamespace(),
        testing::MakeFlavor("default"),
        testing::MakeQueue("a", "co", {{.nominal = 4}},
                           {PreemptionPolicy::kNever, PreemptionPolicy::kAny,
                            PreemptionPolicy::kNever, std::nullopt}),
        testing::MakeQueue("b", "co", {{.nominal = 4}}),
        testing::MakeLocalQueue("a"),
        testing::MakeLocalQueue("b"),
        Holding(MakeWorkload("borrower", "b", Cpu(5)), "b"),
        Holding(MakeWorkload("own", "a", Cpu(2)), "a")};
    ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
  }
  void Submit(const Workload& workload) {
    ASSERT_TRUE(engine_.Submit(std::span(&workload, 1), kNoon).ok());
  }
  Engine engine_;
};

TEST_F(Explain, NamesTheShortageAndItsHolders) {
  Submit(MakeWorkload("w", "a", Cpu(3)));
  const Result<Explanation> explanation = engine_.Explain(DefaultKey("w"));
  ASSERT_TRUE(explanation.ok());
  EXPECT_THAT(explanation->verdict, HasSubstr("short of 2 cpu in flavor default"));
  ASSERT_THAT(explanation->flavors, SizeIs(1));
  EXPECT_EQ(explanation->flavors[0].resources[0].shortage, 2000);
  EXPECT_THAT(explanation->holders, SizeIs(2));
  EXPECT_EQ(explanation->order_policy, "fifo-priority (native)");
}

TEST_F(Explain, SaysWhomItWouldEvict) {
  Submit(MakeWorkload("w", "a", Cpu(2)));
  const Result<Explanation> explanation = engine_.Explain(DefaultKey("w"));
  EXPECT_THAT(explanation->verdict, HasSubstr("made room"));
  ASSERT_THAT(explanation->candidates, SizeIs(1));
  EXPECT_EQ(explanation->candidates[0].workload.name, "borrower");
  EXPECT_EQ(explanation->candidates[0].fate, CandidateTrace::Fate::kVictim);
}

TEST_F(Explain, WhatWasToldToLeaveIsNotEvictedAgain) {
  Submit(MakeWorkload("w", "a", Cpu(2)));
  ASSERT_EQ(engine_.RunCycle(kNoon)->preempted.size(), 1u);
  const Result<Explanation> explanation = engine_.Explain(DefaultKey("w"));
  EXPECT_THAT(explanation->verdict, HasSubstr("told to leave already: default/borrower"));
  ASSERT_THAT(explanation->candidates, SizeIs(1));
  EXPECT_TRUE(explanation->candidates[0].leaving);
  bool found = false;
  for (const HolderView& holder : explanation->holders) {
    if (holder.workload.name != "borrower") continue;
    found = true;
    EXPECT_FALSE(holder.evictable);
    EXPECT_EQ(holder.why, "told to leave already");
  }
  EXPECT_TRUE(found);
}

TEST_F(Explain, SaysWhoIsAheadByTheFirstKeyThatDiffers) {
  Submit(MakeWorkload("first", "a", Cpu(1), 7));
  Submit(MakeWorkload("second", "a", Cpu(1), 2));
  const Result<Explanation> explanation = engine_.Explain(DefaultKey("second"));
  ASSERT_THAT(explanation->ahead, SizeIs(1));
  EXPECT_EQ(explanation->ahead[0].workload.name, "first");
  EXPECT_EQ(explanation->ahead[0].key, "priority");
  EXPECT_EQ(explanation->ahead[0].theirs, "7");
  EXPECT_EQ(explanation->ahead[0].ours, "2");
}

/// Fails in every hook.
class FailingPolicy : public Policy {
 public:
  FailingPolicy() {
    info_.name = "failing";
    info_.hash = std::string(64, 'f');
    for (const Hook hook : {Hook::kQueueOrder, Hook::kVictim}) {
      HookInfo& info = info_.hooks.emplace_back();
      info.hook = hook;
      info.place = "policy.lua:2";
    }
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook hook, const muster_batch&, std::span<double>) override {
    return {false, "policy.lua:3: no " + std::string(HookName(hook)), 7};
  }

 private:
  PolicyInfo info_;
};

TEST_F(Explain, NamesTheHooksThatFailAndWhoDecidesInstead) {
  ASSERT_TRUE(engine_.ActivatePolicy(std::make_shared<FailingPolicy>(), kNoon).ok());
  Submit(MakeWorkload("w", "a", Cpu(2)));
  const Result<Explanation> explanation = engine_.Explain(DefaultKey("w"));
  ASSERT_TRUE(explanation.ok());
  EXPECT_THAT(explanation->verdict,
              HasSubstr("for it: default/borrower. Hook victim of policy failing"));
  EXPECT_THAT(explanation->verdict,
              HasSubstr("fails, so the built-in rule decides: policy.lua:3: no victim (fuel 7)."));
  EXPECT_THAT(explanation->verdict, HasSubstr("no queue_order (fuel 7)."));
  EXPECT_EQ(explanation->order_policy,
            "fifo-priority (native), as queue_order of failing@ffffffffffff policy.lua:2 fails");
}

TEST_F(Explain, ChangesNothing) {
  Submit(MakeWorkload("w", "a", Cpu(3)));
  const std::string before = *engine_.StateHash();
  ASSERT_TRUE(engine_.Explain(DefaultKey("w")).ok());
  EXPECT_EQ(*engine_.StateHash(), before);
}

TEST_F(Explain, TellsWhatCanNeverFit) {
  Submit(MakeWorkload("w", "a", Cpu(9)));
  EXPECT_THAT(engine_.Explain(DefaultKey("w"))->verdict, HasSubstr("can never have more than 8"));
}

TEST_F(Explain, SaysUntilWhenABackoffKeepsItFromBeingLookedAt) {
  Configuration config;
  config.wait_for_pods_ready.emplace().timeout = 60 * kSecond;
  const std::vector<Object> objects{config};
  ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
  Submit(MakeWorkload("w", "a", Cpu(1)));
  ASSERT_EQ(engine_.RunCycle(kNoon)->admitted.size(), 1u);
  const TimeNs late = kNoon + 60 * kSecond;
  ASSERT_TRUE(engine_.Advance(late).ok());
  EXPECT_THAT(engine_.Explain(DefaultKey("w"))->verdict, HasSubstr("PodsReadyTimeout"));
  ASSERT_TRUE(engine_.Evicted(*engine_.Evicting(), late).ok());
  const Result<Explanation> waits = engine_.Explain(DefaultKey("w"));
  EXPECT_THAT(waits->verdict,
              HasSubstr("was evicted (PodsReadyTimeout) and is not looked at before "
                        "2026-01-01T12:02:00Z"));
  EXPECT_EQ(waits->until, late + 60 * kSecond);
  ASSERT_TRUE(engine_.Advance(late + 60 * kSecond).ok());
  EXPECT_THAT(engine_.Explain(DefaultKey("w"))->verdict, HasSubstr("default/w fits"));
  EXPECT_EQ(engine_.Explain(DefaultKey("w"))->until, kNoTime);
}

TEST_F(Explain, SaysWhoKeepsEverybodyWaitingByNotBeingReady) {
  Configuration config;
  config.wait_for_pods_ready.emplace().timeout = 60 * kSecond;
  config.wait_for_pods_ready->block_admission = true;
  const std::vector<Object> objects{config};
  ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
  Submit(MakeWorkload("w", "a", Cpu(1)));
  const Result<Explanation> waits = engine_.Explain(DefaultKey("w"));
  EXPECT_THAT(waits->verdict, HasSubstr("blockAdmission): default/borrower and 1 more are not"));
  const Key borrower = DefaultKey("borrower");
  const Key own = DefaultKey("own");
  ASSERT_TRUE(engine_.Ready({&borrower, 1}, kNoon).ok());
  EXPECT_THAT(engine_.Explain(DefaultKey("w"))->verdict, HasSubstr("default/own is not"));
  ASSERT_TRUE(engine_.Ready({&own, 1}, kNoon).ok());
  EXPECT_THAT(engine_.Explain(DefaultKey("w"))->verdict, HasSubstr("in the next cycle"));
}

TEST_F(Explain, SaysThatAClosedGateKeepsItFromPreempting) {
  Workload gated = MakeWorkload("w", "a", Cpu(2));
  gated.preemption_gates = {"later"};
  Submit(gated);
  EXPECT_THAT(engine_.Explain(DefaultKey("w"))->verdict,
              HasSubstr("while its preemption gate is closed: later"));
}

TEST_F(Explain, SaysForWhomRoomIsKept) {
  EngineConfiguration hold;
  hold.preemptor_hold = true;
  const std::vector<Object> objects{hold};
  ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
  Submit(MakeWorkload("preemptor", "a", Cpu(2)));
  ASSERT_EQ(engine_.RunCycle(kNoon)->preempted.size(), 1u);
  ASSERT_TRUE(engine_.Evicted(*engine_.Evicting(), kNoon).ok());
  Submit(MakeWorkload("other", "b", Cpu(5)));
  EXPECT_THAT(engine_.Explain(DefaultKey("other"))->verdict,
              HasSubstr("would fit, but the room is kept (preemptorHold) for default/preemptor of "
                        "ClusterQueue a."));
  Submit(MakeWorkload("small", "b", Cpu(4)));
  EXPECT_THAT(engine_.Explain(DefaultKey("small"))->verdict, HasSubstr("default/small fits"));
}

TEST_F(Explain, SaysOfADeactivatedWorkloadThatItsQuotaIsFree) {
  Submit(MakeWorkload("w", "a", Cpu(1)));
  ASSERT_EQ(engine_.RunCycle(kNoon)->admitted.size(), 1u);
  WorkloadUpdate update;
  update.workload = DefaultKey("w");
  update.active = false;
  ASSERT_TRUE(engine_.Update(update, kNoon).ok());
  EXPECT_THAT(engine_.Explain(DefaultKey("w"))->verdict, HasSubstr("its quota is free"));
  ASSERT_TRUE(engine_.Evicted(*engine_.Evicting(), kNoon).ok());
  EXPECT_THAT(engine_.Explain(DefaultKey("w"))->verdict, HasSubstr("is deactivated (Deactivated)"));
}

TEST_F(Explain, AnUnknownWorkloadIsNotFound) {
  EXPECT_EQ(engine_.Explain(DefaultKey("unknown")).status().code(), StatusCode::kNotFound);
}

TEST_F(Explain, TheTraceOfACycleNamesWhatCameBefore) {
  Submit(MakeWorkload("wa", "a", Cpu(2), 5));
  Submit(MakeWorkload("wb", "b", Cpu(1), 9));
  CycleTrace trace;
  ASSERT_TRUE(engine_.RunCycle(kNoon, &trace).ok());
  ASSERT_THAT(trace.workloads, SizeIs(2));
  EXPECT_EQ(trace.workloads[0].workload.name, "wa") << "the lower borrowing level first";
  EXPECT_EQ(trace.workloads[1].behind.name, "wa");
  EXPECT_EQ(trace.workloads[1].behind_by, "borrowing level");
  EXPECT_EQ(trace.workloads[0].outcome, "preempting");
}

}  // namespace
}  // namespace muster
