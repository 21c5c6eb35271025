// What a player hands on, and when it comes to rest.
#include "bindings/lab/player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/testing/builders.h"

namespace muster::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Cpu;
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
