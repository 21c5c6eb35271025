// Power cuts in the life of a whole engine: every disk that could be left, at every moment, is
// opened by an engine. It must be in the state that it had after some number of commits, of which
// none that was acknowledged is missing, and it must go on from there to the state that comes next.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <iostream>
#include <unordered_set>

#include "tests/fault/engine/engine_story.h"
#include "tests/testing/crash_images.h"

namespace muster::testing {
namespace {

constexpr int kDraws = 3;
constexpr std::int64_t kGoesOnInEvery = 200;  // of so many images, and its recovery is cut off too

struct Sweep {
  const EngineStory& told;
  std::uint64_t seed;
  CrashVfs vfs = {};
  DiskModel::Random random = DiskModel::Random(seed);
  std::unordered_set<std::uint64_t> seen = {};
  std::int64_t lost = 0;    ///< in which something acknowledged is missing
  std::int64_t broken = 0;  ///< that do not open, or in a state that never was
  std::string first = {};   ///< what was wrong with the first bad one

  void Follow(const DiskImage& disk, const std::vector<DiskOp>& record, std::int64_t acknowledged,
              bool nested) {
    DiskModel model(disk);
    for (const DiskOp& op : record) {
      model.Apply(op);
      if (op.kind == DiskOp::Kind::kMark) acknowledged = op.number;
      for (const Loss loss : kLosses) {
        for (int i = 0; i < kDraws; ++i) {
          Judge(model.Draw(loss, random), acknowledged, nested);
        }
      }
    }
  }

  void Judge(const DiskImage& image, std::int64_t acknowledged, bool nested) {
    if (!seen.insert(ContentHash(image)).second) return;
    const bool deeper = nested && static_cast<std::int64_t>(seen.size()) % kGoesOnInEvery == 0;
    vfs.Boot(image);
    const std::string wrong = Look(acknowledged, deeper);
    if (!wrong.empty() && first.empty()) first = wrong;
    if (!wrong.empty() || !deeper) return;
    const std::vector<DiskOp> record = vfs.record();
    Follow(image, record, acknowledged, false);
  }

  std::string Look(std::int64_t acknowledged, bool go_on) {
    EngineStory again(&vfs, seed);
    if (!again.Open()) {
      ++broken;
      return "open: " + again.errors.back().message();
    }
    std::string wrong = CompareState(again);
    if (!wrong.empty()) {
      ++broken;
      return wrong;
    }
    if (again.commits() < acknowledged) {
      ++lost;
      return std::to_string(acknowledged) + " commits were acknowledged, " +
             std::to_string(again.commits()) + " are there";
    }
    if (!go_on || again.commits() + 1 >= static_cast<std::int64_t>(told.states.size())) return "";
    if (!again.Step()) return "cannot go on: " + again.errors.back().message();
    return CompareState(again);
  }

  std::string CompareState(const EngineStory& again) const {
    const auto commits = static_cast<std::size_t>(again.commits());
    Engine& engine = again.gateway->engine();
    if (commits >= told.states.size()) return "more commits than there ever were";
    if (*engine.StateHash() != told.states[commits]) {
      return "a state that never was, after " + std::to_string(commits) + " commits";
    }
    return engine.CheckInvariants().message();
  }
};

/// A life of `steps` calls in each of two sessions, and every power cut in it.
std::int64_t SweepLife(const char* synchronous, std::uint64_t seed, int steps, Sweep* sweep,
                       EngineStory* story) {
  story->testing.synchronous = synchronous;
  EXPECT_TRUE(story->Live(2, steps)) << story->errors.back().message();
  EXPECT_EQ(story->acknowledged, 2 * steps);
  sweep->Follow({}, story->vfs->record(), 0, true);
  std::cout << "engines opened: " << sweep->seen.size() << " (synchronous=" << synchronous
            << ", seed " << seed << ", " << story->vfs->record().size()
            << " moments): " << sweep->lost << " lost acknowledged work, " << sweep->broken
            << " broken\n";
  return static_cast<std::int64_t>(sweep->seen.size());
}

void ExpectNothingLost(std::uint64_t seed, int steps, std::int64_t at_least) {
  // Another seed writes other bytes, so that images of two sweeps have next to nothing in common.
  sqlite3_test_control(SQLITE_TESTCTRL_PRNG_SEED, static_cast<int>(seed), nullptr);
  CrashVfs vfs;
  EngineStory story(&vfs, seed);
  Sweep sweep{story, seed};
  EXPECT_GE(SweepLife("FULL", seed, steps, &sweep, &story), at_least);
  EXPECT_EQ(sweep.lost, 0) << sweep.first;
  EXPECT_EQ(sweep.broken, 0) << sweep.first;
}

TEST(EngineCrashSweep, NoPowerCutLosesWhatWasAcknowledgedOrLeavesAnotherState) {
  ExpectNothingLost(1, 5, 1'500);
}

TEST(NightEngineCrashSweep, NoPowerCutLosesWhatWasAcknowledgedOrLeavesAnotherState) {
  for (const std::uint64_t seed : {2u, 3u}) ExpectNothingLost(seed, 25, 10'000);
}

TEST(EngineCrashSweepItself, NoticesThatNormalLosesAcknowledgedCommits) {
  CrashVfs vfs;
  EngineStory story(&vfs, 1);
  Sweep sweep{story, 1};
  SweepLife("NORMAL", 1, 4, &sweep, &story);
  EXPECT_GT(sweep.lost, 0);
}

}  // namespace
}  // namespace muster::testing
