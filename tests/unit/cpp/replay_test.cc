// What was done can be done again from its events, every call of the engine; and a history that the
// engine would not have made is found.
#include "bindings/cpp/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "db/sqlite/read_only_ledger.h"
#include "engine/codec/command_codec.h"
#include "muster/muster.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::DefaultKey;
using ::testing::HasSubstr;
using testing::kNoon;
using testing::MakeWorkload;

/// A story in which every call occurs; each must change something.
class Replay : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string folder = (testing::SourceDir() / "policies/small-first").string();
    const auto policy = LoadPolicy(folder);
    ASSERT_TRUE(policy.ok()) << policy.status().message();
    policy_ = *policy;
  }

  void Tell() {
    ApplyQueues();
    for (const char* name : {"a", "b", "c", "d", "e"}) Submit(name);
    Must(engine_.ActivatePolicy(policy_, kNoon));
    Cycle();
    Cycle();
    const Key a = DefaultKey("a"), b = DefaultKey("b"), c = DefaultKey("c"), d = DefaultKey("d");
    Must(engine_.Ready({&a, 1}, Next()));
    Must(engine_.Evict(a, "Maintenance", Next()));
    Must(engine_.Evicted({&a, 1}, Next()));
    WorkloadUpdate urgent, aside;
    urgent.workload = c;
    urgent.priority = 7;
    aside.workload = d;
    aside.active = false;
    Must(engine_.Update(urgent, Next()));
    Must(engine_.Update(aside, Next()));
    TellAboutChecks();
    Must(engine_.NoteStaged("small-first", "abc", "its spec fails", {"me", "why not"}, Next()));
    Must(engine_.RollBackPolicy("small-first", {}, Next()));
    Cycle();
    Must(engine_.Evict(b, "Maintenance", Next()));
    Must(engine_.Evicted({&b, 1}, Next()));
    Must(engine_.Finish({&a, 1}, /*failed=*/true, Next()));
    Must(engine_.Cancel({&b, 1}, Next()));
    Must(engine_.Cancel({&a, 1}, Next()));
    TellOfForgetting(d);
    Must(engine_.Advance(Next() + 3600 * kSecond));
    Must(engine_.Delete(ObjectKind::kLocalQueue, {"default", "lq-q"}, Next() + 3600 * kSecond,
                        /*force=*/true));
  }

  enum class Known { kCommands, kEventsAlone };  ///< the latter as in ledgers before version 3

  Status Repeat(const std::vector<Commit>& commits, Known known = Known::kCommands) {
    Replayer replayer([this](std::string_view hash) -> Result<std::shared_ptr<Policy>> {
      EXPECT_EQ(hash, policy_->info().hash);
      return policy_;
    });
    for (const Commit& commit : commits) {
      const Status status =
          known == Known::kCommands ? replayer.Redo(commit) : replayer.Redo(AsOnce(commit));
      if (!status.ok()) return status;
    }
    state_ = *replayer.engine().StateHash();
    return Status::Ok();
  }

  /// The commit as version 2 of the ledger had it.
  static CommitRecord AsOnce(const Commit& commit) {
    CommitRecord once;
    once.command = CommandName(commit.command);
    if (commit.command == CommandKind::kNoteStaged) once.command = "advance";
    once.at = commit.at;
    once.events = commit.events;
    return once;
  }

  void ApplyQueues() {
    Configuration config;
    config.admission_fair_sharing.emplace();
    const std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default"),
                                         testing::MakeQueue("q", "", {{.nominal = 4}}),
                                         testing::MakeLocalQueue("q"), config};
    Must(engine_.Apply(objects, kNoon));
  }
  /// One that ended goes for the number, the next for its age.
  void TellOfForgetting(const Key& waits) {
    EngineConfiguration keep;
    keep.keep_finished = 1;
    Configuration config;
    config.admission_fair_sharing.emplace();
    config.retain_finished = 60 * kSecond;
    Must(engine_.Apply(std::vector<Object>{keep, config}, Next()));
    for (const Key& key : {DefaultKey("c"), waits}) Must(engine_.Finish({&key, 1}, false, Next()));
    EXPECT_FALSE(engine_.GetWorkload(DefaultKey("c")).ok());
    Must(engine_.Advance(Next() + 120 * kSecond));
    EXPECT_FALSE(engine_.GetWorkload(waits).ok());
  }
  void Submit(const std::string& name) {
    const Workload workload = MakeWorkload(name, "q", Cpu(2));
    Must(engine_.Submit({&workload, 1}, Next()));
  }
  /// Two jobs that wait for a check: one has to try again, one is admitted and shrinks.
  void TellAboutChecks() {
    AdmissionCheck check;
    check.name = "prov";
    check.controller = "example.com/prov";
    ClusterQueue queue = testing::MakeQueue("p", "", {{.nominal = 4}});
    queue.admission_checks = {{"prov", {}}};
    const std::vector<Object> objects = {check, queue, testing::MakeLocalQueue("p"),
                                         MakeWorkload("x", "p", Cpu(2)),
                                         MakeWorkload("y", "p", Cpu(1), 0, 2)};
    Must(engine_.Apply(objects, Next()));
    Cycle();
    Cycle();
    const Key x = DefaultKey("x"), y = DefaultKey("y");
    Must(engine_.UpdateCheck({x, "prov", CheckState::kRetry, "full", 60, {}}, Next()).status());
    PodSetUpdate pool;
    pool.name = "main";
    pool.node_selector = {{"pool", "y"}};
    Must(engine_.UpdateCheck({y, "prov", CheckState::kReady, "", {}, {pool}}, Next()).status());
    Must(engine_.Ready({&y, 1}, Next()));
    Must(engine_.Ready({&y, 1}, Next(), /*ready=*/false));
    WorkloadUpdate smaller;
    smaller.workload = y;
    smaller.counts = {{"main", 1}};
    Must(engine_.Update(smaller, Next()));
    Must(engine_.Evicted({&x, 1}, Next()));
    Must(engine_.Advance(Next() + 61 * kSecond));
    Cycle();
  }
  void Cycle() { Must(engine_.RunCycle(Next()).status()); }
  TimeNs Next() { return now_ += kSecond; }
  static void Must(const Status& status) { ASSERT_TRUE(status.ok()) << status.message(); }

  testing::MemoryJournal journal_;
  Engine engine_{&journal_};
  std::shared_ptr<Policy> policy_;
  TimeNs now_ = kNoon;
  std::string state_;
};

TEST_F(Replay, ComesToTheSameStateThroughEveryCall) {
  ASSERT_NO_FATAL_FAILURE(Tell());
  std::set<CommandKind> commands;
  for (const Commit& commit : journal_.commits()) commands.insert(commit.command);
  constexpr std::size_t kSinceCommands = 3;  // about consumers: no ledger has events alone of them
  EXPECT_EQ(commands.size(), kCommandKinds - kSinceCommands) << "the story lacks a call";
  for (const Known known : {Known::kCommands, Known::kEventsAlone}) {
    const Status status = Repeat(journal_.commits(), known);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(state_, *engine_.StateHash());
  }
}

TEST_F(Replay, FindsAHistoryThatTheEngineWouldNotHaveMade) {
  ASSERT_NO_FATAL_FAILURE(Tell());
  std::vector<Commit> commits = journal_.commits();
  std::size_t changed = 0;
  for (Commit& commit : commits) {
    for (Event& event : commit.events) {
      if (event.kind != EventKind::kQuotaReserved || changed > 0) continue;
      event.subject = "default/e";
      ++changed;
    }
  }
  ASSERT_EQ(changed, 1u);
  const Status status = Repeat(commits);
  EXPECT_EQ(status.code(), StatusCode::kDataLoss);
  EXPECT_THAT(status.message(), HasSubstr("recorded: QuotaReserved default/e"));
}

TEST_F(Replay, TakesACancellationAsItWasRecordedOnce) {
  ASSERT_NO_FATAL_FAILURE(Tell());
  std::vector<Commit> commits = journal_.commits();
  for (Commit& commit : commits) {
    if (commit.command != CommandKind::kCancel) continue;
    for (Event& event : commit.events) {
      event.kind = EventKind::kFinished;
      event.payload = R"({"reason":"Failed"})";
    }
  }
  const Status status = Repeat(commits, Known::kEventsAlone);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(state_, *engine_.StateHash());
}

TEST_F(Replay, FindsAMissingCommit) {
  ASSERT_NO_FATAL_FAILURE(Tell());
  std::vector<Commit> commits = journal_.commits();
  commits.erase(commits.begin() + 1);  // the first submit
  EXPECT_FALSE(Repeat(commits).ok());
}

TEST_F(Replay, RefusesCommandsAndEventsItCannotRead) {
  Replayer replayer([](std::string_view) { return Status(StatusCode::kNotFound, "no policy"); });
  Commit damaged;
  damaged.input = "x";
  EXPECT_EQ(replayer.Redo(damaged).code(), StatusCode::kDataLoss);
  CommitRecord once;
  once.at = kNoon;
  once.command = "submit";
  once.events = {{EventKind::kSubmitted, "default/w", "{", {}}};
  EXPECT_EQ(replayer.Redo(once).code(), StatusCode::kDataLoss);
  once.events = {{EventKind::kRequeued, "default/w", "{}", {}}};
  for (const char* command : {"delete", "update", "check", "evict", "activate-policy",
                              "roll-back-policy", "a command of tomorrow"}) {
    once.command = command;
    EXPECT_EQ(replayer.Redo(once).code(), StatusCode::kDataLoss) << command;
  }
}

/// Kept ledgers of past versions; that of version 2 has an event of every kind that engines wrote.
TEST(OldLedger, CanBeRepeatedAndGoneOnWith) {
  const auto kept = testing::FilesUnder(testing::SourceDir() / "tests/golden/ledgers", ".ledger");
  ASSERT_GE(kept.size(), 2u);
  for (const auto& file : kept) {
    const testing::TemporaryDirectory directory;
    const std::string path = directory.Write("ledger", testing::ReadFile(file)).string();
    for (const bool went_on : {false, true}) {
      const auto ledger = ReadOnlyLedger::Open(path);
      ASSERT_TRUE(ledger.ok()) << ledger.status().message();
      const Result<Replayed> replayed = ReplayLedger(**ledger);
      ASSERT_TRUE(replayed.ok()) << file << ": " << replayed.status().message();
      if (went_on) continue;
      const auto engine = DurableEngine::Open(path);
      ASSERT_TRUE(engine.ok()) << engine.status().message();
      EXPECT_EQ(*(*engine)->engine().StateHash(), replayed->state_hash);
      const Key job{"team-a", "new"};
      ASSERT_TRUE((*engine)->engine().Apply({{Namespace{"later", {}}}}, kNoon).ok());
    }
  }
}

}  // namespace
}  // namespace muster
