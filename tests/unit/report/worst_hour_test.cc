// Which hour was the worst, and which jobs tell of it.
#include "bindings/report/worst_hour.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace muster::simulate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr DurationNs kHour = 3600 * kSecond;
constexpr TimeNs kBegin = 1'000 * kHour;

/// A log and what became of it, in hours since its beginning; below 0: never.
struct Past {
  std::vector<TraceJob> jobs;
  Run run;

  Past() {
    run.from = run.first = kBegin;
    run.until = run.end = kBegin + 10 * kHour;
  }
  void Add(double came, double started, double ended, std::int64_t size = 1,
           const std::string& queue = "a") {
    const auto at = [](double hours) {
      return hours < 0 ? kNoTime : kBegin + static_cast<TimeNs>(hours * static_cast<double>(kHour));
    };
    TraceJob job;
    job.queue = queue;
    job.size = size;
    jobs.push_back(job);
    Fate fate;
    fate.submitted = at(came);
    fate.first_start = at(started);
    fate.end = at(ended);
    run.fates.push_back(fate);
  }
};

TEST(WorstHour, IsTheOneInWhichMostJobsWaited) {
  Past past;
  past.Add(0, 0, 9, 8);
  past.Add(1.5, 3.5, 4);    // waits in the hours 1, 2 and 3
  past.Add(2.25, 2.75, 5);  // and this one in 2
  past.Add(6, 6, 7);
  const WorstHour worst = FindWorstHour(past.jobs, past.run);
  EXPECT_EQ(worst.begin, kBegin + 2 * kHour);
  EXPECT_DOUBLE_EQ(worst.waiting, 1.5);
  // By start: the one that runs all the time, and those that waited.
  EXPECT_THAT(worst.jobs, ElementsAre(0U, 2U, 1U));
}

TEST(WorstHour, OfARunWithoutWaitsThereIsNone) {
  Past past;
  past.Add(0, 0, 9);
  past.Add(3, 3, 4);
  const WorstHour worst = FindWorstHour(past.jobs, past.run);
  EXPECT_EQ(worst.begin, kNoTime);
  EXPECT_THAT(worst.jobs, IsEmpty());
}

TEST(WorstHour, WhatNeverStartsWaitsUntilTheEnd) {
  Past past;
  past.Add(8.5, -1, -1);
  past.Add(9.5, -1, -1);
  const WorstHour worst = FindWorstHour(past.jobs, past.run);
  EXPECT_EQ(worst.begin, kBegin + 9 * kHour);
  EXPECT_DOUBLE_EQ(worst.waiting, 1.5);
}

TEST(WorstHour, NamesTheLargestThatRanAndTheLongestThatWaited) {
  Past past;
  for (int i = 0; i < 40; ++i) past.Add(0, 0, 9, 1 + i);
  for (int i = 0; i < 40; ++i) past.Add(1.0 + 0.001 * i, 8, 9);
  const WorstHour worst = FindWorstHour(past.jobs, past.run);
  EXPECT_EQ(worst.jobs.size(), 2 * kMostInHour);
  EXPECT_EQ(worst.jobs.front(), 40 - kMostInHour);  // of the smaller ones none
  EXPECT_EQ(worst.jobs.back(), 40 + kMostInHour - 1);
}

TEST(OvertakenBy, CountsThoseOfItsQueueThatCameLaterAndStartedBefore) {
  Past past;
  past.Add(1, 5, 6);
  past.Add(2, 3, 4);
  past.Add(2, 3, 4, 1, "b");
  past.Add(3, 6, 7);
  past.Add(1, 2, 3);  // it came with it
  EXPECT_EQ(OvertakenBy(past.jobs, past.run, 0), 1U);
  EXPECT_EQ(OvertakenBy(past.jobs, past.run, 3), 0U);
}

}  // namespace
}  // namespace muster::simulate
