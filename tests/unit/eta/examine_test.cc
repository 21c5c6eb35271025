// Logs that are made up, asked on the way when their jobs would start.
#include "bindings/eta/examine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/unit/simulate/world.h"

namespace muster::eta {
namespace {

using simulate::Cluster;
using simulate::Gpus;
using simulate::Job;
using simulate::TraceJob;
using ::testing::HasSubstr;

/// Tells an examiner what an engine does.
class Listener final : public Journal {
 public:
  explicit Listener(Examiner& examiner) : examiner_(examiner) {}
  Result<Ticket> Append(Commit commit) override {
    if (Status status = examiner_.Take(commit); !status.ok()) return status;
    return ++taken_;
  }
  Status Durable(Ticket) override { return Status::Ok(); }

 private:
  Examiner& examiner_;
  Ticket taken_ = 0;
};

Replayer::PolicyLoader NoPolicies() {
  return [](std::string_view) -> Result<std::shared_ptr<Policy>> {
    return Status(StatusCode::kNotFound, "there are none");
  };
}

/// `count` jobs of 1 to 4 GPUs for two queues that share 8, which wait more often than not.
std::vector<TraceJob> BusyLog(int count) {
  std::vector<TraceJob> jobs;
  simulate::Draw draw(5);
  const auto below = [&draw](std::uint64_t n) { return static_cast<std::int64_t>(draw.Below(n)); };
  std::int64_t at = 0;
  for (int i = 0; i < count; ++i) {
    at += 1 + below(700);
    const bool is_short = below(3) > 0;
    TraceJob job = Job(std::to_string(i), below(2) == 0 ? "a" : "b", at,
                       is_short ? 60 + below(300) : 1200 + below(2000), 1 + below(4));
    job.user = is_short ? "ann" : "bob";
    jobs.push_back(std::move(job));
  }
  return jobs;
}

std::vector<Question> QuestionsOf(const std::vector<TraceJob>& jobs, std::size_t every) {
  ExamineOptions options;
  options.every = every;
  options.estimate.futures = 19;
  Examiner examiner(NoPolicies(), options);
  Listener listener(examiner);
  const Result<simulate::Run> run = Simulate(Cluster({Gpus("a", 4, "all"), Gpus("b", 4, "all")}),
                                             jobs, simulate::To({"a", "b"}), {}, {}, {}, &listener);
  EXPECT_TRUE(run.ok()) << run.status().message();
  std::vector<Question> questions = examiner.Questions();
  for (const Question& question : questions) {
    const simulate::Fate& fate = run->fates[question.job];
    EXPECT_EQ(question.waited, fate.first_start - question.at) << question.id;
    EXPECT_EQ(question.at, fate.submitted) << question.id;
  }
  return questions;
}

TEST(Examiner, AsksOnlyAboutJobsThatHadToWaitAndSeesWhatCame) {
  const std::vector<Question> questions = QuestionsOf(BusyLog(120), 1);
  ASSERT_GT(questions.size(), 20U);
  for (const Question& question : questions) EXPECT_GT(question.waited, 0) << question.id;
}

TEST(Examiner, AnswersKnowNothingOfWhatComesLater) {
  const std::vector<TraceJob> all = BusyLog(160);
  const std::vector<Question> later = QuestionsOf(all, 3);
  // The same log, in which everything is over after a while.
  const std::vector<Question> sooner = QuestionsOf({all.begin(), all.begin() + 100}, 3);
  ASSERT_GT(sooner.size(), 5U);
  ASSERT_GT(later.size(), sooner.size());
  for (std::size_t i = 0; i < sooner.size(); ++i) {
    EXPECT_EQ(sooner[i].id, later[i].id);
    EXPECT_EQ(sooner[i].said, later[i].said) << sooner[i].id;
    EXPECT_EQ(sooner[i].naive, later[i].naive) << sooner[i].id;
  }
}

TEST(Examiner, IntervalsHoldAboutAsOftenAsTheySayAndAreNarrowerThanNaiveOnes) {
  const std::vector<Question> questions = QuestionsOf(BusyLog(1200), 3);
  ASSERT_GT(questions.size(), 200U);
  const TimeNs half = questions[questions.size() / 2].at;
  const Score score = ScoreOf(Mended(questions, half));
  const Score naive = ScoreOf(Plain(questions, half, Said::kNaive));
  const auto part = [&score](std::size_t count) {
    return static_cast<double>(count) / static_cast<double>(score.answers);
  };
  EXPECT_NEAR(part(score.in90), 0.90, 0.08);
  EXPECT_NEAR(part(score.in50), 0.50, 0.15);
  EXPECT_LT(score.width90, naive.width90);
  EXPECT_LT(score.width50, naive.width50);
}

/// A queue of one GPU, told call by call.
class Told : public ::testing::Test {
 protected:
  void SetUp() override {
    manifest::Manifests cluster = Cluster({Gpus("a", 1)});
    ASSERT_TRUE(engine_.Apply(cluster.objects, 0).ok());
  }
  void Submit(const std::string& name, std::int64_t second, std::int64_t gpus = 1) {
    Workload workload = muster::testing::MakeWorkload(name, "a", {});
    workload.created = kNoTime;
    workload.pod_sets = {};
    PodSet pods;
    pods.name = "main";
    pods.pods.containers.push_back({"c", {{simulate::kGpu, Quantity::Units(gpus)}}, {}, false});
    workload.pod_sets.push_back(std::move(pods));
    ASSERT_TRUE(engine_.Submit({&workload, 1}, second * kSecond).ok());
    ASSERT_TRUE(engine_.RunCycle(second * kSecond).ok());
  }
  void Finish(const std::string& name, std::int64_t second) {
    const Key key = muster::testing::DefaultKey(name);
    ASSERT_TRUE(engine_.Finish({&key, 1}, false, second * kSecond).ok());
    ASSERT_TRUE(engine_.RunCycle(second * kSecond).ok());
  }
  Outlook Ask(const std::string& name, std::int64_t second) {
    const Key key = muster::testing::DefaultKey(name);
    EstimateOptions options;
    options.arrivals = false;
    Result<std::vector<Outlook>> outlooks = examiner_.Ask(second * kSecond, {&key, 1}, options);
    EXPECT_TRUE(outlooks.ok()) << outlooks.status().message();
    return outlooks.ok() ? outlooks->front() : Outlook();
  }

  Examiner examiner_{NoPolicies(), {}};
  Listener listener_{examiner_};
  Engine engine_{&listener_};
};

TEST_F(Told, AKnownEndGivesAKnownStart) {
  for (int i = 0; i < 10; ++i) {
    Submit("job-" + std::to_string(i), i * 100);
    Finish("job-" + std::to_string(i), i * 100 + 80);
  }
  Submit("job-10", 1000);
  Submit("job-11", 1010);
  const Outlook outlook = Ask("job-11", 1030);
  for (const DurationNs wait : outlook.waits) EXPECT_EQ(wait, 50 * kSecond);
  EXPECT_EQ(outlook.never, 0U);
}

TEST_F(Told, WhereNobodyKnowsARunTimeNothingIsPromised) {
  Submit("job-1", 0);
  Submit("job-2", 0);
  EXPECT_TRUE(Ask("job-2", 0).is_unknown);
  EXPECT_FALSE(Ask("job-2", 0).is_never);
  // It has run for a while, and will for about as long.
  EXPECT_NEAR(static_cast<double>(Ask("job-2", 100).waits[kP50] / kSecond), 100, 40);
}

TEST_F(Told, WhatFitsNowhereNeverStartsAndSaysWhy) {
  Submit("big", 0, 2);
  const Outlook outlook = Ask("big", 10);
  EXPECT_TRUE(outlook.is_never);
  EXPECT_EQ(outlook.futures, 0U);
  EXPECT_THAT(outlook.why_never, HasSubstr("nvidia.com/gpu"));
}

TEST_F(Told, WhatDoesNotWaitIsNoQuestion) {
  Submit("job-1", 0);
  const Key runs = muster::testing::DefaultKey("job-1"), none = muster::testing::DefaultKey("x");
  const Result<std::vector<Outlook>> asked = examiner_.Ask(0, {&runs, 1}, {});
  EXPECT_EQ(asked.status().code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(asked.status().message(), HasSubstr("does not wait"));
  EXPECT_EQ(examiner_.Ask(0, {&none, 1}, {}).status().code(), StatusCode::kNotFound);
}

TEST_F(Told, TheSameQuestionHasTheSameAnswer) {
  for (int i = 0; i < 10; ++i) {
    Submit("job-" + std::to_string(i), i * 1000);
    Finish("job-" + std::to_string(i), i * 1000 + 80 + i * 13);
  }
  Submit("job-10", 10'000);
  Submit("job-11", 10'010);
  EXPECT_EQ(Ask("job-11", 10'030).waits, Ask("job-11", 10'030).waits);
  EXPECT_LT(Ask("job-11", 10'030).waits[kP5], Ask("job-11", 10'030).waits[kP95]);
}

}  // namespace
}  // namespace muster::eta
