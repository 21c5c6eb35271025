// A store that waits for a ledger follows it, and goes on when its writer is gone.
#include "db/postgres/standby.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "db/postgres/postgres_store.h"
#include "tests/fault/postgres/in_postgres.h"
#include "tests/testing/doomed_process.h"
#include "tests/testing/postgres_server.h"

namespace muster {
namespace {

using testing::DoomedProcess;
using ::testing::HasSubstr;
using testing::PostgresServer;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

class Standby : public testing::InPostgres {
 protected:
  Result<std::unique_ptr<PostgresStore>> Wait() {
    PostgresTesting testing;
    testing.followed = [this](std::int64_t seq) { followed_ = seq; };
    PostgresOptions options;
    options.lock_wait = std::chrono::minutes(2);
    options.testing = &testing;
    return PostgresStore::Open(url_, options);
  }
  bool Followed(std::int64_t seq) const {
    const auto until = Clock::now() + std::chrono::minutes(1);
    while (followed_ < seq && Clock::now() < until) std::this_thread::sleep_for(milliseconds(2));
    return followed_ >= seq;
  }
  void Run(const char* sql) const {
    const Result<PgRows> done = connection_->Run(sql, {std::string_view(place_.shard)});
    ASSERT_TRUE(done.ok()) << done.status().message();
    ASSERT_GT(done->affected(), 0) << sql;
  }

  std::atomic<std::int64_t> followed_{0};
};

TEST_F(Standby, FollowsAndTakesOverWhenItsWriterIsKilled) {
  // Its session ends with it, which counts before the lease does.
  constexpr milliseconds kLease{20'000};
  DoomedProcess writer({FENCE_CHILD, url_, "a", std::to_string(kLease.count()), "--holds"});
  ASSERT_TRUE(writer.WaitFor("open 0", std::chrono::minutes(1)));
  auto waiting = std::async(std::launch::async, [this] { return Wait(); });
  ASSERT_TRUE(Followed(30));
  // What was followed is not read again.
  Run("DELETE FROM muster_batch WHERE shard = $1 AND seq < 20");
  const Clock::time_point killed = Clock::now();
  const std::vector<std::string> said = writer.Kill();
  const Result<std::unique_ptr<PostgresStore>> store = waiting.get();
  ASSERT_TRUE(store.ok()) << store.status().message();
  Commit commit;
  commit.at = 1;
  const Result<Ticket> ticket = (*store)->Append(commit);
  ASSERT_TRUE(ticket.ok() && (*store)->Durable(*ticket).ok());
  const auto took = std::chrono::duration_cast<milliseconds>(Clock::now() - killed);
  std::printf("first commit %lld ms after the kill, with a lease of %lld ms\n",
              static_cast<long long>(took.count()), static_cast<long long>(kLease.count()));
  std::int64_t acknowledged = 0;
  for (const std::string& line : said) {
    if (line.starts_with("ack ")) acknowledged = std::stoll(line.substr(4));
  }
  EXPECT_GE((*store)->last()->seq, acknowledged + 1) << "nothing acknowledged is lost";
  EXPECT_LT(took, kLease);
}

TEST_F(Standby, TakesOverFromOneKilledBeforeItsLeaseHadASession) {
  constexpr milliseconds kLease{60000};
  ASSERT_TRUE((*PostgresStore::Open(url_))->Close().ok());
  // What renews the lease is refused, as if it had not come to it yet.
  const std::string trigger =
      "CREATE TRIGGER refuse BEFORE UPDATE ON muster_shard FOR EACH ROW WHEN (NEW.id = '" +
      place_.shard +
      "' AND NEW.epoch = OLD.epoch AND NEW.session <> OLD.session) EXECUTE FUNCTION refuse()";
  for (const std::string& sql :
       {std::string("CREATE FUNCTION refuse() RETURNS trigger AS $$ BEGIN RAISE 'not yet'; END $$ "
                    "LANGUAGE plpgsql"),
        trigger}) {
    const Result<PgRows> done = connection_->Run(sql.c_str());
    ASSERT_TRUE(done.ok()) << done.status().message();
  }
  DoomedProcess writer({FENCE_CHILD, url_, "a", std::to_string(kLease.count()), "--holds"});
  ASSERT_TRUE(writer.WaitFor("open 0", std::chrono::minutes(1)));
  const Clock::time_point killed = Clock::now();
  writer.Kill();
  EXPECT_TRUE(Wait().ok());
  EXPECT_LT(Clock::now() - killed, kLease);
}

TEST_F(Standby, TakesOverFromOneThatIsStoppedWhenTheLeaseEnds) {
  constexpr milliseconds kLease{500};
  DoomedProcess writer({FENCE_CHILD, url_, "a", std::to_string(kLease.count()), "--holds"});
  ASSERT_TRUE(writer.WaitFor("open 0", std::chrono::minutes(1)));
  auto waiting = std::async(std::launch::async, [this] { return Wait(); });
  ASSERT_TRUE(Followed(1));
  const Clock::time_point stopped = Clock::now();
  writer.Signal(SIGSTOP);
  const Result<std::unique_ptr<PostgresStore>> store = waiting.get();
  ASSERT_TRUE(store.ok()) << store.status().message();
  EXPECT_GE(Clock::now() - stopped, kLease / 2) << "its session is there, so the lease counts";
  const std::int64_t seq = (*store)->last()->seq;
  writer.Signal(SIGCONT);
  // It goes on, and finds that it may not.
  Commit commit;
  commit.at = 1;
  const Result<Ticket> ticket = (*store)->Append(commit);
  ASSERT_TRUE(ticket.ok() && (*store)->Durable(*ticket).ok());
  EXPECT_EQ((*store)->last()->seq, seq + 1);
}

TEST_F(Standby, AWriterThatWroteNothingKnowsThatAnotherHasItsLedger) {
  PostgresOptions options;
  options.lease = milliseconds(300);
  const Result<std::unique_ptr<PostgresStore>> writer = PostgresStore::Open(url_, options);
  ASSERT_TRUE(writer.ok()) << writer.status().message();
  EXPECT_FALSE((*writer)->superseded());
  Run("UPDATE muster_shard SET epoch = epoch + 1 WHERE id = $1");
  const auto until = Clock::now() + std::chrono::minutes(1);
  while (!(*writer)->superseded() && Clock::now() < until) {
    std::this_thread::sleep_for(milliseconds(2));
  }
  EXPECT_TRUE((*writer)->superseded());
}

TEST_F(Standby, BeginsAtOnceWhenTheWriterLetsGo) {
  std::unique_ptr<PostgresStore> writer = *PostgresStore::Open(url_);
  Commit commit;
  commit.at = 1;
  ASSERT_TRUE(writer->Durable(*writer->Append(commit)).ok());
  auto waiting = std::async(std::launch::async, [this] { return Wait(); });
  ASSERT_TRUE(Followed(1));
  ASSERT_TRUE(writer->Close().ok());
  const Result<std::unique_ptr<PostgresStore>> store = waiting.get();
  ASSERT_TRUE(store.ok()) << store.status().message();
  EXPECT_EQ((*store)->last()->seq, 1);
}

TEST_F(Standby, SurvivesARestartOfTheDatabase) {
  std::unique_ptr<PostgresStore> writer = *PostgresStore::Open(url_);
  Commit commit;
  commit.at = 1;
  ASSERT_TRUE(writer->Durable(*writer->Append(commit)).ok());
  auto waiting = std::async(std::launch::async, [this] { return Wait(); });
  ASSERT_TRUE(Followed(1));
  ASSERT_TRUE(PostgresServer::Get()->CrashAndRestart()) << PostgresServer::why();
  writer.reset();
  const Result<std::unique_ptr<PostgresStore>> store = waiting.get();
  ASSERT_TRUE(store.ok()) << store.status().message();
  EXPECT_EQ((*store)->last()->seq, 1);
}

TEST_F(Standby, SurvivesARestartOfTheDatabaseBesideAWriterOfAnOlderVersion) {
  ASSERT_TRUE((*PostgresStore::Open(url_))->Close().ok());
  Run("UPDATE muster_shard SET version = 1, lease_until = now() + interval '1 hour' WHERE id = $1");
  auto waiting = std::async(std::launch::async, [this] { return Wait(); });
  const auto until = Clock::now() + std::chrono::minutes(1);
  std::int64_t seen = 0;
  while (seen == 0 && Clock::now() < until) {
    const Result<PgRows> rows = connection_->Run(
        "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'UPDATE muster_shard SET version = "
        "$2%'");
    ASSERT_TRUE(rows.ok()) << rows.status().message();
    seen = rows->Number(0, 0);
  }
  ASSERT_EQ(seen, 1) << "it tries to bring the ledger up to date";
  ASSERT_TRUE(PostgresServer::Get()->CrashAndRestart()) << PostgresServer::why();
  Result<PgConnection> opened = PgConnection::Open(place_.url);
  ASSERT_TRUE(opened.ok()) << opened.status().message();
  *connection_ = *std::move(opened);
  Run("UPDATE muster_shard SET lease_until = now() WHERE id = $1");
  const Result<std::unique_ptr<PostgresStore>> store = waiting.get();
  EXPECT_TRUE(store.ok()) << store.status().message();
}

TEST_F(Standby, RefusesADatabaseThatHasLostWhatItConfirmed) {
  const std::unique_ptr<PostgresStore> writer = *PostgresStore::Open(url_);
  Commit commit;
  commit.at = 1;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(writer->Durable(*writer->Append(commit)).ok());
  auto waiting = std::async(std::launch::async, [this] { return Wait(); });
  ASSERT_TRUE(Followed(3));
  // As an asynchronous copy that becomes the leader.
  Run("UPDATE muster_shard SET seq = 2, head_hash = (SELECT hash FROM muster_batch WHERE shard = "
      "$1 "
      "AND seq = 2) WHERE id = $1");
  const Result<std::unique_ptr<PostgresStore>> store = waiting.get();
  EXPECT_EQ(store.status().code(), StatusCode::kDataLoss);
  EXPECT_THAT(store.status().message(), HasSubstr("ends with commit 2, but commit 3 was there"));
}

/// Tells a store what it is told itself.
class Told final : public StandbyTurns {
 public:
  Result<bool> MayTake(std::int64_t followed) override {
    std::unique_lock lock(mutex_);
    followed_ = followed;
    changed_.notify_all();
    if (may_take_) {
      changed_.wait_for(lock, milliseconds(20), [this] { return !may_take_; });
    } else {
      changed_.wait(lock, [&] { return may_take_ || commit_ > followed; });
    }
    return may_take_;
  }
  void Opened(bool) override {}

  void Tell(std::int64_t commit, bool may_take) {
    const std::lock_guard lock(mutex_);
    commit_ = commit;
    may_take_ = may_take;
    changed_.notify_all();
  }
  bool Followed(std::int64_t commit) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::minutes(1), [&] { return followed_ >= commit; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::int64_t commit_ = 0;
  std::int64_t followed_ = -1;
  bool may_take_ = false;
};

class StandbyInTurns : public Standby {
 protected:
  void SetUp() override {
    Standby::SetUp();
    if (IsSkipped()) return;
    writer_ = *PostgresStore::Open(url_);
    Append();
    waiting_ = std::async(std::launch::async, [this] {
      PostgresOptions options;
      options.lock_wait = std::chrono::minutes(2);
      options.turns = &told_;
      return PostgresStore::Open(url_, options);
    });
    ASSERT_TRUE(told_.Followed(1));
  }
  void Append() const {
    Commit commit;
    commit.at = 1;
    ASSERT_TRUE(writer_->Durable(*writer_->Append(commit)).ok());
  }
  bool Waits(milliseconds time) const {
    return waiting_.wait_for(time) == std::future_status::timeout;
  }

  Told told_;
  std::unique_ptr<PostgresStore> writer_;
  std::future<Result<std::unique_ptr<PostgresStore>>> waiting_;
};

TEST_F(StandbyInTurns, FollowsWhenItIsToldAndLeavesAFreeLedgerToOthers) {
  Append();
  told_.Tell(2, false);
  ASSERT_TRUE(told_.Followed(2));
  ASSERT_TRUE(writer_->Close().ok());
  EXPECT_TRUE(Waits(milliseconds(500))) << "it is free, and given to another";
  told_.Tell(2, true);
  const Result<std::unique_ptr<PostgresStore>> store = waiting_.get();
  ASSERT_TRUE(store.ok()) << store.status().message();
  EXPECT_EQ((*store)->last()->seq, 2);
}

TEST_F(StandbyInTurns, OneThatWasNotFirstGoesOnStandingBy) {
  told_.Tell(1, true);
  EXPECT_TRUE(Waits(milliseconds(200))) << "its writer is there";
  told_.Tell(1, false);
  Append();
  told_.Tell(2, false);
  ASSERT_TRUE(told_.Followed(2));
  ASSERT_TRUE(writer_->Close().ok());
  EXPECT_TRUE(Waits(milliseconds(200)));
  writer_ = *PostgresStore::Open(url_);
  Append();
  told_.Tell(3, true);
  ASSERT_TRUE(writer_->Close().ok());
  const Result<std::unique_ptr<PostgresStore>> store = waiting_.get();
  ASSERT_TRUE(store.ok()) << store.status().message();
  EXPECT_EQ((*store)->last()->seq, 3);
}

TEST_F(StandbyInTurns, SurvivesARestartOfTheDatabase) {
  ASSERT_TRUE(PostgresServer::Get()->CrashAndRestart()) << PostgresServer::why();
  writer_.reset();
  writer_ = *PostgresStore::Open(url_, [] {
    PostgresOptions options;
    options.lock_wait = std::chrono::seconds(50);
    return options;
  }());
  Append();
  const std::int64_t last = writer_->last()->seq;
  told_.Tell(last, false);
  ASSERT_TRUE(told_.Followed(last));
  told_.Tell(last, true);
  ASSERT_TRUE(writer_->Close().ok());
  const Result<std::unique_ptr<PostgresStore>> store = waiting_.get();
  ASSERT_TRUE(store.ok()) << store.status().message();
  EXPECT_EQ((*store)->last()->seq, last);
}

/// Takes its time for each commit.
class Slow final : public PgStandby {
 public:
  explicit Slow(milliseconds each) : each_(each) {}
  Status Begin(const LastCommit&, std::vector<StateRow>, FindPolicy) override {
    return Status::Ok();
  }
  Status Follow(const BatchCommit&) override {
    ++followed;
    std::this_thread::sleep_for(each_);
    return Status::Ok();
  }
  void End(const Status& why) noexcept override { ended = why; }

  std::atomic<int> followed = 0;
  Status ended;

 private:
  const milliseconds each_;
};

TEST_F(Standby, ThatLagsIsWaitedForNoLongerThanRowsWouldTake) {
  constexpr int kCommits = 1'000;
  constexpr milliseconds kEach{50};
  std::unique_ptr<PostgresStore> writer = *PostgresStore::Open(url_);
  Slow slow(kEach);
  auto waiting = std::async(std::launch::async, [this, &slow] {
    PostgresTesting testing;
    testing.followed = [this](std::int64_t seq) { followed_ = seq; };
    PostgresOptions options;
    options.lock_wait = std::chrono::minutes(2);
    options.testing = &testing;
    options.standby = &slow;
    return PostgresStore::Open(url_, options);
  });
  Commit commit;
  commit.at = 1;
  const auto until = Clock::now() + std::chrono::minutes(1);
  while (slow.followed == 0 && Clock::now() < until) {
    ASSERT_TRUE(writer->Durable(*writer->Append(commit)).ok());
  }
  Ticket newest = 0;
  for (int i = 0; i < kCommits; ++i) newest = *writer->Append(commit);
  ASSERT_TRUE(writer->Durable(newest).ok());
  const std::int64_t last = writer->last()->seq;
  const Clock::time_point closed = Clock::now();
  ASSERT_TRUE(writer->Close().ok());
  const Result<std::unique_ptr<PostgresStore>> store = waiting.get();
  ASSERT_TRUE(store.ok()) << store.status().message();
  EXPECT_LT(Clock::now() - closed, kCommits * kEach / 2);
  EXPECT_LT(slow.followed, last);
  EXPECT_THAT(slow.ended.message(), HasSubstr("commits were left to repeat after 3000 ms"));
  EXPECT_EQ((*store)->last()->seq, last);
  EXPECT_TRUE((*store)->Verify(VerifyOptions{})->sound());
}

}  // namespace
}  // namespace muster
