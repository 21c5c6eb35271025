// Idle is a law: after it no cycle decides anything, and it always comes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

#include "tests/property/for_each_world.h"
#include "tests/property/random_story.h"

namespace muster::testing {
namespace {

constexpr int kMostCycles = 400;  ///< far more than any of these worlds needs
constexpr int kFurther = 12;

std::map<Key, bool> Places(const Engine& engine) {
  std::map<Key, bool> parked;
  for (const PendingWorkload& pending : *engine.Pending())
    parked[pending.workload] = pending.parked;
  return parked;
}

/// Runs cycles until one is idle; how many of them decided nothing before.
int ComeToRest(Engine& engine, TimeNs now) {
  int wasted = 0;
  for (int cycles = 0; cycles < kMostCycles; ++cycles) {
    const Result<CycleResult> cycle = engine.RunCycle(now);
    EXPECT_TRUE(cycle.ok()) << cycle.status().message();
    if (!cycle.ok() || cycle->idle()) return wasted;
    wasted += cycle->DecidedNothing() ? 1 : 0;
  }
  ADD_FAILURE() << "still busy after " << kMostCycles << " cycles";
  return wasted;
}

/// `holds`: room that is kept and given up may put workloads back into their heaps.
void CheckRest(Engine& engine, TimeNs now, bool holds) {
  const std::map<Key, bool> places = Places(engine);
  for (int i = 0; i < kFurther; ++i) {
    const Result<CycleResult> cycle = engine.RunCycle(now);
    ASSERT_TRUE(cycle.ok());
    ASSERT_TRUE(cycle->DecidedNothing()) << "after idle, cycle " << i + 1 << " decided something";
    ASSERT_TRUE(cycle->idle()) << "after idle, cycle " << i + 1 << " is not";
    if (holds) continue;
    ASSERT_EQ(Places(engine), places);
  }
}

/// Where the engine says so a cycle that is run all the same, which a traced one is, finds nothing
/// and changes nothing. Whether it says so.
bool CheckThatNothingIsLookedAt(Engine& engine, TimeNs now) {
  if (!*engine.AtRest(now)) return false;
  const std::string before = *engine.StateHash();
  CycleTrace trace;
  const Result<CycleResult> cycle = engine.RunCycle(now, &trace);
  EXPECT_TRUE(cycle.ok() && cycle->idle() && cycle->DecidedNothing());
  EXPECT_TRUE(cycle->evicted.empty() && cycle->policy_failures.empty());
  EXPECT_TRUE(trace.workloads.empty());
  EXPECT_EQ(*engine.StateHash(), before);
  EXPECT_EQ(*engine.RunCycle(now), *cycle);
  return true;
}

/// At rest after the world and after each step that changes something. How often the engine said
/// that it needs no cycle.
int TellAtRest(Story story, std::int32_t heads, bool holds, bool fair) {
  EngineConfiguration switches;
  switches.heads_per_cycle = heads;
  switches.preemptor_hold = holds;
  std::erase_if(story.world, [](const Object& object) {
    return KindOf(object) == ObjectKind::kEngineConfiguration;
  });
  story.world.emplace_back(switches);
  if (fair) {
    std::erase_if(story.world, [](const Object& object) {
      return KindOf(object) == ObjectKind::kConfiguration;
    });
    Configuration config;
    config.fair_sharing.emplace();
    story.world.emplace_back(config);
  }
  EngineTeller teller(story);
  TimeNs now = story.now;
  int said_so = 0;
  for (const oracle::Step& step : story.steps) {
    if (const auto* pass = std::get_if<oracle::Pass>(&step)) now += pass->time;
    teller.Tell(step);
    said_so += CheckThatNothingIsLookedAt(teller.engine(), now);
    ComeToRest(teller.engine(), now);
    said_so += CheckThatNothingIsLookedAt(teller.engine(), now);
    CheckRest(teller.engine(), now, holds);
    if (!::testing::Test::HasFailure()) continue;
    story.steps.resize(static_cast<std::size_t>(&step - story.steps.data()) + 1);
    ADD_FAILURE() << "with cycles until idle after every step:\n" << ToCase(story);
    break;
  }
  return said_so;
}

int PlayStoryAtRest(const Story& story, Choices& choices) {
  const auto heads = choices.Pick<std::int32_t>({1, 1, 2, 7});
  const bool holds = choices.OneIn(3);
  return TellAtRest(story, heads, holds, choices.OneIn(3));
}

void PlayAtRest(int count, Seeds seeds) {
  int said_so = 0;
  ForEach(MakeRandomStory, count, seeds, [&said_so](const Story& story, Choices& choices) {
    said_so += PlayStoryAtRest(story, choices);
  });
  if (std::getenv("MUSTER_SEED") != nullptr) return;  // one story need not have such a moment
  ::testing::Test::RecordProperty("said_so", said_so);
  EXPECT_GT(said_so, count);
}

TEST(Rest, AfterIdleNoCycleDecidesAnythingAndIdleAlwaysComes) { PlayAtRest(120, Seeds::kFixed); }
// A queue becomes StrictFIFO while its head waits for the room of its victims: marked anew, the
// head is not sticky any more, and another is in front of it.
TEST(Rest, DoesNotComeWhereAHeadLosesItsRank) {
  RandomChoices choices(368'178'444);
  const Story story = MakeRandomStory(choices);
  PlayStoryAtRest(story, choices);
}
TEST(LongRest, AfterIdleNoCycleDecidesAnythingAndIdleAlwaysComes) {
  PlayAtRest(1'500, Seeds::kFresh);
}
TEST(NightRest, AfterIdleNoCycleDecidesAnythingAndIdleAlwaysComes) {
  PlayAtRest(6'000, Seeds::kFresh);
}

}  // namespace
}  // namespace muster::testing
