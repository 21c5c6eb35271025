// A history that was compacted: what is left can be proved and read, and goes on.
#include "db/sqlite/base.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/sqlite/ledger.h"
#include "db/sqlite/read_only_ledger.h"
#include "db/sqlite/testing.h"
#include "tests/testing/crash_images.h"
#include "tests/testing/crash_vfs.h"
#include "tests/testing/ledger_world.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

using testing::CrashVfs;
using testing::DiskImage;
using testing::DiskOp;
using ::testing::ElementsAre;
using testing::FoldEvents;
using ::testing::HasSubstr;
using testing::LedgerWorld;
using testing::StateRows;

constexpr int kCommits = 8;
constexpr std::int64_t kFirst = 5;

std::vector<Commit> Told(int commits = kCommits) {
  LedgerWorld world;
  std::vector<Commit> told;
  for (int i = 0; i < commits; ++i) told.push_back(world.Cycle(3));
  return told;
}

void StoreAll(Ledger& ledger, const std::vector<Commit>& commits) {
  for (const Commit& commit : commits) {
    ASSERT_TRUE(ledger.Durable(*ledger.Append(commit)).ok());
  }
}

/// What the rows are after the first `count` of `commits`.
StateRows After(const std::vector<Commit>& commits, std::int64_t count) {
  StateRows rows;
  for (std::int64_t i = 0; i < count; ++i) {
    FoldEvents(commits[static_cast<std::size_t>(i)].events, &rows);
  }
  return rows;
}

/// Commit kFirst becomes the oldest; of what is before it only events about job 1 stay.
CompactionPlan Plan(const std::vector<Commit>& commits) {
  CompactionPlan plan;
  plan.first = kFirst;
  for (const auto& [place, value] : After(commits, kFirst)) {
    plan.rows.push_back({place.first, place.second, value});
  }
  plan.carry = [](const Event& event) { return event.subject == testing::JobKey(1); };
  return plan;
}

StateRows BaseOf(const StoredHistory& ledger) {
  StateRows rows;
  const Status status = ledger.LoadBase([&rows](const StateRow& row) {
    rows[{row.table, row.key}] = *row.value;
    return Status::Ok();
  });
  EXPECT_TRUE(status.ok()) << status.message();
  return rows;
}

StateRows RowsOf(const StoredHistory& ledger) {
  StateRows rows;
  const Status status =
      ledger.Load([&rows](StateRow::Table table, std::string_view key, std::string_view value) {
        rows[{table, std::string(key)}] = value;
        return Status::Ok();
      });
  EXPECT_TRUE(status.ok()) << status.message();
  return rows;
}

std::vector<std::int64_t> CommitsOf(const StoredHistory& ledger, std::int64_t first) {
  std::vector<std::int64_t> seqs;
  const Status status = ledger.ReadCommits(first, [&seqs](const CommitRecord& commit) {
    seqs.push_back(commit.seq);
    return Status::Ok();
  });
  EXPECT_TRUE(status.ok()) << status.message();
  return seqs;
}

class BaseTest : public ::testing::Test {
 protected:
  std::string path() const { return (directory_.path() / "ledger").string(); }
  std::unique_ptr<Ledger> Open(const LedgerTesting* testing = nullptr) {
    LedgerOptions options;
    options.testing = testing;
    Result<std::unique_ptr<Ledger>> ledger = Ledger::Open(path(), OpenMode::kCreate, options);
    EXPECT_TRUE(ledger.ok()) << ledger.status().message();
    return ledger.ok() ? std::move(*ledger) : nullptr;
  }

  testing::TemporaryDirectory directory_;
  const std::vector<Commit> told_ = Told();
};

TEST_F(BaseTest, AWholeHistoryHasNone) {
  const auto ledger = Open();
  StoreAll(*ledger, told_);
  EXPECT_EQ(*ledger->base(), HistoryBase());
  EXPECT_TRUE(BaseOf(*ledger).empty());
}

TEST_F(BaseTest, ACompactedHistoryBeginsLaterAndSaysWithWhat) {
  std::string hash_before;
  {
    const auto ledger = Open();
    StoreAll(*ledger, told_);
    const auto reader = ReadOnlyLedger::Open(path());
    const std::string sql = "SELECT hex(hash) FROM commit_log WHERE seq = 4";
    hash_before = std::get<std::string>((*reader)->Query(sql)->rows[0][0]);
    ASSERT_TRUE(ledger->Compact(Plan(told_)).ok());
    EXPECT_TRUE(ledger->Verify()->sound()) << ledger->Verify()->findings[0];
    StoreAll(*ledger, {Told(kCommits + 1).back()});
  }
  const auto ledger = ReadOnlyLedger::Open(path());
  ASSERT_TRUE(ledger.ok()) << ledger.status().message();
  const Result<VerifyReport> report = (*ledger)->Verify();
  EXPECT_THAT(report->findings, ElementsAre());
  EXPECT_EQ(report->commits, 5);
  EXPECT_EQ(*(*ledger)->base(), (HistoryBase{kFirst, kFirst}));
  EXPECT_EQ(BaseOf(**ledger), After(told_, kFirst));
  EXPECT_EQ(RowsOf(**ledger), After(Told(kCommits + 1), kCommits + 1));
  EXPECT_THAT(CommitsOf(**ledger, 1), ElementsAre(5, 6, 7, 8, 9));
  EXPECT_THAT(CommitsOf(**ledger, 7), ElementsAre(7, 8, 9));
  const std::string sql = "SELECT hex(prev_hash) FROM commit_log WHERE seq = 5";
  EXPECT_EQ(std::get<std::string>((*ledger)->Query(sql)->rows[0][0]), hash_before)
      << "the hash of what was dropped has to stay";
}

TEST_F(BaseTest, WhatIsCarriedComesBeforeTheCommits) {
  const auto ledger = Open();
  StoreAll(*ledger, told_);
  ASSERT_TRUE(ledger->Compact(Plan(told_)).ok());
  std::vector<std::string> expected;
  for (std::int64_t i = 0; i < kCommits; ++i) {
    for (const Event& event : told_[static_cast<std::size_t>(i)].events) {
      if (i + 1 >= kFirst || event.subject == testing::JobKey(1)) {
        expected.push_back(std::to_string(i + 1) + event.subject + event.payload);
      }
    }
  }
  std::vector<std::string> found;
  const Status status = ledger->ReadEvents([&found](const CommitRecord& commit) {
    for (const Event& event : commit.events) {
      found.push_back(std::to_string(commit.seq) + event.subject + event.payload);
    }
    return Status::Ok();
  });
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(found, expected);
}

TEST_F(BaseTest, ASecondCompactionReplacesTheFirst) {
  const auto ledger = Open();
  StoreAll(*ledger, told_);
  ASSERT_TRUE(ledger->Compact(Plan(told_)).ok());
  CompactionPlan again = Plan(told_);
  again.first = 7;
  again.rows.clear();
  ASSERT_TRUE(ledger->Compact(again).ok());
  EXPECT_TRUE(ledger->Verify()->sound());
  EXPECT_TRUE(BaseOf(*ledger).empty());
  EXPECT_THAT(CommitsOf(*ledger, 1), ElementsAre(7, 8));
  std::int64_t carried = 0;
  ASSERT_TRUE(ledger
                  ->ReadCarried([&carried](const CarriedEvent& event) {
                    carried += event.event.subject == testing::JobKey(1) ? 1 : 100;
                    return Status::Ok();
                  })
                  .ok());
  EXPECT_GT(carried, 0) << "what the first one carried is carried on";
  EXPECT_LT(carried, 100);
}

TEST_F(BaseTest, OnlyACommitThatIsThereAndNotTheOldestCanBecomeTheOldest) {
  const auto ledger = Open();
  StoreAll(*ledger, told_);
  for (const std::int64_t first : {std::int64_t{0}, std::int64_t{1}, std::int64_t{kCommits + 1}}) {
    CompactionPlan plan = Plan(told_);
    plan.first = first;
    const Status status = ledger->Compact(plan);
    EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition) << first;
    EXPECT_THAT(status.message(), HasSubstr("from 1 to 8"));
  }
  ASSERT_TRUE(ledger->Append(told_[0]).ok());
  EXPECT_EQ(ledger->Compact(Plan(told_)).code(), StatusCode::kFailedPrecondition)
      << "what is not durable must not be lost sight of";
  EXPECT_EQ(CommitsOf(*ledger, 1).size(), 8u);
}

// Every disk that a power cut may leave during a compaction holds the history before or after it.
TEST(BaseOnADisk, APowerCutLeavesAllOfTheOldOrAllOfTheNew) {
  CrashVfs vfs;
  LedgerTesting testing;
  testing.vfs = vfs.name();
  testing.reserve_bytes = 4096;
  const std::vector<Commit> told = Told();
  const auto open = [&testing] {
    LedgerOptions options;
    options.testing = &testing;
    return Ledger::Open("L", OpenMode::kCreate, options);
  };
  {
    const auto ledger = open();
    StoreAll(**ledger, told);
  }
  const DiskImage before = vfs.Visible();
  vfs.Boot(before);
  {
    const auto ledger = open();
    ASSERT_TRUE((*ledger)->Compact(Plan(told)).ok());
  }
  const std::vector<DiskOp> record = vfs.record();
  const StateRows rows = After(told, kCommits);
  testing::DiskModel model(before);
  testing::DiskModel::Random random(5);
  int old_ones = 0;
  int new_ones = 0;
  for (const DiskOp& op : record) {
    model.Apply(op);
    for (const testing::Loss loss : testing::kLosses) {
      vfs.Boot(model.Draw(loss, random));
      const auto ledger = open();
      ASSERT_TRUE(ledger.ok()) << ledger.status().message();
      ASSERT_TRUE((*ledger)->Verify()->sound()) << (*ledger)->Verify()->findings[0];
      ASSERT_EQ(RowsOf(**ledger), rows);
      const bool is_new = *(*ledger)->base() != HistoryBase();
      ASSERT_EQ(CommitsOf(**ledger, 1).size(), is_new ? 4u : 8u);
      ++(is_new ? new_ones : old_ones);
    }
  }
  EXPECT_GT(old_ones, 10);
  EXPECT_GT(new_ones, 10);
}

}  // namespace
}  // namespace muster
