// What a player hands on, and when it comes to rest.
#include "bindings/lab/player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/testing/builders.h"

namespace muster::lab {
namespace {

using testing::Cpu;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kNoon;
using testing::MakeWorkload;

/// A queue of two cpus, in which the urgent evict the others.
class PlayerTest : public ::testing::Test {
 protected:
  PlayerTest() {
    PreemptionRules rules;
    rules.within_cluster_queue = PreemptionPolicy::kLowerPriority;
    const std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default"),
                                         testing::MakeQueue("q", "", {{.nominal = 2}}, rules),
                                         testing::MakeLocalQueue("q")};
    EXPECT_TRUE(player_.Apply(objects, MissingReference::kRefuse).ok());
  }

  void Submit(const Workload& workload) {
    EXPECT_TRUE(player_.Do(command::Submit{{workload}}).ok());
  }
  std::vector<std::string> Started() const {
    std::vector<std::string> names;
    for (const CycleOutcome& cycle : cycles_) {
      for (const std::string& name : testing::AdmittedNames(cycle.result)) names.push_back(name);
    }
    return names;
  }

  Engine engine_;
  std::vector<CycleOutcome> cycles_;
  Player player_{engine_, kNoon, KeepIn(&cycles_)};
};

TEST_F(PlayerTest, RestsAsSoonAsNoCycleWouldDecideAnything) {
  Submit(MakeWorkload("a", "q", Cpu(1)));
  Submit(MakeWorkload("b", "q", Cpu(2)));
  const Result<bool> at_rest = player_.RunUntilIdle(100, Evictions::kStayOpen);
  ASSERT_TRUE(at_rest.ok());
  EXPECT_TRUE(*at_rest);
  EXPECT_THAT(Started(), ElementsAre("a"));
  EXPECT_EQ(player_.cycles(), cycles_.size());
  EXPECT_LT(player_.cycles(), 5U);
}

TEST_F(PlayerTest, SaysWhenTheLimitEndsIt) {
  for (const char* name : {"a", "b"}) Submit(MakeWorkload(name, "q", Cpu(1)));
  const Result<bool> at_rest = player_.RunUntilIdle(1, Evictions::kStayOpen);
  ASSERT_TRUE(at_rest.ok());
  EXPECT_FALSE(*at_rest);
  EXPECT_THAT(Started(), ElementsAre("a"));
}

TEST_F(PlayerTest, APreemptorStartsWhenThePodsOfItsVictimLeave) {
  Submit(MakeWorkload("low", "q", Cpu(2), 1));
  ASSERT_TRUE(player_.RunUntilIdle(100, Evictions::kComplete).ok());
  Submit(MakeWorkload("high", "q", Cpu(2), 2));
  ASSERT_TRUE(player_.RunUntilIdle(100, Evictions::kStayOpen).ok());
  EXPECT_THAT(Started(), ElementsAre("low"));
  ASSERT_TRUE(player_.CompleteEvictions().ok());
  ASSERT_TRUE(player_.RunUntilIdle(100, Evictions::kComplete).ok());
  EXPECT_THAT(Started(), ElementsAre("low", "high"));
}

/// Cycles that were counted and outcomes that the sink was told.
struct Told {
  std::size_t cycles = 0;
  std::vector<CycleOutcome> outcomes;
};

TEST_F(PlayerTest, CountsEmptyCyclesThatItNeedNotRun) {
  const auto play = [this](EmptyCycles empty) {
    Engine engine = *engine_.Fork();
    Told told;
    Player player(engine, kNoon, KeepIn(&told.outcomes), Detail::kDecisions);
    for (const auto& [name, priority] : {std::pair("low", 1), std::pair("high", 2)}) {
      const Workload workload = MakeWorkload(name, "q", Cpu(2), priority);
      EXPECT_TRUE(player.Submit({&workload, 1}).ok());
      EXPECT_TRUE(*player.RunUntilIdle(100, Evictions::kComplete, empty));
    }
    told.cycles = player.cycles();
    return told;
  };
  const Told all = play(EmptyCycles::kRun);
  const Told needed = play(EmptyCycles::kCount);
  EXPECT_EQ(needed.cycles, all.cycles);
  EXPECT_LT(needed.outcomes.size(), all.outcomes.size());
  const auto decided = [](const Told& told) {
    std::vector<CycleResult> results;
    for (const CycleOutcome& each : told.outcomes) {
      if (!each.result.DecidedNothing()) results.push_back(each.result);
    }
    return results;
  };
  EXPECT_EQ(decided(needed), decided(all));
  EXPECT_EQ(decided(all).size(), 3U);
}

TEST_F(PlayerTest, JobsAreSubmittedAndEndWithoutACommand) {
  const Workload workload = MakeWorkload("a", "q", Cpu(2));
  ASSERT_TRUE(player_.Submit({&workload, 1}).ok());
  ASSERT_TRUE(*player_.RunUntilIdle(100, Evictions::kStayOpen));
  EXPECT_THAT(Started(), ElementsAre("a"));
  const Key key = testing::DefaultKey("a");
  ASSERT_TRUE(player_.Finish({&key, 1}).ok());
  EXPECT_EQ(engine_.GetWorkload(key)->phase, WorkloadPhase::kFinished);
  EXPECT_EQ(player_.Finish({&key, 1}).code(), StatusCode::kOk) << "it ended already";
  const Key none = testing::DefaultKey("none");
  EXPECT_EQ(player_.Finish({&none, 1}).code(), StatusCode::kNotFound);
}

TEST_F(PlayerTest, CommandsAreGivenAtItsOwnTime) {
  player_.Pass(30 * kSecond);
  ASSERT_TRUE(player_.Do(command::Cycle{}).ok());
  EXPECT_EQ(cycles_.at(0).result.at, kNoon + 30 * kSecond);
  EXPECT_EQ(player_.now(), kNoon + 30 * kSecond);
}

TEST_F(PlayerTest, ReadsOfTheStateWhatAStepAsksFor) {
  Submit(MakeWorkload("a", "q", Cpu(2)));
  Submit(MakeWorkload("b", "q", Cpu(2)));
  for (const Detail detail : {Detail::kDecisions, Detail::kPending, Detail::kWorkloads}) {
    player_.BeginStep(7, detail);
    ASSERT_TRUE(player_.Do(command::Cycle{}).ok());
    EXPECT_EQ(cycles_.back().step, 7U);
    EXPECT_EQ(cycles_.back().pending.size(), detail == Detail::kDecisions ? 0U : 1U);
    EXPECT_EQ(cycles_.back().workloads.size(), detail == Detail::kWorkloads ? 2U : 0U);
  }
}

TEST_F(PlayerTest, WhatIsRefusedComesBackAndTheSinkMayEndTheRun) {
  EXPECT_EQ(player_.Do(command::Finish{{testing::DefaultKey("none")}}).code(),
            StatusCode::kNotFound);
  EXPECT_THAT(cycles_, IsEmpty());
  Player full(engine_, kNoon,
              [](const CycleOutcome&) { return Status(StatusCode::kUnavailable, "full"); });
  EXPECT_EQ(full.RunUntilIdle(5, Evictions::kStayOpen).status().code(), StatusCode::kUnavailable);
  EXPECT_EQ(full.cycles(), 1U);
}

}  // namespace
}  // namespace muster::lab
