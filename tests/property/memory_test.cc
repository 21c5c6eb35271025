// What a cycle leaves to the next to be quick, and what its searches share, decide nothing: the
// same random story told to an engine that has them, and to one that is traced and so computes
// everything for every head. Every cycle is run again with nothing changed.
#include <gtest/gtest.h>

#include <variant>
#include <vector>

#include "muster/engine.h"
#include "tests/property/crowded_tree.h"
#include "tests/property/for_each_world.h"
#include "tests/property/random_story.h"
#include "tests/testing/builders.h"

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

/// As a manifest may say it: the search itself would take the one policy that is replaced.
std::vector<Object> MakeValidCrowd(Choices& choices) {
  std::vector<Object> objects = MakeCrowdedTree(choices);
  for (Object& object : objects) {
    auto* queue = std::get_if<ClusterQueue>(&object);
    if (queue == nullptr) continue;
    PreemptionPolicy& reclaim = queue->preemption.reclaim_within_cohort;
    if (reclaim == PreemptionPolicy::kLowerOrNewerEqualPriority) reclaim = PreemptionPolicy::kAny;
  }
  return objects;
}

/// Cycle after cycle of a crowded tree, with and without a trace; between some, all victims leave.
void RunWithAndWithout(const std::vector<Object>& objects, Choices& choices, int* preempted) {
  Engine keeps, traced;
  TimeNs now = kNoon + 10 * kSecond;
  const Status applied = keeps.Apply(objects, now);
  ASSERT_TRUE(applied.ok()) << applied.message();
  ASSERT_TRUE(traced.Apply(objects, now).ok());
  for (int cycle = 0; cycle < 4; ++cycle) {
    now += kSecond;
    CycleTrace trace;
    const auto result = keeps.RunCycle(now);
    ASSERT_TRUE(result.ok() && traced.RunCycle(now, &trace).ok());
    ASSERT_EQ(*keeps.StateHash(), *traced.StateHash()) << "after cycle " << cycle;
    *preempted += result->preempted.size() > 1;
    if (choices.Flip()) continue;
    const std::vector<Key> evicting = *keeps.Evicting();
    ASSERT_TRUE(keeps.Evicted(evicting, now).ok() && traced.Evicted(evicting, now).ok());
  }
}

void RunCrowdedTrees(int count, Seeds seeds) {
  int preempted = 0;
  ForEach(MakeValidCrowd, count, seeds, [&](const std::vector<Object>& objects, Choices& choices) {
    RunWithAndWithout(objects, choices, &preempted);
  });
  if (std::getenv("MUSTER_SEED") == nullptr) {
    EXPECT_GT(preempted, count / 4) << "few cycles in which heads preempted after others";
  }
}

TEST(Memory, OfHeadsThatPreemptDecidesNothing) { RunCrowdedTrees(1000, Seeds::kFixed); }
TEST(LongMemory, OfHeadsThatPreemptDecidesNothing) { RunCrowdedTrees(1'500, Seeds::kFresh); }
TEST(NightMemory, OfHeadsThatPreemptDecidesNothing) { RunCrowdedTrees(25'000, Seeds::kFresh); }
TEST(Memory, OfCyclesDecidesNothing) { TellStories(300, Seeds::kFixed); }
TEST(LongMemory, OfCyclesDecidesNothing) { TellStories(1'500, Seeds::kFresh); }
TEST(NightMemory, OfCyclesDecidesNothing) { TellStories(25'000, Seeds::kFresh); }

}  // namespace
}  // namespace muster::testing
