// The project's own scenarios once more, as a journal sees them: closed and opened again after each
// step, and done again from what was recorded.
#include <gtest/gtest.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "bindings/cpp/replay.h"
#include "bindings/lab/scenario/scenario.h"
#include "tests/testing/memory_journal.h"
#include "tests/testing/paths.h"

namespace muster::lab {
namespace {

/// What a played scenario decided, as text.
std::string Decisions(const ScenarioOutcome& outcome) {
  std::string text;
  for (const CycleOutcome& cycle : outcome.cycles) {
    for (const AdmittedWorkload& each : cycle.result.admitted) {
      text += "admitted " + each.workload.ToString() + '\n';
    }
    for (const PreemptedWorkload& each : cycle.result.preempted) {
      text += "preempted " + each.workload.ToString() + '\n';
    }
    for (const PendingWorkload& each : cycle.pending) {
      text += "pending " + each.workload.ToString() + ' ' + std::string(ReasonName(each.reason)) +
              (each.parked ? " parked\n" : "\n");
    }
    text += "--\n";
  }
  return text;
}

class OwnScenarios : public ::testing::Test {
 protected:
  void SetUp() override {
    files_ = testing::FilesUnder(testing::SourceDir() / "tests" / "scenarios", ".yaml");
    ASSERT_GT(files_.size(), 20u);
  }
  static manifest::Manifests Read(const std::filesystem::path& file) {
    const manifest::Source source{file.filename().string(), testing::ReadFile(file)};
    return manifest::Parse(std::span(&source, 1));
  }
  std::vector<std::filesystem::path> files_;
};

TEST_F(OwnScenarios, ReopeningAfterEveryStepChangesNothing) {
  for (const std::filesystem::path& file : files_) {
    SCOPED_TRACE(file.string());
    const manifest::Manifests manifests = Read(file);
    Engine plain;
    const Result<ScenarioOutcome> expected = RunScenario(plain, manifests, 0);
    ASSERT_TRUE(expected.ok()) << expected.status().message();
    testing::MemoryJournal journal;
    Engine engine(&journal);
    const Result<ScenarioOutcome> got =
        RunScenario(engine, manifests, 0, false, [&](Engine& between) {
          const std::string before = *between.StateHash();
          const Status status = journal.Reopen(between);
          EXPECT_EQ(*between.StateHash(), before);
          return status;
        });
    ASSERT_TRUE(got.ok()) << got.status().message();
    EXPECT_EQ(Decisions(*got), Decisions(*expected));
    EXPECT_EQ(*engine.StateHash(), *plain.StateHash());
    const Status invariants = engine.CheckInvariants();
    EXPECT_TRUE(invariants.ok()) << invariants.message();
  }
}

TEST_F(OwnScenarios, WhatWasRecordedCanBeDoneAgain) {
  for (const std::filesystem::path& file : files_) {
    SCOPED_TRACE(file.string());
    testing::MemoryJournal journal;
    Engine engine(&journal);
    ASSERT_TRUE(RunScenario(engine, Read(file), 0).ok());
    Replayer replayer([](std::string_view) { return Status(StatusCode::kNotFound, "no policy"); });
    for (const Commit& commit : journal.commits()) {
      const Status status = replayer.Redo(commit);
      ASSERT_TRUE(status.ok()) << CommandName(commit.command) << ": " << status.message();
    }
    EXPECT_EQ(*replayer.engine().StateHash(), *engine.StateHash());
  }
}

}  // namespace
}  // namespace muster::lab
