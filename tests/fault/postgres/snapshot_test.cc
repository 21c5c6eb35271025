// Snapshots of a ledger in PostgreSQL, and damage in each of its tables: named, never used.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "db/postgres/postgres_reader.h"
#include "db/postgres/postgres_store.h"
#include "tests/fault/postgres/in_postgres.h"
#include "tests/testing/ledger_world.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

using ::testing::HasSubstr;

class PgSnapshot : public testing::InPostgres {
 protected:
  std::unique_ptr<PostgresStore> Open() const {
    PostgresOptions options;
    options.snapshot_bytes = 20'000;
    Result<std::unique_ptr<PostgresStore>> store = PostgresStore::Open(url_, options);
    EXPECT_TRUE(store.ok()) << store.status().message();
    return store.ok() ? *std::move(store) : nullptr;
  }
  void Keep(PostgresStore* store, int cycles) {
    for (int i = 0; i < cycles; ++i) {
      const Result<Ticket> ticket = store->Append(world_.Cycle(5));
      ASSERT_TRUE(ticket.ok() && store->Durable(*ticket).ok());
    }
  }
  static std::vector<std::string> Rows(const StoredHistory& history) {
    std::vector<std::string> rows;
    const Status status =
        history.Load([&](StateRow::Table, std::string_view key, std::string_view value) {
          rows.push_back(std::string(key) + "=" + std::string(value));
          return Status::Ok();
        });
    if (!status.ok()) rows = {status.message()};
    return rows;
  }
  std::int64_t Number(const std::string& sql) const {
    const Result<PgRows> rows = connection_->Run(sql.c_str(), {std::string_view(place_.shard)});
    EXPECT_TRUE(rows.ok()) << rows.status().message();
    return rows.ok() && !rows->empty() ? rows->Number(0, 0) : -1;
  }
  std::int64_t Snapshots() const {
    return Number("SELECT count(DISTINCT seq) FROM muster_snapshot WHERE shard = $1");
  }
  void AwaitSnapshots(std::int64_t count) const {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (Snapshots() < count && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_GE(Snapshots(), count);
  }
  void Change(const std::string& sql) const {
    const Result<PgRows> changed = connection_->Run(sql.c_str(), {std::string_view(place_.shard)});
    ASSERT_TRUE(changed.ok()) << changed.status().message();
    ASSERT_GT(changed->affected(), 0) << sql;
  }
  VerifyReport Verified() const {
    const Result<std::unique_ptr<PostgresReader>> reader = PostgresReader::Open(url_);
    EXPECT_TRUE(reader.ok()) << reader.status().message();
    if (!reader.ok()) return {};
    const Result<VerifyReport> report = (*reader)->Verify();
    EXPECT_TRUE(report.ok()) << report.status().message();
    return report.ok() ? *report : VerifyReport();
  }

  testing::LedgerWorld world_;
};

TEST_F(PgSnapshot, ComesWithTheHistoryAndIsWhatOpeningBeginsWith) {
  std::unique_ptr<PostgresStore> store = Open();
  for (int i = 1; i <= 3; ++i) {
    ASSERT_NO_FATAL_FAILURE(Keep(store.get(), 60));
    AwaitSnapshots(i < 2 ? i : 2);
  }
  const std::vector<std::string> rows = Rows(*store);
  store.reset();
  EXPECT_LE(Snapshots(), 3) << "old ones are dropped";
  EXPECT_TRUE(Verified().sound());
  // What is before the newest one is not needed to open.
  Change("DELETE FROM muster_batch WHERE shard = $1 AND seq < 60");
  EXPECT_EQ(Rows(*Open()), rows);
  EXPECT_FALSE(Verified().sound()) << "but it is missed";
}

TEST_F(PgSnapshot, AReaderSeesOneMomentWhileItsWriterGoesOn) {
  const std::unique_ptr<PostgresStore> store = Open();
  ASSERT_NO_FATAL_FAILURE(Keep(store.get(), 3));
  const std::unique_ptr<PostgresReader> reader = *PostgresReader::Open(url_);
  ASSERT_TRUE(reader->HoldMoment().ok());
  const std::vector<std::string> rows = Rows(*reader);
  ASSERT_NO_FATAL_FAILURE(Keep(store.get(), 120));
  AwaitSnapshots(1);
  EXPECT_EQ(reader->last()->seq, 3);
  EXPECT_EQ(Rows(*reader), rows);
  EXPECT_NE(Rows(*store), rows);
}

TEST_F(PgSnapshot, DamageInAnyTableIsNamedAndNeverUsed) {
  std::unique_ptr<PostgresStore> store = Open();
  ASSERT_TRUE(store->StorePolicy({"feed", {{"policy.lua", "return {}"}}}).ok());
  ASSERT_NO_FATAL_FAILURE(Keep(store.get(), 100));
  AwaitSnapshots(1);
  ASSERT_NO_FATAL_FAILURE(Keep(store.get(), 1));
  // So large that it is in two tables.
  ASSERT_TRUE(store->Durable(*store->Append(world_.Submit(300))).ok());
  const std::vector<std::string> rows = Rows(*store);
  store.reset();
  ASSERT_TRUE(Verified().sound());
  const std::string flip =
      " = set_byte(body, length(body) / 2, get_byte(body, length(body) / 2) # ";
  const std::string newest = "(SELECT max(seq) FROM muster_snapshot WHERE shard = $1)";
  const std::vector<std::string> places = {
      "muster_batch SET body" + flip + "1) WHERE shard = $1 AND seq = 7",
      "muster_batch SET body" + flip + "128) WHERE shard = $1 AND seq = 101",
      "muster_batch SET body" + flip + "1) WHERE shard = $1 AND seq = 102",
      "muster_body SET body" + flip + "1) WHERE shard = $1 AND seq = 102",
      "muster_body SET epoch = -epoch WHERE shard = $1 AND seq = 102",
      "muster_batch SET hash = set_byte(hash, 0, get_byte(hash, 0) # 1) WHERE shard = $1 AND seq = "
      "50",
      "muster_snapshot SET body" + flip + "1) WHERE shard = $1 AND seq = " + newest,
      "muster_shard SET head_hash = set_byte(head_hash, 3, get_byte(head_hash, 3) # 1) WHERE id = "
      "$1"};
  for (const std::string& where : places) {
    ASSERT_NO_FATAL_FAILURE(Change("UPDATE " + where));
    EXPECT_FALSE(Verified().sound()) << where;
    // One that can be opened all the same shows what was there.
    PostgresOptions options;
    options.lock_wait = std::chrono::seconds(10);
    const Result<std::unique_ptr<PostgresStore>> opened = PostgresStore::Open(url_, options);
    if (opened.ok()) {
      EXPECT_EQ(Rows(**opened), rows) << where;
    } else {
      EXPECT_THAT(opened.status().message(), HasSubstr(" is damaged: ")) << where;
    }
    ASSERT_NO_FATAL_FAILURE(Change("UPDATE " + where));  // flipped back
    ASSERT_TRUE(Verified().sound()) << where;
  }
  Change("UPDATE muster_policy SET bytes = 'return nil' WHERE shard = $1");
  EXPECT_THAT(Verified().findings, ::testing::Contains(HasSubstr("policy.lua of policy feed")));
}

TEST_F(PgSnapshot, AnOlderVersionIsRefusedByReadersAndBroughtUpToDateByAWriter) {
  std::unique_ptr<PostgresStore> store = Open();
  ASSERT_NO_FATAL_FAILURE(Keep(store.get(), 5));
  const std::vector<std::string> rows = Rows(*store);
  store.reset();
  // As the first version made it.
  ASSERT_TRUE(connection_
                  ->RunScript("DROP TABLE muster_snapshot; DROP TABLE muster_base; ALTER TABLE "
                              "muster_shard DROP COLUMN session; UPDATE muster_shard SET version "
                              "= 1, lease_until = now() + interval '1 hour', holder = 'another'")
                  .ok());
  EXPECT_THAT(PostgresReader::Open(url_).status().message(),
              HasSubstr("is of version 1; opening it for writing brings it to version 3"));
  EXPECT_THAT(PostgresStore::Open(url_, {}).status().message(),
              HasSubstr("of version 1 is held by another"));
  Change("UPDATE muster_shard SET lease_until = now() WHERE id = $1");
  store = Open();
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(Rows(*store), rows);
  ASSERT_NO_FATAL_FAILURE(Keep(store.get(), 1));
  store.reset();
  EXPECT_EQ(Number("SELECT version FROM muster_shard WHERE id = $1"), 3);
  EXPECT_TRUE(Verified().sound());
}

// Its groups have hashes and changes in one.
TEST_F(PgSnapshot, WhatVersion2WroteIsReadAndGoneOnWith) {
  const auto file = testing::SourceDir() / "tests/golden/ledgers/postgres-2.sql";
  ASSERT_TRUE(connection_->RunScript("CREATE DATABASE version_2").ok());
  place_.url.replace(place_.url.find("/postgres?"), 10, "/version_2?");
  place_.shard = "main";
  url_ = place_.url + "#main";
  Result<PgConnection> inside = PgConnection::Open(place_.url);
  ASSERT_TRUE(inside.ok()) << inside.status().message();
  ASSERT_TRUE(inside->RunScript(testing::ReadFile(file).c_str()).ok());
  std::unique_ptr<PostgresStore> store = Open();
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(store->last()->seq, 5);
  EXPECT_EQ(Rows(*store).size(), 16);
  ASSERT_NO_FATAL_FAILURE(Keep(store.get(), 1));
  store.reset();
  const VerifyReport report = Verified();
  EXPECT_THAT(report.findings, ::testing::IsEmpty());
  EXPECT_EQ(report.commits, 6);
}

TEST_F(PgSnapshot, ANewerVersionIsRefusedAndNotTouched) {
  ASSERT_NO_FATAL_FAILURE(Keep(Open().get(), 1));
  Change("UPDATE muster_shard SET version = 99 WHERE id = $1");
  const auto refused = PostgresStore::Open(url_, {});
  EXPECT_EQ(refused.status().code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(refused.status().message(), HasSubstr("is of version 99; this Muster knows"));
  EXPECT_EQ(Number("SELECT version FROM muster_shard WHERE id = $1"), 99);
}

}  // namespace
}  // namespace muster
