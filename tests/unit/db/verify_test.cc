// Whoever changes a closed ledger behind its back is found out, with the place.
#include "db/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "db/ledger.h"
#include "db/read_only_ledger.h"
#include "tests/testing/ledger_world.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

using ::testing::HasSubstr;
using testing::LedgerWorld;
using testing::TemporaryDirectory;

const StoredPolicy kPolicy{"feed", {{"policy.lua", "return {}"}}};

class VerifyTest : public ::testing::Test {
 protected:
  VerifyTest() {
    const auto ledger = Ledger::Open(path_, OpenMode::kCreate);
    LedgerWorld world;
    Ticket last = 0;
    for (int i = 0; i < 8; ++i) last = *(*ledger)->Append(world.Cycle(3));
    EXPECT_TRUE((*ledger)->Durable(last).ok());
    EXPECT_TRUE((*ledger)->StorePolicy(kPolicy).ok());
  }

  void Tamper(const std::string& sql) {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &handle), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(handle);
    EXPECT_GT(sqlite3_total_changes(handle), 0) << sql;
    sqlite3_close(handle);
  }

  VerifyReport Verify(const VerifyOptions& options = {}) {
    const auto ledger = ReadOnlyLedger::Open(path_);
    EXPECT_TRUE(ledger.ok()) << ledger.status().message();
    return *(*ledger)->Verify(options);
  }

  TemporaryDirectory directory_;
  std::string path_ = directory_.path() / "ledger";
};

TEST_F(VerifyTest, AWholeLedgerIsSoundAndCounted) {
  const VerifyReport report = Verify();
  EXPECT_TRUE(report.sound()) << report.findings[0];
  EXPECT_EQ(report.first_bad_commit, 0);
  EXPECT_EQ(report.commits, 8);
  EXPECT_GT(report.events, 8);
  EXPECT_GT(report.rows, 3);
}

TEST_F(VerifyTest, AnEmptyLedgerIsSound) {
  const std::string empty = directory_.path() / "empty";
  ASSERT_TRUE(Ledger::Open(empty, OpenMode::kCreate).ok());
  EXPECT_TRUE((*(*ReadOnlyLedger::Open(empty))->Verify()).sound());
}

struct Crime {
  const char* sql;
  std::int64_t first_bad_commit;
  const char* finding;
};

class TamperTest : public VerifyTest, public ::testing::WithParamInterface<Crime> {};

TEST_P(TamperTest, IsFoundAtItsPlace) {
  Tamper(GetParam().sql);
  const VerifyReport report = Verify();
  EXPECT_EQ(report.first_bad_commit, GetParam().first_bad_commit);
  std::string findings;
  for (const std::string& finding : report.findings) findings += finding + "\n";
  EXPECT_THAT(findings, HasSubstr(GetParam().finding));
}

INSTANTIATE_TEST_SUITE_P(
    Crimes, TamperTest,
    ::testing::Values(
        Crime{"UPDATE event SET payload = '{}' WHERE seq = (SELECT first_event FROM commit_log "
              "WHERE seq = 5)",
              5, "commit 5: its content does not match its hash"},
        Crime{"UPDATE event SET kind = 'Evicted' WHERE commit_seq = 4 AND kind = 'Admitted'", 4,
              "commit 4: its content"},
        Crime{"UPDATE event SET kind = 'Levitated' WHERE commit_seq = 4", 4, "of no known kind"},
        Crime{"UPDATE event SET policy_hash = NULL WHERE commit_seq = 2", 2, "commit 2"},
        Crime{"DELETE FROM event WHERE commit_seq = 6", 6, "events are missing or too many"},
        Crime{"INSERT INTO event SELECT 1000, 8, 'Finished', 'a/b', NULL, '{}'", 8, "commit 8"},
        Crime{"DELETE FROM commit_log WHERE seq = 3", 3, "commit 3: it is missing"},
        Crime{"DELETE FROM event WHERE commit_seq = 8; DELETE FROM policy_use WHERE commit_seq = "
              "8; DELETE FROM commit_log WHERE seq = 8",
              0, "the rows of current state are not those of the newest commit"},
        Crime{"UPDATE commit_log SET time = time + 1 WHERE seq = 7", 7, "commit 7"},
        Crime{"UPDATE commit_log SET command = 'apply' WHERE seq = 7", 7, "commit 7"},
        Crime{"UPDATE commit_log SET command = 'levitate' WHERE seq = 7", 7, "of no known kind"},
        Crime{"UPDATE commit_log SET prev_hash = zeroblob(32) WHERE seq = 2", 2,
              "it does not follow from the commit before it"},
        Crime{"UPDATE commit_log SET hash = x'00' WHERE seq = 2", 2, "its hash is unreadable"},
        Crime{"UPDATE policy_use SET fuel = fuel + 1 WHERE commit_seq = 3", 3, "commit 3"},
        Crime{"INSERT INTO policy_use VALUES (99, 0, 'x', 1, 1)", 9, "belongs to no row of"},
        Crime{"UPDATE workload SET value = x'00' WHERE name = 'job-20'", 0,
              "row team-2/job-20 was changed"},
        Crime{"UPDATE workload SET priority = 1000 WHERE name = 'job-20'", 0,
              "row team-2/job-20 was changed"},
        Crime{"DELETE FROM workload WHERE name = 'job-20'", 0, "not those of the newest commit"},
        Crime{"DELETE FROM engine_state", 0, "not those of the newest commit"},
        Crime{"UPDATE policy SET bytes = x'00'", 0, "file policy.lua of policy feed"}));

TEST_F(VerifyTest, DamagedStateIsNotLoaded) {
  Tamper("UPDATE queue_state SET value = x'00'");
  const auto ledger = Ledger::Open(path_, OpenMode::kExisting);
  ASSERT_TRUE(ledger.ok()) << ledger.status().message();
  const Status status = (*ledger)->Load(
      [](StateRow::Table, std::string_view, std::string_view) { return Status::Ok(); });
  EXPECT_EQ(status.code(), StatusCode::kDataLoss);
  EXPECT_THAT(status.message(), HasSubstr("row research was changed"));
}

TEST_F(VerifyTest, ALedgerWhoseNewestCommitIsDamagedIsNotOpenedForWriting) {
  Tamper("UPDATE event SET payload = '{}' WHERE commit_seq = 8");
  EXPECT_EQ(Ledger::Open(path_, OpenMode::kExisting).status().code(), StatusCode::kDataLoss);
}

TEST_F(VerifyTest, TheCallersChecksBecomeFindings) {
  VerifyOptions options;
  options.rows = [](StateRow::Table, std::string_view key, std::string_view) {
    return key == "clock" ? Status(StatusCode::kInternal, "it is late") : Status::Ok();
  };
  options.policy_hash = [](const StoredPolicy&) { return "beef"; };
  const VerifyReport report = Verify(options);
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0], "row clock: it is late");
  EXPECT_THAT(report.findings[1], HasSubstr("policy feed has other files"));
}

}  // namespace
}  // namespace muster
