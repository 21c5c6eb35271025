// The engine against the naive reference in random stories: after every step the same state.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/property/for_each_world.h"
#include "tests/property/judge.h"
#include "tests/property/random_story.h"

namespace muster::testing {
namespace {

void CheckStory(const Story& story, Choices&) {
  const std::optional<std::string> disagreement = FindDisagreement(story);
  EXPECT_FALSE(disagreement.has_value()) << *disagreement;
}

TEST(Stories, EngineAndReferenceAgreeAfterEveryStep) {
  ForEach(MakeRandomStory, 500, Seeds::kFixed, CheckStory);
}

TEST(LongStories, EngineAndReferenceAgreeAfterEveryStep) {
  ForEach(MakeRandomStory, 1'500, Seeds::kFresh, CheckStory);
}
TEST(NightStories, EngineAndReferenceAgreeAfterEveryStep) {
  ForEach(MakeRandomStory, 25'000, Seeds::kFresh, CheckStory);
}

// Without these the comparison would be between two worlds in which nothing happens.
TEST(Stories, AreEventful) {
  if (std::getenv("MUSTER_SEED")) GTEST_SKIP() << "one story proves nothing about all";
  std::map<std::string, int> lines;
  ForEach(MakeRandomStory, 450, Seeds::kFixed, [&](const Story& story, Choices&) {
    OracleTeller teller(story);
    for (const oracle::Step& step : story.steps) {
      for (const std::string& line : teller.Tell(step)) {
        for (const char* word : {"admitted", "preempted", "parked", "evicting", "away", "finished",
                                 "Suspended", "PendingEvaluation", "LocalQueue"}) {
          lines[word] += line.find(word) != std::string::npos;
        }
      }
    }
  });
  for (const auto& [word, count] : lines) EXPECT_GT(count, 50) << word;
}

TEST(Stories, ACaseReadsBackAsTheStoryItShows) {
  ForEach(MakeRandomStory, 200, Seeds::kFixed, [](Story story, Choices&) {
    const auto cancel = std::find_if(story.steps.begin(), story.steps.end(), [](const auto& step) {
      return std::holds_alternative<oracle::Cancel>(step);
    });
    story.steps.erase(cancel, story.steps.end());  // a scenario has no such step
    if (story.steps.empty()) return;
    const manifest::Source source{"story.yaml", ToCase(story)};
    const manifest::Manifests read = manifest::Parse(std::span(&source, 1));
    for (const manifest::Diagnostic& diagnostic : read.diagnostics) {
      EXPECT_NE(diagnostic.severity, manifest::Severity::kError) << diagnostic.ToString();
    }
    ASSERT_TRUE(read.scenario.has_value());
    EXPECT_EQ(ToCase(ReadStory(read)), source.text);
  });
}

TEST(Stories, ShrinkToWhatTheFailureNeeds) {
  ForEach(MakeRandomStory, 30, Seeds::kFixed, [](const Story& story, Choices&) {
    const auto cycles = [](const Story& s) {
      return std::count_if(s.steps.begin(), s.steps.end(), [](const oracle::Step& step) {
        return std::holds_alternative<oracle::Cycle>(step);
      });
    };
    if (cycles(story) < 2) return;
    const Story small = Shrink(story, [&](const Story& s) { return cycles(s) >= 2; });
    EXPECT_EQ(small.steps.size(), 2u);
    for (const Object& object : small.world) EXPECT_FALSE(IsDroppable(object)) << ToCase(small);
  });
}

}  // namespace
}  // namespace muster::testing
