// Several groups of commits are on their way to the database when something happens to them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "db/postgres/postgres_reader.h"
#include "db/postgres/postgres_store.h"
#include "db/store_thread.h"
#include "tests/fault/postgres/in_postgres.h"

namespace muster {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The writer cannot go on while another transaction has its row. With true the changes of each
/// group go ahead of its links.
class GroupsOnTheirWay : public testing::InPostgres, public ::testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    InPostgres::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    PostgresOptions options;
    options.testing = &testing_;
    testing_.groups = kGroups;
    if (GetParam()) testing_.ahead_from = 0;
    testing_.sent_ahead = [this] {
      if (between_) std::exchange(between_, nullptr)();
    };
    Result<std::unique_ptr<PostgresStore>> opened = PostgresStore::Open(url_, options);
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    store_ = std::move(*opened);
  }
  static Commit Numbered(std::int64_t cycle) {
    Commit commit;
    commit.command = CommandKind::kCycle;
    commit.cycle = cycle;
    commit.events = {{EventKind::kSubmitted, "w/" + std::to_string(cycle), "{}"}};
    commit.rows = {{StateRow::Table::kWorkload, "w/w", std::to_string(cycle)}};
    return commit;
  }
  Ticket Begin() {
    const Result<Ticket> ticket = store_->Append(Numbered(++cycle_));
    EXPECT_TRUE(ticket.ok());
    EXPECT_TRUE(store_->Begin(*ticket).ok());
    return *ticket;
  }
  void Script(const std::string& sql) const {
    const Status status = connection_->RunScript(sql.c_str());
    ASSERT_TRUE(status.ok()) << status.message();
  }
  void Lock() const {
    Script("BEGIN; SELECT 1 FROM muster_shard WHERE id = '" + place_.shard + "' FOR UPDATE");
  }
  /// Ends the server's process for whatever commits to this ledger.
  void Cut() const {
    Result<PgConnection> beside = PgConnection::Open(place_.url);
    ASSERT_TRUE(beside.ok());
    ASSERT_TRUE(
        beside
            ->RunScript("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE "
                        "(query LIKE 'WITH f AS%' OR query LIKE 'INSERT INTO muster_body%') "
                        "AND pid <> pg_backend_pid()")
            .ok());
  }
  /// Pages that the system gave the server's process for whatever commits to this ledger.
  static std::int64_t FaultsOf(std::int64_t process) {
    std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
    std::string field;
    std::int64_t faults = 0;
    std::getline(stat, field, ')');  // its name, which has spaces
    for (int i = 0; i < 7; ++i) stat >> field;
    stat >> faults;
    return faults;
  }
  std::int64_t FaultsOfServer() const {
    const Result<PgRows> rows = connection_->Run(
        "SELECT max(pid)::int8 FROM pg_stat_activity WHERE query LIKE 'WITH f AS%' AND pid <> "
        "pg_backend_pid()");
    EXPECT_TRUE(rows.ok() && rows->size() == 1);
    return FaultsOf(rows->Number(0, 0));
  }
  void CommitLargeOnes(int count, std::size_t bytes) {
    for (int i = 0; i < count; ++i) {
      Commit commit = Numbered(++cycle_);
      commit.rows.front().value = std::string(bytes, 'v');
      ASSERT_TRUE(store_->Durable(*store_->Append(std::move(commit))).ok());
    }
  }
  /// The cycles that the history has, each checked.
  std::vector<std::int64_t> Stored() const {
    std::vector<std::int64_t> cycles;
    const Result<std::unique_ptr<PostgresReader>> reader = PostgresReader::Open(url_);
    EXPECT_TRUE(reader.ok() && (*reader)->Verify()->sound());
    EXPECT_TRUE((*reader)
                    ->ReadCommits(1,
                                  [&](const CommitRecord& commit) {
                                    cycles.push_back(commit.cycle);
                                    return Status::Ok();
                                  })
                    .ok());
    return cycles;
  }

  std::string_view Shard() const { return place_.shard; }
  std::string IsShard(const std::string& column) const {
    return column + " = '" + place_.shard + "'";
  }
  std::int64_t Bodies() const {
    const Result<PgRows> rows =
        connection_->Run("SELECT count(*) FROM muster_body WHERE shard = $1", {Shard()});
    EXPECT_TRUE(rows.ok());
    return rows.ok() ? rows->Number(0, 0) : -1;
  }
  /// Another writer. The one before still renews its lease, at times just after it has ended.
  Result<std::unique_ptr<PostgresStore>> TakeOver(const PostgresOptions& options) const {
    for (int tries = 0;; ++tries) {
      Script("UPDATE muster_shard SET lease_until = now() WHERE " + IsShard("id"));
      auto opened = PostgresStore::Open(url_, options);
      if (opened.ok() || tries == 20) return opened;
    }
  }
  void CutAndWait() const {
    Cut();
    AwaitEndOfHalves();
  }
  /// Until no server process has the first half of a group.
  void AwaitEndOfHalves() const {
    for (int i = 0; i < 1000; ++i) {
      const Result<PgRows> rows = connection_->Run(
          "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'INSERT INTO muster_body%' AND "
          "pid <> pg_backend_pid()",
          {});
      if (rows.ok() && rows->Number(0, 0) == 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << "it lives on";
  }

  static constexpr std::size_t kGroups = 4;
  std::function<void()> between_;  ///< is done once, between the halves of a group
  PostgresTesting testing_;
  std::unique_ptr<PostgresStore> store_;
  std::int64_t cycle_ = 0;
};

std::string NameOfParts(const ::testing::TestParamInfo<bool>& each) {
  return each.param ? "Halves" : "Whole";
}
INSTANTIATE_TEST_SUITE_P(Sent, GroupsOnTheirWay, ::testing::Bool(), NameOfParts);

TEST_P(GroupsOnTheirWay, AreSentBeforeTheFirstIsDurableAndEachHasItsOwnAnswer) {
  Lock();
  std::vector<Ticket> tickets;
  for (std::size_t i = 0; i < kGroups; ++i) tickets.push_back(Begin());
  store_->Wake();
  EXPECT_FALSE(*store_->Await(tickets.front()));
  EXPECT_THAT(Stored(), IsEmpty());
  Script("COMMIT");
  for (const Ticket ticket : tickets) {
    EXPECT_TRUE(*store_->Await(ticket));
    EXPECT_GE(Stored().size(), ticket);
  }
  EXPECT_EQ(Stored().size(), tickets.size());
  // One after another, as ever.
  EXPECT_TRUE(store_->Durable(*store_->Append(Numbered(9))).ok());
}

// Fetched anew, the memory of each would cost some hundred faults.
TEST_P(GroupsOnTheirWay, FindTheMemoryOfTheServerForTheLargeOnesBefore) {
  CommitLargeOnes(5, 400'000);
  const std::int64_t before = FaultsOfServer();
  CommitLargeOnes(20, 400'000);
  EXPECT_LT(FaultsOfServer() - before, 20 * 50);
}

// As large as eight commits of a thousand decisions that have gathered. Fetched anew: 1,500 faults.
TEST_P(GroupsOnTheirWay, FindTheMemoryOfTheServerForManyCommitsInOne) {
  CommitLargeOnes(5, 3'200'000);
  const std::int64_t before = FaultsOfServer();
  CommitLargeOnes(20, 3'200'000);
  EXPECT_LT(FaultsOfServer() - before, 20 * 200);
}

TEST_P(GroupsOnTheirWay, AreFoundOrSentAgainWhenTheirConnectionIsCut) {
  Lock();
  Begin();
  const Ticket newest = Begin();
  Begin();
  Cut();
  Script("COMMIT");
  EXPECT_TRUE(store_->Durable(newest).ok());
  EXPECT_TRUE(store_->Durable(newest + 1).ok());
  EXPECT_THAT(Stored(), ElementsAre(1, 2, 3));
}

TEST_P(GroupsOnTheirWay, AreThereOnceWhereverTheirConnectionIsCut) {
  std::mt19937 random(11);
  std::size_t begun = 0;
  for (int round = 0; round < 60; ++round) {
    Ticket newest = 0;
    for (std::size_t i = 0; i < kGroups; ++i, ++begun) newest = Begin();
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 2000));
    Cut();
    const Status stored = store_->Durable(newest);
    ASSERT_TRUE(stored.ok()) << stored.message();
  }
  const std::vector<std::int64_t> cycles = Stored();
  ASSERT_EQ(cycles.size(), begun);
  for (std::size_t i = 0; i < begun; ++i) EXPECT_EQ(cycles[i], static_cast<std::int64_t>(i) + 1);
}

TEST_P(GroupsOnTheirWay, AreAllRefusedWhenTheLedgerWasTakenOver) {
  const Ticket before = Begin();
  EXPECT_TRUE(store_->Durable(before).ok());
  Lock();
  for (int i = 0; i < 3; ++i) Begin();
  Script("UPDATE muster_shard SET epoch = epoch + 1, holder = 'other' WHERE id = '" + place_.shard +
         "'; COMMIT");
  for (Ticket ticket = before + 3; ticket > before; --ticket) {
    EXPECT_THAT(store_->Durable(ticket).message(), HasSubstr("was taken over by other"));
  }
  EXPECT_TRUE(store_->Durable(before).ok());
  EXPECT_TRUE(store_->superseded());
  EXPECT_THAT(Stored(), ElementsAre(1));
}

// The error comes when the transaction of the second group ends, after its statement was answered.
TEST_P(GroupsOnTheirWay, EndWithTheFirstThatTheServerRefuses) {
  Script(
      "CREATE FUNCTION refuse_group() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''no "
      "room''; "
      "END'; "
      "CREATE CONSTRAINT TRIGGER refuse_group AFTER INSERT ON muster_batch DEFERRABLE INITIALLY "
      "DEFERRED "
      "FOR EACH ROW WHEN (NEW.shard = '" +
      place_.shard + "' AND NEW.seq = 2) EXECUTE FUNCTION refuse_group()");
  const Ticket first = Begin();
  for (int i = 0; i < 3; ++i) Begin();
  EXPECT_TRUE(*store_->Await(first));
  for (const Ticket ticket : {first + 1, first + 2, first + 3}) {
    EXPECT_THAT(store_->Durable(ticket).message(), HasSubstr("no room"));
  }
  EXPECT_THAT(Stored(), ElementsAre(1));
  Script("DROP TRIGGER refuse_group ON muster_batch; DROP FUNCTION refuse_group");
}

// What the thread sent is one group each, since it had nothing else to do: a group a row.
TEST_P(GroupsOnTheirWay, OfAThreadBeginWhileItWaitsForTheFirst) {
  Lock();
  {
    const auto thread = StoreThread::Start(*store_);
    ASSERT_TRUE(thread.ok());
    for (std::size_t i = 0; i < kGroups; ++i) {
      ASSERT_TRUE((*thread)->Append(Numbered(++cycle_)).ok());
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    EXPECT_FALSE((*thread)->Settled(1));
    Script("COMMIT");
  }
  EXPECT_EQ(Stored().size(), kGroups);
  const Result<PgRows> groups = connection_->Run(
      "SELECT count(*) FROM muster_batch WHERE shard = $1", {std::string_view(place_.shard)});
  ASSERT_TRUE(groups.ok());
  EXPECT_GE(groups->Number(0, 0), 2);
}

/// Something happens to a group when its changes are with the server and its links are not.
class GroupsInHalves : public GroupsOnTheirWay {};
INSTANTIATE_TEST_SUITE_P(Sent, GroupsInHalves, ::testing::Values(true), NameOfParts);

TEST_P(GroupsInHalves, AreOneTransaction) {
  between_ = [this] { EXPECT_EQ(Bodies(), 0); };
  EXPECT_TRUE(store_->Durable(*store_->Append(Numbered(1))).ok());
  EXPECT_EQ(between_, nullptr);
  EXPECT_EQ(Bodies(), 1);
  EXPECT_THAT(Stored(), ElementsAre(1));
}

// A writer that is stopped there for longer than its lease.
TEST_P(GroupsInHalves, MakeNoOtherWriterWaitAndLeaveNothingWhenItTakesOver) {
  between_ = [this] {
    Script("SET lock_timeout = '10s'");
    PostgresTesting halves;
    halves.ahead_from = 0;
    PostgresOptions options;
    options.testing = &halves;
    const auto next = TakeOver(options);
    ASSERT_TRUE(next.ok()) << next.status().message();
    EXPECT_TRUE((*next)->Durable(*(*next)->Append(Numbered(7))).ok());
  };
  const Status late = store_->Durable(*store_->Append(Numbered(1)));
  EXPECT_THAT(late.message(), HasSubstr("was taken over"));
  EXPECT_TRUE(store_->superseded());
  EXPECT_EQ(Bodies(), 1);
  EXPECT_THAT(Stored(), ElementsAre(7));
}

// It would make the server keep what is old, and every commit slower than the one before.
TEST_P(GroupsInHalves, AreEndedByTheNextWriterWhenTheyStandStill) {
  between_ = [this] {
    PostgresOptions options;
    options.lease = std::chrono::milliseconds(100);
    const auto next = TakeOver(options);
    ASSERT_TRUE(next.ok()) << next.status().message();
    AwaitEndOfHalves();
  };
  EXPECT_THAT(store_->Durable(*store_->Append(Numbered(1))).message(), HasSubstr("was taken over"));
  EXPECT_EQ(Bodies(), 0);
}

TEST_P(GroupsInHalves, DoNotSetTheLeaseBackThatWasRenewedBetweenThem) {
  const auto ask = [this](const std::string& sql) {
    const Result<PgRows> rows = connection_->Run(sql.c_str(), {Shard()});
    EXPECT_TRUE(rows.ok() && rows->size() == 1);
    return rows->Number(0, 0);
  };
  const std::string until = "(extract(epoch FROM lease_until) * 1000000)::int8";
  std::int64_t renewed = 0;
  between_ = [&] {
    renewed =
        ask("UPDATE muster_shard SET lease_until = clock_timestamp() + interval '3 s' WHERE "
            "id = $1 RETURNING " +
            until);
  };
  EXPECT_TRUE(store_->Durable(*store_->Append(Numbered(1))).ok());
  EXPECT_GT(renewed, 0);
  EXPECT_GE(ask("SELECT " + until + " FROM muster_shard WHERE id = $1"), renewed);
}

// Then the server has been asked in vain once.
TEST_P(GroupsInHalves, AreLetBeWhereTheServerRefusesThem) {
  Script("ALTER TABLE muster_body ADD CONSTRAINT refuse CHECK (NOT " + IsShard("shard") + ")");
  int halves = 0;
  for (int cycle = 1; cycle <= 3; ++cycle) {
    between_ = [&] { ++halves; };
    EXPECT_TRUE(store_->Durable(*store_->Append(Numbered(cycle))).ok());
  }
  EXPECT_EQ(halves, 1);
  EXPECT_THAT(Stored(), ElementsAre(1, 2, 3));
  Script("ALTER TABLE muster_body DROP CONSTRAINT refuse");
}

TEST_P(GroupsInHalves, AreSentAgainWholeWhenTheirConnectionIsCut) {
  between_ = [this] { CutAndWait(); };
  EXPECT_TRUE(store_->Durable(*store_->Append(Numbered(1))).ok());
  EXPECT_EQ(Bodies(), 0);
  EXPECT_TRUE(store_->Durable(*store_->Append(Numbered(2))).ok());
  EXPECT_EQ(Bodies(), 1);
  EXPECT_THAT(Stored(), ElementsAre(1, 2));
}

// The server does not hear of it for long when the machine between is gone.
TEST_P(GroupsInHalves, DoNotWaitForTheFirstHalfThatALostConnectionLeft) {
  between_ = [this] {
    CutAndWait();
    Script("BEGIN; INSERT INTO muster_body SELECT id, 1, epoch, '' FROM muster_shard WHERE " +
           IsShard("id"));
  };
  EXPECT_TRUE(store_->Durable(*store_->Append(Numbered(1))).ok());
  Script("ROLLBACK");
  EXPECT_THAT(Stored(), ElementsAre(1));
}

// What is sent again whole says it.
TEST_P(GroupsInHalves, SayWhatTheServerRefuses) {
  Script("ALTER TABLE muster_batch ADD CONSTRAINT refuse CHECK (seq < 2 OR NOT " +
         IsShard("shard") + ")");
  EXPECT_TRUE(store_->Durable(*store_->Append(Numbered(1))).ok());
  EXPECT_THAT(store_->Durable(*store_->Append(Numbered(2))).message(), HasSubstr("refuse"));
  EXPECT_EQ(Bodies(), 1);
  EXPECT_THAT(Stored(), ElementsAre(1));
  Script("ALTER TABLE muster_batch DROP CONSTRAINT refuse");
}

TEST_P(GroupsInHalves, AreMissedWhenOneHalfIs) {
  EXPECT_TRUE(store_->Durable(*store_->Append(Numbered(1))).ok());
  ASSERT_TRUE(store_->Close().ok());
  const auto first_finding = [this] {
    return (*PostgresReader::Open(url_))->Verify()->findings.at(0);
  };
  Script("INSERT INTO muster_body SELECT shard, 2, epoch, body FROM muster_body WHERE " +
         IsShard("shard"));
  EXPECT_THAT(first_finding(), HasSubstr("changes whose group of commits is missing"));
  Script("DELETE FROM muster_body WHERE " + IsShard("shard"));
  EXPECT_THAT(first_finding(), HasSubstr("commit 1: its group cannot be read"));
}

}  // namespace
}  // namespace muster
