// Power cuts, from the creation of the ledger to its second closing, and what weaker settings than
// the ledger's would cost: the sweep must notice that, or it proves nothing.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <iostream>

#include "tests/fault/ledger/crash_sweep.h"

namespace muster::testing {
namespace {

/// Two sessions with single and grouped commits, a policy, checkpoints and both closings.
void Live(Story* story, int commits) {
  for (int session = 0; session < 2; ++session) {
    const std::unique_ptr<Ledger> ledger = story->Open();
    ASSERT_NE(ledger, nullptr) << story->errors.back().message();
    for (int i = 0; i < commits; ++i) {
      ASSERT_TRUE(story->Decide(ledger.get(), i % 5 == 4 ? 3 : 1, 1 + i % 3));
      if (session == 0 && i == commits / 2) {
        ASSERT_TRUE(story->StorePolicy(ledger.get()));
      }
    }
    ASSERT_TRUE(story->Note(ledger->Close()));
  }
}

SweepResult SweepLife(const std::string& synchronous, int commits, const SweepPlan& plan) {
  // Another seed writes other bytes, so that images of two sweeps have next to nothing in common.
  sqlite3_test_control(SQLITE_TESTCTRL_PRNG_SEED, static_cast<int>(plan.seed), nullptr);
  CrashVfs vfs;
  Story story(&vfs);
  story.world = LedgerWorld(100 + 10 * plan.seed);
  story.testing.synchronous = synchronous;
  Live(&story, commits);
  SweepResult result = CrashSweep(story, plan).Run();
  std::cout << "crash images: " << result.images << " (synchronous=" << synchronous << ", seed "
            << plan.seed << ", " << story.vfs->record().size() << " moments): " << result.lost
            << " lost acknowledged work, " << result.broken << " broken\n";
  return result;
}

TEST(CrashSweep, NoPowerCutLosesWhatWasAcknowledgedOrLeavesHalfACommit) {
  const SweepResult result = SweepLife("FULL", 12, {.seed = 1, .draws = 2, .nested = 600});
  EXPECT_EQ(result.lost, 0) << result.first;
  EXPECT_EQ(result.broken, 0) << result.first;
  EXPECT_GE(result.images, 3'000);
}

void ExpectNothingLost(std::uint64_t seed) {
  const SweepResult result = SweepLife("FULL", 45, {.seed = seed, .draws = 3, .nested = 600});
  EXPECT_EQ(result.lost, 0) << result.first;
  EXPECT_EQ(result.broken, 0) << result.first;
  EXPECT_GE(result.images, 20'000);
}

TEST(NightCrashSweep, NoPowerCutLosesWhatWasAcknowledgedOrLeavesHalfACommit) {
  for (const std::uint64_t seed : {2u, 3u, 4u}) ExpectNothingLost(seed);
}

TEST(CrashSweepItself, NoticesThatNormalLosesAcknowledgedCommits) {
  const SweepResult result = SweepLife("NORMAL", 10, {.seed = 1, .draws = 1, .every = 3});
  EXPECT_GT(result.lost, 0);
  EXPECT_EQ(result.broken, 0) << result.first;
}

TEST(CrashSweepItself, NoticesThatOffDamagesTheFile) {
  const SweepResult result = SweepLife("OFF", 10, {.seed = 1, .draws = 1, .every = 3});
  EXPECT_GT(result.lost, 0);
  EXPECT_GT(result.broken, 0);
}

}  // namespace
}  // namespace muster::testing
