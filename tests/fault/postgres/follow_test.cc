// Tables that follow a ledger in PostgreSQL, through the real binary: they say what the ledger
// says, whatever happens to the follower.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "db/postgres/postgres_reader.h"
#include "db/postgres/postgres_store.h"
#include "tests/fault/postgres/in_postgres.h"
#include "tests/testing/command.h"
#include "tests/testing/doomed_process.h"
#include "tests/testing/ledger_world.h"
#include "tests/testing/paths.h"
#include "tests/unit/cli/sample.h"

namespace muster::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

class FollowedTables : public InPostgres {
 protected:
  void SetUp() override {
    InPostgres::SetUp();
    schema_ = "muster_" + place_.shard;
  }
  void TearDown() override {
    if (connection_ != nullptr) {
      (void)connection_->RunScript(("DROP SCHEMA IF EXISTS \"" + schema_ + "\" CASCADE").c_str());
    }
  }
  std::unique_ptr<PostgresStore> Write() const {
    Result<std::unique_ptr<PostgresStore>> opened = PostgresStore::Open(url_);
    EXPECT_TRUE(opened.ok()) << opened.status().message();
    return opened.ok() ? std::move(*opened) : nullptr;
  }
  void Grow(PostgresStore* store, int cycles) {
    for (int i = 0; i < cycles; ++i) {
      Ticket newest = 0;
      for (int commit = 0; commit < 10; ++commit) newest = *store->Append(world_.Cycle(3));
      ASSERT_TRUE(store->Durable(newest).ok());
    }
  }
  CommandResult Follow(Words more = {}) const {
    Words args = {"ledger", "follow", "--once", "--db", url_};
    args.insert(args.end(), more.begin(), more.end());
    return RunMuster(args);
  }
  void FollowWell() const {
    const CommandResult followed = Follow();
    EXPECT_EQ(followed.exit_code, 0) << followed.err;
    EXPECT_THAT(followed.out, HasSubstr("0 commits behind"));
  }
  /// What the SQL answers, {S} being the schema: rows and columns with a blank between them.
  std::string Ask(std::string sql) const {
    for (std::size_t at = sql.find("{S}"); at != sql.npos; at = sql.find("{S}")) {
      sql.replace(at, 3, '"' + schema_ + '"');
    }
    const Result<PgRows> rows = connection_->Run(sql.c_str());
    EXPECT_TRUE(rows.ok()) << rows.status().message();
    std::string text;
    for (int i = 0; rows.ok() && i < rows->size(); ++i) text += std::string(rows->Text(i, 0)) + ' ';
    return text;
  }
  /// What of the tables is not what the ledger says; empty: nothing.
  std::string Differs() const {
    const auto reader = *PostgresReader::Open(url_);
    std::string told;
    std::int64_t last = 0;
    EXPECT_TRUE(reader
                    ->ReadCommits(1,
                                  [&](const CommitRecord& commit) {
                                    std::int64_t seq = commit.first_event;
                                    for (const Event& event : commit.events) {
                                      told += std::to_string(seq++) + '|' +
                                              std::to_string(commit.seq) + '|' + commit.command +
                                              '|' + std::string(EventName(event.kind)) + '|' +
                                              event.subject + '\n';
                                    }
                                    last = commit.seq;
                                    return Status::Ok();
                                  })
                    .ok());
    const std::string history = Ask(
        "SELECT coalesce(string_agg(seq || '|' || commit_seq || '|' || command || '|' || kind || "
        "'|' || subject || E'\\n', '' ORDER BY seq), '') FROM {S}.history");
    if (history != told + ' ') return "the history";
    std::string rows;
    EXPECT_TRUE(reader
                    ->LoadWhole([&](const StateRow& row) {
                      if (!row.workload) return Status::Ok();
                      rows += row.key + '|' + std::string(PhaseName(row.workload->phase)) + '|' +
                              std::to_string(row.workload->created / 1000) + '\n';
                      return Status::Ok();
                    })
                    .ok());
    const std::string workloads = Ask(
        "SELECT coalesce(string_agg(namespace || '/' || name || '|' || phase || '|' || (extract("
        "epoch FROM created) * 1000000)::bigint || E'\\n', '' ORDER BY namespace COLLATE \"C\", "
        "name COLLATE \"C\"), '') FROM {S}.workloads");
    if (workloads != rows + ' ') return "the workloads";
    return Ask("SELECT commits_behind::text FROM {S}.lag") == "0 " ? "" : "the lag";
  }

  LedgerWorld world_;
  std::string schema_;
};

TEST_F(FollowedTables, SayWhatTheLedgerSaysAndGoOnFromThere) {
  const auto store = Write();
  Grow(store.get(), 3);
  FollowWell();
  EXPECT_EQ(Differs(), "");
  EXPECT_EQ(Ask("SELECT data_type::text FROM information_schema.columns WHERE table_schema = '" +
                schema_ + "' AND column_name IN ('created', 'payload') ORDER BY 1"),
            "jsonb timestamp with time zone ");
  Grow(store.get(), 2);
  EXPECT_EQ(Ask("SELECT commits_behind::text FROM {S}.lag"), "20 ");
  FollowWell();
  FollowWell();
  EXPECT_EQ(Differs(), "");
}

TEST_F(FollowedTables, HaveNoGapAndNoRepeatWhereverTheirFollowerIsKilled) {
  auto store = Write();
  std::mt19937 random(5);
  int kills = 0;
  Grow(store.get(), 300);
  for (int round = 0; round < 25; ++round) {
    DoomedProcess follower({MusterBinary().string(), "ledger", "follow", "--db", url_});
    Grow(store.get(), 20);
    // Another writer takes the ledger over meanwhile.
    if (round % 5 == 4) {
      store.reset();
      store = Write();
      ASSERT_NE(store, nullptr);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 120));
    bool by_us = false;
    follower.Kill(&by_us);
    kills += by_us ? 1 : 0;
  }
  EXPECT_EQ(kills, 25);
  FollowWell();
  EXPECT_EQ(Differs(), "");
}

TEST_F(FollowedTables, OfTwoFollowersAreWrittenOnce) {
  const auto store = Write();
  {
    DoomedProcess one({MusterBinary().string(), "ledger", "follow", "--db", url_});
    DoomedProcess two({MusterBinary().string(), "ledger", "follow", "--db", url_});
    Grow(store.get(), 100);
    FollowWell();
  }
  FollowWell();
  EXPECT_EQ(Differs(), "");
}

TEST_F(FollowedTables, SurviveTheirConnection) {
  const auto store = Write();
  Grow(store.get(), 10);
  FollowWell();
  DoomedProcess follower({MusterBinary().string(), "ledger", "follow", "--db", url_});
  const auto caught_up = [this] {
    const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (Differs() != "" && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return Differs();
  };
  Grow(store.get(), 1);
  ASSERT_EQ(caught_up(), "");
  for (int i = 0; i < 20; ++i) {
    Grow(store.get(), 5);
    ASSERT_TRUE(connection_
                    ->RunScript("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE "
                                "query LIKE '%.follower%' AND pid <> pg_backend_pid()")
                    .ok());
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_EQ(caught_up(), "");
  bool by_us = false;
  follower.Kill(&by_us);
  EXPECT_TRUE(by_us);
}

// It holds no lock that a commit waits for, not even while it stands still.
TEST_F(FollowedTables, NeverMakeTheWriterWait) {
  const auto store = Write();
  Grow(store.get(), 100);
  const std::string epoch =
      Ask("SELECT epoch::text FROM muster_shard WHERE id = '" + place_.shard + "'");
  DoomedProcess follower({MusterBinary().string(), "ledger", "follow", "--db", url_});
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  follower.Signal(SIGSTOP);
  Grow(store.get(), 20);
  follower.Signal(SIGCONT);
  EXPECT_EQ(Ask("SELECT epoch::text FROM muster_shard WHERE id = '" + place_.shard + "'"), epoch);
  EXPECT_FALSE(store->superseded());
}

TEST_F(FollowedTables, OfALedgerThatForgotItsBeginningHaveWhatItKnows) {
  const TemporaryDirectory directory;
  const std::string file = (directory.path() / "day.ledger").string();
  const auto muster = [&](Words args) {
    const CommandResult done = RunMuster(args);
    EXPECT_EQ(done.exit_code, 0) << args[0] << done.err;
  };
  const std::string queues = directory.Write("queues.yaml", cli::kQueues).string();
  const std::string jobs = directory.Write("jobs.yaml", cli::kRedJobs).string();
  muster({"apply", "-f", queues, "--now", "2026-03-01T10:00:00Z", "--db", file});
  muster({"submit", "-f", jobs, "--now", "2026-03-02T10:00:00Z", "--db", file});
  muster({"schedule", "--now", "2026-03-02T10:00:01Z", "--db", file});
  muster({"cancel", "lab/job-wait", "--now", "2026-03-09T10:00:00Z", "--db", file});
  muster({"schedule", "--now", "2026-03-09T10:00:01Z", "--db", file});
  muster({"ledger", "compact", "--keep", "1d", "--db", file});
  muster({"ledger", "migrate", file, url_});
  FollowWell();
  const std::string workloads = Ask("SELECT count(*)::text FROM {S}.workloads");
  EXPECT_NE(workloads, "0 ");
  EXPECT_NE(Ask("SELECT count(*)::text FROM {S}.history WHERE command IS NULL"), "0 ");
  muster({"schedule", "--now", "2026-03-09T10:00:02Z", "--db", url_});
  muster({"finish", "lab/job-train", "--now", "2026-03-09T10:00:03Z", "--db", url_});
  FollowWell();
  EXPECT_EQ(Ask("SELECT phase FROM {S}.workloads WHERE name = 'job-train'"), "Finished ");
  EXPECT_EQ(Ask("SELECT count(*)::text FROM {S}.workloads"), workloads);
}

TEST_F(FollowedTables, OfAnotherHistoryAreRefusedWithACure) {
  Grow(Write().get(), 2);
  FollowWell();
  ASSERT_TRUE(
      connection_->RunScript(("UPDATE \"" + schema_ + "\".follower SET commit_seq = 10").c_str())
          .ok());
  const CommandResult forked = Follow();
  EXPECT_EQ(forked.exit_code, 2);
  EXPECT_THAT(forked.err, AllOf(HasSubstr("has another commit 10 than the ledger"),
                                HasSubstr("--into"), HasSubstr("drop this one")));
  ASSERT_TRUE(
      connection_->RunScript(("UPDATE \"" + schema_ + "\".follower SET commit_seq = 99").c_str())
          .ok());
  EXPECT_THAT(Follow().err, HasSubstr("has commit 99, but the ledger ends with 20"));
}

TEST_F(FollowedTables, StandWhereTheyAreToldAndNowhereElse) {
  Grow(Write().get(), 1);
  schema_ = "reports";
  EXPECT_EQ(Follow({"--into", "reports"}).exit_code, 0);
  EXPECT_EQ(Differs(), "");
  // Another ledger's, and tables of another program.
  const std::string other = PostgresServer::Get()->FreshUrl();
  ASSERT_TRUE(PostgresStore::Open(other).ok());
  const Words into = {"ledger", "follow", "--once", "--db", other, "--into"};
  const auto refused = [&](const std::string& name) {
    Words args = into;
    args.push_back(name);
    return RunMuster(args);
  };
  EXPECT_EQ(refused("reports").exit_code, 2);
  EXPECT_THAT(refused("reports").err, HasSubstr("follows another ledger; name another"));
  ASSERT_TRUE(connection_->RunScript("CREATE SCHEMA shop; CREATE TABLE shop.history (x int)").ok());
  EXPECT_THAT(refused("shop").err, HasSubstr("has a history that is not of a follower"));
  ASSERT_TRUE(connection_->RunScript("DROP SCHEMA shop CASCADE").ok());
  EXPECT_EQ(refused("a\"b").exit_code, 1);
  EXPECT_EQ(refused("pg_x").exit_code, 1);
}

TEST_F(FollowedTables, OfAFileAreRefusedWithACure) {
  const TemporaryDirectory directory;
  const CommandResult file =
      RunMuster({"ledger", "follow", "--db", (directory.path() / "x.ledger").string()});
  EXPECT_EQ(file.exit_code, 1);
  EXPECT_THAT(file.err, HasSubstr("use muster ledger query"));
  EXPECT_EQ(Follow().exit_code, 1);  // there is no such ledger
}

}  // namespace
}  // namespace muster::testing
