// Hook submit: what it may change, what it may refuse, and what happens when it fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::DefaultKey;
using ::testing::HasSubstr;
using testing::kNoon;
using testing::MakeWorkload;

class Gatekeeper : public Policy {
 public:
  using Answer = std::function<HookOutcome(const muster_batch&, SubmitAnswer*)>;
  explicit Gatekeeper(Answer answer, bool reject_on_error = false) : answer_(std::move(answer)) {
    info_.name = "gatekeeper";
    info_.hash = std::string(64, 'e');
    info_.hooks.resize(1);
    info_.hooks[0].hook = Hook::kSubmit;
    info_.reject_on_error = reject_on_error;
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch&, std::span<double>) override { return {}; }
  HookOutcome Submit(const muster_batch& batch, SubmitAnswer* answer) override {
    return answer_(batch, answer);
  }

 private:
  Answer answer_;
  PolicyInfo info_;
};

class Submitted : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<Object> objects = {testing::MakeNamespace(),
                                         testing::MakeFlavor("default"),
                                         testing::MakeQueue("q", "", {{.nominal = 4}}),
                                         testing::MakeQueue("large", "", {{.nominal = 4}}),
                                         testing::MakeLocalQueue("q"),
                                         testing::MakeLocalQueue("large")};
    ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
  }
  void Activate(Gatekeeper::Answer answer, bool reject_on_error = false) {
    ASSERT_TRUE(
        engine_
            .ActivatePolicy(std::make_shared<Gatekeeper>(std::move(answer), reject_on_error), kNoon)
            .ok());
  }
  Status Submit(const Workload& job, std::vector<Applied>* applied = nullptr) {
    return engine_.Submit(std::span(&job, 1), kNoon + kSecond, applied);
  }
  testing::MemoryJournal journal_;
  Engine engine_{&journal_};
};

TEST_F(Submitted, MayChangePriorityQueueAndLabels) {
  Activate([](const muster_batch& batch, SubmitAnswer* answer) {
    EXPECT_EQ(batch.subject->request[0], 2);
    answer->priority = 7;
    answer->queue = "lq-large";
    answer->labels["size"] = "large";
    return HookOutcome{};
  });
  ASSERT_TRUE(Submit(MakeWorkload("job", "q", Cpu(2))).ok());
  const WorkloadView view = *engine_.GetWorkload(DefaultKey("job"));
  EXPECT_EQ(view.priority, 7);
  EXPECT_EQ(view.cluster_queue, "large");
  EXPECT_EQ(view.spec.labels.at("size"), "large");
}

TEST_F(Submitted, TheSameJobSubmittedAgainIsUnchanged) {
  Activate([](const muster_batch&, SubmitAnswer* answer) {
    answer->priority = 7;
    return HookOutcome{};
  });
  std::vector<Applied> applied;
  ASSERT_TRUE(Submit(MakeWorkload("job", "q", Cpu(2)), &applied).ok());
  ASSERT_TRUE(Submit(MakeWorkload("job", "q", Cpu(2)), &applied).ok());
  EXPECT_EQ(applied, std::vector{Applied::kUnchanged});
}

TEST_F(Submitted, ARejectionRefusesTheCallAsAWhole) {
  Activate([](const muster_batch& batch, SubmitAnswer* answer) {
    if (batch.subject->request[0] > 1) answer->rejected = "at most one core";
    return HookOutcome{};
  });
  const std::vector<Workload> jobs = {MakeWorkload("small", "q", Cpu(1)),
                                      MakeWorkload("big", "q", Cpu(2))};
  const Status status = engine_.Submit(jobs, kNoon);
  ASSERT_EQ(status.problems().size(), 1u);
  EXPECT_EQ(status.problems()[0].object, 1u);
  EXPECT_EQ(status.problems()[0].what,
            "rejected default/big: at most one core (policy gatekeeper)");
  EXPECT_TRUE(engine_.Workloads()->empty());
}

TEST_F(Submitted, ARefusedCallLeavesNoFuelInTheRecordOfTheNext) {
  Activate([](const muster_batch& batch, SubmitAnswer* answer) {
    if (batch.subject->request[0] > 1) answer->rejected = "at most one core";
    HookOutcome outcome;
    outcome.fuel = 10;
    return outcome;
  });
  EXPECT_FALSE(Submit(MakeWorkload("big", "q", Cpu(2))).ok());
  ASSERT_TRUE(Submit(MakeWorkload("small", "q", Cpu(1))).ok());
  ASSERT_EQ(journal_.commits().back().policies.size(), 1u);
  EXPECT_EQ(journal_.commits().back().policies[0].calls, 1);
  EXPECT_EQ(journal_.commits().back().policies[0].fuel, 10);
}

TEST_F(Submitted, AnAnswerThatMakesNoJobIsAFailure) {
  for (const bool reject : {false, true}) {
    Activate(
        [](const muster_batch&, SubmitAnswer* answer) {
          answer->priority = 9;
          answer->queue = "nowhere";
          answer->labels["no label"] = "\n";
          return HookOutcome{};
        },
        reject);
    const Workload job = MakeWorkload(reject ? "strict" : "job", "q", Cpu(1), 1);
    const Status status = Submit(job);
    EXPECT_EQ(status.ok(), !reject);
    const auto view = engine_.GetWorkload(job.key);
    EXPECT_EQ(view.ok(), !reject);
    if (reject) {
      ASSERT_EQ(status.problems().size(), 1u);
      EXPECT_THAT(status.problems()[0].what, HasSubstr("submit returned what no job can have"));
    } else {
      EXPECT_EQ(view->priority, 1) << "as it came";
    }
  }
}

TEST_F(Submitted, AFailureAcceptsTheJobAsItCame) {
  Activate([](const muster_batch&, SubmitAnswer* answer) {
    answer->priority = 9;
    return HookOutcome{false, "policy.lua:3: no", 5};
  });
  ASSERT_TRUE(Submit(MakeWorkload("job", "q", Cpu(1), 1)).ok());
  EXPECT_EQ(engine_.GetWorkload(DefaultKey("job"))->priority, 1);
}

TEST_F(Submitted, AFailureComesBackWithItsJobFromEveryCall) {
  Activate([](const muster_batch& batch, SubmitAnswer*) {
    HookOutcome outcome;
    outcome.ok = batch.subject->request[0] == 1;
    outcome.message = "policy.lua:3: went wrong";
    return outcome;
  });
  const std::vector<Workload> jobs = {MakeWorkload("fine", "q", Cpu(1)),
                                      MakeWorkload("job", "q", Cpu(2))};
  const std::vector<Object> objects(jobs.begin(), jobs.end());
  std::vector<PolicyFailure> failures;
  const auto told = [&failures] {
    ASSERT_EQ(failures.size(), 1U);
    EXPECT_EQ(failures[0].workload, DefaultKey("job"));
    EXPECT_EQ(failures[0].policy, "gatekeeper");
    EXPECT_EQ(failures[0].hook, "submit");
    EXPECT_EQ(failures[0].cluster_queue, "q");
    EXPECT_EQ(failures[0].message, "policy.lua:3: went wrong");
  };
  ASSERT_TRUE(engine_.Submit(jobs, kNoon, nullptr, Submission::kAsk, &failures).ok());
  told();
  ASSERT_TRUE(
      engine_.Apply(objects, kNoon, MissingReference::kRefuse, nullptr, Submission::kAsk, &failures)
          .ok());
  told();
  const Result<Answer> answer = engine_.Do(command::Submit{jobs, Submission::kAsk}, kNoon);
  ASSERT_TRUE(answer.ok());
  failures = std::get<answer::Applied>(*answer).failures;
  told();
}

TEST_F(Submitted, AFailureRejectsWhereThePackageSaysSo) {
  Activate(
      [](const muster_batch&, SubmitAnswer*) {
        return HookOutcome{false, "policy.lua:3: no", 5};
      },
      /*reject_on_error=*/true);
  const Status status = Submit(MakeWorkload("job", "q", Cpu(1)));
  ASSERT_EQ(status.problems().size(), 1u);
  EXPECT_THAT(status.problems()[0].what, HasSubstr("policy.lua:3: no"));
}

TEST_F(Submitted, WhatHoldsQuotaAlreadyIsNotAskedAbout) {
  Activate([](const muster_batch&, SubmitAnswer* answer) {
    answer->rejected = "none";
    return HookOutcome{};
  });
  EXPECT_TRUE(Submit(testing::Holding(MakeWorkload("job", "q", Cpu(1)), "q")).ok());
}

TEST_F(Submitted, OfOneQueueIsBoundThereAndNowhereElse) {
  Activate([](const muster_batch&, SubmitAnswer* answer) {
    answer->rejected = "closed";
    return HookOutcome{};
  });
  PolicyBinding binding;
  binding.name = "b";
  binding.policy = "gatekeeper";
  binding.hooks = {"submit"};
  binding.cluster_queues = {"large"};
  const std::vector<Object> objects = {binding};
  ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
  EXPECT_TRUE(Submit(MakeWorkload("here", "q", Cpu(1))).ok());
  EXPECT_FALSE(Submit(MakeWorkload("there", "large", Cpu(1))).ok());
}

TEST_F(Submitted, WhatComparesQueuesCannotBeBoundToOne) {
  for (const char* hook : {"share", "cycle_order"}) {
    PolicyBinding binding;
    binding.name = "b";
    binding.policy = "gatekeeper";
    binding.hooks = {hook};
    binding.cluster_queues = {"q"};
    const std::vector<Object> objects = {binding};
    const std::vector<Problem> problems = *engine_.Validate(objects);
    ASSERT_EQ(problems.size(), 1u) << hook;
    EXPECT_THAT(problems[0].what, HasSubstr("compares queues"));
  }
}

}  // namespace
}  // namespace muster
