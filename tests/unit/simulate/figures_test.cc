// Figures of made-up fates, worked out by hand.
#include "bindings/simulate/figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "bindings/simulate/difference.h"
#include "bindings/simulate/variation.h"
#include "tests/unit/simulate/world.h"

namespace muster::simulate {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

Fate Met(std::int64_t submit, std::int64_t start, std::int64_t end) {
  Fate fate;
  fate.submitted = submit * kSecond;
  if (start >= 0) fate.first_start = start * kSecond;
  if (end >= 0) fate.end = end * kSecond;
  return fate;
}

Run RunOf(std::vector<Fate> fates, std::int64_t from, std::int64_t until) {
  Run run;
  run.fates = std::move(fates);
  run.first = 0;
  run.from = from * kSecond;
  run.until = until * kSecond;
  return run;
}

QueueUse Use(double nominal, double level) {
  QueueUse use;
  use.nominal = nominal;
  use.series.assign(kSeriesParts, level);
  return use;
}

TEST(Figures, AQuantileIsTheSmallestValueThatSoManyDoNotExceed) {
  std::vector<double> values;
  for (int i = 1; i <= 200; ++i) values.push_back(i);
  EXPECT_EQ(Quantile(values, 0.5), 100);
  EXPECT_EQ(Quantile(values, 0.99), 198);
  EXPECT_EQ(Quantile(values, 1), 200);
  EXPECT_EQ(Quantile({{7.0}}, 0.5), 7);
  EXPECT_EQ(Quantile({}, 0.5), 0);
}

TEST(Figures, ClassesAreByQueueAndSizeAndAll) {
  const std::vector<TraceJob> jobs = {Job("1", "a", 0, 100, 1), Job("2", "b", 0, 5, 8),
                                      Job("3", "b", 10, 100, 65), Job("4", "a", 20, 50, 1)};
  const auto run =
      RunOf({Met(0, 0, 100), Met(0, 30, 35), Met(10, -1, -1), Met(20, 70, 120)}, 0, 50);
  const Report report = Summarise(jobs, run);
  std::vector<std::pair<std::string, std::string>> names;
  for (const ClassFigures& each : report.classes) names.emplace_back(each.queue, each.size);
  EXPECT_THAT(names, ElementsAre(Pair("", "all"), Pair("", "1"), Pair("", "2-8"), Pair("", "65+"),
                                 Pair("a", "all"), Pair("a", "1"), Pair("b", "all"),
                                 Pair("b", "2-8"), Pair("b", "65+")));
  const Figures& all = report.classes.front().figures;
  EXPECT_EQ(all.jobs, 4U);
  EXPECT_EQ(all.started, 3U);
  EXPECT_EQ(all.wait_p50, 30);
  EXPECT_EQ(all.wait_max, 50);
  EXPECT_EQ(all.longest, "4");
  EXPECT_NEAR(all.wait_mean, 80.0 / 3, 1e-9);
  // 100/100, 35/10 because runs below 10 s count as 10 s, 100/50.
  EXPECT_EQ(all.slowdown_p50, 2);
  EXPECT_NEAR(all.slowdown_mean, (1 + 3.5 + 2) / 3, 1e-9);
  EXPECT_EQ(all.turnaround_p50, 100);
}

TEST(Figures, JobsOutsideTheTimeThatCountsDoNot) {
  const std::vector<TraceJob> jobs = {Job("1", "", 0, 1, 1), Job("2", "", 10, 1, 1),
                                      Job("3", "", 20, 1, 1)};
  const auto run = RunOf({Met(0, 9, 10), Met(10, 10, 11), Met(20, 29, 30)}, 5, 15);
  const Report report = Summarise(jobs, run);
  ASSERT_EQ(report.classes.size(), 2U);
  EXPECT_EQ(report.classes.front().figures.jobs, 1U);
  EXPECT_EQ(report.classes.front().figures.wait_max, 0);
  const auto other = RunOf({Met(0, 0, 1), Met(10, 12, 13), Met(20, 20, 21)}, 5, 15);
  const Change change = Compare(jobs, run, other);
  EXPECT_EQ(change.later, 1U);
  EXPECT_EQ(change.earlier + change.same, 0U);
}

TEST(Figures, FairnessIsOneWhereQueuesUseTheSamePartOfTheirQuota) {
  const std::vector<TraceJob> jobs = {Job("1", "", 0, 1, 1), Job("2", "", 100, 1, 1)};
  auto run = RunOf({Met(0, 0, 1), Met(100, 100, 101)}, 0, 100);
  run.queues = {Use(6, 3), Use(2, 1)};
  run.queues[0].used = 300;
  run.queues[1].used = 100;
  run.queues[1].borrowed = 40;
  Report report = Summarise(jobs, run);
  EXPECT_NEAR(report.evenness, 1, 1e-9);
  EXPECT_NEAR(report.share_error, 0, 1e-9);
  EXPECT_NEAR(report.utilisation, 0.5, 1e-9);
  EXPECT_NEAR(report.nominal_hours, 360.0 / 3600, 1e-9);
  EXPECT_NEAR(report.borrowed_hours, 40.0 / 3600, 1e-9);
  run.queues = {Use(6, 0), Use(2, 2)};
  report = Summarise(jobs, run);
  EXPECT_NEAR(report.evenness, 0.5, 1e-9);      // one of two has all
  EXPECT_NEAR(report.share_error, 0.75, 1e-9);  // that had a right to a quarter
}

TEST(Figures, JobsThatMovedMostAreNamedEachWay) {
  std::vector<TraceJob> jobs;
  std::vector<Fate> before, after;
  for (int i = 0; i < 20; ++i) {
    jobs.push_back(Job(std::to_string(i), "q", 0, 1, 1));
    before.push_back(Met(0, 100, 101));
    after.push_back(Met(0, 100 + i - 10, 150));  // -10 to 9
  }
  before.push_back(Met(0, -1, -1));
  after.push_back(Met(0, 5, 6));
  jobs.push_back(Job("new", "q", 0, 1, 1));
  const Change change = Compare(jobs, RunOf(before, 0, 1), RunOf(after, 0, 1));
  EXPECT_EQ(change.earlier, 10U);
  EXPECT_EQ(change.later, 9U);
  EXPECT_EQ(change.same, 1U);
  EXPECT_EQ(change.only_other, 1U);
  ASSERT_EQ(change.most.size(), 2 * kNamed);
  EXPECT_EQ(change.most.front(), (Change::Moved{"0", "q", -10}));
  EXPECT_EQ(change.most.back(), (Change::Moved{"19", "q", 9}));
}

TEST(Variation, IsMadeOfDaysOfTheLogAndTheSameForASeed) {
  constexpr std::int64_t kDay = 86'400;
  std::vector<TraceJob> jobs;
  for (std::int64_t day = 0; day < 28; ++day) {
    jobs.push_back(Job(std::to_string(day), "q", day * kDay + day, 1, 1));
  }
  const std::vector<TraceJob> varied = Variation(jobs, 3);
  EXPECT_EQ(varied, Variation(jobs, 3));
  EXPECT_NE(varied, Variation(jobs, 4));
  ASSERT_EQ(varied.size(), jobs.size());
  for (std::size_t day = 0; day < varied.size(); ++day) {
    const auto drawn = std::stol(varied[day].id);
    EXPECT_EQ(static_cast<std::size_t>(drawn) % 7, day % 7) << "another weekday";
    EXPECT_EQ(varied[day].submit, (static_cast<std::int64_t>(day) * kDay + drawn) * kSecond);
  }
}

Report WithWait(double mean) {
  Report report;
  report.classes.push_back({"", "all", {}});
  report.classes.front().figures.wait_mean = mean;
  return report;
}

TEST(Difference, IsNoiseWhenItGoesBothWays) {
  std::vector<Report> base, better, other;
  for (int i = 0; i < 10; ++i) {
    base.push_back(WithWait(1000 * i));
    better.push_back(WithWait(1000 * i - 10 - i % 3));
    other.push_back(WithWait(1000 * i + (i % 2 == 0 ? 50 : -49)));
  }
  const Difference sure = Differences(base, better).front();
  EXPECT_EQ(sure.figure, "waitMean");
  EXPECT_NEAR(sure.mean, -10.9, 1e-9);
  EXPECT_TRUE(sure.beyond_noise());
  EXPECT_GE(sure.low, -12);
  EXPECT_LE(sure.high, -10);
  const Difference noise = Differences(base, other).front();
  EXPECT_NEAR(noise.mean, 0.5, 1e-9);
  EXPECT_FALSE(noise.beyond_noise());
}

}  // namespace
}  // namespace muster::simulate
