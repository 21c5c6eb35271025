// A ledger of a whole engine is compacted again and again: it is verified, repeated and gone on
// with as before, and what is damaged afterwards can be saved.
#include "bindings/upkeep/compact.h"

#include <gtest/gtest.h>

#include "bindings/cpp/replay.h"
#include "bindings/cpp/stored_policies.h"
#include "bindings/upkeep/recover.h"
#include "db/sqlite/read_only_ledger.h"
#include "muster/durable_engine.h"
#include "tests/fault/engine/engine_story.h"
#include "tests/testing/builders.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

constexpr int kStoryCommits = 60;

class Compaction : public ::testing::Test {
 protected:
  Compaction() {
    CrashVfs vfs;
    EngineStory story(&vfs, 3);
    EXPECT_TRUE(story.Live(1, kStoryCommits));
    state_ = story.states.back();
    directory_.Write("ledger", vfs.Visible().at("L"));
  }
  std::string Path(const std::string& name) const { return (directory_.path() / name).string(); }

  /// One commit a second was made.
  Compacted Keep(int commits) {
    CompactOptions options;
    options.keep = commits * kSecond;
    const Result<Compacted> compacted = CompactLedger(Path("ledger"), options);
    EXPECT_TRUE(compacted.ok()) << compacted.status().message();
    return compacted.ok() ? *compacted : Compacted();
  }
  void ExpectWhole(const std::string& name) const {
    const auto ledger = ReadOnlyLedger::Open(Path(name));
    ASSERT_TRUE(ledger.ok()) << ledger.status().message();
    VerifyOptions verify;
    verify.policy_hash = HashOf;
    const Result<VerifyReport> report = (*ledger)->Verify(verify);
    ASSERT_TRUE(report->sound()) << report->findings.front();
    const Result<Replayed> replayed = ReplayLedger(**ledger);
    ASSERT_TRUE(replayed.ok()) << replayed.status().message();
    EXPECT_EQ(replayed->state_hash, state_);
    EXPECT_EQ(*ReadLedger(**ledger)->StateHash(), state_);
  }

  TemporaryDirectory directory_;
  std::string state_;
};

TEST_F(Compaction, LeavesWhatCanBeProvedAndRepeated) {
  for (const int keep : {40, 20, 1}) {
    SCOPED_TRACE(keep);
    const Compacted compacted = Keep(keep);
    EXPECT_GT(compacted.dropped, 0);
    EXPECT_GE(compacted.base.first, kStoryCommits - keep - 4) << "the newest cycle stays";
    EXPECT_EQ(compacted.base.state_at, compacted.base.first);
    EXPECT_GT(compacted.carried, 0);
    ASSERT_NO_FATAL_FAILURE(ExpectWhole("ledger"));
  }
  EXPECT_EQ(Keep(1).dropped, 0) << "there is nothing older any more";
  const auto opened = DurableEngine::Open(Path("ledger"));
  ASSERT_TRUE(opened.ok()) << opened.status().message();
  Engine& engine = (*opened)->engine();
  const TimeNs later = *(*opened)->last_time() + kSecond;
  ASSERT_TRUE((*opened)->RollBackPolicy(later).ok()) << "its activation is carried";
  const Workload job = MakeWorkload("newcomer", "a", Cpu(1));
  ASSERT_TRUE(engine.Submit({&job, 1}, later).ok());
  ASSERT_TRUE(engine.RunCycle(later).ok());
  state_ = *engine.StateHash();
  ASSERT_TRUE((*opened)->Close().ok());
  ExpectWhole("ledger");
}

TEST_F(Compaction, ACompactedLedgerIsSavedFromDamageToo) {
  Keep(30);
  std::string damaged = ReadFile(Path("ledger"));
  const std::size_t at = damaged.rfind("\"podSets\"");
  ASSERT_NE(at, std::string::npos);
  damaged[at + 1] = 'q';
  directory_.Write("damaged", damaged);
  directory_.HoldsNoHistory("damaged");
  const Result<Recovered> recovered = RecoverLedger(Path("damaged"), Path("saved"));
  ASSERT_TRUE(recovered.ok()) << recovered.status().message();
  EXPECT_EQ(recovered->last.seq, kStoryCommits);
  ExpectWhole("saved");
}

TEST_F(Compaction, OfADamagedLedgerIsRefusedAndDropsNothing) {
  std::string damaged = ReadFile(Path("ledger"));
  const std::size_t at = damaged.find("\"podSets\"");
  ASSERT_NE(at, std::string::npos);
  damaged[at + 1] = 'q';
  directory_.Write("damaged", damaged);
  directory_.HoldsNoHistory("damaged");
  CompactOptions options;
  options.keep = 10 * kSecond;
  EXPECT_EQ(CompactLedger(Path("damaged"), options).status().code(), StatusCode::kDataLoss);
  const auto ledger = ReadOnlyLedger::Open(Path("damaged"));
  ASSERT_TRUE(ledger.ok());
  EXPECT_EQ(*(*ledger)->base(), HistoryBase());
}

}  // namespace
}  // namespace muster::testing
