// Generations: a package that keeps failing goes back by itself, never to one that has failed, and
// a restart in between changes nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/policy/generations.h"
#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"

namespace muster {
namespace {

using ::testing::Contains;
using testing::Cpu;
using ::testing::HasSubstr;
using testing::kNoon;
using testing::MakeWorkload;
using testing::MemoryJournal;
using ::testing::Not;

/// Orders a queue as the native rule does, or fails.
class Generation : public Policy {
 public:
  explicit Generation(char letter) {
    info_.name = "ours";
    info_.hash = std::string(64, letter);
    info_.hooks.resize(1);
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> answers) override {
    ++calls;
    if (fails) return {false, "policy.lua:3: no", 7};
    for (unsigned i = 0; i < batch.count; ++i) answers[i] = batch.workloads[i].priority;
    return {};
  }
  bool fails = false;
  int calls = 0;

 private:
  PolicyInfo info_;
};

class GenerationsOfAPackage : public ::testing::Test {
 protected:
  void SetUp() override {
    EngineConfiguration config;
    config.rollback_after = 3;
    const std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default"),
                                         testing::MakeQueue("q", "", {{.nominal = 1}}),
                                         testing::MakeLocalQueue("q"), config};
    ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
  }
  void Activate(const std::shared_ptr<Generation>& generation) {
    ASSERT_TRUE(engine_.ActivatePolicy(generation, Next(), {"ann", "a test"}).ok());
  }
  /// A cycle with a new job to look at.
  CycleResult Cycle() {
    ++jobs_;  // of another priority each, so that none waits with its equals
    const Workload job = MakeWorkload("job-" + std::to_string(jobs_), "q", Cpu(1), jobs_);
    EXPECT_TRUE(engine_.Submit(std::span(&job, 1), Next()).ok());
    CycleResult result = *engine_.RunCycle(Next());
    EXPECT_TRUE(engine_.CheckInvariants().ok());
    return result;
  }
  std::string ActiveHash() const {
    const std::vector<PolicyInfo> active = *engine_.Policies();
    return active.empty() ? "" : active.front().hash.substr(0, 1);
  }
  TimeNs Next() { return kNoon + kSecond * ++seconds_; }
  std::vector<std::string> Payloads(EventKind kind) const {
    std::vector<std::string> payloads;
    for (const Commit& commit : journal_.commits()) {
      for (const Event& event : commit.events) {
        if (event.kind == kind) payloads.push_back(event.payload);
      }
    }
    return payloads;
  }

  MemoryJournal journal_;
  Engine engine_{&journal_};
  std::shared_ptr<Generation> a_ = std::make_shared<Generation>('a');
  std::shared_ptr<Generation> b_ = std::make_shared<Generation>('b');
  std::shared_ptr<Generation> c_ = std::make_shared<Generation>('c');
  int seconds_ = 0;
  int jobs_ = 0;
};

TEST_F(GenerationsOfAPackage, AfterAsManyFailuresInARowAsConfiguredTheOneBeforeDecides) {
  Activate(a_);
  Activate(b_);
  b_->fails = true;
  EXPECT_TRUE(Cycle().rolled_back.empty());
  EXPECT_TRUE(Cycle().rolled_back.empty());
  const CycleResult third = Cycle();
  ASSERT_EQ(third.rolled_back.size(), 1u);
  EXPECT_EQ(third.rolled_back[0].from, b_->info().hash);
  EXPECT_EQ(third.rolled_back[0].to, a_->info().hash);
  EXPECT_THAT(third.rolled_back[0].why, HasSubstr("3 cycles in a row, last: policy.lua:3: no"));
  EXPECT_EQ(ActiveHash(), "a");
  EXPECT_TRUE(Cycle().policy_failures.empty());
}

TEST_F(GenerationsOfAPackage, ACycleWithoutAFailureStartsTheCountAgain) {
  Activate(a_);
  Activate(b_);
  for (int i = 0; i < 6; ++i) {
    b_->fails = i % 3 != 2;
    EXPECT_TRUE(Cycle().rolled_back.empty());
  }
  EXPECT_EQ(ActiveHash(), "b");
}

TEST_F(GenerationsOfAPackage, ACycleInWhichItIsNotAskedDoesNotCount) {
  Activate(a_);
  Activate(b_);
  b_->fails = true;
  Cycle();
  Cycle();
  Engine idle;
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(engine_.Advance(Next()).ok());
  EXPECT_EQ(ActiveHash(), "b");
}

TEST_F(GenerationsOfAPackage, NeverBackToOneThatHasFailed) {
  Activate(a_);
  Activate(b_);
  b_->fails = true;
  for (int i = 0; i < 3; ++i) Cycle();
  ASSERT_EQ(ActiveHash(), "a");
  a_->fails = true;
  for (int i = 0; i < 6; ++i) EXPECT_TRUE(Cycle().rolled_back.empty());
  EXPECT_EQ(ActiveHash(), "a") << "none is left; the native rule decides anyway";
  const Status by_hand = engine_.RollBackPolicy("ours", {b_}, Next());
  EXPECT_EQ(by_hand.code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(by_hand.message(), HasSubstr("was rolled back for failing"));
  b_->fails = false;
  Activate(b_);
  EXPECT_EQ(ActiveHash(), "b") << "by hand it may be tried again";
}

TEST_F(GenerationsOfAPackage, OneThatFailedWithNothingBeforeItIsNoPlaceToGoBackTo) {
  Activate(a_);
  a_->fails = true;
  for (int i = 0; i < 3; ++i) Cycle();
  Activate(b_);
  b_->fails = true;
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(Cycle().rolled_back.empty());
  EXPECT_EQ(ActiveHash(), "b");
}

TEST_F(GenerationsOfAPackage, TheFirstGenerationHasNothingToGoBackTo) {
  Activate(a_);
  a_->fails = true;
  for (int i = 1; i <= 5; ++i) {
    const CycleResult cycle = Cycle();
    EXPECT_TRUE(cycle.rolled_back.empty());
    ASSERT_EQ(cycle.policy_failures.size(), 1u);
    EXPECT_EQ(cycle.policy_failures[0].stuck_after, i < 3 ? 0 : 3) << "cycle " << i;
  }
  EXPECT_EQ(ActiveHash(), "a");
}

TEST_F(GenerationsOfAPackage, ARestartBetweenTheFailuresChangesNothing) {
  Activate(a_);
  Activate(b_);
  b_->fails = true;
  for (int cycle = 1; cycle <= 3; ++cycle) {
    EXPECT_EQ(Cycle().rolled_back.size(), cycle == 3 ? 1u : 0u);
    const std::string before = *engine_.StateHash();
    ASSERT_TRUE(journal_.Reopen(engine_).ok());
    for (const std::string& hash : *engine_.StoredPolicyHashes()) {
      EXPECT_TRUE(engine_.AttachPolicy(hash == a_->info().hash ? a_ : b_).ok());
    }
    EXPECT_EQ(*engine_.StateHash(), before);
    EXPECT_EQ(ActiveHash(), cycle == 3 ? "a" : "b");
  }
}

TEST_F(GenerationsOfAPackage, EveryStepIsAnEventWithHashWhoAndWhy) {
  ASSERT_TRUE(engine_.NoteStaged("ours", a_->info().hash, "", {"ann", "checked"}, Next()).ok());
  ASSERT_TRUE(
      engine_.NoteStaged("ours", c_->info().hash, "policy.lua:1: no", {"ann", "saved"}, Next())
          .ok());
  Activate(a_);
  Activate(b_);
  b_->fails = true;
  for (int i = 0; i < 3; ++i) Cycle();
  ASSERT_TRUE(engine_.RollBackPolicy("ours", {}, Next(), {"bob", "enough"}).ok());
  const std::vector<std::string> staged = Payloads(EventKind::kPolicyStaged);
  ASSERT_EQ(staged.size(), 2u);
  EXPECT_THAT(staged[0], HasSubstr(R"("by":"ann","why":"checked")"));
  EXPECT_THAT(staged[1], HasSubstr(R"("refused":"policy.lua:1: no")"));
  EXPECT_THAT(Payloads(EventKind::kPolicyActivated).at(1), HasSubstr(R"("why":"a test")"));
  const std::vector<std::string> back = Payloads(EventKind::kPolicyRolledBack);
  ASSERT_EQ(back.size(), 2u);
  EXPECT_THAT(back[0], HasSubstr(R"("by":"the engine")"));
  EXPECT_THAT(back[1], HasSubstr(R"("by":"bob","why":"enough")"));
}

TEST_F(GenerationsOfAPackage, LiveBatchesHaveWhatWaitsAndOutliveIt) {
  Cycle();
  Cycle();
  const std::vector<LiveBatch> batches = *engine_.LiveBatches(a_->info(), 100);
  ASSERT_EQ(batches.size(), 1u);
  EXPECT_EQ(batches[0].hook(), Hook::kQueueOrder);
  engine_ = Engine();
  const muster_batch& batch = batches[0].batch();
  ASSERT_EQ(batch.count, 1u);
  const muster_string& name = batch.strings[batch.workloads[0].name];
  EXPECT_EQ(std::string(name.data, name.size), "job-2");
  EXPECT_TRUE(DryCall(*a_, batches).ok());
  a_->fails = true;
  EXPECT_THAT(DryCall(*a_, batches).message(), HasSubstr("policy.lua:3: no"));
}

// ---- shadow -----------------------------------------------------------------------------------

/// The other way round: the newest first.
class NewestFirst : public Generation {
 public:
  NewestFirst() : Generation('n') {}
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> answers) override {
    ++calls;
    if (fails) return {false, "policy.lua:9: never", 7};
    for (unsigned i = 0; i < batch.count; ++i) answers[i] = batch.workloads[i].created;
    return {};
  }
};

class ShadowOfACandidate : public GenerationsOfAPackage {
 protected:
  void SetUp() override {
    GenerationsOfAPackage::SetUp();
    for (const char* name : {"old", "young"}) {
      Workload job = MakeWorkload(name, "q", Cpu(1));
      job.created = name[0] == 'o' ? kNoon : kNoon + kSecond;
      ASSERT_TRUE(engine_.Submit(std::span(&job, 1), Next()).ok());
    }
  }
  std::shared_ptr<NewestFirst> candidate_ = std::make_shared<NewestFirst>();
};

TEST_F(ShadowOfACandidate, CountsAndSamplesWhatItWouldHaveDone) {
  EXPECT_TRUE(engine_.ShadowPolicy(candidate_).ok());
  EXPECT_EQ(testing::AdmittedNames(*engine_.RunCycle(Next())), std::vector<std::string>{"old"});
  const ShadowReport report = *engine_.Shadow();
  EXPECT_EQ(report.cycles, 1);
  EXPECT_EQ(report.other_heads, 1);
  EXPECT_EQ(report.other_admissions, 1);
  EXPECT_EQ(report.other_victims, 0);
  ASSERT_EQ(report.samples.size(), 2u);
  EXPECT_EQ(report.samples[0].what, "head of q");
  EXPECT_EQ(report.samples[0].active, "default/old");
  EXPECT_EQ(report.samples[0].candidate, "default/young");
  EXPECT_EQ(report.samples[1].candidate, "default/young");
}

TEST_F(ShadowOfACandidate, HasNoEffect) {
  Engine twin;
  ASSERT_TRUE(journal_.Reopen(twin).ok());
  EXPECT_TRUE(engine_.ShadowPolicy(candidate_).ok());
  for (int i = 0; i < 3; ++i) {
    const TimeNs now = Next();
    ASSERT_TRUE(engine_.RunCycle(now).ok());
    ASSERT_TRUE(twin.RunCycle(now).ok());
    EXPECT_EQ(*engine_.StateHash(), *twin.StateHash());
  }
  EXPECT_GT(candidate_->calls, 0);
}

TEST_F(ShadowOfACandidate, AgreesWithOneThatDecidesTheSame) {
  EXPECT_TRUE(engine_.ShadowPolicy(a_).ok());
  for (int i = 0; i < 4; ++i) Cycle();
  const ShadowReport report = *engine_.Shadow();
  EXPECT_GE(report.cycles, 4);
  EXPECT_EQ(report.other_heads + report.other_admissions + report.other_victims, 0);
  EXPECT_TRUE(report.samples.empty());
}

/// Evicts the other one than the native rule does.
class Spares : public Policy {
 public:
  Spares() {
    info_.name = "ours";
    info_.hash = std::string(64, 'v');
    info_.hooks.resize(1);
    info_.hooks[0].hook = Hook::kVictim;
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> answers) override {
    for (unsigned i = 0; i < batch.count; ++i) answers[i] = -batch.workloads[i].priority;
    return {};
  }

 private:
  PolicyInfo info_;
};

TEST_F(ShadowOfACandidate, CountsAndSamplesOtherVictims) {
  ClusterQueue queue = testing::MakeQueue("full", "", {{.nominal = 2}});
  queue.preemption.within_cluster_queue = PreemptionPolicy::kLowerPriority;
  const std::vector<Object> objects = {queue, testing::MakeLocalQueue("full"),
                                       MakeWorkload("low", "full", Cpu(1), 0),
                                       MakeWorkload("lower", "full", Cpu(1), -1)};
  ASSERT_TRUE(engine_.Apply(objects, Next()).ok());
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(engine_.RunCycle(Next()).ok());
  const Workload urgent = MakeWorkload("urgent", "full", Cpu(1), 9);
  ASSERT_TRUE(engine_.Submit(std::span(&urgent, 1), Next()).ok());
  EXPECT_TRUE(engine_.ShadowPolicy(std::make_shared<Spares>()).ok());
  EXPECT_EQ(testing::PreemptedNames(*engine_.RunCycle(Next())), std::vector<std::string>{"lower"});
  const ShadowReport report = *engine_.Shadow();
  EXPECT_EQ(report.other_victims, 1);
  ASSERT_EQ(report.samples.size(), 1u);
  EXPECT_EQ(report.samples[0].what, "preempted");
  EXPECT_EQ(report.samples[0].active, "default/lower for default/urgent");
  EXPECT_EQ(report.samples[0].candidate, "default/low for default/urgent");
}

TEST_F(ShadowOfACandidate, LooksAtNoMoreThanItsLimitAndKeepsNoMoreThanAFewSamples) {
  EXPECT_TRUE(engine_.ShadowPolicy(candidate_).ok());
  for (int i = 0; i < 30; ++i) {
    Workload job = MakeWorkload("job-" + std::to_string(i), "q", Cpu(1), i + 1);
    job.created = kNoon + i * kSecond;
    ASSERT_TRUE(engine_.Submit(std::span(&job, 1), Next()).ok());
    ASSERT_TRUE(engine_.RunCycle(Next()).ok());
  }
  EXPECT_LE(engine_.Shadow()->samples.size(), 20u);
  EXPECT_EQ(engine_.Shadow()->skipped, 0);
  std::vector<Workload> many;
  for (int i = 0; i < 20'001; ++i) {  // each of a form of its own, so that all are in the heap
    many.push_back(MakeWorkload("many-" + std::to_string(i), "q", Cpu(1), 100 + i));
  }
  ASSERT_TRUE(engine_.Submit(many, Next()).ok());
  const int calls = candidate_->calls;
  ASSERT_TRUE(engine_.RunCycle(Next()).ok());
  EXPECT_EQ(engine_.Shadow()->skipped, 1);
  EXPECT_EQ(candidate_->calls, calls) << "a cycle that is too large costs nothing";
}

TEST_F(ShadowOfACandidate, FailuresAreCountedAndFailNothing) {
  candidate_->fails = true;
  EXPECT_TRUE(engine_.ShadowPolicy(candidate_).ok());
  EXPECT_TRUE(engine_.RunCycle(Next())->policy_failures.empty());
  EXPECT_EQ(engine_.Shadow()->failures, 1);
  EXPECT_EQ(engine_.Shadow()->last_failure, "policy.lua:9: never");
  EXPECT_TRUE(engine_.ShadowPolicy(nullptr).ok());
  EXPECT_TRUE(engine_.Shadow()->package.empty());
}

// A cycle starts again after a failure, and all time that packages take in it counts.
TEST(GenerationsThatAreLate, AreNotBlamedBehindTheFailureOfAnotherPackage) {
  Generations generations;
  generations.Activated(Generation('a'), nullptr);
  PolicyFailure other, late;
  other.policy = "other";
  other.late = 3;
  late.policy = "ours";
  late.late = 5;
  const auto judge = [&](const std::vector<PolicyFailure>& failures) {
    return generations.Judge({"ours", "other"}, failures, /*most=*/2);
  };
  for (int cycle = 0; cycle < 3; ++cycle) {
    EXPECT_THAT(judge({other, late}), Not(Contains("ours")));
  }
  EXPECT_THAT(judge({late, other}), Not(Contains("ours")));
  EXPECT_THAT(judge({late}), Contains("ours")) << "the second cycle in a row";
}

}  // namespace
}  // namespace muster
