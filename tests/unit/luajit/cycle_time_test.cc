// What is late: packages that used more than their part of what all may use together.
#include "bindings/luajit/cycle_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<PolicyTime> Among(std::size_t packages) {
  auto all = std::make_shared<PolicyTime>();
  all->packages = packages;
  return all;
}

TEST(CycleTime, OutsideOfACycleEachCallIsByItself) {
  CycleTime time;
  time.Add(9);
  EXPECT_FALSE(time.Late(0.3, 0.4));
  EXPECT_TRUE(time.Late(0.4, 0.4));
}

TEST(CycleTime, ThoseThatStayWithinTheirPartAreNeverLate) {
  const auto all = Among(4);
  CycleTime greedy, modest;
  greedy.Begin(all);
  modest.Begin(all);
  greedy.Add(0.35);
  EXPECT_FALSE(greedy.Late(0.04, 0.4)) << "no other package needs it";
  EXPECT_TRUE(greedy.Late(0.06, 0.4));
  greedy.Add(0.05);
  EXPECT_FALSE(modest.Late(0.09, 0.4)) << "a fourth of it is its own";
  EXPECT_TRUE(modest.Late(0.1, 0.4));
}

TEST(CycleTime, TogetherTheyTakeLessThanTwiceTheLimit) {
  constexpr double kLimit = 0.4, kLook = 0.001;
  const auto all = Among(20);
  std::vector<CycleTime> packages(20);
  for (CycleTime& package : packages) package.Begin(all);
  for (CycleTime& package : packages) {
    while (!package.Late(0, kLimit)) package.Add(kLook);
  }
  EXPECT_GE(all->seconds, kLimit);
  EXPECT_LT(all->seconds, 2 * kLimit + 20 * kLook);
}

TEST(CycleTime, ACycleInsideAnotherLeavesItAsItWas) {
  const auto around = Among(1), inside = Among(1);
  CycleTime time;
  time.Begin(around);
  time.Add(0.1);
  EXPECT_EQ(time.Count(Hook::kQueueOrder, 2), 2);
  time.Begin(inside);
  time.Add(5);
  EXPECT_EQ(time.Count(Hook::kQueueOrder, 1), 1);
  time.End(inside);
  EXPECT_EQ(time.Count(Hook::kQueueOrder, 1), 3) << "what a replay counts, too";
  EXPECT_DOUBLE_EQ(around->seconds, 0.1);
  EXPECT_FALSE(time.Late(0.2, 0.4));
  time.End(around);
  EXPECT_EQ(time.Count(Hook::kQueueOrder, 1), 0);
}

TEST(CycleTime, ACycleThatWasNotEndedEndsWithTheNext) {
  const auto all = Among(1);
  CycleTime time;
  time.Begin(all);
  time.Add(0.3);
  time.Begin(all);
  EXPECT_FALSE(time.Late(0.2, 0.4));
  time.End(all);
  EXPECT_EQ(time.Count(Hook::kQueueOrder, 1), 0);
}

// What a search does with an answer takes the engine longer than most answers take.
TEST(CycleTime, RowsOfSearchesCountWhateverTheClockSays) {
  SandboxOptions options;
  options.limits.seconds = 1;
  const LoadedPackage loaded =
      Load(SourceOf("return { api = 1, name = \"x\", victim = function(v) return v.priority end }"),
           {}, options);
  ASSERT_NE(loaded.policy, nullptr);
  constexpr unsigned int kRows = 100'000;
  PolicyBatch batch(kRows);
  const std::vector<muster_holding> holdings(kRows);
  batch.Get();
  batch.header().holdings = holdings.data();
  std::vector<double> costs(kRows);
  const auto all = Among(1);
  loaded.policy->BeginCycle(all);
  HookOutcome outcome;
  int calls = 0;
  while (outcome.ok && calls < 100) {
    outcome = loaded.policy->Call(Hook::kVictim, batch.Get(), costs);
    ++calls;
  }
  EXPECT_LE(calls, 41) << "0.25 us a row";
  EXPECT_EQ(outcome.late, calls);
  EXPECT_THAT(outcome.message, HasSubstr("while it reads nothing of p"));
}

// Each call is shorter than what passes between two looks at the clock.
TEST(CycleTime, ManyShortCallsAreLookedAtAsOneLongCallIs) {
  SandboxOptions options;
  options.limits.seconds = 0;
  const LoadedPackage loaded = Load(
      OrderOf("for i = 1, w.gpus == 5 and 200 or 0 do local t = { i } end return 1"), {}, options);
  ASSERT_NE(loaded.policy, nullptr);
  PolicyBatch batch(1);
  batch[0].gpus = 5;
  std::vector<double> keys(1);
  loaded.policy->BeginCycle(Among(1));
  HookOutcome outcome;
  int calls = 0;
  while (outcome.ok && calls < 1'000) {
    outcome = loaded.policy->Call(Hook::kQueueOrder, batch.Get(), keys);
    ++calls;
  }
  EXPECT_FALSE(outcome.ok);
  EXPECT_EQ(outcome.late, calls);
  EXPECT_THAT(outcome.message, HasSubstr("its part of the 0 ms that all policies have in a cycle"));
  EXPECT_THAT(outcome.message, HasSubstr("policies/x/policy.lua:1: "));
}

TEST(CycleTime, BatchesThatAreAskedTogetherAreLookedAtBetween) {
  SandboxOptions options;
  options.limits.seconds = 0;
  const LoadedPackage loaded = Load(
      OrderOf("for i = 1, w.gpus == 5 and 3000 or 0 do local t = { i } end return 1"), {}, options);
  ASSERT_NE(loaded.policy, nullptr);
  PolicyBatch rows(2'000);
  for (unsigned int i = 0; i < 2'000; i += 100) rows[i].gpus = 5;
  std::vector<muster_batch> batches(20, rows.Get());
  for (std::size_t i = 0; i < batches.size(); ++i) {
    batches[i].workloads += 100 * i;
    batches[i].count = 100;
  }
  std::vector<double> keys(2'000);
  std::vector<std::int64_t> fuel(20);
  const auto few = std::span(batches).first(4);
  EXPECT_TRUE(loaded.policy->CallEach(Hook::kQueueOrder, few, std::span(keys).first(400),
                                      std::span(fuel).first(4)))
      << "they are over before the clock is looked at";
  EXPECT_FALSE(loaded.policy->CallEach(Hook::kQueueOrder, batches, keys, fuel));
}

}  // namespace
}  // namespace muster::luajit::testing
