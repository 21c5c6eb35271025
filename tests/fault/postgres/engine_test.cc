// A whole engine on a ledger in PostgreSQL: it goes on where it was, also after the server crashed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "bindings/cpp/replay.h"
#include "db/postgres/postgres_store.h"
#include "muster/durable_engine.h"
#include "tests/testing/builders.h"
#include "tests/testing/paths.h"
#include "tests/testing/postgres_server.h"

namespace muster::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class EngineInPostgres : public ::testing::Test {
 protected:
  void SetUp() override {
    if (PostgresServer::Get() == nullptr) GTEST_SKIP() << PostgresServer::why();
    url_ = PostgresServer::Get()->FreshUrl();
  }
  void Open() {
    opened_.reset();
    DurableOptions options;
    options.lock_wait = std::chrono::seconds(30);
    Result<std::unique_ptr<DurableEngine>> opened = DurableEngine::Open(url_, options);
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    opened_ = std::move(*opened);
  }
  Engine& engine() { return opened_->engine(); }
  void Submit(const std::string& name, std::int64_t cores) {
    const Workload workload = MakeWorkload(name, "q", Cpu(cores));
    ASSERT_TRUE(engine().Submit({&workload, 1}, kNoon).ok());
  }
  void Begin() {
    const std::vector<Object> objects = {MakeNamespace(), MakeFlavor("default"),
                                         MakeQueue("q", "", {{.nominal = 4}}), MakeLocalQueue("q")};
    ASSERT_TRUE(engine().Apply(objects, kNoon).ok());
    const std::string package = (SourceDir() / "policies/small-first").string();
    ASSERT_TRUE(opened_->ActivatePolicy(package, kNoon).ok());
    Submit("a", 3);
    Submit("b", 2);
  }

  std::string url_;
  std::unique_ptr<DurableEngine> opened_;
};

TEST_F(EngineInPostgres, GoesOnWhereItWasAndIsReadBesideItsWriter) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(Begin());
  EXPECT_THAT(AdmittedNames(*engine().RunCycle(kNoon)), SizeIs(1));
  const std::string state = *engine().StateHash();
  const Result<Engine> beside = ReadLedger(url_);
  ASSERT_TRUE(beside.ok()) << beside.status().message();
  EXPECT_EQ(*beside->StateHash(), state);
  EXPECT_THAT(DurableEngine::Open(url_).status().message(), HasSubstr(" is held by process "));
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_EQ(*engine().StateHash(), state);
  EXPECT_TRUE(engine().CheckInvariants().ok());
  const Result<Replayed> replayed = ReplayLedger(opened_->ledger());
  ASSERT_TRUE(replayed.ok()) << replayed.status().message();
  EXPECT_EQ(replayed->state_hash, state);
}

TEST_F(EngineInPostgres, LosesNothingWhenTheServerCrashesAndComesBack) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(Begin());
  const std::string state = *engine().StateHash();
  ASSERT_TRUE(PostgresServer::Get()->CrashAndRestart()) << PostgresServer::why();
  // The connection is gone; the next call finds a new one, looks, and goes on.
  EXPECT_THAT(AdmittedNames(*engine().RunCycle(kNoon)), SizeIs(1));
  const std::string after = *engine().StateHash();
  EXPECT_NE(after, state);
  ASSERT_NO_FATAL_FAILURE(Open());
  EXPECT_EQ(*engine().StateHash(), after);
}

TEST_F(EngineInPostgres, WhatAFileHasAndADatabaseHasNotIsRefused) {
  DurableOptions options;
  options.relaxed = true;
  EXPECT_EQ(DurableEngine::Open(url_, options).status().code(), StatusCode::kInvalidArgument);
  options = {};
  options.create = false;
  EXPECT_EQ(DurableEngine::Open(url_, options).status().code(), StatusCode::kNotFound);
  const std::string nowhere = "postgresql://ann:secret@/db?host=/no/such/place";
  const Status refused = DurableEngine::Open(nowhere).status();
  EXPECT_EQ(refused.code(), StatusCode::kUnavailable);
  EXPECT_EQ(refused.message().find("secret"), std::string::npos);
}

}  // namespace
}  // namespace muster::testing
