// Jobs of small logs, whose starts and ends are worked out by hand.
#include "bindings/simulate/simulate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "tests/unit/simulate/world.h"

namespace muster::simulate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

Run Play(const manifest::Manifests& cluster, const std::vector<TraceJob>& jobs,
         const std::vector<std::string>& queues, const Habits& habits = {}) {
  Result<Run> run = Simulate(cluster, jobs, To(queues), habits, {});
  EXPECT_TRUE(run.ok()) << run.status().message();
  return run.ok() ? *std::move(run) : Run();
}

TEST(Simulate, AFullQueueStartsJobsInTheOrderInWhichTheyCame) {
  const auto run = Play(Cluster({Gpus("a", 4)}),
                        {Job("1", "a", 0, 100, 3), Job("2", "a", 10, 50, 2),
                         Job("3", "a", 20, 5, 1), Job("4", "a", 110, 10, 4)},
                        {"a"});
  // 3 would fit beside 1, and waits behind 2.
  EXPECT_THAT(Spans(run),
              ElementsAre(Pair(0, 100), Pair(100, 150), Pair(100, 105), Pair(150, 160)));
  EXPECT_EQ(run.unfinished, 0U);
}

TEST(Simulate, JobsOfOneInstantStartInTheOrderOfTheLog) {
  std::vector<TraceJob> jobs;
  for (int i = 0; i < 12; ++i) jobs.push_back(Job("x", "a", 0, 10, 1));
  const auto run = Play(Cluster({Gpus("a", 1)}), jobs, {"a"});
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    EXPECT_EQ(run.fates[i].first_start, static_cast<TimeNs>(i) * 10 * kSecond) << i;
  }
}

PreemptionRules TakesBack() {
  PreemptionRules rules;
  rules.reclaim_within_cohort = PreemptionPolicy::kAny;
  return rules;
}

/// b borrows all of a, which takes its own back at 60.
struct Reclaimed {
  manifest::Manifests cluster = Cluster({Gpus("a", 2, "all", TakesBack()), Gpus("b", 0, "all")});
  std::vector<TraceJob> jobs = {Job("1", "b", 0, 100, 2), Job("2", "a", 60, 30, 1),
                                Job("3", "a", 200, 1, 1)};
};

TEST(Simulate, AJobThatMakesRoomBeginsAnew) {
  const Reclaimed world;
  const auto run = Play(world.cluster, world.jobs, {"a", "b"});
  EXPECT_THAT(Spans(run), ElementsAre(Pair(0, 190), Pair(60, 90), Pair(200, 201)));
  EXPECT_EQ(run.fates[0].lost, 60 * kSecond);
  EXPECT_EQ(run.fates[0].evictions, 1);
  EXPECT_EQ(run.preemptions, 1);
}

TEST(Simulate, PodsAreReadyWhereTheClusterWaitsForThem) {
  manifest::Manifests cluster = Cluster({Gpus("a", 2)});
  Configuration config;
  config.wait_for_pods_ready.emplace();
  config.wait_for_pods_ready->timeout = 30 * kSecond;
  config.wait_for_pods_ready->block_admission = true;
  cluster.objects.push_back(config);
  const auto run = Play(cluster, {Job("1", "a", 0, 100, 1), Job("2", "a", 10, 100, 1)}, {"a"});
  // Neither takes too long, and the first does not keep the second waiting.
  EXPECT_THAT(Spans(run), ElementsAre(Pair(0, 100), Pair(10, 110)));
  EXPECT_EQ(run.fates[0].evictions, 0);
}

TEST(Simulate, WhatACheckpointSavedIsNotLost) {
  const Reclaimed world;
  const auto run = Play(world.cluster, world.jobs, {"a", "b"}, {.checkpoint = 25 * kSecond});
  // 50 of its 100 s are saved, 10 are lost; the rest runs from 90 on.
  EXPECT_THAT(Spans(run), ElementsAre(Pair(0, 140), Pair(60, 90), Pair(200, 201)));
  EXPECT_EQ(run.fates[0].lost, 10 * kSecond);
}

TEST(Simulate, PodsThatTakeTimeToLeaveKeepTheirQuota) {
  const Reclaimed world;
  const auto run = Play(world.cluster, world.jobs, {"a", "b"}, {.leave = 15 * kSecond});
  // 3 takes its quota back once more, at 200.
  EXPECT_THAT(Spans(run), ElementsAre(Pair(0, 316), Pair(75, 105), Pair(215, 216)));
  EXPECT_EQ(run.preemptions, 2);
}

TEST(Simulate, UseIsBorrowedBeyondNominalQuotaAndLostWhereWorkIsDoneAgain) {
  const Reclaimed world;
  const auto run = Play(world.cluster, world.jobs, {"a", "b"}, {.checkpoint = 25 * kSecond});
  ASSERT_EQ(run.queues.size(), 2U);
  const QueueUse& a = run.queues[0];
  const QueueUse& b = run.queues[1];
  EXPECT_EQ(a.name, "a");
  EXPECT_DOUBLE_EQ(a.nominal, 2);
  EXPECT_NEAR(a.used, 30, 1e-6);
  EXPECT_NEAR(a.borrowed, 0, 1e-6);
  EXPECT_NEAR(b.used, 2 * 60 + 2 * 50, 1e-6);
  EXPECT_NEAR(b.borrowed, b.used, 1e-6);
  EXPECT_NEAR(b.preempted, 2 * 60, 1e-6);
  EXPECT_NEAR(b.lost, 2 * 10, 1e-6);
  EXPECT_THAT(b.evictions, ElementsAre(Pair("InCohortReclamation", 1)));
  double sum = 0;
  for (const double part : b.series) sum += part;
  EXPECT_NEAR(sum / kSeriesParts * 200, b.used, 1e-6);
}

TEST(Simulate, WarmUpAndDrainArePlayedAndNotCounted) {
  const Reclaimed world;
  const auto run = Play(world.cluster, world.jobs, {"a", "b"},
                        {.warm_up = 50 * kSecond, .drain = 120 * kSecond});
  EXPECT_THAT(Spans(run), ElementsAre(Pair(0, 190), Pair(60, 90), Pair(200, 201)));
  EXPECT_EQ(run.from, 50 * kSecond);
  EXPECT_EQ(run.until, 80 * kSecond);
  EXPECT_NEAR(run.queues[1].used, 2 * 10, 1e-6);
  EXPECT_NEAR(run.queues[0].used, 20, 1e-6);
  EXPECT_NEAR(run.queues[1].lost, 2 * 60, 1e-6);
}

TEST(Simulate, JobsThatWaitAreCountedOverTime) {
  const auto run = Play(Cluster({Gpus("a", 1)}),
                        {Job("1", "a", 0, 40, 1), Job("2", "a", 10, 40, 1), Job("3", "a", 20, 1, 1),
                         Job("4", "a", 100, 1, 1)},
                        {"a"});
  // One waits from 10 to 20, two to 40, one to 80.
  EXPECT_NEAR(run.waiting_mean, (10 + 2 * 20 + 40) / 100.0, 1e-9);
  EXPECT_EQ(run.waiting_most, 2);
}

TEST(Simulate, AJobThatCannotStartLeavesTheRunWithAnEnd) {
  const auto run =
      Play(Cluster({Gpus("a", 1)}), {Job("big", "a", 0, 10, 2), Job("2", "a", 1, 1, 1)}, {"a"});
  EXPECT_EQ(run.unfinished, 2U);
  EXPECT_THAT(Spans(run), ElementsAre(Pair(-1, -1), Pair(-1, -1)));
}

TEST(Simulate, WhatCannotBePlayedIsRefused) {
  const manifest::Manifests cluster = Cluster({Gpus("a", 1)});
  const std::vector<TraceJob> jobs = {Job("1", "z", 0, 1, 1), Job("2", "z", 10, 1, 1)};
  EXPECT_THAT(Simulate(cluster, jobs, To({"a"}), {}, {}).status().message(),
              HasSubstr("no LocalQueue takes the jobs of \"z\""));
  EXPECT_FALSE(Simulate(cluster, {}, To({"a"}), {}, {}).ok());
  EXPECT_THAT(Simulate(cluster, jobs, To({"z"}), {.warm_up = 11 * kSecond}, {}).status().message(),
              HasSubstr("leave no time"));
}

TEST(Simulate, AnyNameOfAUserIsTaken) {
  std::vector<TraceJob> jobs;
  for (const char* user : {"anna", "anna@example.org", "-1", "", "two words", "anna@example.org"}) {
    jobs.push_back(Job("1", "a", 0, 10, 1));
    jobs.back().user = user;
  }
  EXPECT_EQ(Play(Cluster({Gpus("a", 6)}), jobs, {"a"}).unfinished, 0U);
}

TEST(Simulate, AWatcherEndsTheRunWithWhatThereIs) {
  const std::vector<TraceJob> jobs = {Job("1", "a", 0, 10, 1), Job("2", "a", 20, 10, 1)};
  const auto run = Simulate(Cluster({Gpus("a", 1)}), jobs, To({"a"}), {}, {},
                            [](std::size_t ended) { return ended == 0; });
  ASSERT_TRUE(run.ok());
  EXPECT_TRUE(run->interrupted);
  EXPECT_EQ(run->unfinished, 1U);
  EXPECT_THAT(Spans(*run), ElementsAre(Pair(0, 10), Pair(-1, -1)));
}

}  // namespace
}  // namespace muster::simulate
