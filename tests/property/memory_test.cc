// What a cycle leaves to the next to be quick, and what its searches share, decide nothing: the
// same random story told to an engine that has them, and to one that is traced and so computes
// everything for every head. Every cycle is run again with nothing changed.
#include <gtest/gtest.h>

#include <variant>

#include "tests/property/for_each_world.h"
#include "tests/property/random_story.h"

namespace muster::testing {
namespace {

Story MakeFairStory(Choices& choices) {
  Story story = MakeRandomStory(choices);
  Configuration* configuration = nullptr;
  for (Object& object : story.world) {
    if (auto* queue = std::get_if<ClusterQueue>(&object)) {
      if (choices.Flip()) queue->queueing_strategy = QueueingStrategy::kStrictFifo;
      if (choices.Flip()) queue->preemption.reclaim_within_cohort = PreemptionPolicy::kAny;
      queue->fair_weight = choices.Pick<double>({1, 1, 1, 0.5, 2, 0});
    }
    if (configuration == nullptr) configuration = std::get_if<Configuration>(&object);
  }
  if (configuration == nullptr) {
    story.world.insert(story.world.begin(), Configuration{});
    configuration = &std::get<Configuration>(story.world.front());
  }
  if (!choices.OneIn(3)) configuration->fair_sharing.emplace();
  if (choices.OneIn(4) && configuration->fair_sharing) {
    configuration->fair_sharing->preemption_strategies = {
        PreemptionStrategy::kLessThanInitialShare};
  }
  return story;
}

void TellWithAndWithout(const Story& story, int* preempted) {
  EngineTeller keeps(story);
  EngineTeller traced(story);
  traced.TraceCycles();
  for (const oracle::Step& step : story.steps) {
    const int times = std::holds_alternative<oracle::Cycle>(step) ? 3 : 1;
    for (int i = 0; i < times; ++i) {
      const Picture picture = keeps.Tell(step);
      ASSERT_EQ(picture, traced.Tell(step)) << ToCase(story);
      if (keeps.cycle()) *preempted += static_cast<int>(keeps.cycle()->preempted.size());
    }
  }
}

void TellStories(int count, Seeds seeds) {
  int preempted = 0;
  ForEach(MakeFairStory, count, seeds,
          [&](const Story& story, Choices&) { TellWithAndWithout(story, &preempted); });
  if (std::getenv("MUSTER_SEED") == nullptr) {
    EXPECT_GT(preempted, count / 20) << "nothing happened that could have been decided otherwise";
  }
}

TEST(Memory, OfCyclesDecidesNothing) { TellStories(300, Seeds::kFixed); }
TEST(LongMemory, OfCyclesDecidesNothing) { TellStories(25'000, Seeds::kFresh); }

}  // namespace
}  // namespace muster::testing
