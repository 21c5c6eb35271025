// Once an engine is closed, everything around it says so first; what threads and callbacks throw
// becomes a Status.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include "db/sqlite/testing.h"
#include "muster/muster.h"
#include "muster/pipeline.h"
#include "muster/policy_reloader.h"
#include "muster/queue_owner.h"
#include "tests/testing/builders.h"
#include "tests/testing/engine_calls.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

using ::testing::HasSubstr;
using testing::kNoon;

/// A ledger with a queue and a job, whose disk or memory can fail.
class ClosedLedger : public ::testing::Test {
 protected:
  void SetUp() override {
    ledger_testing_.at_point = [this](std::string_view point) {
      if (point == "begun" && at_begin_) at_begin_();
    };
    auto opened = DurableEngine::Open(path(), {.create = true, .testing = &ledger_testing_});
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    durable_ = std::move(*opened);
    const std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default"),
                                         testing::MakeQueue("q", "", {{.nominal = 4}}),
                                         testing::MakeLocalQueue("q"),
                                         testing::MakeWorkload("w", "q", testing::Cpu(1))};
    ASSERT_TRUE(durable_->engine().Apply(objects, kNoon).ok());
  }
  std::string path() const { return (directory_.path() / "ledger").string(); }

  void ExpectClosed(const std::string& why) {
    const std::map<std::string, std::function<Status()>> calls = {
        {"SetCaller", [&] { return durable_->SetCaller("ann"); }},
        {"Listen", [&] { return durable_->Listen({}); }},
        {"last_time", [&] { return durable_->last_time().status(); }},
        {"ActivatePolicy", [&] { return durable_->ActivatePolicy("no such folder", kNoon); }},
        {"RollBackPolicy", [&] { return durable_->RollBackPolicy(kNoon); }},
        {"Close", [&] { return durable_->Close(); }},
        {"Pipeline::Start", [&] { return Pipeline::Start(*durable_, 0).status(); }},
        {"ApplyYaml", [&] { return ApplyYaml(durable_->engine(), "", kNoon); }},
        {"CheckQueueOwner", [&] { return CheckQueueOwner(durable_->engine(), {}, "q").status(); }},
        {"PolicyReloader::Poll",
         [&] {
           ReloadOptions options;
           options.folder = directory_.path().string();
           options.watch = false;
           PolicyReloader reloader(std::move(options));
           return reloader.Poll(*durable_, kNoon).status();
         }},
    };
    std::set<std::string> names =
        testing::PublicNames("bindings/cpp/include/muster/durable_engine.h", "DurableEngine");
    for (const char* open : {"Open", "engine", "ledger"}) names.erase(open);
    for (const std::string& name : names) EXPECT_TRUE(calls.contains(name)) << name;
    for (const auto& [name, call] : testing::AllEngineCalls()) {
      EXPECT_THAT(call(durable_->engine()).message(), HasSubstr(why)) << name;
    }
    for (const auto& [name, call] : calls) {
      EXPECT_THAT(call().message(), HasSubstr(why)) << name;
    }
  }

  /// The ledger as another process would find it.
  std::string Reopened() {
    durable_.reset();
    at_begin_ = nullptr;
    const auto again = DurableEngine::Open(path());
    EXPECT_TRUE(again.ok()) << again.status().message();
    EXPECT_TRUE((*again)->engine().CheckInvariants().ok());
    return *(*again)->engine().StateHash();
  }

  testing::TemporaryDirectory directory_;
  LedgerTesting ledger_testing_;
  std::function<void()> at_begin_;
  std::unique_ptr<DurableEngine> durable_;
};

TEST_F(ClosedLedger, OfADiskThatFailedSaysSoFirst) {
  const std::string before = *durable_->engine().StateHash();
  at_begin_ = [] { throw std::runtime_error("the disk burns"); };
  EXPECT_THAT(durable_->engine().RunCycle(kNoon).status().message(), HasSubstr("the disk burns"));
  ExpectClosed("the disk burns");
  EXPECT_EQ(Reopened(), before);
}

TEST_F(ClosedLedger, OfMemoryThatRanOutSaysSoFirst) {
  const std::string before = *durable_->engine().StateHash();
  at_begin_ = [] { throw std::bad_alloc(); };
  EXPECT_FALSE(durable_->engine().RunCycle(kNoon).ok());
  ExpectClosed("out of memory");
  EXPECT_EQ(Reopened(), before);
}

TEST_F(ClosedLedger, AThreadThatFindsNoMemoryFailsTheCallsThatWaitForIt) {
  const std::string before = *durable_->engine().StateHash();
  auto pipeline = Pipeline::Start(*durable_);
  ASSERT_TRUE(pipeline.ok());
  at_begin_ = [] { throw std::bad_alloc(); };
  auto cycle = (*pipeline)->Call([](Engine& engine) { return engine.RunCycle(kNoon); });
  EXPECT_THAT(cycle.Wait().status().message(), HasSubstr("out of memory"));
  auto after = (*pipeline)->Call([](Engine& engine) { return engine.Workloads(); });
  EXPECT_THAT(after.Wait().status().message(), HasSubstr("out of memory"));
  EXPECT_THAT((*pipeline)->Settle().message(), HasSubstr("out of memory"));
  pipeline->reset();
  ExpectClosed("out of memory");
  EXPECT_EQ(Reopened(), before);
}

TEST_F(ClosedLedger, WhatACallOfAPipelineThrowsIsItsAnswer) {
  auto pipeline = Pipeline::Start(*durable_);
  ASSERT_TRUE(pipeline.ok());
  auto thrown = (*pipeline)->Call([](Engine&) -> Status { throw std::runtime_error("mine"); });
  EXPECT_THAT(thrown.Wait().message(), HasSubstr("mine"));
  EXPECT_TRUE((*pipeline)->Settle().ok());
}

TEST_F(ClosedLedger, ClosedByHandAnswersNothingElse) {
  ASSERT_TRUE(durable_->Close().ok());
  EXPECT_EQ(durable_->Close().code(), StatusCode::kUnavailable);
  EXPECT_EQ(durable_->engine().RunCycle(kNoon).status().code(), StatusCode::kUnavailable);
}

TEST(ThrowingTests, OfASavedPackageRefuseIt) {
  Engine engine;
  ReloadOptions options;
  options.folder = (testing::SourceDir() / "policies/small-first").string();
  options.watch = false;
  options.tests = [](const std::string&) -> Status { throw std::runtime_error("tests burn"); };
  PolicyReloader reloader(std::move(options));
  reloader.Stage();
  std::vector<ReloadStep> steps;
  for (int i = 0; i < 1000 && steps.empty(); ++i) {
    steps = *reloader.Poll(engine, kNoon);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].outcome, ReloadStep::Outcome::kRefused);
  EXPECT_THAT(steps[0].message, HasSubstr("tests burn"));
}

}  // namespace
}  // namespace muster
