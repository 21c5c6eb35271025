// What jobs are expected to run, from runs that are known.
#include "bindings/eta/run_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/model/expected_run.h"
#include "muster/account.h"
#include "tests/testing/builders.h"

namespace muster::eta {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Traits Of(const std::string& name, const std::string& user, std::int64_t cores = 1) {
  Workload workload = muster::testing::MakeWorkload(name, "a", muster::testing::Cpu(cores));
  LabelMap labels;
  labels[kUserLabel] = user;
  workload.labels = std::move(labels);
  return TraitsOf(workload);
}

void LearnMany(RunTimes& runs, const Traits& job, std::int64_t seconds, int times) {
  for (int i = 0; i < times; ++i) runs.Learn(job, seconds * kSecond);
}

TEST(NamePrefix, IsWhatJobsOfOneKindHaveInCommon) {
  EXPECT_EQ(NamePrefix("train-17"), "train");
  EXPECT_EQ(NamePrefix("train-x7k2p"), "train");
  EXPECT_EQ(NamePrefix("job-train-3-9"), "job-train");
  EXPECT_EQ(NamePrefix("train"), "train");
  EXPECT_EQ(NamePrefix("night-run"), "night-run");
  EXPECT_EQ(NamePrefix("17"), "17");
}

TEST(RunTimes, TheMostAlikeGroupThatHasEnoughSpeaks) {
  RunTimes runs;
  LearnMany(runs, Of("eval-1", "ann"), 10, 20);
  LearnMany(runs, Of("train-1", "bob", 8), 900, 20);
  EXPECT_THAT(runs.Expect(Of("eval-2", "ann"), 0), Each(10 * kSecond));
  EXPECT_THAT(runs.Expect(Of("train-2", "bob", 8), 0), Each(900 * kSecond));
  // Of a newcomer only the queue and the size are known.
  EXPECT_THAT(runs.Expect(Of("other", "eve", 8), 0), Each(900 * kSecond));
}

TEST(RunTimes, AFewRunsAreNoGroupWhereALargerOneIs) {
  RunTimes runs;
  LearnMany(runs, Of("train-1", "ann"), 5, 20);
  LearnMany(runs, Of("eval-1", "ann"), 700, 2);
  const std::vector<DurationNs> expected = runs.Expect(Of("eval-2", "ann"), 0);
  EXPECT_GT(expected.size(), 2U);
  EXPECT_EQ(expected.front(), 5 * kSecond);
}

TEST(RunTimes, OldRunsGiveWayToNewOnes) {
  RunTimes runs;
  LearnMany(runs, Of("eval-1", "ann"), 10, 500);
  LearnMany(runs, Of("eval-1", "ann"), 20, 100);
  EXPECT_THAT(runs.Expect(Of("eval-1", "ann"), 0), Each(20 * kSecond));
}

TEST(RunTimes, WhatRunsAlreadyIsComparedWithLongerOnesAlone) {
  RunTimes runs;
  LearnMany(runs, Of("eval-1", "ann"), 10, 20);
  LearnMany(runs, Of("eval-1", "ann"), 300, 8);
  EXPECT_THAT(runs.Expect(Of("eval-2", "ann"), 60 * kSecond), Each(300 * kSecond));
}

TEST(RunTimes, OneThatOutlastsAllIsExpectedToRunAsLongAgain) {
  RunTimes runs;
  LearnMany(runs, Of("eval-1", "ann"), 10, 20);
  const std::vector<DurationNs> expected = runs.Expect(Of("eval-2", "ann"), 100 * kSecond);
  EXPECT_GT(expected.front(), 100 * kSecond);
  const auto middle = expected.begin() + static_cast<std::ptrdiff_t>(expected.size() / 2);
  EXPECT_GT(*middle, 190 * kSecond);
  EXPECT_LT(*(middle - 1), 210 * kSecond);
}

TEST(RunTimes, WithoutAnyHistoryADeclaredTimeIsExpected) {
  Workload workload = muster::testing::MakeWorkload("x", "a", muster::testing::Cpu(1));
  EXPECT_THAT(RunTimes().Expect(TraitsOf(workload), 0), IsEmpty());
  LabelMap labels;
  labels[kRequestedLabel] = "3600";
  workload.labels = std::move(labels);
  EXPECT_THAT(RunTimes().Expect(TraitsOf(workload), 0), ElementsAre(3600 * kSecond));
  workload.max_execution_seconds = 60;
  EXPECT_THAT(RunTimes().Expect(TraitsOf(workload), 0), ElementsAre(60 * kSecond));
}

TEST(RunTimes, NothingIsExpectedBeyondALimit) {
  RunTimes runs;
  LearnMany(runs, Of("eval-1", "ann"), 500, 20);
  Workload workload = muster::testing::MakeWorkload("x", "a", muster::testing::Cpu(1));
  workload.max_execution_seconds = 200;
  EXPECT_THAT(runs.Expect(TraitsOf(workload), 0), Each(200 * kSecond));
}

TEST(SayExpectedRun, IsTheMiddleOfWhatJobsLikeItRanAndStays) {
  RunTimes runs;
  Workload job = muster::testing::MakeWorkload("eval-1", "a", muster::testing::Cpu(1));
  SayExpectedRun(runs, &job);
  EXPECT_FALSE(job.labels.contains(kExpectedRunLabel));  // nothing is known yet
  for (const std::int64_t seconds : {10, 20, 30, 40, 50, 60, 70}) {
    runs.Learn(TraitsOf(job), seconds * kSecond);
  }
  SayExpectedRun(runs, &job);
  EXPECT_EQ(job.labels.at("muster.dev/expected-run"), "40");
  for (int i = 0; i < 20; ++i) runs.Learn(TraitsOf(job), 900 * kSecond);
  SayExpectedRun(runs, &job);
  EXPECT_EQ(job.labels.at("muster.dev/expected-run"), "40");
}

TEST(SayExpectedRun, IsAtLeastASecond) {
  RunTimes runs;
  Workload job = muster::testing::MakeWorkload("eval-1", "a", muster::testing::Cpu(1));
  runs.Learn(TraitsOf(job), 1);
  SayExpectedRun(runs, &job);
  EXPECT_EQ(job.labels.at("muster.dev/expected-run"), "1");
}

}  // namespace
}  // namespace muster::eta
