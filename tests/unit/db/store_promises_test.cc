// What every store promises, held against each kind there is. A new kind is one line at the end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/postgres/postgres_reader.h"
#include "db/postgres/postgres_store.h"
#include "db/sqlite/ledger.h"
#include "db/sqlite/read_only_ledger.h"
#include "db/store.h"
#include "tests/testing/ledger_world.h"
#include "tests/testing/paths.h"
#include "tests/testing/postgres_server.h"

namespace muster {
namespace {

using ::testing::ElementsAre;
using testing::LedgerWorld;
using testing::PostgresServer;
using testing::TemporaryDirectory;

/// Where one store lives, so that it can be opened again and read from beside.
class Place {
 public:
  virtual ~Place() = default;
  virtual Result<std::unique_ptr<Store>> Open() = 0;
  virtual Result<std::unique_ptr<StoredHistory>> Read() = 0;
};

class SqlitePlace final : public Place {
 public:
  Result<std::unique_ptr<Store>> Open() override {
    Result<std::unique_ptr<Ledger>> ledger =
        Ledger::Open(path(), OpenMode::kCreate, {.engine_version = "1.2.3"});
    if (!ledger.ok()) return ledger.status();
    return std::unique_ptr<Store>(std::move(*ledger));
  }
  Result<std::unique_ptr<StoredHistory>> Read() override {
    Result<std::unique_ptr<ReadOnlyLedger>> reader = ReadOnlyLedger::Open(path());
    if (!reader.ok()) return reader.status();
    return std::unique_ptr<StoredHistory>(std::move(*reader));
  }

 private:
  std::string path() const { return (directory_.path() / "ledger").string(); }

  TemporaryDirectory directory_;
};

class PostgresPlace final : public Place {
 public:
  /// Null where there is no PostgreSQL.
  static std::unique_ptr<Place> Make() {
    PostgresServer* const server = PostgresServer::Get();
    if (server == nullptr) return nullptr;
    return std::make_unique<PostgresPlace>(server->FreshUrl());
  }
  explicit PostgresPlace(std::string url) : url_(std::move(url)) {}

  Result<std::unique_ptr<Store>> Open() override {
    PostgresOptions options;
    options.engine_version = "1.2.3";
    Result<std::unique_ptr<PostgresStore>> store = PostgresStore::Open(url_, options);
    if (!store.ok()) return store.status();
    return std::unique_ptr<Store>(std::move(*store));
  }
  Result<std::unique_ptr<StoredHistory>> Read() override {
    Result<std::unique_ptr<PostgresReader>> reader = PostgresReader::Open(url_);
    if (!reader.ok()) return reader.status();
    return std::unique_ptr<StoredHistory>(std::move(*reader));
  }

 private:
  const std::string url_;
};

struct StoreKind {
  std::string name;
  std::function<std::unique_ptr<Place>()> make;
};
std::ostream& operator<<(std::ostream& out, const StoreKind& kind) { return out << kind.name; }

class StorePromises : public ::testing::TestWithParam<StoreKind> {
 protected:
  void SetUp() override {
    if (!place_) GTEST_SKIP() << PostgresServer::why();
  }
  std::unique_ptr<Store> Open() {
    Result<std::unique_ptr<Store>> store = place_->Open();
    EXPECT_TRUE(store.ok()) << store.status().message();
    return store.ok() ? std::move(*store) : nullptr;
  }

  /// "table key=value" of every row, in the order in which Load gives them.
  static std::vector<std::string> Rows(const StoredHistory& history) {
    std::vector<std::string> rows;
    const Status status =
        history.Load([&](StateRow::Table table, std::string_view key, std::string_view value) {
          rows.push_back(std::to_string(static_cast<int>(table)) + " " + std::string(key) + "=" +
                         std::string(value));
          return Status::Ok();
        });
    EXPECT_TRUE(status.ok()) << status.message();
    return rows;
  }

  /// The commits, each as "seq command events".
  static std::vector<std::string> Commits(const StoredHistory& history, std::int64_t first) {
    std::vector<std::string> commits;
    const Status status = history.ReadCommits(first, [&](const CommitRecord& commit) {
      commits.push_back(std::to_string(commit.seq) + " " + commit.command + " " +
                        std::to_string(commit.events.size()));
      return Status::Ok();
    });
    EXPECT_TRUE(status.ok()) << status.message();
    return commits;
  }

  static void Keep(Store* store, Commit commit) {
    const Result<Ticket> ticket = store->Append(std::move(commit));
    ASSERT_TRUE(ticket.ok()) << ticket.status().message();
    const Status status = store->Durable(*ticket);
    ASSERT_TRUE(status.ok()) << status.message();
  }

  static Commit Rows(std::vector<StateRow> rows) {
    Commit commit;
    commit.at = 1;
    commit.rows = std::move(rows);
    return commit;
  }

  std::unique_ptr<Place> place_ = GetParam().make();
};

constexpr StateRow::Table kObject = StateRow::Table::kObject;
constexpr StateRow::Table kWorkload = StateRow::Table::kWorkload;
constexpr StateRow::Table kQueue = StateRow::Table::kQueue;
constexpr StateRow::Table kEngine = StateRow::Table::kEngine;

TEST_P(StorePromises, RemembersCommitsAndRowsAcrossOpenings) {
  Commit commit;
  commit.command = CommandKind::kCycle;
  commit.at = 17;
  commit.cycle = 3;
  commit.events = {{EventKind::kSubmitted, "a/b", "{\"x\":1}"},
                   {EventKind::kAdmitted, "a/b", "{}", "feed"}};
  commit.rows = {{kWorkload, "a/b", "bytes"}};
  commit.policies = {{"feed", 2, 900}, {"feed", 1, 10}};
  Keep(Open().get(), commit);

  const std::unique_ptr<Store> store = Open();
  EXPECT_EQ(store->last()->seq, 1);
  EXPECT_EQ(store->last()->at, 17);
  EXPECT_EQ(store->last()->cycle, 3);
  EXPECT_THAT(Rows(*store), ElementsAre("1 a/b=bytes"));
  std::vector<CommitRecord> commits;
  ASSERT_TRUE(store
                  ->ReadCommits(1,
                                [&](const CommitRecord& found) {
                                  commits.push_back(found);
                                  return Status::Ok();
                                })
                  .ok());
  ASSERT_EQ(commits.size(), 1u);
  EXPECT_EQ(commits[0].engine_version, "1.2.3");
  EXPECT_EQ(commits[0].command, "cycle");
  EXPECT_EQ(commits[0].first_event, 1);
  ASSERT_EQ(commits[0].events.size(), 2u);
  EXPECT_EQ(commits[0].events[1].kind, EventKind::kAdmitted);
  EXPECT_EQ(commits[0].events[1].policy_hash, "feed");
  EXPECT_EQ(commits[0].events[0].payload, "{\"x\":1}");
  ASSERT_EQ(commits[0].policies.size(), 2u);
  EXPECT_EQ(commits[0].policies[0].fuel, 900);
}

TEST_P(StorePromises, RowsAreReplacedAndRemovedInOrderWithinACommit) {
  const std::unique_ptr<Store> store = Open();
  Keep(store.get(), Rows({{kWorkload, "ns/a", "1"},
                          {kWorkload, "ns/a", "2"},
                          {kWorkload, "ns/gone", "3"},
                          {kWorkload, "ns/gone", std::nullopt},
                          {kWorkload, "ns/never", std::nullopt},
                          {kObject, "LocalQueue/ns/main", ""},
                          {kQueue, "cq", "q"},
                          {kEngine, "clock", std::string("\0z", 2)}}));
  Keep(store.get(),
       Rows({{kWorkload, "ns/a", std::nullopt}, {kWorkload, "ns/a", "4"}, {kQueue, "cq", "r"}}));
  EXPECT_THAT(Rows(*store), ElementsAre("0 LocalQueue/ns/main=", "1 ns/a=4", "2 cq=r",
                                        std::string("3 clock=\0z", 10)));
}

TEST_P(StorePromises, LoadGivesEachTableInKeyOrder) {
  const std::unique_ptr<Store> store = Open();
  std::vector<StateRow> rows;
  for (int i = 99; i >= 10; --i) rows.push_back({kWorkload, "n/" + std::to_string(i), "v"});
  rows.push_back({kObject, "Cohort/z", "v"});
  rows.push_back({kObject, "Cohort/a", "v"});
  Keep(store.get(), Rows(rows));
  const std::vector<std::string> found = Rows(*store);
  EXPECT_EQ(found.size(), 92u);
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
}

TEST_P(StorePromises, WhatWasNotMadeDurableIsNotThere) {
  std::unique_ptr<Store> store = Open();
  LedgerWorld world;
  const Result<Ticket> first = store->Append(world.Cycle(2));
  const Result<Ticket> second = store->Append(world.Cycle(2));
  EXPECT_EQ(*second, *first + 1);
  ASSERT_TRUE(store->Durable(*first).ok());
  store.reset();
  EXPECT_EQ(Open()->last()->seq, 1);
}

TEST_P(StorePromises, AKeyThatCannotBeStoredIsRefusedAndChangesNothing) {
  const std::unique_ptr<Store> store = Open();
  EXPECT_EQ(store->Append(Rows({{kWorkload, "no-namespace", "v"}})).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(*store->Append({}), 1u);
}

TEST_P(StorePromises, APolicyPackageIsKeptWhole) {
  const StoredPolicy policy{"feed",
                            {{"policy.lua", std::string("return\0{}", 9)}, {"spec.lua", ""}}};
  std::unique_ptr<Store> store = Open();
  ASSERT_TRUE(store->StorePolicy(policy).ok());
  ASSERT_TRUE(store->StorePolicy(policy).ok());
  ASSERT_TRUE(store->StorePolicy({"beef", {{"policy.lua", "return 1"}}}).ok());
  EXPECT_FALSE(store->StorePolicy({"none", {}}).ok());
  store = nullptr;
  store = Open();
  const Result<StoredPolicy> found = store->LoadPolicy("feed");
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(*found, policy);
  EXPECT_THAT(*store->PolicyHashes(), ElementsAre("beef", "feed"));
  EXPECT_EQ(store->LoadPolicy("dead").status().code(), StatusCode::kNotFound);
}

TEST_P(StorePromises, WhatIsDurableIsReadBesideTheWriter) {
  const std::unique_ptr<Store> store = Open();
  LedgerWorld world;
  Keep(store.get(), world.Cycle(2));
  const Result<std::unique_ptr<StoredHistory>> reader = place_->Read();
  ASSERT_TRUE(reader.ok()) << reader.status().message();
  ASSERT_TRUE(store->Append(world.Cycle(2)).ok());
  EXPECT_EQ((*reader)->last()->seq, 1) << "what was appended only is not there";
  Keep(store.get(), world.Cycle(2));
  EXPECT_EQ((*reader)->last()->seq, 3);
  EXPECT_EQ(Rows(**reader), Rows(*store));
  EXPECT_EQ(Commits(**reader, 1), Commits(*store, 1));
  EXPECT_EQ(Commits(**reader, 3).size(), 1u);
  EXPECT_TRUE((*reader)->Verify()->sound());
}

TEST_P(StorePromises, ASecondWriterIsRefusedUntilTheFirstCloses) {
  const std::unique_ptr<Store> first = Open();
  LedgerWorld world;
  Keep(first.get(), world.Cycle(2));
  EXPECT_EQ(place_->Open().status().code(), StatusCode::kUnavailable);
  ASSERT_TRUE(first->Close().ok());
  EXPECT_EQ(first->Append(world.Cycle(2)).status().code(), StatusCode::kUnavailable);
  EXPECT_EQ(first->Load({}).code(), StatusCode::kUnavailable);
  EXPECT_EQ(first->health().failure.code(), StatusCode::kUnavailable);
  EXPECT_EQ(Open()->last()->seq, 1);
}

TEST_P(StorePromises, TicketsRiseByOneAndOlderOnesAreDurableWithNewerOnes) {
  const std::unique_ptr<Store> store = Open();
  LedgerWorld world;
  Ticket last = 0;
  for (Ticket i = 1; i <= 40; ++i) {
    last = *store->Append(world.Cycle(3));
    EXPECT_EQ(last, i);
  }
  ASSERT_TRUE(store->Durable(last).ok());
  EXPECT_TRUE(store->Durable(last - 7).ok());
  EXPECT_EQ(store->last()->seq, 40);
  EXPECT_TRUE(store->Verify()->sound());
  EXPECT_FALSE(store->Durable(last + 1).ok()) << "was never given out";
}

TEST_P(StorePromises, AVisitorThatRefusesEndsTheReading) {
  const std::unique_ptr<Store> store = Open();
  LedgerWorld world;
  for (int i = 0; i < 3; ++i) Keep(store.get(), world.Cycle(2));
  int seen = 0;
  const auto refuse = [&](const auto&...) {
    ++seen;
    return Status(StatusCode::kFailedPrecondition, "enough");
  };
  EXPECT_EQ(store->Load(refuse).message(), "enough");
  EXPECT_EQ(store->ReadCommits(1, refuse).message(), "enough");
  EXPECT_EQ(seen, 2);
  EXPECT_EQ(store->last()->seq, 3) << "and harms nothing";
}

TEST_P(StorePromises, AnEmptyOneIsSoundAndHasNoCommit) {
  const std::unique_ptr<Store> store = Open();
  EXPECT_EQ(store->last()->seq, 0);
  EXPECT_EQ(store->last()->at, kNoTime);
  EXPECT_TRUE(store->Verify()->sound());
  EXPECT_TRUE(store->health().failure.ok());
}

INSTANTIATE_TEST_SUITE_P(
    Every, StorePromises,
    ::testing::Values(StoreKind{"sqlite", [] { return std::make_unique<SqlitePlace>(); }},
                      StoreKind{"postgres", &PostgresPlace::Make}),
    [](const auto& kind) { return kind.param.name; });

}  // namespace
}  // namespace muster
