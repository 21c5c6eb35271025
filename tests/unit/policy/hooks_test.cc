// Hooks cycle_order, victim and preempt_limits: what each may change, and what it must not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <tuple>
#include <utility>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::DefaultKey;
using testing::Holding;
using testing::kNoon;
using testing::MakeWorkload;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// One hook, answered by a function of the batch and the index of the item.
class OneHook : public Policy {
 public:
  using Answer = std::function<double(const muster_batch&, unsigned)>;
  OneHook(Hook hook, Answer answer, int keys = 1) : answer_(std::move(answer)) {
    info_.name = "one-hook";
    info_.hash = std::string(64, 'a');
    HookInfo info;
    info.hook = hook;
    info.keys = keys;
    info_.hooks.push_back(std::move(info));
  }
  void Read(std::string input, double every) {
    info_.hooks[0].reads.push_back(std::move(input));
    info_.hooks[0].every = every;
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> answers) override {
    ++calls;
    if (fails) return {false, "policy.lua:3: no", 7};
    for (unsigned i = 0; i < answers.size(); ++i) answers[i] = answer_(batch, i);
    return {};
  }
  int calls = 0;
  bool fails = false;

 private:
  Answer answer_;
  PolicyInfo info_;
};

std::string NameOf(const muster_batch& batch, const muster_workload& workload) {
  const muster_string& name = batch.strings[workload.name];
  return std::string(name.data, name.size);
}

class Hooks : public ::testing::Test {
 protected:
  void Apply(std::vector<Object> objects) {
    const Status status = engine_.Apply(objects, kNoon, MissingReference::kAccept);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  /// Queue q of 2 cores, of which `old` and `young` hold one each; `urgent` wants one.
  void SetUpPreemption() {
    ClusterQueue queue = testing::MakeQueue("q", "", {{.nominal = 2}});
    queue.preemption.within_cluster_queue = PreemptionPolicy::kLowerPriority;
    Apply({testing::MakeNamespace(), testing::MakeFlavor("default"), queue,
           testing::MakeLocalQueue("q"), MakeWorkload("old", "q", Cpu(1), 1),
           MakeWorkload("young", "q", Cpu(1), 0)});
    ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
    ASSERT_TRUE(engine_.RunCycle(kNoon + 60 * kSecond).ok());
    const Workload urgent = MakeWorkload("urgent", "q", Cpu(1), 9);
    ASSERT_TRUE(engine_.Submit(std::span(&urgent, 1), kNoon + 120 * kSecond).ok());
  }
  void Activate(std::shared_ptr<Policy> policy) {
    ASSERT_TRUE(engine_.ActivatePolicy(std::move(policy), kNoon).ok());
  }
  std::vector<std::string> PreemptedAt(TimeNs now) {
    result_ = *engine_.RunCycle(now);
    EXPECT_TRUE(engine_.CheckInvariants().ok());
    return testing::PreemptedNames(result_);
  }
  using List = std::vector<std::string>;
  Engine engine_;
  CycleResult result_;
};

TEST_F(Hooks, WithoutAPolicyTheLowerPriorityIsEvicted) {
  SetUpPreemption();
  EXPECT_EQ(PreemptedAt(kNoon + 120 * kSecond), List{"young"});
}

TEST_F(Hooks, VictimEvictsTheCheapest) {
  SetUpPreemption();
  const auto policy = std::make_shared<OneHook>(Hook::kVictim, [](const auto& batch, unsigned i) {
    EXPECT_EQ(NameOf(batch, *batch.subject), "urgent");
    EXPECT_EQ(batch.holdings[i].same_queue, 1);
    EXPECT_EQ(batch.holdings[i].uses[0], 1);
    return NameOf(batch, batch.workloads[i]) == "old" ? 1.0 : 2.0;
  });
  Activate(policy);
  EXPECT_EQ(PreemptedAt(kNoon + 120 * kSecond), List{"old"});
  EXPECT_EQ(policy->calls, 1) << "one call a preemptor";
}

TEST_F(Hooks, WhatAGenerationWasAskedAndUsedIsCounted) {
  SetUpPreemption();
  const auto policy =
      std::make_shared<OneHook>(Hook::kVictim, [](const auto&, unsigned) { return 1.0; });
  policy->fails = true;  // for 7 each
  Activate(policy);
  EXPECT_TRUE(engine_.PolicyUses()->empty());
  for (int minute = 2; policy->calls < 3 && minute < 20; ++minute) {
    PreemptedAt(kNoon + minute * 60 * kSecond);
    for (const char* name : {"old", "young"}) {
      const Key key = DefaultKey(name);
      (void)engine_.Evicted(std::span(&key, 1), kNoon + minute * 60 * kSecond);
    }
  }
  const std::vector<PolicyUse> uses = *engine_.PolicyUses();
  ASSERT_EQ(uses.size(), 1u);
  EXPECT_EQ(uses[0].hash, policy->info().hash);
  EXPECT_EQ(uses[0].calls, policy->calls);
  EXPECT_EQ(uses[0].fuel, 7 * policy->calls);
  EXPECT_GT(policy->calls, 0);
}

TEST_F(Hooks, VictimProtectsWithInfinityAndATickOfTheHookTriesAgain) {
  SetUpPreemption();
  const auto policy = std::make_shared<OneHook>(Hook::kVictim, [](const auto& batch, unsigned i) {
    return batch.now - batch.holdings[i].reserved_at < 600 ? kInfinity : 1.0;
  });
  policy->Read("now", 300);
  Activate(policy);
  EXPECT_EQ(PreemptedAt(kNoon + 120 * kSecond), List{});
  EXPECT_TRUE((*engine_.Pending())[0].parked) << "no workload may be evicted for it";
  EXPECT_EQ(PreemptedAt(kNoon + 299 * kSecond), List{});
  EXPECT_TRUE((*engine_.Pending())[0].parked);
  EXPECT_EQ(PreemptedAt(kNoon + 700 * kSecond), List{"young"}) << "their grace is over";
}

TEST_F(Hooks, APreemptionIsCountedOnceInTheViews) {
  SetUpPreemption();
  std::pair<double, double> counted;
  Activate(std::make_shared<OneHook>(Hook::kVictim, [&](const auto& batch, unsigned i) {
    const muster_workload& victim = batch.workloads[i];
    if (NameOf(batch, victim) != "young") return 1.0;
    counted = {victim.preemptions, victim.attempts};
    return 0.0;
  }));
  TimeNs now = kNoon + 120 * kSecond;
  for (int times = 0; times < 3; ++times, now += 60 * kSecond) {
    EXPECT_EQ(PreemptedAt(now), List{"young"});
    EXPECT_EQ(counted, std::pair(double{1} * times, double{1} * times));
    ASSERT_TRUE(engine_.Evicted(*engine_.Evicting(), now).ok());
    const std::string by = result_.preempted.at(0).by.name;
    EXPECT_EQ(PreemptedAt(now), List{}) << by << " starts";
    ASSERT_TRUE(engine_.Finish({{DefaultKey(by)}}, false, now).ok());
    EXPECT_EQ(PreemptedAt(now), List{}) << "young starts again";
    const Workload next = MakeWorkload("urgent-" + std::to_string(times), "q", Cpu(1), 9);
    ASSERT_TRUE(engine_.Submit(std::span(&next, 1), now).ok());
  }
}

TEST_F(Hooks, PreemptLimitsForbid) {
  SetUpPreemption();
  double most = 0;
  const auto policy = std::make_shared<OneHook>(
      Hook::kPreemptLimits,
      [&](const auto& batch, unsigned i) {
        EXPECT_EQ(batch.count, 1u);
        return i == 0 ? most : kInfinity;
      },
      2);
  policy->Read("now", 0);
  Activate(policy);
  EXPECT_EQ(PreemptedAt(kNoon + 120 * kSecond), List{});
  most = 1;
  EXPECT_EQ(PreemptedAt(kNoon + 180 * kSecond), List{"young"});
}

// New packages are refused that answer so; what histories have decided is decided again.
TEST_F(Hooks, LimitsBelowZeroForbidAndPartsAllowWhatIsBelow) {
  SetUpPreemption();
  double victims = -1, cost = kInfinity;
  const auto policy = std::make_shared<OneHook>(
      Hook::kPreemptLimits, [&](const auto&, unsigned i) { return i == 0 ? victims : cost; }, 2);
  policy->Read("now", 0);
  Activate(policy);
  TimeNs at = kNoon + 120 * kSecond;
  for (const auto& [most, costs] : {std::pair(-1.0, kInfinity), {0.5, kInfinity}, {1, -0.5}}) {
    std::tie(victims, cost) = std::pair(most, costs);
    EXPECT_EQ(PreemptedAt(at), List{}) << most << " " << costs;
    EXPECT_THAT(result_.policy_failures, ::testing::IsEmpty());
    at += 60 * kSecond;
  }
  std::tie(victims, cost) = std::pair(1.5, kInfinity);
  EXPECT_EQ(PreemptedAt(at), List{"young"});
}

TEST_F(Hooks, AFailingVictimHookLeavesTheSearchToTheNativeOrder) {
  SetUpPreemption();
  const auto policy =
      std::make_shared<OneHook>(Hook::kVictim, [](const auto&, unsigned) { return 1.0; });
  policy->fails = true;
  Activate(policy);
  EXPECT_EQ(PreemptedAt(kNoon + 120 * kSecond), List{"young"});
  ASSERT_EQ(result_.policy_failures.size(), 1u);
  EXPECT_EQ(result_.policy_failures[0].hook, "victim");
}

TEST_F(Hooks, FlavorOrderDecidesWhichIsTriedFirst) {
  ClusterQueue queue = testing::MakeQueue(
      "q", "", {{.flavor = "near", .nominal = 4}, {.flavor = "far", .nominal = 4}});
  Apply({testing::MakeNamespace(), testing::MakeFlavor("near"), testing::MakeFlavor("far"), queue,
         testing::MakeLocalQueue("q"), MakeWorkload("job", "q", Cpu(1), 0)});
  const auto policy =
      std::make_shared<OneHook>(Hook::kFlavorOrder, [](const auto& batch, unsigned i) {
        EXPECT_EQ(batch.flavors[i].free[0], 4);
        return batch.flavors[i].index;
      });
  Activate(policy);
  const CycleResult result = *engine_.RunCycle(kNoon);
  ASSERT_EQ(result.admitted.size(), 1u);
  EXPECT_EQ(result.admitted[0].admission.pod_sets[0].flavors.at("cpu"), "far");
  EXPECT_EQ(policy->calls, 1);
}

TEST_F(Hooks, AFlavorThatIsNotForItNowIsLeftOut) {
  ClusterQueue queue = testing::MakeQueue(
      "q", "", {{.flavor = "near", .nominal = 4}, {.flavor = "far", .nominal = 4}});
  Apply({testing::MakeNamespace(), testing::MakeFlavor("near"), testing::MakeFlavor("far"), queue,
         testing::MakeLocalQueue("q"), MakeWorkload("job", "q", Cpu(1), 0)});
  double near = -kInfinity, far = -kInfinity;
  const auto policy = std::make_shared<OneHook>(
      Hook::kFlavorOrder,
      [&](const auto& batch, unsigned i) { return batch.flavors[i].index == 0 ? near : far; });
  policy->Read("now", 60);
  Activate(policy);
  EXPECT_TRUE(engine_.RunCycle(kNoon)->admitted.empty());
  const PendingWorkload waits = (*engine_.Pending())[0];
  EXPECT_EQ(waits.reason, PendingReason::kOnHold);
  EXPECT_NE(waits.message.find("flavor near is held back by policy"), std::string::npos)
      << waits.message;
  far = 0;
  const CycleResult result = *engine_.RunCycle(kNoon + 60 * kSecond);
  ASSERT_EQ(result.admitted.size(), 1u);
  EXPECT_EQ(result.admitted[0].admission.pod_sets[0].flavors.at("cpu"), "far");
}

TEST_F(Hooks, WhatIsHeldBackIsAskedAgainBeforeEachStartOfACycle) {
  Apply({testing::MakeNamespace(), testing::MakeFlavor("default"),
         testing::MakeCohort("co", "", {{.nominal = 8}}), testing::MakeQueue("a", "co", {{}}),
         testing::MakeQueue("b", "co", {{}}), testing::MakeQueue("c", "co", {{}}),
         testing::MakeLocalQueue("a"), testing::MakeLocalQueue("b"), testing::MakeLocalQueue("c"),
         MakeWorkload("in-a", "a", Cpu(2), 3), MakeWorkload("in-b", "b", Cpu(2), 2),
         MakeWorkload("in-c", "c", Cpu(2), 1)});
  const auto policy =
      std::make_shared<OneHook>(Hook::kFlavorOrder, [](const auto& batch, unsigned i) {
        return batch.flavors[i].free[0] - batch.subject->request[0] < 4 ? -kInfinity : 0.0;
      });
  policy->Read("free", 0);
  Activate(policy);
  const CycleResult result = *engine_.RunCycle(kNoon);
  EXPECT_EQ(testing::AdmittedNames(result), (List{"in-a", "in-b"})) << "4 of 8 stay free";
  EXPECT_TRUE(engine_.RunCycle(kNoon + kSecond)->admitted.empty());
  EXPECT_EQ((*engine_.Pending())[0].reason, PendingReason::kOnHold);
}

TEST_F(Hooks, ATickOfFlavorOrderTriesThoseThatWereParkedAgain) {
  ClusterQueue queue = testing::MakeQueue(
      "q", "", {{.flavor = "near", .nominal = 1}, {.flavor = "far", .nominal = 1}});
  Apply({testing::MakeNamespace(), testing::MakeFlavor("near"), testing::MakeFlavor("far"), queue,
         testing::MakeLocalQueue("q"), MakeWorkload("job", "q", Cpu(2), 0)});
  const auto policy = std::make_shared<OneHook>(
      Hook::kFlavorOrder, [](const auto& batch, unsigned i) { return batch.flavors[i].index; });
  policy->Read("now", 300);
  Activate(policy);
  ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
  ASSERT_TRUE((*engine_.Pending())[0].parked);
  ASSERT_TRUE(engine_.RunCycle(kNoon + 299 * kSecond).ok());
  EXPECT_EQ(policy->calls, 1);
  ASSERT_TRUE(engine_.RunCycle(kNoon + 300 * kSecond).ok());
  EXPECT_EQ(policy->calls, 2);
}

TEST_F(Hooks, CycleOrderDecidesWhoTakesWhatIsLeft) {
  Apply({testing::MakeNamespace(), testing::MakeFlavor("default"),
         testing::MakeCohort("co", "", {{.nominal = 1}}),
         testing::MakeQueue("a", "co", {{.nominal = 0}}),
         testing::MakeQueue("b", "co", {{.nominal = 0}}), testing::MakeLocalQueue("a"),
         testing::MakeLocalQueue("b"), MakeWorkload("in-a", "a", Cpu(1), 9),
         MakeWorkload("in-b", "b", Cpu(1), 1)});
  const auto policy =
      std::make_shared<OneHook>(Hook::kCycleOrder, [](const auto& batch, unsigned i) {
        EXPECT_EQ(batch.workloads[i].borrowing_level, 1);
        return -batch.workloads[i].priority;
      });
  Activate(policy);
  const CycleResult result = *engine_.RunCycle(kNoon);
  EXPECT_EQ(testing::AdmittedNames(result), List{"in-b"}) << "natively in-a, by priority";
  EXPECT_EQ(policy->calls, 1);
}

}  // namespace
}  // namespace muster
