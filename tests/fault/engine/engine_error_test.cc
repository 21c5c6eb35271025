// Every write and every flush in the life of a whole engine fails once, and from then on: the
// engine says why and takes nothing more; opened again, it is in a state that it had, and goes on.
#include <gtest/gtest.h>

#include <iostream>

#include "tests/fault/engine/engine_story.h"
#include "tests/testing/crash_images.h"

namespace muster::testing {
namespace {

constexpr int kSessions = 2;
constexpr int kSteps = 5;

/// Empty when an engine opens this disk in one of the states `told`, and goes on to the next.
std::string Look(const DiskImage& disk, const EngineStory& told, std::int64_t acknowledged) {
  CrashVfs vfs;
  vfs.Boot(disk);
  EngineStory again(&vfs, 1);
  if (!again.Open()) return "open: " + again.errors.back().message();
  const std::int64_t commits = again.commits();
  if (commits < acknowledged) return "acknowledged commits are gone";
  const auto is_as_told = [&] {
    return *again.gateway->engine().StateHash() ==
           told.states.at(static_cast<std::size_t>(again.commits()));
  };
  if (!is_as_told()) return "a state that never was";
  if (commits + 1 >= static_cast<std::int64_t>(told.states.size())) return "";
  return again.Step() && is_as_told() ? "" : "it cannot go on";
}

/// What the engine said, and that it takes nothing more.
void CheckRefusal(EngineStory& story) {
  EXPECT_EQ(story.errors.back().code(), StatusCode::kUnavailable);
  EXPECT_NE(story.errors.back().message().find("ledger"), std::string::npos);
  EXPECT_FALSE(story.gateway && story.Step());
  story.gateway.reset();
}

struct EngineFault {
  const char* name;
  FaultKind kind;
  unsigned targets;
};

class EngineOnAFailingDisk : public ::testing::TestWithParam<EngineFault> {};

TEST_P(EngineOnAFailingDisk, LosesNothingAndSaysWhy) {
  CrashVfs whole;
  EngineStory told(&whole, 1);
  ASSERT_TRUE(told.Live(kSessions, kSteps + 1));
  std::int64_t failures = 0;
  for (const bool persistent : {false, true}) {
    for (std::int64_t k = 0;; ++k, ++failures) {
      CrashVfs vfs;
      EngineStory story(&vfs, 1);
      vfs.Inject({GetParam().kind, GetParam().targets, k, persistent});
      if (!story.Live(kSessions, kSteps)) CheckRefusal(story);
      if (!vfs.fault_fired()) break;
      vfs.ClearFault();
      ASSERT_EQ(Look(vfs.Visible(), told, story.acknowledged), "") << "operation " << k;
      DiskModel model;
      for (const DiskOp& op : vfs.record()) model.Apply(op);
      DiskModel::Random random(7);
      ASSERT_EQ(Look(model.Draw(Loss::kSubset, random), told, story.acknowledged), "")
          << "operation " << k << ", then a power cut";
    }
  }
  std::cout << GetParam().name << ": " << failures << " failures\n";
  EXPECT_GT(failures, 20);
}

INSTANTIATE_TEST_SUITE_P(Disk, EngineOnAFailingDisk,
                         ::testing::Values(EngineFault{"Write", FaultKind::kIoError, kWrites},
                                           EngineFault{"WriteToFullDisk", FaultKind::kDiskFull,
                                                       kWrites},
                                           EngineFault{"Flush", FaultKind::kIoError, kSyncs}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace muster::testing
