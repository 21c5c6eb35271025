// Uids that two jobs give, and what is taken with a warning.
#include "engine/api/doubts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::DefaultKey;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kNoon;
using testing::MakeWorkload;

class DoubtsTest : public ::testing::Test {
 protected:
  DoubtsTest() {
    const ClusterQueue queue = testing::MakeQueue("q", "", {{.nominal = 4000}});
    const std::vector<Object> objects{testing::MakeNamespace(), testing::MakeFlavor("default"),
                                      queue, testing::MakeLocalQueue(queue.name)};
    EXPECT_TRUE(engine_.Apply(objects, kNoon).ok());
  }
  static Workload Job(const std::string& name, const std::string& uid) {
    Workload job = MakeWorkload(name, "q", Cpu(1));
    job.uid = uid;
    job.created = kNoTime;
    return job;
  }
  Status Submit(const std::vector<Workload>& jobs) {
    warnings_.clear();
    return engine_.Submit(jobs, kNoon, nullptr, Submission::kAsk, nullptr, &warnings_);
  }
  void ExpectRefused(const Status& status, std::size_t object, const std::string& whose) {
    ASSERT_EQ(status.code(), StatusCode::kInvalidArgument) << status.message();
    ASSERT_EQ(status.problems().size(), 1u);
    EXPECT_EQ(status.problems()[0].object, object);
    EXPECT_EQ(status.problems()[0].field, "metadata.uid");
    EXPECT_EQ(status.problems()[0].what,
              "uid u is already that of " + whose + ", which has not ended");
    EXPECT_THAT(status.problems()[0].cure, HasSubstr("a uid of its own"));
  }

  Engine engine_;
  std::vector<Warning> warnings_;
};

TEST_F(DoubtsTest, AUidIsThatOfOneLiveJob) {
  ASSERT_TRUE(Submit({Job("a", "u")}).ok());
  ExpectRefused(Submit({Job("x", "v"), Job("b", "u")}), 1, "default/a");
  EXPECT_TRUE(Submit({Job("a", "u")}).ok()) << "it is the same job";
  ExpectRefused(engine_.Apply(std::vector<Object>{Job("b", "u")}, kNoon), 0, "default/a");
  const Result<Engine> restored = engine_.Fork();
  EXPECT_EQ(restored->Validate(std::vector<Object>{Job("b", "u")})->size(), 1u);
}

TEST_F(DoubtsTest, AUidStandsOnceInACall) {
  ExpectRefused(Submit({Job("a", "u"), Job("b", "v"), Job("c", "u")}), 2, "default/a");
  EXPECT_TRUE(Submit({Job("a", "u"), Job("a", "u"), Job("b", "")}).ok());
}

TEST_F(DoubtsTest, AUidIsFreeWhenItsJobHasEndedOrIsGone) {
  const std::vector<Key> a = {DefaultKey("a")};
  const std::vector<Key> b = {DefaultKey("b")};
  ASSERT_TRUE(Submit({Job("a", "u")}).ok());
  ASSERT_TRUE(engine_.Finish(a, false, kNoon).ok());
  ASSERT_TRUE(Submit({Job("b", "u")}).ok());
  ExpectRefused(Submit({Job("c", "u")}), 0, "default/b");
  ASSERT_TRUE(engine_.Cancel(a, kNoon).ok());
  ExpectRefused(Submit({Job("c", "u")}), 0, "default/b");
  ASSERT_TRUE(engine_.Cancel(b, kNoon).ok());
  EXPECT_TRUE(Submit({Job("c", "u")}).ok());
}

TEST_F(DoubtsTest, WhatHistoriesAndRecordedCasesHaveIsTaken) {
  ASSERT_TRUE(Submit({Job("a", "u")}).ok());
  const std::vector<Workload> again = {Job("b", "u")};
  EXPECT_TRUE(engine_.Submit(again, kNoon, nullptr, Submission::kTaken).ok());
  const std::vector<Object> recorded = {Job("c", "u")};
  EXPECT_TRUE(engine_.Apply(recorded, kNoon, MissingReference::kAsKueue).ok());
  for (const char* name : {"a", "b", "c"}) {
    const std::vector<Key> gone = {DefaultKey(name)};
    EXPECT_TRUE(engine_.Cancel(gone, kNoon).ok());
  }
  EXPECT_TRUE(engine_.CheckInvariants().ok());
}

TEST_F(DoubtsTest, AJobCreatedInTheFutureIsTakenWithAWarning) {
  Workload later = Job("later", "");
  later.created = kNoon + kSecond;
  Workload now = Job("now", "");
  now.created = kNoon + kSecond - 1;  // by a clock of more than whole seconds
  ASSERT_TRUE(Submit({now, later}).ok());
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(warnings_[0].object, 1);
  EXPECT_EQ(warnings_[0].field, "metadata.creationTimestamp");
  EXPECT_THAT(warnings_[0].what, HasSubstr("default/later was created at 2026-01-01T12:00:01Z"));
  EXPECT_THAT(warnings_[0].what, HasSubstr("in the future: it is 2026-01-01T12:00:00Z"));
  EXPECT_THAT(warnings_[0].cure, HasSubstr("its place in the queue counts from then"));
  ASSERT_TRUE(Submit({later}).ok());
  EXPECT_THAT(warnings_, IsEmpty()) << "it is there";
}

TEST_F(DoubtsTest, AnotherSpecForAJobThatHasEndedIsTakenWithAWarning) {
  ASSERT_TRUE(Submit({Job("a", "first")}).ok());
  const std::vector<Key> a = {DefaultKey("a")};
  ASSERT_TRUE(engine_.Finish(a, false, kNoon).ok());
  ASSERT_TRUE(Submit({Job("a", "second")}).ok());
  EXPECT_THAT(warnings_, IsEmpty()) << "the same spec is the same job";
  Workload other = Job("a", "second");
  other.priority = 7;
  ASSERT_TRUE(Submit({Job("b", ""), other}).ok());
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(warnings_[0].object, 1);
  EXPECT_EQ(warnings_[0].field, "metadata.name");
  EXPECT_THAT(warnings_[0].what, HasSubstr("default/a is the job of uid first, which has ended at "
                                           "2026-01-01T12:00:00Z"));
  EXPECT_THAT(warnings_[0].cure, HasSubstr("cancel default/a first"));
}

TEST_F(DoubtsTest, OfManyJobsSomeAreWarnedOf) {
  std::vector<Workload> jobs;
  for (int i = 0; i < 50; ++i) {
    jobs.push_back(Job("j" + std::to_string(i), ""));
    jobs.back().created = kNoon + kSecond;
  }
  ASSERT_TRUE(Submit(jobs).ok());
  EXPECT_EQ(warnings_.size(), kMostWarnings);
}

TEST_F(DoubtsTest, AWorkloadWithoutANamespaceIsSaidToNeedOne) {
  const std::vector<Key> bare = {{"", "b1"}};
  const std::string wanted = "there is no workload b1 without a namespace; name it as NAMESPACE/b1";
  EXPECT_EQ(engine_.Finish(bare, false, kNoon).message(), wanted);
  EXPECT_EQ(engine_.Delete(ObjectKind::kWorkload, bare[0], kNoon).message(), wanted);
  EXPECT_THAT(engine_.Delete(ObjectKind::kLocalQueue, bare[0], kNoon).message(),
              HasSubstr("without a namespace; name it as NAMESPACE/b1"));
}

}  // namespace
}  // namespace muster
