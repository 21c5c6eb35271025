#include "db/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "db/read_only_ledger.h"
#include "db/testing.h"
#include "tests/testing/crash_vfs.h"
#include "tests/testing/ledger_world.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

using ::testing::AllOf;
using testing::CrashVfs;
using testing::DiskOp;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::LedgerWorld;
using testing::TemporaryDirectory;

class LedgerTest : public ::testing::Test {
 protected:
  std::string path() const { return (directory_.path() / "ledger").string(); }

  std::unique_ptr<Ledger> Open(LedgerOptions options = {}, OpenMode mode = OpenMode::kCreate) {
    Result<std::unique_ptr<Ledger>> ledger = Ledger::Open(path(), mode, std::move(options));
    EXPECT_TRUE(ledger.ok()) << ledger.status().message();
    return ledger.ok() ? std::move(*ledger) : nullptr;
  }

  /// "table key=value" of every row, in the order in which Load gives them.
  static std::vector<std::string> Rows(const Ledger& ledger) {
    std::vector<std::string> rows;
    const Status status =
        ledger.Load([&](StateRow::Table table, std::string_view key, std::string_view value) {
          rows.push_back(std::to_string(static_cast<int>(table)) + " " + std::string(key) + "=" +
                         std::string(value));
          return Status::Ok();
        });
    EXPECT_TRUE(status.ok()) << status.message();
    return rows;
  }

  static void Store(Ledger* ledger, Commit commit) {
    const Result<Ticket> ticket = ledger->Append(std::move(commit));
    ASSERT_TRUE(ticket.ok()) << ticket.status().message();
    const Status status = ledger->Durable(*ticket);
    ASSERT_TRUE(status.ok()) << status.message();
  }

  static Commit Rows(std::vector<StateRow> rows) {
    Commit commit;
    commit.at = 1;
    commit.rows = std::move(rows);
    return commit;
  }

  TemporaryDirectory directory_;
};

constexpr StateRow::Table kObject = StateRow::Table::kObject;
constexpr StateRow::Table kWorkload = StateRow::Table::kWorkload;
constexpr StateRow::Table kQueue = StateRow::Table::kQueue;
constexpr StateRow::Table kEngine = StateRow::Table::kEngine;

TEST_F(LedgerTest, RemembersCommitsAndRowsAcrossOpenings) {
  Commit commit;
  commit.command = CommandKind::kCycle;
  commit.at = 17;
  commit.cycle = 3;
  commit.events = {{EventKind::kSubmitted, "a/b", "{\"x\":1}"},
                   {EventKind::kAdmitted, "a/b", "{}", "feed"}};
  commit.rows = {{kWorkload, "a/b", "bytes"}};
  commit.policies = {{"feed", 2, 900}, {"feed", 1, 10}};
  Store(Open({.engine_version = "1.2.3"}).get(), commit);

  const std::unique_ptr<Ledger> ledger = Open({}, OpenMode::kExisting);
  EXPECT_EQ(ledger->last().seq, 1);
  EXPECT_EQ(ledger->last().at, 17);
  EXPECT_EQ(ledger->last().cycle, 3);
  EXPECT_THAT(Rows(*ledger), ElementsAre("1 a/b=bytes"));
  std::vector<CommitRecord> commits;
  ASSERT_TRUE(ledger
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

TEST_F(LedgerTest, RowsAreReplacedAndRemovedInOrderWithinACommit) {
  const std::unique_ptr<Ledger> ledger = Open();
  Store(ledger.get(), Rows({{kWorkload, "ns/a", "1"},
                            {kWorkload, "ns/a", "2"},
                            {kWorkload, "ns/gone", "3"},
                            {kWorkload, "ns/gone", std::nullopt},
                            {kWorkload, "ns/never", std::nullopt},
                            {kObject, "LocalQueue/ns/main", ""},
                            {kQueue, "cq", "q"},
                            {kEngine, "clock", std::string("\0z", 2)}}));
  Store(ledger.get(),
        Rows({{kWorkload, "ns/a", std::nullopt}, {kWorkload, "ns/a", "4"}, {kQueue, "cq", "r"}}));
  EXPECT_THAT(Rows(*ledger), ElementsAre("0 LocalQueue/ns/main=", "1 ns/a=4", "2 cq=r",
                                         std::string("3 clock=\0z", 10)));
}

TEST_F(LedgerTest, LoadGivesEachTableInKeyOrder) {
  const std::unique_ptr<Ledger> ledger = Open();
  std::vector<StateRow> rows;
  for (int i = 99; i >= 10; --i) rows.push_back({kWorkload, "n/" + std::to_string(i), "v"});
  rows.push_back({kObject, "Cohort/z", "v"});
  rows.push_back({kObject, "Cohort/a", "v"});
  Store(ledger.get(), Rows(rows));
  const std::vector<std::string> found = Rows(*ledger);
  EXPECT_EQ(found.size(), 92u);
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
}

TEST_F(LedgerTest, WhatWasNotMadeDurableIsNotThere) {
  std::unique_ptr<Ledger> ledger = Open();
  LedgerWorld world;
  const Result<Ticket> first = ledger->Append(world.Cycle(2));
  const Result<Ticket> second = ledger->Append(world.Cycle(2));
  EXPECT_EQ(*second, *first + 1);
  ASSERT_TRUE(ledger->Durable(*first).ok());
  ledger.reset();
  EXPECT_EQ(Open()->last().seq, 1);
}

TEST_F(LedgerTest, DurableStoresAllUpToItsTicketInOneTransaction) {
  int transactions = 0;
  LedgerTesting testing;
  testing.at_point = [&](std::string_view point) { transactions += point == "committed" ? 1 : 0; };
  const std::unique_ptr<Ledger> ledger = Open({.testing = &testing});
  LedgerWorld world;
  Ticket last = 0;
  for (int i = 0; i < 40; ++i) last = *ledger->Append(world.Cycle(3));
  ASSERT_TRUE(ledger->Durable(last).ok());
  ASSERT_TRUE(ledger->Durable(last - 7).ok());
  EXPECT_EQ(transactions, 1);
  EXPECT_EQ(ledger->last().seq, 40);
  EXPECT_TRUE(ledger->Verify()->sound());
  EXPECT_FALSE(ledger->Durable(last + 1).ok());
}

TEST_F(LedgerTest, AKeyThatCannotBeStoredIsRefusedAndChangesNothing) {
  const std::unique_ptr<Ledger> ledger = Open();
  EXPECT_EQ(ledger->Append(Rows({{kWorkload, "no-namespace", "v"}})).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(*ledger->Append({}), 1u);
}

TEST_F(LedgerTest, ASecondWriterIsRefusedWithProcessAndHostOfTheFirst) {
  std::unique_ptr<Ledger> first = Open();
  const Result<std::unique_ptr<Ledger>> second = Ledger::Open(path(), OpenMode::kExisting);
  ASSERT_FALSE(second.ok());
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  EXPECT_EQ(second.status().code(), StatusCode::kUnavailable);
  EXPECT_THAT(second.status().message(),
              AllOf(HasSubstr("process " + std::to_string(getpid())), HasSubstr(host)));
  ASSERT_TRUE(first->Close().ok());
  EXPECT_TRUE(Ledger::Open(path(), OpenMode::kExisting).ok());
}

TEST_F(LedgerTest, AMissingLedgerIsNotFoundAndNothingIsCreated) {
  EXPECT_EQ(Ledger::Open(path(), OpenMode::kExisting).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(ReadOnlyLedger::Open(path()).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(Ledger::Open("/no/such/place/l", OpenMode::kCreate).status().code(),
            StatusCode::kNotFound);
  EXPECT_TRUE(std::filesystem::is_empty(directory_.path()));
}

TEST_F(LedgerTest, ADirectoryIsRefused) {
  EXPECT_EQ(Ledger::Open(directory_.path(), OpenMode::kCreate).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(directory_.path().string() + ".lock"));
}

TEST_F(LedgerTest, ASymbolicLinkIsFollowedToADirectoryButNotToAFile) {
  std::filesystem::create_directory(directory_.path() / "real");
  std::filesystem::create_directory_symlink("real", directory_.path() / "link");
  const std::string through = (directory_.path() / "link" / "ledger").string();
  ASSERT_TRUE(Ledger::Open(through, OpenMode::kCreate).ok());
  std::filesystem::create_symlink(through, path());
  EXPECT_THAT(Ledger::Open(path(), OpenMode::kExisting).status().message(),
              HasSubstr("is a symbolic link"));
}

TEST_F(LedgerTest, ClosingLeavesOneFileALockAndAReserve) {
  const std::unique_ptr<Ledger> ledger = Open();
  LedgerWorld world;
  Store(ledger.get(), world.Cycle(5));
  ASSERT_TRUE(ledger->Close().ok());
  std::map<std::string, std::uintmax_t> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory_.path())) {
    files[entry.path().filename().string()] = entry.file_size();
  }
  EXPECT_EQ(files.size(), 3u);
  EXPECT_GT(files["ledger"], 0u);
  EXPECT_EQ(files["ledger.lock"], 0u);
  EXPECT_EQ(files["ledger.reserve"], 1u << 20);
  EXPECT_FALSE(ledger->Append({}).ok());
  EXPECT_FALSE(ledger->Close().ok());
}

TEST_F(LedgerTest, TheLogIsFoldedEvery1000Pages) {
  const std::unique_ptr<Ledger> ledger = Open({.durability = Durability::kRelaxed});
  LedgerWorld world(4000);
  std::int64_t largest = 0;
  for (int i = 0; i < 120; ++i) {
    Store(ledger.get(), world.Cycle(20));
    largest = std::max(largest, ledger->health().wal_bytes);
  }
  EXPECT_GT(std::filesystem::file_size(path()), 8u << 20);
  EXPECT_LT(largest, 6 << 20);
}

TEST_F(LedgerTest, APolicyPackageIsKeptWhole) {
  const StoredPolicy policy{"feed",
                            {{"policy.lua", std::string("return\0{}", 9)}, {"spec.lua", ""}}};
  std::unique_ptr<Ledger> ledger = Open();
  ASSERT_TRUE(ledger->StorePolicy(policy).ok());
  ASSERT_TRUE(ledger->StorePolicy(policy).ok());
  ASSERT_TRUE(ledger->StorePolicy({"beef", {{"policy.lua", "return 1"}}}).ok());
  EXPECT_FALSE(ledger->StorePolicy({"none", {}}).ok());
  ledger = nullptr;
  ledger = Open();
  const Result<StoredPolicy> found = ledger->LoadPolicy("feed");
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(*found, policy);
  EXPECT_THAT(*ledger->PolicyHashes(), ElementsAre("beef", "feed"));
  EXPECT_EQ(ledger->LoadPolicy("dead").status().code(), StatusCode::kNotFound);
}

std::int64_t FlushesOfACommit(Durability durability) {
  CrashVfs vfs;
  LedgerTesting testing;
  testing.vfs = vfs.name();
  Result<std::unique_ptr<Ledger>> ledger =
      Ledger::Open("L", OpenMode::kCreate, {"test", durability, {}, &testing});
  LedgerWorld world;
  std::size_t before = 0;
  // The first commit may also write the log's header.
  for (int i = 0; i < 2; ++i) {
    before = vfs.record().size();
    const Result<Ticket> ticket = (*ledger)->Append(world.Cycle(2));
    EXPECT_TRUE((*ledger)->Durable(*ticket).ok());
  }
  return std::count_if(vfs.record().begin() + static_cast<std::ptrdiff_t>(before),
                       vfs.record().end(),
                       [](const DiskOp& op) { return op.kind == DiskOp::Kind::kSync; });
}

TEST(LedgerDurability, FullFlushesEachCommitAndRelaxedNone) {
  EXPECT_EQ(FlushesOfACommit(Durability::kFull), 1);
  EXPECT_EQ(FlushesOfACommit(Durability::kRelaxed), 0);
}

}  // namespace
}  // namespace muster
