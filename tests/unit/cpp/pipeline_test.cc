// The disk takes one call while the engine computes the next: nothing shows before it is stored,
// and everything is as if each call had waited.
#include "muster/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "db/sqlite/ledger.h"
#include "db/sqlite/testing.h"
#include "muster/muster.h"
#include "tests/testing/builders.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Ge;
using testing::kNoon;
using ::testing::Le;
using ::testing::SizeIs;

std::vector<Object> OneQueue() {
  return {testing::MakeNamespace(), testing::MakeFlavor("default"),
          testing::MakeQueue("q", "", {{.nominal = 4}}), testing::MakeLocalQueue("q")};
}

Workload NumberedJob(int number) {
  return testing::MakeWorkload("job-" + std::to_string(number), "q", testing::Cpu(1));
}

/// A disk that can be made to hold back what is written, before it is committed.
class Gate {
 public:
  void Close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  void Open() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = false;
    }
    changed_.notify_all();
  }
  void Pass() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !closed_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool closed_ = false;
};

class PipelineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ledger_testing_.at_point = [this](std::string_view point) {
      if (point == "begun") ++transactions_;
      if (point == "written") gate_.Pass();
    };
    durable_ = Open("ledger");
    ASSERT_TRUE(durable_->engine().Apply(OneQueue(), kNoon).ok());
    transactions_ = 0;
  }
  void TearDown() override { gate_.Open(); }

  std::unique_ptr<DurableEngine> Open(const std::string& name) {
    auto opened =
        DurableEngine::Open((directory_.path() / name).string(), {.testing = &ledger_testing_});
    EXPECT_TRUE(opened.ok()) << opened.status().message();
    return std::move(*opened);
  }
  void Begin(std::size_t in_flight = 8) {
    auto started = Pipeline::Start(*durable_, in_flight);
    ASSERT_TRUE(started.ok()) << started.status().message();
    pipeline_ = std::move(*started);
  }
  Sealed<Status> Submit(int number) {
    return pipeline_->Call([number](Engine& engine) {
      const Workload job = NumberedJob(number);
      return engine.Submit({&job, 1}, kNoon + number * kSecond);
    });
  }
  Sealed<Result<CycleResult>> Cycle(int number) {
    return pipeline_->Call(
        [number](Engine& engine) { return engine.RunCycle(kNoon + number * kSecond); });
  }

  testing::TemporaryDirectory directory_;
  Gate gate_;
  std::atomic<int> transactions_ = 0;
  LedgerTesting ledger_testing_;
  std::unique_ptr<DurableEngine> durable_;
  std::unique_ptr<Pipeline> pipeline_;  // goes first
};

TEST_F(PipelineTest, WhatACallReturnedIsSealedUntilItIsStored) {
  Begin();
  gate_.Close();
  auto submitted = Submit(1);
  auto decided = Cycle(2);
  EXPECT_FALSE(submitted.Settled());
  EXPECT_FALSE(decided.Settled());
  gate_.Open();
  const Result<CycleResult> cycle = decided.Wait();
  ASSERT_TRUE(cycle.ok()) << cycle.status().message();
  EXPECT_THAT(testing::AdmittedNames(*cycle), ElementsAre("job-1"));
  EXPECT_TRUE(submitted.Settled()) << "what was before it is stored as well";
  EXPECT_TRUE(submitted.Wait().ok());
}

TEST_F(PipelineTest, WhatGathersWhileTheDiskIsBusyIsOneTransaction) {
  constexpr int kCalls = 6;
  Begin(kCalls + 1);
  gate_.Close();
  auto first = Submit(0);
  while (transactions_ == 0) std::this_thread::yield();
  for (int i = 1; i <= kCalls; ++i) Submit(i);
  gate_.Open();
  ASSERT_TRUE(first.Wait().ok());
  ASSERT_TRUE(pipeline_->Settle().ok());
  EXPECT_EQ(transactions_, 2);
  EXPECT_THAT(*durable_->engine().Workloads(), SizeIs(kCalls + 1));
}

TEST_F(PipelineTest, ComputesNoMoreAheadThanItMay) {
  constexpr std::size_t kInFlight = 3;
  std::atomic<int> computed = 0;
  std::atomic<int> most_ahead = 0;
  const std::int64_t before = durable_->ledger().last()->seq;
  ledger_testing_.at_point = [&](std::string_view point) {
    if (point != "begun") return;
    const auto stored = static_cast<int>(durable_->ledger().last()->seq - before);
    most_ahead = std::max<int>(most_ahead, computed - stored);
  };
  durable_ = nullptr;
  durable_ = Open("ledger");
  Begin(kInFlight);
  for (int i = 0; i < 50; ++i) {
    pipeline_->Call([&, i](Engine& engine) {
      ++computed;
      const Workload job = NumberedJob(i);
      return engine.Submit({&job, 1}, kNoon);
    });
  }
  ASSERT_TRUE(pipeline_->Settle().ok());
  EXPECT_THAT(most_ahead, AllOf(Ge(1), Le(static_cast<int>(kInFlight))));
}

TEST_F(PipelineTest, ARefusalWaitsForWhatItFollowsFrom) {
  Begin();
  gate_.Close();
  auto submitted = Submit(1);
  auto finished = pipeline_->Call([](Engine& engine) {
    const Key job = NumberedJob(7).key;
    return engine.Finish({&job, 1}, false, kNoon);
  });
  EXPECT_FALSE(finished.Settled()) << "that there is no such job is news of undecided calls";
  gate_.Open();
  EXPECT_EQ(finished.Wait().code(), StatusCode::kNotFound);
  EXPECT_TRUE(submitted.Wait().ok());
}

TEST_F(PipelineTest, OnceSettledTheEngineIsUsedDirectlyAndOverlapsAgainLater) {
  Begin();
  Submit(1);
  ASSERT_TRUE(pipeline_->Settle().ok());
  const std::int64_t before = durable_->ledger().last()->seq;
  ASSERT_TRUE(durable_->engine().RunCycle(kNoon + 2 * kSecond).ok());
  EXPECT_EQ(durable_->ledger().last()->seq, before + 1) << "on disk when it returns";
  EXPECT_TRUE(Submit(3).Wait().ok());
  pipeline_.reset();
  const Workload last = NumberedJob(4);
  EXPECT_TRUE(durable_->engine().Submit({&last, 1}, kNoon + 4 * kSecond).ok());
}

TEST_F(PipelineTest, RefusesToComputeNothingAhead) {
  EXPECT_EQ(Pipeline::Start(*durable_, 0).status().code(), StatusCode::kInvalidArgument);
}

/// Commits and rows of a ledger as text.
std::string LedgerText(DurableEngine& engine) {
  std::string text;
  const auto add = [&text](std::string_view more) { text += std::string(more) + "\n"; };
  const Status commits = engine.ledger().ReadCommits(1, [&](const CommitRecord& commit) {
    add(commit.command);
    add(std::to_string(commit.seq) + " " + std::to_string(commit.at));
    for (const Event& event : commit.events) {
      add(EventName(event.kind));
      add(event.subject + " " + event.payload);
    }
    return Status::Ok();
  });
  const Status rows =
      engine.ledger().Load([&](StateRow::Table, std::string_view key, std::string_view value) {
        add(key);
        add(value);
        return Status::Ok();
      });
  EXPECT_TRUE(commits.ok() && rows.ok());
  return text;
}

/// The same calls on an engine: rounds of submitting, deciding and finishing.
template <typename Do>
void LiveRounds(Do call) {
  for (int round = 0; round < 40; ++round) {
    const TimeNs now = kNoon + (round + 1) * 60 * kSecond;
    call([=](Engine& engine) {
      const std::vector<Workload> jobs = {NumberedJob(2 * round), NumberedJob(2 * round + 1)};
      return engine.Submit(jobs, now);
    });
    call([=](Engine& engine) { return engine.RunCycle(now).status(); });
    if (round % 2 == 0) continue;
    call([=](Engine& engine) {
      std::vector<Key> running;
      for (const WorkloadView& job : *engine.Workloads()) {
        if (job.phase == WorkloadPhase::kAdmitted) running.push_back(job.spec.key);
      }
      return engine.Finish(running, round % 3 == 0, now);
    });
  }
}

TEST_F(PipelineTest, StoresTheSameBytesAsCallsThatWait) {
  std::unique_ptr<DurableEngine> waiting = Open("waiting");
  ASSERT_TRUE(waiting->engine().Apply(OneQueue(), kNoon).ok());
  LiveRounds([&](const auto& call) { EXPECT_TRUE(call(waiting->engine()).ok()); });
  Begin();
  std::deque<Sealed<Status>> returned;
  LiveRounds([&](const auto& call) { returned.push_back(pipeline_->Call(call)); });
  for (auto& each : returned) EXPECT_TRUE(each.Wait().ok());
  ASSERT_TRUE(pipeline_->Settle().ok());
  EXPECT_EQ(*durable_->engine().StateHash(), *waiting->engine().StateHash());
  EXPECT_EQ(LedgerText(*durable_), LedgerText(*waiting));
}

}  // namespace
}  // namespace muster
