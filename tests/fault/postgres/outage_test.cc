// A database that is not there for a while: one that begins to stand by, and one that writes, try
// it again for a minute.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <thread>

#include "db/postgres/postgres_store.h"
#include "tests/fault/postgres/in_postgres.h"
#include "tests/testing/postgres_server.h"

namespace muster {
namespace {

using std::chrono::milliseconds;
using testing::PostgresServer;
using OutageClock = std::chrono::steady_clock;

class Outage : public testing::InPostgres {
 protected:
  void TearDown() override {
    if (PostgresServer::Get() == nullptr) return;
    ASSERT_TRUE(PostgresServer::Get()->CrashAndRestart()) << PostgresServer::why();
  }
  static Status WriteOne(PostgresStore& store) {
    Commit commit;
    commit.at = 1;
    const Result<Ticket> ticket = store.Append(commit);
    return ticket.ok() ? store.Durable(*ticket) : ticket.status();
  }
};

/// Longer than any lease that a test takes.
constexpr milliseconds kOutage{4'000};

TEST_F(Outage, IsTriedForAMinute) {
  EXPECT_EQ(PostgresOptions().reconnect, std::chrono::minutes(1));
}

TEST_F(Outage, IsWaitedForByAStandbyThatBegins) {
  PostgresServer::Get()->Crash();
  auto waiting = std::async(std::launch::async, [this] {
    PostgresOptions options;
    options.lock_wait = std::chrono::minutes(2);
    return PostgresStore::Open(url_, options);
  });
  EXPECT_EQ(waiting.wait_for(milliseconds(500)), std::future_status::timeout);
  ASSERT_TRUE(PostgresServer::Get()->Restart()) << PostgresServer::why();
  const Result<std::unique_ptr<PostgresStore>> store = waiting.get();
  EXPECT_TRUE(store.ok()) << store.status().message();
}

TEST_F(Outage, IsSaidAtOnceToOneThatDoesNotStandBy) {
  PostgresServer::Get()->Crash();
  PostgresOptions options;
  options.lock_wait = std::chrono::seconds(5);
  const OutageClock::time_point begun = OutageClock::now();
  EXPECT_EQ(PostgresStore::Open(url_, options).status().code(), StatusCode::kUnavailable);
  EXPECT_LT(OutageClock::now() - begun, options.lock_wait);
}

TEST_F(Outage, IsWaitedForByAWriterWhichLosesAndDoublesNothing) {
  const std::unique_ptr<PostgresStore> store = *PostgresStore::Open(url_);
  ASSERT_TRUE(WriteOne(*store).ok());
  PostgresServer::Get()->Crash();
  auto waiting = std::async(std::launch::async, [&store] { return WriteOne(*store); });
  EXPECT_EQ(waiting.wait_for(kOutage), std::future_status::timeout);
  ASSERT_TRUE(PostgresServer::Get()->Restart()) << PostgresServer::why();
  const Status written = waiting.get();
  EXPECT_TRUE(written.ok()) << written.message();
  EXPECT_EQ(store->last()->seq, 2);
  EXPECT_TRUE(store->Verify(VerifyOptions{})->sound());
}

TEST_F(Outage, EndsAWriterThatHasTriedForSoLong) {
  PostgresOptions options;
  options.reconnect = milliseconds(1'000);
  const std::unique_ptr<PostgresStore> store = *PostgresStore::Open(url_, options);
  PostgresServer::Get()->Crash();
  const OutageClock::time_point begun = OutageClock::now();
  EXPECT_EQ(WriteOne(*store).code(), StatusCode::kUnavailable);
  EXPECT_GE(OutageClock::now() - begun, options.reconnect);
  EXPECT_FALSE(store->health().failure.ok());
}

}  // namespace
}  // namespace muster
