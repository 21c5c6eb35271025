// Order by policy: one call a batch, bindings by specificity, the native order after a failure.
#include "engine/policy/queue_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <utility>

#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kNoon;
using testing::MakeWorkload;

/// Prefers few pods; can be told to fail.
class FewPodsFirst : public Policy {
 public:
  explicit FewPodsFirst(std::string name = "few-pods-first") {
    info_.name = std::move(name);
    info_.hash = std::string(64, 'a');
    HookInfo hook;
    hook.hook = Hook::kQueueOrder;
    hook.place = "policy.lua:1";
    info_.hooks.push_back(std::move(hook));
  }
  void Read(std::string volatile_input) {
    info_.hooks[0].reads.push_back(std::move(volatile_input));
  }
  void Every(double seconds) { info_.hooks[0].every = seconds; }
  void AddHook(Hook hook) { info_.hooks.emplace_back().hook = hook; }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> keys) override {
    ++calls;
    for (unsigned i = 0; i < batch.count; ++i) keys[i] = -turn * batch.workloads[i].pods;
    times.push_back(batch.now);
    if (answer_nonsense) keys[0] = std::numeric_limits<double>::quiet_NaN();
    const muster_string& queue = batch.strings[batch.queue->name];
    const bool here = fail_in.empty() || fail_in == std::string(queue.data, queue.size);
    if (fail && here) return {false, "policy.lua:3: no", 7};
    return {};
  }
  bool CallEach(Hook hook, std::span<const muster_batch> batches, std::span<double> keys,
                std::span<std::int64_t> fuel) override {
    if (!together) return false;
    const int before = std::exchange(calls, calls + 1);
    for (std::size_t i = 0; i < batches.size(); ++i) {
      const HookOutcome outcome = Call(hook, batches[i], keys.first(batches[i].count));
      if (!outcome.ok) {
        calls = before;
        return false;
      }
      fuel[i] = outcome.fuel;
      keys = keys.subspan(batches[i].count);
    }
    calls = before + 1;
    return true;
  }
  bool together = false;  ///< it can be asked about several queues in one call
  int calls = 0;
  double turn = 1;            ///< -1: many pods first
  std::vector<double> times;  ///< that the calls were told
  std::string fail_in;        ///< only in this queue; empty: everywhere
  bool fail = false;
  bool answer_nonsense = false;

 private:
  PolicyInfo info_;
};

class PolicyOrder : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<Object> objects{testing::MakeNamespace(),
                                      testing::MakeFlavor("default"),
                                      testing::MakeQueue("q", "co", {{.nominal = 1}}),
                                      testing::MakeQueue("other", "co", {{.nominal = 1}}),
                                      testing::MakeLocalQueue("q"),
                                      testing::MakeLocalQueue("other"),
                                      MakeWorkload("wide", "q", Cpu(1), 9, 4),
                                      MakeWorkload("narrow", "q", Cpu(1), 0, 1),
                                      MakeWorkload("middle", "q", Cpu(1), 5, 2)};
    const Status status = engine_.Apply(objects, kNoon);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  /// Which workload the cycle looked at first in queue q.
  std::string HeadOf(CycleResult* result = nullptr, TimeNs now = kNoon) {
    CycleTrace trace;
    Result<CycleResult> cycle = engine_.RunCycle(now, &trace);
    if (result != nullptr) *result = *cycle;
    return trace.workloads.at(0).workload.name;
  }
  void Bind(std::string name, std::string policy, std::vector<std::string> queues,
            std::vector<std::string> cohorts) {
    PolicyBinding binding;
    binding.name = std::move(name);
    binding.policy = std::move(policy);
    binding.cluster_queues = std::move(queues);
    binding.cohorts = std::move(cohorts);
    const Object object = binding;
    ASSERT_TRUE(engine_.Apply(std::span(&object, 1), kNoon).ok());
  }
  Engine engine_;
};

double Seconds(TimeNs time) { return static_cast<double>(time) * 1e-9; }

TEST_F(PolicyOrder, WithoutAPolicyPriorityDecides) { EXPECT_EQ(HeadOf(), "wide"); }

TEST_F(PolicyOrder, AnActivePolicyDecidesEverywhereWithOneCallForAllNewWorkloads) {
  const auto policy = std::make_shared<FewPodsFirst>();
  ASSERT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
  EXPECT_EQ(HeadOf(), "narrow");
  EXPECT_EQ(policy->calls, 1);
  EXPECT_EQ(HeadOf(), "middle");
  EXPECT_EQ(policy->calls, 1) << "stable keys are kept";
}

TEST_F(PolicyOrder, KeysAreKeptWhereWhatTheyFollowFromStays) {
  const auto policy = std::make_shared<FewPodsFirst>();
  ASSERT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
  HeadOf();
  ASSERT_EQ(policy->calls, 1);
  const auto apply = [&](const Object& object) {
    const Status status = engine_.Apply(std::span(&object, 1), kNoon);
    ASSERT_TRUE(status.ok()) << status.message();
    ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
  };
  apply(Namespace{"another", {}});
  LocalQueue another = testing::MakeLocalQueue("q");
  another.key.name = "another";
  apply(another);
  apply(testing::MakeQueue("other", "co", {{.nominal = 2}}));
  apply(testing::MakeQueue("new", "co", {{.nominal = 1}}));
  EXPECT_EQ(policy->calls, 1) << "nothing of q has changed";
  apply(testing::MakeQueue("q", "co", {{.nominal = 2}}));
  EXPECT_EQ(policy->calls, 2) << "its quota is an input";
  apply(testing::MakeFlavor("large"));
  EXPECT_EQ(policy->calls, 2);
  apply(testing::MakeQueue("other", "co", {{.nominal = 2}, {"large", "memory", 1, {}, {}}}));
  EXPECT_EQ(policy->calls, 3) << "rows have another column";
}

TEST_F(PolicyOrder, KeysThatReadTheTimeAreAskedForWheneverItGoesOn) {
  const auto policy = std::make_shared<FewPodsFirst>();
  policy->Read("now");
  ASSERT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
  HeadOf();
  HeadOf();
  EXPECT_EQ(policy->calls, 1) << "no time has passed";
  HeadOf(nullptr, kNoon + kSecond);
  EXPECT_EQ(policy->calls, 2);
}

TEST_F(PolicyOrder, KeysThatReadAnythingElseAreAskedForInEveryCycle) {
  const auto policy = std::make_shared<FewPodsFirst>();
  policy->Read("now");
  policy->Read("share");
  ASSERT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
  HeadOf();
  HeadOf();
  EXPECT_EQ(policy->calls, 2);
}

TEST_F(PolicyOrder, BetweenTwoTicksTheTimeOfAnOrderStandsStill) {
  const auto policy = std::make_shared<FewPodsFirst>();
  policy->Read("now");
  policy->Every(60);
  ASSERT_TRUE(engine_.ActivatePolicy(policy, kNoon + 30 * kSecond).ok());
  HeadOf(nullptr, kNoon + 30 * kSecond);
  EXPECT_EQ(policy->times, (std::vector<double>{Seconds(kNoon)}));
  HeadOf(nullptr, kNoon + 59 * kSecond);
  EXPECT_EQ(policy->calls, 1);
  HeadOf(nullptr, kNoon + 61 * kSecond);
  EXPECT_EQ(policy->times, (std::vector<double>{Seconds(kNoon), Seconds(kNoon + 60 * kSecond)}));
}

// Keys of what was parked meanwhile are of an older time than those in the heap.
TEST_F(PolicyOrder, WhoWakesBetweenTwoTicksGetsKeysOfTheSameTimeAsTheOthers) {
  const auto policy = std::make_shared<FewPodsFirst>();
  policy->Read("now");
  ASSERT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
  EXPECT_EQ(HeadOf(), "narrow");  // it starts and fills the quota
  EXPECT_EQ(HeadOf(), "middle");  // it is parked
  const TimeNs later = kNoon + kSecond;
  EXPECT_EQ(HeadOf(nullptr, later), "wide");  // it is parked, too
  const int before = policy->calls;
  const Key narrow = testing::DefaultKey("narrow");
  ASSERT_TRUE(engine_.Finish({&narrow, 1}, false, later).ok());
  EXPECT_EQ(HeadOf(nullptr, later), "middle");
  EXPECT_EQ(policy->calls, before + 1);
}

// The order after other keys is that of a queue in which no workload had any before.
TEST_F(PolicyOrder, OtherKeysGiveEveryPlaceAnew) {
  const auto policy = std::make_shared<FewPodsFirst>();
  policy->Read("now");
  const auto heads = [&](bool forgets) {
    engine_ = Engine();
    SetUp();
    LocalQueue second = testing::MakeLocalQueue("q");
    second.key.name = "lq-second";
    const Object object = second;
    EXPECT_TRUE(engine_.Apply({&object, 1}, kNoon).ok());
    for (int i = 0; i < 40; ++i) {
      const Workload job = MakeWorkload("job-" + std::to_string(i), i % 2 == 0 ? "q" : "second",
                                        Cpu(i % 5 + 1), 0, i * 7 % 41 + 1);
      EXPECT_TRUE(engine_.Submit({&job, 1}, kNoon).ok());
    }
    EXPECT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
    std::vector<std::string> names;
    for (int i = 0; i < 20; ++i) {
      policy->turn = i % 3 == 1 ? -1 : 1;
      const TimeNs now = kNoon + (i + 1) * kSecond;
      if (forgets) {
        EXPECT_TRUE(engine_.ActivatePolicy(policy, now).ok());
      }
      names.push_back(HeadOf(nullptr, now));
    }
    return names;
  };
  EXPECT_EQ(heads(/*forgets=*/false), heads(/*forgets=*/true));
}

TEST_F(PolicyOrder, AFailureLeavesTheWholeQueueToTheNativeOrderAndIsReported) {
  const auto policy = std::make_shared<FewPodsFirst>();
  policy->fail = true;
  ASSERT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
  CycleResult result;
  EXPECT_EQ(HeadOf(&result), "wide");
  ASSERT_EQ(result.policy_failures.size(), 1u);
  EXPECT_EQ(result.policy_failures[0].message, "policy.lua:3: no");
  EXPECT_EQ(result.policy_failures[0].fuel, 7);
  EXPECT_TRUE(engine_.CheckInvariants().ok());
}

/// What is looked at first in each queue, by the name of the queue.
class PolicyOrderOfTwo : public PolicyOrder {
 protected:
  void SetUp() override {
    PolicyOrder::SetUp();
    const std::vector<Workload> jobs{MakeWorkload("other-wide", "other", Cpu(1), 9, 4),
                                     MakeWorkload("other-narrow", "other", Cpu(1), 0, 1)};
    ASSERT_TRUE(engine_.Submit(jobs, kNoon).ok());
  }
  std::vector<std::string> Heads() {
    CycleTrace trace;
    result_ = *engine_.RunCycle(kNoon, &trace);
    std::map<std::string, std::string> heads;
    for (const WorkloadTrace& line : trace.workloads) {
      heads[line.cluster_queue] = line.workload.name;
    }
    EXPECT_TRUE(engine_.CheckInvariants().ok());
    return {heads["other"], heads["q"]};
  }
  CycleResult result_;
};

TEST_F(PolicyOrderOfTwo, AFailureInOneQueueLeavesTheOthersToTheNativeOrderToo) {
  const auto policy = std::make_shared<FewPodsFirst>();
  policy->fail = true;
  policy->fail_in = "q";  // the last to be asked about
  ASSERT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
  EXPECT_THAT(Heads(), ElementsAre("other-wide", "wide"));
  EXPECT_EQ(result_.policy_failures.size(), 1u);
  EXPECT_EQ(policy->calls, 2);
}

TEST_F(PolicyOrderOfTwo, AfterAFailureThePackageIsNotAskedForOrderInThatCycle) {
  const auto policy = std::make_shared<FewPodsFirst>();
  policy->fail = true;
  policy->fail_in = "other";
  ASSERT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
  EXPECT_THAT(Heads(), ElementsAre("other-wide", "wide"));
  EXPECT_EQ(policy->calls, 1);
}

TEST_F(PolicyOrderOfTwo, QueuesAreAskedAboutInOneCallByWhoCan) {
  const auto policy = std::make_shared<FewPodsFirst>();
  policy->together = true;
  ASSERT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
  EXPECT_THAT(Heads(), ElementsAre("other-narrow", "narrow"));
  EXPECT_EQ(policy->calls, 1);
}

TEST_F(PolicyOrderOfTwo, WhereThatFailsTheyAreAskedAboutOneByOneUpToTheFailure) {
  for (const std::string failing : {"q", "other"}) {
    const auto policy = std::make_shared<FewPodsFirst>();
    policy->together = true;
    policy->fail = true;
    policy->fail_in = failing;
    engine_ = Engine();
    SetUp();
    ASSERT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
    EXPECT_THAT(Heads(), ElementsAre("other-wide", "wide"));
    ASSERT_EQ(result_.policy_failures.size(), 1u);
    EXPECT_EQ(result_.policy_failures[0].cluster_queue, failing);
    EXPECT_EQ(policy->calls, failing == "q" ? 2 : 1);
    policy->fail = false;
    Heads();
    EXPECT_EQ(policy->calls, failing == "q" ? 3 : 2) << "one call for both";
  }
}

TEST_F(PolicyOrderOfTwo, NonsenseInACallAboutSeveralIsAFailureOfTheQueueItIsAbout) {
  const auto policy = std::make_shared<FewPodsFirst>();
  policy->together = true;
  policy->answer_nonsense = true;
  ASSERT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
  EXPECT_THAT(Heads(), ElementsAre("other-wide", "wide"));
  EXPECT_EQ(result_.policy_failures.size(), 1u);
}

TEST_F(PolicyOrderOfTwo, AnotherPackageGoesOnWhereOneFails) {
  const auto failing = std::make_shared<FewPodsFirst>("failing");
  failing->fail = true;
  ASSERT_TRUE(engine_.ActivatePolicy(failing, kNoon).ok());
  ASSERT_TRUE(engine_.ActivatePolicy(std::make_shared<FewPodsFirst>("sound"), kNoon).ok());
  Bind("one", "failing", {"q"}, {});
  Bind("two", "sound", {"other"}, {});
  EXPECT_THAT(Heads(), ElementsAre("other-narrow", "wide"));
}

TEST_F(PolicyOrderOfTwo, WhatWasParkedUnderThePolicyWaitsInNativeOrderAfterItFailed) {
  const auto policy = std::make_shared<FewPodsFirst>();
  ASSERT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(engine_.RunCycle(kNoon).ok());  // the last are parked
  const std::vector<Key> running = {testing::DefaultKey("narrow")};
  policy->fail = true;
  Workload urgent = MakeWorkload("urgent", "q", Cpu(1), 7, 9);
  ASSERT_TRUE(engine_.Submit(std::span(&urgent, 1), kNoon).ok());
  Heads();
  ASSERT_TRUE(engine_.Finish(running, false, kNoon).ok());
  EXPECT_EQ(Heads()[1], "wide") << "priority 9 before 7, whatever its keys were";
}

TEST_F(PolicyOrder, AnAnswerThatIsNoNumberIsAFailure) {
  const auto policy = std::make_shared<FewPodsFirst>();
  policy->answer_nonsense = true;
  ASSERT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
  CycleResult result;
  EXPECT_EQ(HeadOf(&result), "wide");
  EXPECT_EQ(result.policy_failures.size(), 1u);
}

TEST_F(PolicyOrder, ARepairedPolicyDecidesAgainInTheNextCycle) {
  const auto policy = std::make_shared<FewPodsFirst>();
  policy->fail = true;
  ASSERT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
  HeadOf();
  policy->fail = false;
  EXPECT_EQ(HeadOf(), "narrow");
}

TEST_F(PolicyOrder, TheMostSpecificBindingWins) {
  ASSERT_TRUE(engine_.ActivatePolicy(std::make_shared<FewPodsFirst>("a"), kNoon).ok());
  Bind("elsewhere", "a", {"other"}, {});
  EXPECT_EQ(HeadOf(), "wide") << "bound to another queue only";
  Bind("cohort", "a", {}, {"co"});
  EXPECT_EQ(HeadOf(), "narrow");
}

TEST_F(PolicyOrder, ABindingMayNameTheHooksItMeans) {
  const auto policy = std::make_shared<FewPodsFirst>("a");
  policy->AddHook(Hook::kVictim);
  ASSERT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
  PolicyBinding binding{"only-victims", "a", {"victim"}, {}, {}, {}};
  const Object object = binding;
  ASSERT_TRUE(engine_.Apply(std::span(&object, 1), kNoon).ok());
  EXPECT_EQ(HeadOf(), "wide");
}

}  // namespace
}  // namespace muster
