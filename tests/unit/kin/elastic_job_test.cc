// Names of slices and which of them counts; what comes of it is in tests/scenarios/slices.
#include "engine/kin/elastic_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/model/elastic.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"

namespace muster {
namespace {

using testing::AdmittedNames;
using ::testing::AllOf;
using ::testing::Contains;
using testing::Cpu;
using testing::DefaultKey;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kNoon;
using ::testing::Not;

class ElasticJobTest : public ::testing::Test {
 protected:
  ElasticJobTest() : engine_(&journal_) {
    Apply({testing::MakeNamespace(), testing::MakeFlavor("default"),
           testing::MakeQueue("a", "", {{"default", "cpu", 8}}), testing::MakeLocalQueue("a")});
  }
  void Apply(const std::vector<Object>& objects) {
    const Status status = engine_.Apply(objects, kNoon);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  static Workload Elastic(const std::string& name, int pods) {
    Workload workload = testing::MakeWorkload(name, "a", Cpu(1), 0, pods);
    workload.annotations[std::string(kElasticJobAnnotation)] = "true";
    return workload;
  }
  /// Submits it with so many pods; answers what starts in a cycle.
  std::vector<std::string> Grow(const std::string& name, int pods) {
    const Workload workload = Elastic(name, pods);
    std::vector<Applied> applied;
    const Status status = engine_.Submit(std::span(&workload, 1), kNoon, &applied);
    EXPECT_TRUE(status.ok()) << status.message();
    if (!applied.empty()) applied_ = applied[0];
    std::vector<std::string> started = AdmittedNames(*engine_.RunCycle(kNoon));
    EXPECT_TRUE(engine_.CheckInvariants().ok());
    return started;
  }
  Amount Used() { return (*engine_.ClusterQueues())[0].quotas[0].usage; }

  testing::MemoryJournal journal_;
  Engine engine_;
  Applied applied_ = Applied::kUnchanged;
};

TEST_F(ElasticJobTest, SlicesAreCountedBehindTheNameOfTheFirst) {
  EXPECT_THAT(Grow("j", 1), ElementsAre("j"));
  EXPECT_EQ(applied_, Applied::kCreated);
  EXPECT_THAT(Grow("j", 2), ElementsAre("j-slice-2"));
  EXPECT_EQ(applied_, Applied::kChanged);
  EXPECT_THAT(Grow("j", 3), ElementsAre("j-slice-3"));
  EXPECT_THAT(Grow("j", 3), ElementsAre());
  EXPECT_EQ(applied_, Applied::kUnchanged);
  EXPECT_EQ(Used(), 3000);
}

TEST_F(ElasticJobTest, ANumberComesOnceThoughEarlierSlicesAreForgotten) {
  Grow("j", 1);
  Grow("j", 2);
  Grow("j", 3);
  ASSERT_TRUE(engine_.Cancel(std::vector{DefaultKey("j"), DefaultKey("j-slice-2")}, kNoon).ok());
  EXPECT_THAT(Grow("j", 4), ElementsAre("j-slice-4"));
  EXPECT_EQ(Used(), 4000);
}

TEST_F(ElasticJobTest, ANameThatAnotherWorkloadHasIsPassedOver) {
  const Workload other = testing::MakeWorkload("j-slice-2", "a", Cpu(1));
  ASSERT_TRUE(engine_.Submit(std::span(&other, 1), kNoon).ok());
  Grow("j", 1);
  Grow("k", 1);
  EXPECT_THAT(Grow("j", 3), ElementsAre("j-slice-3"));
}

TEST_F(ElasticJobTest, ALongNameIsCutSoThatASliceHasOneToo) {
  const std::string name(253, 'x');
  Grow(name, 1);
  const std::vector<std::string> started = Grow(name, 2);
  ASSERT_EQ(started.size(), 1U);
  EXPECT_LE(started[0].size(), 253U);
  EXPECT_THAT(Grow(name, 3), ElementsAre(std::string(230, 'x') + "-slice-3"));
}

TEST_F(ElasticJobTest, WhatASliceIsRecordedAsIsTakenAsItIs) {
  Grow("j", 2);
  Grow("j", 4);
  Workload slice = engine_.GetWorkload(DefaultKey("j-slice-2"))->spec;
  slice.status = {};
  std::vector<Applied> applied;
  ASSERT_TRUE(engine_.Submit(std::span(&slice, 1), kNoon, &applied).ok());
  EXPECT_THAT(applied, ElementsAre(Applied::kUnchanged));
}

TEST_F(ElasticJobTest, PodsThatAreGivenUpAreAnothersInTheSameCall) {
  Grow("j", 8);
  const std::vector<Object> objects = {Elastic("j", 3), Elastic("k", 5)};
  Apply(objects);
  EXPECT_EQ(Used(), 3000);
  EXPECT_THAT(AdmittedNames(*engine_.RunCycle(kNoon)), ElementsAre("k"));
  EXPECT_EQ(Used(), 8000);
}

TEST_F(ElasticJobTest, OfAJobThatIsNamedTwiceInACallTheLastOneCounts) {
  for (const auto& [first, last] : {std::pair{8, 2}, std::pair{2, 8}}) {
    const std::string name = "j" + std::to_string(last);
    Grow(name, 4);
    const std::vector<Object> objects = {Elastic(name, first), Elastic(name, last)};
    Apply(objects);
    ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
    EXPECT_EQ(Used(), last * 1000);
    const auto all = *engine_.Workloads();
    for (const WorkloadView& each : all) {
      ASSERT_TRUE(engine_.Cancel(std::vector{each.spec.key}, kNoon).ok());
    }
  }
}

TEST_F(ElasticJobTest, AJobWithTheNameOfAnothersSliceDoesNotTakeItOver) {
  Grow("j", 1);
  Grow("j", 2);
  const Workload other = Elastic("j-slice-2", 6);
  EXPECT_FALSE(engine_.Submit(std::span(&other, 1), kNoon).ok());
  EXPECT_THAT(Grow("j", 3), ElementsAre("j-slice-3"));
}

TEST_F(ElasticJobTest, ANumberBeyondAllBoundsIsNotCountedOn) {
  Grow("j", 1);
  Workload slice = Elastic("j-slice-99999999999999999999", 2);
  slice.annotations[std::string(kSliceNameAnnotation)] = "j";
  slice.annotations[std::string(kReplacementForAnnotation)] = "default/j";
  ASSERT_TRUE(engine_.Submit(std::span(&slice, 1), kNoon).ok());
  ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
  const std::vector<std::string> started = Grow("j", 3);
  ASSERT_EQ(started.size(), 1U);
  EXPECT_TRUE(started[0].starts_with("j-slice-")) << started[0];
}

// Kueue hashes the generation of the job into the names of its slices.
TEST_F(ElasticJobTest, SlicesThatKueueHasNamedAreOfOneJob) {
  Workload first = Elastic("job-j-a1111", 2);
  first.annotations[std::string(kSliceNameAnnotation)] = "job-j-a1111";
  Workload next = Elastic("job-j-00000", 9);
  next.annotations[std::string(kSliceNameAnnotation)] = "job-j-a1111";
  next.annotations[std::string(kReplacementForAnnotation)] = "default/job-j-a1111";
  Workload other = Elastic("job-j-b2222", 1);
  for (const Workload* each : {&first, &next, &other}) {
    ASSERT_TRUE(engine_.Submit(std::span(each, 1), kNoon).ok());
    ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
  }
  EXPECT_THAT(engine_.Explain(DefaultKey("job-j-a1111"))->notes,
              Contains(AllOf(HasSubstr("came in slices"), HasSubstr("job-j-00000"),
                             Not(HasSubstr("job-j-b2222")))));
  EXPECT_THAT(Grow("job-j-a1111", 4), ElementsAre("job-j-00000")) << "the one that waits";
  EXPECT_THAT(Grow("job-j-a1111", 5), ElementsAre("job-j-a1111-slice-2"));
  EXPECT_EQ(Used(), 6000);
}

TEST_F(ElasticJobTest, AClassThatChangesIsThatOfTheSliceThatRunsToo) {
  Apply({WorkloadPriorityClass{"lo", 1, ""}, WorkloadPriorityClass{"hi", 9, ""}});
  const auto submit = [&](const char* name, int pods) {
    Workload workload = Elastic("j", pods);
    workload.priority_source = PriorityClassSource::kWorkloadPriorityClass;
    workload.priority_class = name;
    workload.priority.reset();
    const Status status = engine_.Submit(std::span(&workload, 1), kNoon);
    ASSERT_TRUE(status.ok()) << status.message();
    ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
  };
  submit("lo", 2);
  submit("lo", 9);
  submit("hi", 9);
  for (const char* name : {"j", "j-slice-2"}) {
    EXPECT_EQ(engine_.GetWorkload(DefaultKey(name))->spec.priority, 9) << name;
  }
  EXPECT_EQ(Used(), 2000);
  EXPECT_TRUE(engine_.CheckInvariants().ok());
}

TEST_F(ElasticJobTest, AJobThatHasEndedNeitherGrowsNorShrinks) {
  Grow("j", 2);
  ASSERT_TRUE(engine_.Finish(std::vector{DefaultKey("j")}, false, kNoon).ok());
  for (const int pods : {1, 4}) {
    const Workload again = Elastic("j", pods);
    EXPECT_FALSE(engine_.Submit(std::span(&again, 1), kNoon).ok()) << pods;
  }
}

}  // namespace
}  // namespace muster
