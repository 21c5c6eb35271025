// Hook hold: what waits for a policy is out of the way of others, is asked about when it has to be,
// and no cycle lets more through than the policy would one by one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <memory>
#include <optional>
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
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kNoon;
using testing::MakeWorkload;
using ::testing::UnorderedElementsAre;

constexpr double kNobodyKnows = std::numeric_limits<double>::infinity();
using List = std::vector<std::string>;

std::string WordOf(const muster_batch& batch, unsigned text) {
  return {batch.strings[text].data, batch.strings[text].size};
}

struct Says {
  std::string reason;
  double until = kNobodyKnows;
};

/// Holds back what a function says.
class Holds : public Policy {
 public:
  using Answer = std::function<std::optional<Says>(const muster_batch&, const muster_workload&)>;
  explicit Holds(Answer answer, List reads = {}, double every = 0) : answer_(std::move(answer)) {
    info_.name = "holds";
    info_.hash = std::string(64, 'a');
    HookInfo& hook = info_.hooks.emplace_back();
    hook.hook = Hook::kHold;
    hook.keys = 2;
    hook.reads = std::move(reads);
    hook.every = every;
  }
  void Declare(AccountRule rule) { info_.accounts.push_back({"a", std::move(rule)}); }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> answers) override {
    HookOutcome outcome;
    for (unsigned i = 0; i < batch.count; ++i) {
      asked.push_back(WordOf(batch, batch.workloads[i].name));
      const std::optional<Says> said = answer_(batch, batch.workloads[i]);
      answers[2 * i] = said ? static_cast<double>(outcome.reasons.size() + 1) : 0;
      answers[2 * i + 1] = said ? said->until : 0;
      if (said) outcome.reasons.push_back(said->reason);
    }
    if (spoil) spoil(outcome, answers);
    return outcome;
  }
  List TakeAsked() { return std::exchange(asked, {}); }
  List asked;
  std::function<void(HookOutcome&, std::span<double>)> spoil;

 private:
  Answer answer_;
  PolicyInfo info_;
};

Holds::Answer IfNamed(std::string prefix, std::string reason) {
  return [=](const muster_batch& batch, const muster_workload& w) -> std::optional<Says> {
    if (!WordOf(batch, w.name).starts_with(prefix)) return std::nullopt;
    return Says{reason};
  };
}

AccountRule AdmissionsByUser() {
  AccountRule rule;
  rule.by = AccountBy::kUser;
  rule.of = AccountOf::kAdmissions;
  return rule;
}

/// At most so many admissions of a user, ever.
std::shared_ptr<Holds> AtMost(double most) {
  auto policy = std::make_shared<Holds>(
      [most](const muster_batch&, const muster_workload& w) -> std::optional<Says> {
        if (w.account[0] < most) return std::nullopt;
        return Says{"has had enough"};
      },
      List{"account"});
  policy->Declare(AdmissionsByUser());
  return policy;
}

class OnHold : public ::testing::Test {
 protected:
  void SetUp() override { SetUpQueues(QueueingStrategy::kBestEffortFifo); }
  void SetUpQueues(QueueingStrategy strategy) {
    ClusterQueue q = testing::MakeQueue("q", "", {{.nominal = 4}});
    ClusterQueue other = testing::MakeQueue("other", "", {{.nominal = 4}});
    q.queueing_strategy = other.queueing_strategy = strategy;
    for (ClusterQueue* queue : {&q, &other}) {
      queue->preemption.within_cluster_queue = PreemptionPolicy::kLowerPriority;
    }
    Apply({testing::MakeNamespace(), testing::MakeFlavor("default"), q, other,
           testing::MakeLocalQueue("q"), testing::MakeLocalQueue("other")});
  }
  void Apply(std::vector<Object> objects) {
    const Status status = engine_.Apply(objects, now_, MissingReference::kAccept);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  void Submit(const std::string& name, const std::string& queue = "q", std::int32_t priority = 0,
              std::int64_t cores = 1) {
    Workload workload = MakeWorkload(name, queue, Cpu(cores), priority);
    workload.labels[kUserLabel] = "ann";
    ASSERT_TRUE(engine_.Submit(std::span(&workload, 1), now_).ok());
  }
  void Activate(std::shared_ptr<Policy> policy) {
    const Status status = engine_.ActivatePolicy(std::move(policy), now_);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  List AdmittedNow() {
    CycleTrace trace;
    result_ = *engine_.RunCycle(now_, &trace);
    const Status status = engine_.CheckInvariants();
    EXPECT_TRUE(status.ok()) << status.message();
    return testing::AdmittedNames(result_);
  }
  /// Cycles until one decides nothing.
  List AdmittedInAll() {
    List all;
    do {
      for (std::string& name : AdmittedNow()) all.push_back(std::move(name));
    } while (!result_.at_rest);
    return all;
  }
  WorkloadView View(const std::string& name) { return *engine_.GetWorkload(DefaultKey(name)); }
  bool IsOnHold(const std::string& name) { return View(name).hold.has_value(); }

  testing::MemoryJournal journal_;
  Engine engine_{&journal_};
  TimeNs now_ = kNoon;
  CycleResult result_;
};

TEST_F(OnHold, WhatIsHeldLetsThoseBehindPassAndNamesPolicyReasonAndTime) {
  Submit("big", "q", 9);
  Submit("small");
  const double until = static_cast<double>(kNoon / kSecond + 3600);
  Activate(std::make_shared<Holds>(
      [=](const muster_batch&, const muster_workload& w) -> std::optional<Says> {
        if (w.priority < 9) return std::nullopt;
        return Says{"over 64 GPUs", until};
      }));
  EXPECT_THAT(AdmittedInAll(), ElementsAre("small"));
  const WorkloadView view = View("big");
  EXPECT_FALSE(view.parked);
  EXPECT_EQ(view.reason, PendingReason::kOnHold);
  EXPECT_EQ(view.message, "held by policy holds: over 64 GPUs, until 2026-01-01T13:00:00Z");
  ASSERT_TRUE(view.hold.has_value());
  EXPECT_EQ(view.hold->policy, "holds");
  EXPECT_EQ(view.hold->reason, "over 64 GPUs");
  EXPECT_EQ(view.hold->until, kNoon + 3600 * kSecond);
  const Explanation why = *engine_.Explain(DefaultKey("big"));
  EXPECT_EQ(why.verdict,
            "default/big is held by policy holds: over 64 GPUs, until 2026-01-01T13:00:00Z.");
  EXPECT_EQ(why.until, kNoon + 3600 * kSecond);
  int told = 0;
  for (const Commit& commit : journal_.commits()) {
    for (const Event& event : commit.events) {
      told += event.kind == EventKind::kPending && event.subject == "default/big";
    }
  }
  EXPECT_EQ(told, 1) << "once, however many cycles there were";
}

TEST_F(OnHold, UnderStrictFifoTooTheHeadThatIsHeldBlocksNobody) {
  SetUpQueues(QueueingStrategy::kStrictFifo);
  Submit("held", "q", 9);
  Submit("next");
  Activate(std::make_shared<Holds>(IfNamed("held", "not now")));
  EXPECT_THAT(AdmittedInAll(), ElementsAre("next"));
  EXPECT_TRUE(IsOnHold("held"));
}

TEST_F(OnHold, StableFieldsAreAskedAboutOnce) {
  Submit("held");
  Submit("too-large", "q", 0, 9);
  const auto policy = std::make_shared<Holds>(IfNamed("held", "not now"));
  Activate(policy);
  AdmittedInAll();
  EXPECT_THAT(policy->TakeAsked(), ElementsAre("held", "too-large"));
  Submit("new");
  AdmittedInAll();
  EXPECT_THAT(policy->TakeAsked(), ElementsAre("new"));
  ASSERT_TRUE(engine_.Finish({{DefaultKey("new")}}, false, now_).ok());
  AdmittedInAll();
  EXPECT_THAT(policy->TakeAsked(), IsEmpty()) << "what woke was asked about before";
  WorkloadUpdate update;
  update.workload = DefaultKey("held");
  update.priority = 3;
  ASSERT_TRUE(engine_.Update(update, now_).ok());
  AdmittedInAll();
  EXPECT_THAT(policy->TakeAsked(), ElementsAre("held"));
  ASSERT_TRUE(engine_.Cancel({{DefaultKey("held")}}, now_).ok());
  EXPECT_TRUE(engine_.CheckInvariants().ok());
}

TEST_F(OnHold, WhatAChangeLetsGoIsNotSaidToBeHeld) {
  Submit("first", "q", 9, 4);
  EXPECT_THAT(AdmittedInAll(), ElementsAre("first"));
  Submit("held", "q", 0, 4);
  Activate(std::make_shared<Holds>(
      [](const muster_batch&, const muster_workload& w) -> std::optional<Says> {
        if (w.priority > 0) return std::nullopt;
        return Says{"not now"};
      }));
  AdmittedInAll();
  ASSERT_TRUE(IsOnHold("held"));
  WorkloadUpdate update;
  update.workload = DefaultKey("held");
  update.priority = 1;
  ASSERT_TRUE(engine_.Update(update, now_).ok());
  AdmittedInAll();
  EXPECT_FALSE(IsOnHold("held"));
  EXPECT_EQ(View("held").reason, PendingReason::kWaitingForQuota);
}

TEST_F(OnHold, ANewcomerThatWasCancelledIsNotAskedAbout) {
  const auto policy = std::make_shared<Holds>(IfNamed("held", "not now"));
  Activate(policy);
  AdmittedInAll();
  Submit("gone");
  Submit("stays");
  ASSERT_TRUE(engine_.Cancel({{DefaultKey("gone")}}, now_).ok());
  AdmittedInAll();
  EXPECT_THAT(policy->TakeAsked(), ElementsAre("stays"));
}

TEST_F(OnHold, ItIsLetGoWhenTheTimeIsOver) {
  Submit("held");
  const double until = static_cast<double>(kNoon / kSecond + 60);
  const auto policy = std::make_shared<Holds>([=](const muster_batch&, const muster_workload&) {
    return Says{"later", until};
  });
  Activate(policy);
  EXPECT_THAT(AdmittedInAll(), IsEmpty());
  EXPECT_TRUE(result_.at_rest);
  EXPECT_EQ(*engine_.NextDeadline(), kNoon + 60 * kSecond);
  now_ += 59 * kSecond;
  EXPECT_THAT(AdmittedInAll(), IsEmpty());
  now_ += kSecond;
  EXPECT_THAT(AdmittedInAll(), ElementsAre("held"));
  EXPECT_EQ(*engine_.NextDeadline(), kNoTime);
}

TEST_F(OnHold, AHookThatReadsTheTimeIsAskedAtEachTick) {
  Submit("held");
  const auto policy = std::make_shared<Holds>(
      [](const muster_batch& batch, const muster_workload&) -> std::optional<Says> {
        if (batch.now >= static_cast<double>(kNoon / kSecond) + 90) return std::nullopt;
        return Says{"quiet hours"};
      },
      List{"now"}, 60);
  Activate(policy);
  EXPECT_THAT(AdmittedInAll(), IsEmpty());
  EXPECT_EQ(*engine_.NextDeadline(), kNoon + 60 * kSecond);
  for (const int seconds : {30, 60, 95}) {
    now_ = kNoon + seconds * kSecond;
    EXPECT_THAT(AdmittedInAll(), IsEmpty()) << seconds;
  }
  EXPECT_EQ(policy->TakeAsked().size(), 2u);
  now_ = kNoon + 120 * kSecond;
  EXPECT_THAT(AdmittedInAll(), ElementsAre("held"));
}

TEST_F(OnHold, NoBurstPassesThroughSeveralQueuesInOneCycle) {
  for (const std::string queue : {"q", "other"}) {
    for (const std::string name : {"-1", "-2", "-3"}) Submit(queue + name, queue);
  }
  Activate(AtMost(1));
  EXPECT_EQ(AdmittedNow().size(), 1u);
  EXPECT_THAT(AdmittedInAll(), IsEmpty());
}

TEST_F(OnHold, NoBurstPassesWithSeveralHeadsInACycle) {
  EngineConfiguration config;
  config.heads_per_cycle = 4;
  Apply({config});
  for (const std::string queue : {"q", "other"}) {
    for (const std::string name : {"-1", "-2", "-3"}) Submit(queue + name, queue);
  }
  Activate(AtMost(3));
  EXPECT_EQ(AdmittedNow().size(), 3u);
  EXPECT_THAT(AdmittedInAll(), IsEmpty());
  EXPECT_EQ((*engine_.ClusterQueues())[0].on_hold + (*engine_.ClusterQueues())[1].on_hold, 3);
}

TEST_F(OnHold, APreemptorThatIsHeldOrdersNoEvictions) {
  Submit("runs", "q", 0, 4);
  EXPECT_THAT(AdmittedInAll(), ElementsAre("runs"));
  Submit("urgent", "q", 9, 4);
  Submit("aside", "other", 10, 4);
  Activate(AtMost(1));
  EXPECT_THAT(AdmittedNow(), ElementsAre("aside"));
  EXPECT_THAT(testing::PreemptedNames(result_), IsEmpty());
  EXPECT_TRUE(IsOnHold("urgent"));
}

TEST_F(OnHold, AFailingCallHoldsNothingBackForTheCycle) {
  Submit("held");
  Submit("other", "other");
  const auto policy = std::make_shared<Holds>(IfNamed("held", "not now"));
  Activate(policy);
  EXPECT_THAT(AdmittedInAll(), ElementsAre("other"));
  policy->spoil = [](HookOutcome& outcome, std::span<double>) { outcome = {false, "no", 7}; };
  Submit("more", "other");
  EXPECT_THAT(AdmittedNow(), ElementsAre("more", "held"));
  ASSERT_EQ(result_.policy_failures.size(), 1u);
  EXPECT_EQ(result_.policy_failures[0].hook, "hold");
  policy->spoil = nullptr;
  Submit("held-again");
  EXPECT_THAT(AdmittedInAll(), IsEmpty());
  EXPECT_TRUE(IsOnHold("held-again"));
}

TEST_F(OnHold, AFailureInTheMiddleOfACycleBeginsItAnewWithNothingHeld) {
  Submit("a-1");
  Submit("b-1", "other");
  const auto policy = AtMost(9);
  Activate(policy);
  AdmittedInAll();
  Submit("a-2");
  Submit("a-3");
  Submit("b-2", "other");
  int calls = 0;
  policy->spoil = [&](HookOutcome& outcome, std::span<double>) {
    if (++calls == 3) outcome = {false, "no", 7};
  };
  EXPECT_THAT(AdmittedNow(), UnorderedElementsAre("a-2", "b-2"));
  EXPECT_EQ(calls, 3) << "for each queue, and again for the second head";
  ASSERT_EQ(result_.policy_failures.size(), 1u);
}

TEST_F(OnHold, NonsenseIsAFailure) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::function<void(HookOutcome&, std::span<double>)>> spoils = {
      [](HookOutcome& outcome, std::span<double>) { outcome.reasons.clear(); },
      [](HookOutcome& outcome, std::span<double>) { outcome.reasons[0].clear(); },
      [](HookOutcome&, std::span<double> answers) { answers[0] = -1; },
      [](HookOutcome&, std::span<double> answers) { answers[0] = 0.5; },
      [](HookOutcome&, std::span<double> answers) { answers[0] = kNobodyKnows; },
      [=](HookOutcome&, std::span<double> answers) { answers[0] = nan; },
      [=](HookOutcome&, std::span<double> answers) { answers[1] = nan; },
      [](HookOutcome&, std::span<double> answers) { answers[1] = -kNobodyKnows; },
      [](HookOutcome&, std::span<double>) { throw std::runtime_error("no"); }};
  const auto policy = std::make_shared<Holds>(IfNamed("", "not now"));
  Activate(policy);
  for (std::size_t i = 0; i < spoils.size(); ++i) {
    policy->spoil = spoils[i];
    const std::string name = "w-" + std::to_string(i);
    Submit(name);
    EXPECT_THAT(AdmittedNow(), ElementsAre(name)) << i;
    EXPECT_EQ(result_.policy_failures.size(), 1u) << i;
    ASSERT_TRUE(engine_.Finish({{DefaultKey(name)}}, false, now_).ok());
  }
}

TEST_F(OnHold, ATimeThatIsOverHoldsNothingAndOneThatNeverComesIsNone) {
  double until = static_cast<double>(kNoon / kSecond);
  const auto policy = std::make_shared<Holds>([&](const muster_batch&, const muster_workload&) {
    return Says{"later", until};
  });
  Activate(policy);
  Submit("over");
  EXPECT_THAT(AdmittedInAll(), ElementsAre("over"));
  until = 1e300;
  Submit("never");
  EXPECT_THAT(AdmittedInAll(), IsEmpty());
  EXPECT_EQ(View("never").message, "held by policy holds: later");
}

TEST_F(OnHold, LongReasonsAreCutAndControlCharactersGo) {
  Activate(std::make_shared<Holds>(IfNamed("", "a\nb\x1b" + std::string(1000, 'x'))));
  Submit("held");
  AdmittedInAll();
  const std::string reason = View("held").hold->reason;
  EXPECT_TRUE(reason.starts_with("a b x"));
  EXPECT_LE(reason.size(), kMaxHoldReason);
}

// Histories have recorded it so.
TEST_F(OnHold, ReasonsKeepWhatIsOnlyNotSeen) {
  const std::string unseen = "a\x7f\xe2\x80\xaez";
  Activate(std::make_shared<Holds>(IfNamed("", unseen)));
  Submit("held");
  AdmittedInAll();
  EXPECT_EQ(View("held").hold->reason, unseen);
}

TEST_F(OnHold, ABindingOfOneQueueHoldsThereAlone) {
  PolicyBinding binding;
  binding.name = "ours";
  binding.policy = "holds";
  binding.cluster_queues = {"q"};
  Activate(std::make_shared<Holds>(IfNamed("", "not now")));
  Apply({binding});
  Submit("here");
  Submit("there", "other");
  EXPECT_THAT(AdmittedInAll(), ElementsAre("there"));
  ASSERT_TRUE(engine_.Delete(ObjectKind::kPolicyBinding, {"", "ours"}, now_).ok());
  AdmittedInAll();
  EXPECT_TRUE(IsOnHold("here"));
  binding.cluster_queues = {"other"};
  Apply({binding});
  EXPECT_THAT(AdmittedInAll(), ElementsAre("here")) << "it holds there no more";
  EXPECT_FALSE(IsOnHold("here"));
}

TEST_F(OnHold, AReopenedEngineIsTheSameAndGoesOnSo) {
  const auto policy = AtMost(2);
  Activate(policy);
  for (const std::string name : {"a", "b", "c", "d"}) Submit(name);
  Submit("e", "other");
  AdmittedInAll();
  const std::string before = *engine_.StateHash();
  const WorkloadView view = View("d");
  ASSERT_TRUE(view.hold.has_value());
  ASSERT_TRUE(journal_.Reopen(engine_).ok());
  ASSERT_TRUE(engine_.AttachPolicy(policy).ok());
  EXPECT_EQ(*engine_.StateHash(), before);
  EXPECT_TRUE(engine_.CheckInvariants().ok());
  EXPECT_EQ(View("d").hold->reason, view.hold->reason);
  EXPECT_EQ(View("d").message, view.message);
  EXPECT_THAT(AdmittedInAll(), IsEmpty());
  EXPECT_EQ(*engine_.StateHash(), before) << "nothing is told twice";
}

TEST_F(OnHold, ExplainSaysItOfOneThatNoCycleHasSeen) {
  Activate(std::make_shared<Holds>(IfNamed("", "not now")));
  Submit("new");
  EXPECT_EQ((*engine_.Explain(DefaultKey("new"))).verdict,
            "default/new is held by policy holds: not now.");
}

}  // namespace
}  // namespace muster
