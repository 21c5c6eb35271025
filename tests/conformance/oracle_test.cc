// The naive reference on the recorded sequences: what the engine is compared with in random stories
// decides as the reference scheduler did.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "tests/conformance/case.h"
#include "tests/oracle/history.h"
#include "tests/property/story.h"
#include "tests/testing/paths.h"

namespace muster::conformance {
namespace {

lab::CycleOutcome ToOutcome(const oracle::History& history, const oracle::Decisions& decisions) {
  lab::CycleOutcome outcome;
  for (const auto& [key, admission] : decisions.admitted) {
    outcome.result.admitted.push_back({key, admission, true});
  }
  for (const auto& [key, why] : decisions.preempted) {
    outcome.result.preempted.push_back({key, why.first, why.second});
  }
  for (const auto& [key, member] : history.members()) {
    if (member.place == oracle::Place::kNone) continue;
    outcome.pending.push_back({key, history.QueueOf(member.workload),
                               member.place == oracle::Place::kParked, member.reason, "",
                               PendingReason::kNone, ""});
  }
  outcome.result.at = history.now();
  return outcome;
}

/// Only those in which objects change were recorded with the lifecycle controller; see case.h.
bool ChangesObjects(const testing::Story& story) {
  return std::any_of(story.steps.begin(), story.steps.end(), [](const oracle::Step& step) {
    return std::holds_alternative<oracle::Apply>(step) ||
           std::holds_alternative<WorkloadUpdate>(step);
  });
}

CaseResult Play(const std::filesystem::path& input) {
  const manifest::Source source{input.filename().string(), testing::ReadFile(input)};
  const testing::Story story = testing::ReadStory(manifest::Parse(std::span(&source, 1)));
  oracle::History history(story.world, story.now, ChangesObjects(story));
  std::vector<lab::CycleOutcome> cycles;
  for (const oracle::Step& step : story.steps) {
    const oracle::Decisions decisions = history.Do(step);
    if (!std::holds_alternative<oracle::Cycle>(step)) continue;
    cycles.push_back(ToOutcome(history, decisions));
  }
  // The reference itself leaves the controller out where the recording did.
  return CompareWithRecorded(input, cycles, Recorded::kWithController);
}

// The naive reference knows the classical order only.
bool IsClassical(const std::filesystem::path& input) {
  return testing::ReadFile(input).find("\nfairSharing:") == std::string::npos;
}

TEST(LongOracle, DecidesTheRecordedSequences) {
  const auto shared = testing::SharedDir();
  if (!shared) GTEST_SKIP() << testing::kSharedIsAbsent;
  auto families = FindCases(*shared);
  for (const char* family : {"queue", "churn", "afs", "largequeue"}) {
    std::size_t played = 0;
    for (const std::filesystem::path& input : families[family]) {
      if (!IsClassical(input)) continue;
      ++played;
      const CaseResult result = Play(input);
      EXPECT_TRUE(result.reasons) << input.filename() << ": " << result.difference;
    }
    std::cout << family << ": " << played << " cases\n";
    EXPECT_GE(played, 30u);
  }
}

}  // namespace
}  // namespace muster::conformance
