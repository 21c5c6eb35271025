// A closed engine says so first, whatever it is asked; an engine in a call takes no other; and what
// the host's own Journal and Policy throw stays inside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/testing/engine_calls.h"
#include "tests/testing/memory_journal.h"

namespace muster {
namespace {

using testing::AllEngineCalls;
using testing::Cpu;
using ::testing::HasSubstr;
using testing::kNoon;
using testing::MakeWorkload;
using ::testing::SizeIs;

std::vector<Object> OneQueue() {
  return {testing::MakeNamespace(), testing::MakeFlavor("default"),
          testing::MakeQueue("q", "", {{.nominal = 2}}), testing::MakeLocalQueue("q"),
          MakeWorkload("w", "q", Cpu(1))};
}

/// Does what it is told when something is stored.
class WilfulJournal : public testing::MemoryJournal {
 public:
  Result<Ticket> Append(Commit commit) override {
    if (at_append) at_append();
    return MemoryJournal::Append(std::move(commit));
  }
  Status Durable(Ticket ticket) override {
    if (at_durable) at_durable();
    return fails ? Status(StatusCode::kUnavailable, "disk full") : MemoryJournal::Durable(ticket);
  }
  std::function<void()> at_append;
  std::function<void()> at_durable;
  bool fails = false;
};

TEST(ClosedEngine, TheListOfCallsIsWhole) {
  std::set<std::string> listed;
  for (const auto& [name, call] : AllEngineCalls()) listed.insert(name);
  EXPECT_EQ(listed, testing::PublicNames("engine/include/muster/engine.h", "Engine"));
}

void ExpectEveryCallToSay(Engine& engine, StatusCode code, const std::string& why) {
  const Status closed = engine.Closed();
  EXPECT_EQ(closed.code(), code);
  EXPECT_THAT(closed.message(), HasSubstr(why));
  EXPECT_THAT(closed.message(), HasSubstr("closed"));
  for (const auto& [name, call] : AllEngineCalls()) {
    const Status said = call(engine);
    EXPECT_EQ(said.code(), code) << name;
    EXPECT_EQ(said.message(), closed.message()) << name;
  }
}

TEST(ClosedEngine, SaysFirstThatACommitCouldNotBeStored) {
  WilfulJournal journal;
  Engine engine(&journal);
  ASSERT_TRUE(engine.Apply(OneQueue(), kNoon).ok());
  journal.fails = true;
  EXPECT_THAT(engine.RunCycle(kNoon).status().message(), HasSubstr("disk full"));
  journal.fails = false;
  ExpectEveryCallToSay(engine, StatusCode::kUnavailable, "disk full");
}

TEST(ClosedEngine, SaysFirstThatItsJournalThrew) {
  const auto throws = [] { throw std::runtime_error("the journal burns"); };
  for (const bool append : {true, false}) {
    WilfulJournal journal;
    Engine engine(&journal);
    ASSERT_TRUE(engine.Apply(OneQueue(), kNoon).ok());
    (append ? journal.at_append : journal.at_durable) = throws;
    EXPECT_FALSE(engine.RunCycle(kNoon).ok());
    ExpectEveryCallToSay(engine, StatusCode::kInternal, "the journal burns");
  }
}

TEST(ClosedEngine, SaysFirstThatMemoryRanOut) {
  WilfulJournal journal;
  Engine engine(&journal);
  ASSERT_TRUE(engine.Apply(OneQueue(), kNoon).ok());
  journal.at_append = [] { throw std::bad_alloc(); };
  EXPECT_FALSE(engine.RunCycle(kNoon).ok());
  ExpectEveryCallToSay(engine, StatusCode::kUnavailable, "out of memory");
}

TEST(ClosedEngine, SaysFirstThatItWasMovedFrom) {
  Engine engine;
  Engine other = std::move(engine);
  ExpectEveryCallToSay(engine, StatusCode::kUnavailable, "moved from");  // NOLINT: that is asked
  EXPECT_TRUE(other.Apply(OneQueue(), kNoon).ok());
  engine = std::move(other);
  EXPECT_TRUE(engine.RunCycle(kNoon).ok());
}

TEST(ClosedEngine, OneThatIsOpenIsNot) {
  Engine engine;
  ASSERT_TRUE(engine.Apply(OneQueue(), kNoon).ok());
  for (const auto& [name, call] : AllEngineCalls()) {
    if (name == "Restore") continue;  // for an engine that has done nothing yet
    EXPECT_NE(call(engine).code(), StatusCode::kUnavailable) << name;
    EXPECT_TRUE(engine.Closed().ok()) << name;
  }
}

TEST(ClosedEngine, AJournalThatCallsItsEngineIsRefusedAndNothingElseHappens) {
  Engine plain;
  ASSERT_TRUE(plain.Apply(OneQueue(), kNoon).ok());
  ASSERT_TRUE(plain.RunCycle(kNoon).ok());
  WilfulJournal journal;
  Engine engine(&journal);
  int refused = 0;
  const auto meddle = [&] {
    for (const auto& [name, call] : AllEngineCalls()) {
      EXPECT_EQ(call(engine).code(), StatusCode::kFailedPrecondition) << name;
      ++refused;
    }
  };
  journal.at_append = meddle;
  journal.at_durable = meddle;
  ASSERT_TRUE(engine.Apply(OneQueue(), kNoon).ok());
  ASSERT_TRUE(engine.RunCycle(kNoon).ok());
  EXPECT_GT(refused, 0);
  EXPECT_EQ(*engine.StateHash(), *plain.StateHash());
}

/// Orders by nothing, after doing what it is told.
class WilfulPolicy : public Policy {
 public:
  explicit WilfulPolicy(std::vector<Hook> hooks) {
    info_.name = "wilful";
    info_.hash = "abc";
    for (const Hook hook : hooks) info_.hooks.emplace_back().hook = hook;
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch&, std::span<double> answers) override {
    for (double& answer : answers) answer = 0;
    does();
    return {};
  }
  bool CallEach(Hook, std::span<const muster_batch>, std::span<double>,
                std::span<std::int64_t>) override {
    does();
    return false;
  }
  HookOutcome Submit(const muster_batch&, SubmitAnswer*) override {
    does();
    return {};
  }
  Result<std::shared_ptr<Policy>> WithParams(const PolicyParams&) const override {
    does();
    return std::shared_ptr<Policy>();
  }
  std::function<void()> does = [] {};

 private:
  PolicyInfo info_;
};

TEST(ThrowingPolicy, IsAHookThatFails) {
  for (const Hook hook : {Hook::kQueueOrder, Hook::kCycleOrder, Hook::kShare, Hook::kFlavorOrder,
                          Hook::kPreemptLimits, Hook::kVictim}) {
    Engine engine;
    const auto policy = std::make_shared<WilfulPolicy>(std::vector{hook});
    ASSERT_TRUE(engine.Apply(OneQueue(), kNoon).ok());
    ASSERT_TRUE(engine.ActivatePolicy(policy, kNoon).ok());
    policy->does = [] { throw std::runtime_error("it burns"); };
    const Result<CycleResult> cycle = engine.RunCycle(kNoon);
    ASSERT_TRUE(cycle.ok()) << HookName(hook) << ": " << cycle.status().message();
    EXPECT_THAT(cycle->admitted, SizeIs(1)) << HookName(hook);
    if (hook == Hook::kQueueOrder) {
      ASSERT_THAT(cycle->policy_failures, SizeIs(1));
      EXPECT_THAT(cycle->policy_failures[0].message, HasSubstr("it burns"));
    }
    EXPECT_TRUE(engine.CheckInvariants().ok());
  }
}

TEST(ThrowingPolicy, OfSubmitFailsForThatJob) {
  Engine engine;
  const auto policy = std::make_shared<WilfulPolicy>(std::vector{Hook::kSubmit});
  policy->does = [] { throw 5; };
  ASSERT_TRUE(engine.Apply(OneQueue(), kNoon).ok());
  ASSERT_TRUE(engine.ActivatePolicy(policy, kNoon).ok());
  const Workload job = MakeWorkload("x", "q", Cpu(1));
  EXPECT_TRUE(engine.Submit({&job, 1}, kNoon).ok());
  EXPECT_TRUE(engine.GetWorkload(job.key).ok());
}

TEST(ThrowingPolicy, OfParametersIsRefusedAndSoIsOneWithoutAPolicy) {
  Engine engine;
  const auto policy = std::make_shared<WilfulPolicy>(std::vector{Hook::kQueueOrder});
  ASSERT_TRUE(engine.Apply(OneQueue(), kNoon).ok());
  PolicyBinding binding;
  binding.name = "all";
  binding.policy = "wilful";
  binding.params = {{"a", "b"}};
  const Object object = binding;
  ASSERT_TRUE(engine.Apply({&object, 1}, kNoon).ok());
  const Status none = engine.ActivatePolicy(policy, kNoon);
  EXPECT_THAT(none.message(), HasSubstr("made none"));
  policy->does = [] { throw std::runtime_error("it burns"); };
  const Status threw = engine.ActivatePolicy(policy, kNoon);
  EXPECT_EQ(threw.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(threw.message(), HasSubstr("it burns"));
  EXPECT_TRUE(engine.Closed().ok());
}

TEST(ThrowingPolicy, OfItsInfoIsNotActivatedAndNothingIsChanged) {
  class Unknown : public WilfulPolicy {
   public:
    Unknown() : WilfulPolicy({Hook::kQueueOrder}) {}
    const PolicyInfo& info() const override { throw std::runtime_error("no name"); }
  };
  Engine engine;
  ASSERT_TRUE(engine.Apply(OneQueue(), kNoon).ok());
  const std::string before = *engine.StateHash();
  EXPECT_THAT(engine.ShadowPolicy(std::make_shared<Unknown>()).message(), HasSubstr("no name"));
  EXPECT_FALSE(engine.ActivatePolicy(std::make_shared<Unknown>(), kNoon).ok());
  EXPECT_TRUE(engine.Closed().ok());
  EXPECT_EQ(*engine.StateHash(), before);
}

TEST(ThrowingPolicy, ThatFindsNoMemoryClosesTheEngine) {
  Engine engine;
  const auto policy = std::make_shared<WilfulPolicy>(std::vector{Hook::kQueueOrder});
  ASSERT_TRUE(engine.Apply(OneQueue(), kNoon).ok());
  ASSERT_TRUE(engine.ActivatePolicy(policy, kNoon).ok());
  policy->does = [] { throw std::bad_alloc(); };
  EXPECT_FALSE(engine.RunCycle(kNoon).ok());
  ExpectEveryCallToSay(engine, StatusCode::kUnavailable, "out of memory");
}

TEST(ThrowingPolicy, ThatCallsTheEngineIsRefused) {
  Engine engine;
  const auto policy = std::make_shared<WilfulPolicy>(std::vector{Hook::kQueueOrder});
  ASSERT_TRUE(engine.Apply(OneQueue(), kNoon).ok());
  ASSERT_TRUE(engine.ActivatePolicy(policy, kNoon).ok());
  int refused = 0;
  policy->does = [&] {
    for (const auto& [name, call] : AllEngineCalls()) {
      refused += call(engine).code() == StatusCode::kFailedPrecondition ? 1 : 0;
    }
  };
  ASSERT_TRUE(engine.RunCycle(kNoon).ok());
  EXPECT_GT(refused, 0);
  EXPECT_EQ(refused % static_cast<int>(AllEngineCalls().size()), 0);
  EXPECT_TRUE(engine.CheckInvariants().ok());
}

TEST(MissingPolicy, IsRefused) {
  Engine engine;
  EXPECT_EQ(engine.ActivatePolicy(nullptr, kNoon).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(engine.AttachPolicy(nullptr).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(engine.RollBackPolicy("p", {nullptr}, kNoon).code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace muster
