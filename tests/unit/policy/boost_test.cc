// Hook boost: what is added to priorities, when it is asked for, and what becomes of a failure.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::DefaultKey;
using testing::kNoon;
using testing::MakeWorkload;

constexpr TimeNs kMinute = 60 * kSecond;

std::string JobNameOf(const muster_batch& batch, const muster_workload& workload) {
  const muster_string& name = batch.strings[workload.name];
  return std::string(name.data, name.size);
}

/// Answers by name; what it does not know gets nothing.
class NamedBoosts : public Policy {
 public:
  explicit NamedBoosts(std::vector<std::string> reads = {}, double every = 0) {
    info_.name = "named";
    info_.hash = std::string(64, 'a');
    HookInfo& hook = info_.hooks.emplace_back();
    hook.hook = Hook::kBoost;
    hook.reads = std::move(reads);
    hook.every = every;
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> answers) override {
    ++calls;
    if (fails) return {false, "policy.lua:3: no", 7};
    for (unsigned i = 0; i < batch.count; ++i) {
      const std::string name = JobNameOf(batch, batch.workloads[i]);
      asked.push_back(name);
      priorities[name] = batch.workloads[i].priority;
      answers[i] = grows ? std::floor(batch.now - 1'767'268'800) : boosts[name];
    }
    return {};
  }
  std::vector<std::string> TakeAsked() { return std::exchange(asked, {}); }

  int calls = 0;
  bool fails = false, grows = false;
  std::map<std::string, double> boosts, priorities;
  std::vector<std::string> asked;

 private:
  PolicyInfo info_;
};

class Boost : public ::testing::Test {
 protected:
  using List = std::vector<std::string>;

  void SetUpQueue(std::int64_t cores, PreemptionPolicy within = PreemptionPolicy::kLowerPriority) {
    ClusterQueue queue = testing::MakeQueue("q", "", {{.nominal = cores}});
    queue.preemption.within_cluster_queue = within;
    Apply({testing::MakeNamespace(), testing::MakeFlavor("default"), queue,
           testing::MakeLocalQueue("q")});
  }
  void Apply(const std::vector<Object>& objects) {
    const Status status = engine_.Apply(objects, now_, MissingReference::kAccept);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  void Submit(const std::string& name, std::int32_t priority = 0) {
    Workload workload = MakeWorkload(name, "q", Cpu(1), priority);
    workload.created = now_;
    ASSERT_TRUE(engine_.Submit(std::span(&workload, 1), now_).ok());
  }
  std::shared_ptr<NamedBoosts> Activate(std::vector<std::string> reads = {}, double every = 0) {
    auto policy = std::make_shared<NamedBoosts>(std::move(reads), every);
    EXPECT_TRUE(engine_.ActivatePolicy(policy, now_).ok());
    return policy;
  }
  List Started() {
    Cycle();
    return testing::AdmittedNames(result_);
  }
  List Preempted() {
    Cycle();
    return testing::PreemptedNames(result_);
  }
  void Cycle() {
    Result<CycleResult> result = engine_.RunCycle(now_);
    ASSERT_TRUE(result.ok()) << result.status().message();
    result_ = std::move(*result);
    const Status status = engine_.CheckInvariants();
    ASSERT_TRUE(status.ok()) << status.message();
  }
  void Finish(const std::string& name) {
    ASSERT_TRUE(engine_.Finish({{DefaultKey(name)}}, false, now_).ok());
  }
  WorkloadView View(const std::string& name) { return *engine_.GetWorkload(DefaultKey(name)); }

  testing::MemoryJournal journal_;
  Engine engine_{&journal_};
  TimeNs now_ = kNoon;
  CycleResult result_;
};

TEST_F(Boost, CountsInTheOrderOfTheQueue) {
  SetUpQueue(1);
  Submit("first", 1);
  Submit("second");
  const auto policy = Activate();
  policy->boosts["second"] = 2;
  EXPECT_EQ(Started(), List{"second"});
  EXPECT_EQ(View("second").priority, 2);
  EXPECT_EQ(View("second").boost, 2);
  EXPECT_EQ(View("second").boosted_by, "named");
  EXPECT_EQ(policy->priorities["first"], 1);
  EXPECT_EQ(policy->priorities["second"], 0) << "what it is asked about has no boost";
}

TEST_F(Boost, CountsForThePreemptorAndForItsVictims) {
  SetUpQueue(2);
  Submit("low");
  Submit("kept");
  const auto policy = Activate();
  policy->boosts = {{"kept", 5}, {"urgent", 3}};
  Cycle();
  Cycle();
  Submit("urgent");
  EXPECT_EQ(Preempted(), List{"low"}) << "kept has more";
  const auto events = journal_.commits().back().events;
  std::string preempted;
  for (const Event& event : events) {
    if (event.kind == EventKind::kPreempted) preempted = event.payload;
  }
  EXPECT_NE(preempted.find("\"byBoost\":3"), std::string::npos) << preempted;
  bool named = false;
  for (const Condition& each : View("low").spec.status.conditions) {
    named |= each.message.str().find("of priority 3 by boost of policy named") != std::string::npos;
  }
  EXPECT_TRUE(named);
}

TEST_F(Boost, OfAHolderCountsFromTheActivationOn) {
  SetUpQueue(1);
  Submit("runs", 1);
  Cycle();
  const auto policy = Activate();
  policy->boosts["runs"] = -2;
  Submit("waits");
  EXPECT_EQ(Preempted(), List{"runs"});
}

TEST_F(Boost, IsAskedForOnceWhereNothingItReadsChanges) {
  SetUpQueue(1);
  const auto policy = Activate();
  Submit("a");
  Submit("b");
  Cycle();
  EXPECT_EQ(policy->TakeAsked(), (List{"a", "b"}));
  now_ += kMinute;
  Cycle();
  EXPECT_EQ(policy->TakeAsked(), List{});
  Submit("c");
  Cycle();
  EXPECT_EQ(policy->TakeAsked(), List{"c"});
  WorkloadUpdate update;
  update.workload = DefaultKey("b");
  update.priority = 4;
  ASSERT_TRUE(engine_.Update(update, now_).ok());
  Cycle();
  EXPECT_EQ(policy->TakeAsked(), List{"b"}) << "it has changed";
}

TEST_F(Boost, IsAskedForAtTicksAboutAllThatWaitAndRun) {
  SetUpQueue(1);
  const auto policy = Activate({"now"}, 600);
  policy->grows = true;
  Submit("a");
  Submit("b");
  now_ += 3 * kMinute;
  Cycle();
  EXPECT_EQ(View("a").boost, 0) << "the time stands still until the next tick";
  policy->asked.clear();
  now_ += kMinute;
  Submit("c");
  Cycle();
  EXPECT_EQ(policy->TakeAsked(), List{"c"});
  now_ = kNoon + 11 * kMinute;
  Cycle();
  EXPECT_EQ(policy->TakeAsked(), (List{"a", "b", "c"}));
  EXPECT_EQ(View("a").boost, 600) << "the one that runs";
  EXPECT_EQ(View("b").boost, 600);
}

TEST_F(Boost, ThatChangesTriesWhatIsParkedAgain) {
  SetUpQueue(1);
  Submit("runs", 5);
  Cycle();
  const auto policy = Activate({"now"}, 600);
  Submit("waits");
  Cycle();
  EXPECT_TRUE(View("waits").parked);
  now_ += 10 * kMinute;
  policy->boosts["waits"] = 6;
  EXPECT_EQ(Preempted(), List{"runs"});
}

TEST_F(Boost, OfAHolderThatFallsTriesWhatIsParkedAgain) {
  SetUpQueue(1);
  Submit("runs", 5);
  Cycle();
  const auto policy = Activate({"now"}, 600);
  Submit("waits");
  Cycle();
  EXPECT_TRUE(View("waits").parked);
  now_ += 10 * kMinute;
  policy->boosts["runs"] = -6;
  EXPECT_EQ(Preempted(), List{"runs"});
}

TEST_F(Boost, KeepsThoseOfOtherPrioritiesOutOfTheClassThatIsParked) {
  SetUpQueue(1);
  Submit("runs", 5);
  Cycle();
  const auto policy = Activate();
  Submit("equal");
  Cycle();
  ASSERT_TRUE(View("equal").parked);
  policy->boosts["urgent"] = 6;
  Submit("urgent");
  EXPECT_EQ(Preempted(), List{"runs"});
}

TEST_F(Boost, FailureLeavesAllToTheirPrioritiesForThatCycle) {
  SetUpQueue(1);
  const auto policy = Activate();
  policy->boosts["second"] = 2;
  Submit("first", 1);
  Submit("second");
  Submit("third");
  EXPECT_EQ(Started(), List{"second"});
  policy->fails = true;
  Submit("fourth");
  Cycle();
  ASSERT_EQ(result_.policy_failures.size(), 1u);
  EXPECT_EQ(result_.policy_failures[0].hook, "boost");
  EXPECT_EQ(View("second").boost, 0) << "no answer counts, not those of before either";
  policy->fails = false;
  policy->asked.clear();
  Cycle();
  EXPECT_EQ(policy->TakeAsked().size(), 4u);
  EXPECT_EQ(View("second").boost, 2);
}

TEST_F(Boost, AnswersThatAreNoBoostAreRefused) {
  SetUpQueue(1);
  const auto policy = Activate();
  Submit("a");
  for (const double wrong :
       {0.5, 1e9 + 1, -1e9 - 1, std::pow(2, 53), std::pow(2, 31), -std::pow(2, 31), 1e300,
        std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
        std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::denorm_min()}) {
    policy->boosts["a"] = wrong;
    Submit("n" + std::to_string(policy->calls));
    Cycle();
    EXPECT_EQ(result_.policy_failures.size(), 1u) << wrong;
    EXPECT_EQ(View("a").boost, 0) << wrong;
  }
  policy->boosts["a"] = 1e9;
  Cycle();
  EXPECT_EQ(View("a").priority, 1'000'000'000);
}

TEST_F(Boost, AndPriorityMayComeToMoreThanAPriorityCan) {
  SetUpQueue(1);
  const auto policy = Activate();
  policy->boosts = {{"runs", 1e9}, {"waits", 1e9}};
  Submit("runs", std::numeric_limits<std::int32_t>::max() - 1);
  Cycle();
  Submit("waits", std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(Preempted(), List{"runs"});
  EXPECT_EQ(View("waits").priority, 3'147'483'647);
}

TEST_F(Boost, TakesThePlaceOfTheAnnotation) {
  SetUpQueue(1);
  Configuration configuration;
  configuration.feature_gates["PriorityBoost"] = true;
  Apply({configuration});
  Workload workload = MakeWorkload("a", "q", Cpu(1));
  workload.annotations["kueue.x-k8s.io/priority-boost"] = "7";
  ASSERT_TRUE(engine_.Submit(std::span(&workload, 1), now_).ok());
  EXPECT_EQ(View("a").boost, 7);
  EXPECT_EQ(View("a").boosted_by, "");
  const auto policy = Activate();
  policy->boosts["a"] = 3;
  Cycle();
  EXPECT_EQ(View("a").boost, 3);
  policy->fails = true;
  Submit("b");
  Cycle();
  EXPECT_EQ(View("a").boost, 7);
}

TEST_F(Boost, EndsWithThePolicyThatGaveIt) {
  SetUpQueue(1);
  const auto policy = Activate();
  policy->boosts["a"] = 3;
  Submit("a");
  Cycle();
  EXPECT_EQ(View("a").boost, 3);
  PolicyBinding binding;
  binding.name = "elsewhere";
  binding.policy = "named";
  binding.cluster_queues = {"other"};
  Apply({testing::MakeQueue("other", "", {{.nominal = 1}}), binding});
  Cycle();
  EXPECT_EQ(View("a").boost, 0) << "only what is bound decides";
}

TEST_F(Boost, IsTheSameAfterReopening) {
  SetUpQueue(1);
  const auto policy = Activate({"now"}, 600);
  policy->grows = true;
  Submit("a");
  Submit("b");
  now_ = kNoon + 15 * kMinute;
  Cycle();
  Submit("c");
  ASSERT_TRUE(journal_.Reopen(engine_).ok());
  ASSERT_TRUE(engine_.AttachPolicy(policy).ok());
  EXPECT_EQ(View("b").boost, 600);
  policy->asked.clear();
  now_ = kNoon + 17 * kMinute;
  Cycle();
  EXPECT_EQ(policy->TakeAsked(), List{"c"}) << "the others were asked about at this tick";
  EXPECT_EQ(View("c").boost, 600);
}

}  // namespace
}  // namespace muster
