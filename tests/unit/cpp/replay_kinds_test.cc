// Every call of the engine, said twice at one time, with and without an effect: whatever is
// recorded of it can be repeated, also by an engine that was closed and opened in between.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "bindings/cpp/replay.h"
#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"

namespace muster {
namespace {

using ::testing::Contains;
using testing::Cpu;
using testing::DefaultKey;
using testing::kNoon;
using testing::MakeWorkload;

/// Orders by arrival, protects all for ten seconds, and fails where it is told to.
class Fussy final : public Policy {
 public:
  explicit Fussy(std::string hash) {
    info_.name = "fussy";
    info_.hash = std::move(hash);
    info_.hooks = {Make(Hook::kSubmit), Make(Hook::kQueueOrder), Make(Hook::kVictim)};
    info_.hooks.back().reads = {"now"};
    info_.hooks.back().every = 10;
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook hook, const muster_batch& batch, std::span<double> keys) override {
    if (hook == Hook::kVictim && info_.hash == "failing") return Failed();
    for (unsigned i = 0; i < batch.count; ++i) {
      keys[i] = hook == Hook::kVictim ? std::numeric_limits<double>::infinity() : 0;
    }
    return {};
  }
  HookOutcome Submit(const muster_batch& batch, SubmitAnswer* answer) override {
    const muster_workload& w = batch.subject[0];
    if (w.priority == 66) return Failed();
    if (w.priority == 77) answer->priority = 7;
    if (w.priority == 88) answer->rejected = "no";
    return {};
  }

 private:
  static HookInfo Make(Hook hook) {
    HookInfo info;
    info.hook = hook;
    return info;
  }
  static HookOutcome Failed() {
    HookOutcome outcome;
    outcome.ok = false;
    outcome.message = "it does not want to";
    return outcome;
  }
  PolicyInfo info_;
};

std::shared_ptr<Policy> PolicyOf(std::string_view hash) {
  return std::make_shared<Fussy>(std::string(hash));
}

class ReplayOfKinds : public ::testing::Test {
 protected:
  void SetUp() override {
    PreemptionRules rules;
    rules.within_cluster_queue = PreemptionPolicy::kLowerPriority;
    AdmissionCheck check;
    check.name = "prov";
    check.controller = "example.com/prov";
    ClusterQueue checked = testing::MakeQueue("p", "", {{.nominal = 4}});
    checked.admission_checks = {{"prov", {}}};
    EngineConfiguration config;
    config.rollback_after = 2;
    const std::vector<Object> objects = {testing::MakeNamespace(),
                                         testing::MakeFlavor("default"),
                                         testing::MakeQueue("q", "", {{.nominal = 4}}, rules),
                                         testing::MakeLocalQueue("q"),
                                         check,
                                         checked,
                                         testing::MakeLocalQueue("p"),
                                         config};
    Must(engine_->Apply(objects, now_));
    Must(engine_->ActivatePolicy(PolicyOf("sound"), now_, {"a person", "a reason"}));
    for (const char* name : {"low", "gone", "x"}) {
      const Workload job = MakeWorkload(name, *name == 'x' ? "p" : "q", Cpu(2), 1);
      Must(engine_->Submit({&job, 1}, now_));
    }
    Must(engine_->RunCycle(now_).status());
    Must(engine_->RunCycle(now_).status());
    // It may evict, but its victims are protected: it is parked, and tried again by ticks.
    const Workload urgent = MakeWorkload("urgent", "q", Cpu(4), 9);
    Must(engine_->Submit({&urgent, 1}, now_));
    Must(engine_->RunCycle(now_).status());
  }

  static void Must(const Status& status) {
    ASSERT_TRUE(status.ok()) << status.message()
                             << (status.problems().empty() ? "" : status.problems()[0].what);
  }

  /// Closes the engine and opens what it kept.
  void Reopen() {
    const std::string before = *engine_->StateHash();
    Must(journal_.Reopen(*engine_));
    for (const std::string& hash : *engine_->StoredPolicyHashes()) {
      Must(engine_->AttachPolicy(PolicyOf(hash)));
    }
    EXPECT_EQ(*engine_->StateHash(), before);
  }

  void ExpectRepeatable(const std::string& what) {
    Replayer replayer(
        [](std::string_view hash) -> Result<std::shared_ptr<Policy>> { return PolicyOf(hash); });
    for (const Commit& commit : journal_.commits()) {
      const Status status = replayer.Redo(commit);
      ASSERT_TRUE(status.ok()) << what << ": " << CommandName(commit.command) << ": "
                               << status.message();
    }
    EXPECT_EQ(*replayer.engine().StateHash(), *engine_->StateHash()) << what;
  }

  Status Submit(const std::string& name, int priority) {
    const Workload job = MakeWorkload(name, "q", Cpu(1), priority);
    return engine_->Submit({&job, 1}, now_);
  }

  using Call = std::function<Status()>;
  /// Each changes something the first time; most say nothing new when they are said again.
  std::vector<std::pair<std::string, Call>> Calls() {
    const Key low = DefaultKey("low"), gone = DefaultKey("gone"), x = DefaultKey("x");
    WorkloadUpdate update;
    update.workload = low;
    update.priority = 2;
    Configuration config;
    config.fair_sharing.emplace();
    return {
        {"register-consumer",
         [=, this] { return engine_->RegisterConsumer("gateway", now_).status(); }},
        {"a staging",
         [=, this] {
           return engine_->NoteStaged("p", "h", "", {"me", "why"}, now_);
         }},
        {"a refused staging",
         [=, this] { return engine_->NoteStaged("/a/b", "", "line 1\n\"no\"", {}, now_); }},
        {"submit", [=, this] { return Submit("new", 1); }},
        {"submit that its hook changes", [=, this] { return Submit("changed", 77); }},
        {"submit that its hook fails at", [=, this] { return Submit("failed", 66); }},
        {"submit that its hook refuses", [=, this] { return Submit("refused", 88); }},
        {"submit of one job twice in a call",
         [=, this] {
           const std::vector<Workload> twice = {MakeWorkload("twice", "q", Cpu(1), 1),
                                                MakeWorkload("other", "q", Cpu(1), 1),
                                                MakeWorkload("twice", "q", Cpu(2), 3)};
           return engine_->Submit(twice, now_);
         }},
        {"submit to a new namespace",
         [=, this] {
           std::vector<Object> objects = {testing::MakeLocalQueue("q")};
           std::get<LocalQueue>(objects[0]).key.ns = "fresh";
           Status status = engine_->Apply(objects, now_, MissingReference::kAccept);
           Workload job = MakeWorkload("there", "q", Cpu(1), 1);
           job.key.ns = "fresh";
           return status.ok() ? engine_->Submit({&job, 1}, now_) : status;
         }},
        {"apply",
         [=, this] {
           const Object object = config;
           return engine_->Apply({&object, 1}, now_);
         }},
        {"apply of a job before its queue",
         [=, this] {
           const std::vector<Object> objects = {MakeWorkload("early", "late", Cpu(1), 1),
                                                testing::MakeQueue("late", "", {{.nominal = 1}}),
                                                testing::MakeLocalQueue("late")};
           return engine_->Apply(objects, now_);
         }},
        {"update", [=, this] { return engine_->Update(update, now_); }},
        {"check, an answer",
         [=, this] {
           return engine_->UpdateCheck({x, "prov", CheckState::kReady, "", {}, {}}, now_).status();
         }},
        {"ready",
         [=, this] {
           return engine_->Ready({&low, 1}, now_);
         }},
        {"ready, lost",
         [=, this] {
           return engine_->Ready({&low, 1}, now_, /*ready=*/false);
         }},
        {"evict", [=, this] { return engine_->Evict(gone, "Maintenance", now_); }},
        {"evicted", [=, this] { return engine_->Evicted(*engine_->Evicting(), now_); }},
        {"finish",
         [=, this] {
           return engine_->Finish({&low, 1}, false, now_);
         }},
        {"cycle", [=, this] { return engine_->RunCycle(now_).status(); }},
        {"acknowledge",
         [=, this] {
           const std::int64_t last = engine_->Decisions("gateway", 0)->last;
           return engine_->Acknowledge("gateway", last, now_).status();
         }},
        {"advance", [=, this] { return engine_->Advance(now_); }},
        {"activation of what fails",
         [=, this] {
           return engine_->ActivatePolicy(PolicyOf("failing"), now_, {"me", ""});
         }},
        {"failing cycles, and back",
         [=, this] {
           const Workload job = MakeWorkload("hungry", "q", Cpu(4), 50);
           Status status = engine_->Submit({&job, 1}, now_);
           for (int i = 0; i < 3 && status.ok(); ++i) {
             status = engine_->RunCycle(now_ += 11 * kSecond).status();
           }
           return status;
         }},
        {"rollback",
         [=, this] {
           return engine_->RollBackPolicy("fussy", {}, now_, {"me", "bad"});
         }},
        {"delete with force",
         [=, this] {
           return engine_->Delete(ObjectKind::kLocalQueue, DefaultKey("lq-q"), now_, true);
         }},
        {"cancel",
         [=, this] {
           return engine_->Cancel({&gone, 1}, now_);
         }},
        {"remove-consumer", [=, this] { return engine_->RemoveConsumer("gateway", now_); }},
    };
  }

  testing::MemoryJournal journal_;
  std::unique_ptr<Engine> engine_ = std::make_unique<Engine>(&journal_);
  TimeNs now_ = kNoon;
};

TEST_F(ReplayOfKinds, ACallSaidTwiceAtOneTimeCanBeRepeated) {
  for (const auto& [what, call] : Calls()) {
    const std::size_t before = journal_.commits().size();
    const Status first = call();
    EXPECT_TRUE(first.ok() == (what != "submit that its hook refuses"))
        << what << ": " << first.message();
    EXPECT_TRUE(!first.ok() || journal_.commits().size() > before || what == "evicted" ||
                what == "cycle" || what == "advance")
        << what << " changed nothing";
    (void)call();
    ASSERT_NO_FATAL_FAILURE(ExpectRepeatable(what));
  }
}

// A tick wakes what is parked: that is recorded with whatever call comes first, also one that says
// nothing new itself.
TEST_F(ReplayOfKinds, ACallWithoutAnEffectThatATickComesWithCanBeRepeated) {
  for (const auto& [what, call] : Calls()) {
    (void)call();
    (void)engine_->RunCycle(now_);
    now_ += 10 * kSecond;
    (void)call();
    ASSERT_NO_FATAL_FAILURE(ExpectRepeatable(what));
  }
}

TEST_F(ReplayOfKinds, ARestartBetweenTwoCallsIsNotNoticed) {
  for (const auto& [what, call] : Calls()) {
    (void)call();
    ASSERT_NO_FATAL_FAILURE(Reopen()) << what;
    now_ += 3 * kSecond;
    (void)call();
    ASSERT_NO_FATAL_FAILURE(Reopen()) << what;
    ASSERT_NO_FATAL_FAILURE(ExpectRepeatable(what));
  }
}

TEST_F(ReplayOfKinds, TheStoryHasEveryKindOfCall) {
  for (const auto& [what, call] : Calls()) (void)call();
  std::vector<CommandKind> kinds;
  for (const Commit& commit : journal_.commits()) kinds.push_back(commit.command);
  for (std::size_t i = 0; i < kCommandKinds; ++i) {
    const auto kind = static_cast<CommandKind>(i);
    if (kind == CommandKind::kAdvance) continue;  // nothing is due here
    EXPECT_THAT(kinds, Contains(kind)) << CommandName(kind);
  }
}

TEST_F(ReplayOfKinds, ARefusedSubmitLetsNoTimePass) {
  const std::string before = *engine_->StateHash();
  now_ += 100 * kSecond;
  ASSERT_FALSE(Submit("refused", 88).ok());
  EXPECT_EQ(*engine_->StateHash(), before);
  ASSERT_TRUE(Submit("new", 1).ok());
  ExpectRepeatable("a submit after a refused one");
}

}  // namespace
}  // namespace muster
