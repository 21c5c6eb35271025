// A change of a closed ledger behind its back is found, with the place.
#include "db/sqlite/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>

#include "db/sqlite/ledger.h"
#include "db/sqlite/read_only_ledger.h"
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
        Crime{"UPDATE commit_log SET command = 'levitate' WHERE seq = 7", 7,
              "its content does not match its hash"},
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
        Crime{"UPDATE policy_use SET position = 7 WHERE commit_seq = 3", 3,
              "commit 3: its policies are not where they should be"},
        Crime{"UPDATE event SET policy_hash = '' WHERE policy_hash IS NULL AND commit_seq = 4", 4,
              "has an empty policy_hash"},
        Crime{"UPDATE commit_log SET time = -9223372036854775807 - 1 WHERE seq = 3", 3, "commit 3"},
        Crime{"UPDATE workload SET finished_at = -9223372036854775807 - 1 WHERE name = 'job-20'", 0,
              "row team-2/job-20 has a time that is none"},
        Crime{"UPDATE meta SET value = 'muster 9.9' WHERE key = 'version 1 by'", 0,
              "row version 1 by of meta was changed"},
        Crime{"DELETE FROM meta WHERE key = 'version 2 by'", 0,
              "row version 2 by of meta is missing"},
        Crime{"INSERT INTO meta VALUES ('color', 'red', 0)", 0,
              "row color of meta does not belong there"},
        Crime{"DROP VIEW history; UPDATE event SET kind = kind", 0, "view history is missing"},
        Crime{"CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM event; END; UPDATE event "
              "SET kind = kind",
              0, "trigger t does not belong into a ledger"},
        Crime{"DROP TABLE event; UPDATE meta SET value = value", 1,
              "is damaged: no such table: event; muster ledger recover"},
        Crime{"DROP TABLE commit_log; UPDATE meta SET value = value", 1,
              "is damaged: no such table: commit_log"},
        Crime{"DROP TABLE object; UPDATE meta SET value = value", 0,
              "is damaged: no such table: object"},
        Crime{"UPDATE policy SET bytes = x'00'", 0, "file policy.lua of policy feed"}));

/// SQL for a value of the same type that is not `column`.
std::string Another(const std::string& type, const std::string& column) {
  if (type == "INTEGER") return "coalesce(" + column + ", 0) + 1";
  return type == "BLOB" ? "CAST(" + column + " || 'x' AS BLOB)"
                        : "coalesce(" + column + ", '') || 'x'";
}

struct Column {
  std::string table;
  std::string name;
  std::string type;
  bool may_be_null = false;
};

std::vector<Column> AllColumns(const std::string& path) {
  sqlite3* handle = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  std::vector<Column> columns;
  const auto take = [](void* to, int, char** text, char**) {
    const bool may_be_null = std::string_view(text[3]) == "1";
    static_cast<std::vector<Column>*>(to)->push_back({text[0], text[1], text[2], may_be_null});
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(handle,
                         "SELECT t.name, c.name, c.type, NOT c.\"notnull\" AND NOT c.pk FROM "
                         "sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'",
                         take, &columns, nullptr),
            SQLITE_OK);
  sqlite3_close(handle);
  return columns;
}

TEST_F(VerifyTest, AChangeOfAnyColumnOfAnyTableIsFoundAndSoIsALostRow) {
  Tamper("DELETE FROM policy");
  {
    const auto ledger = Ledger::Open(path_, OpenMode::kExisting);
    ASSERT_TRUE((*ledger)->StorePolicy({"5ca1ab1e", {{"policy.lua", "return {}"}}}).ok());
    CompactionPlan plan{3, {}, [](const Event&) { return true; }};
    for (const StateRow::Table table : {StateRow::Table::kObject, StateRow::Table::kWorkload,
                                        StateRow::Table::kQueue, StateRow::Table::kEngine}) {
      plan.rows.push_back({table, "a/b", "bytes"});
    }
    ASSERT_TRUE((*ledger)->Compact(plan).ok());
  }
  VerifyOptions options;
  options.policy_hash = [](const StoredPolicy& policy) { return policy.hash; };
  ASSERT_TRUE(Verify(options).sound());
  const std::vector<Column> columns = AllColumns(path_);
  ASSERT_EQ(columns.size(), 88u) << "new columns are checked too";
  for (const char* suffix : {"-wal", "-shm"}) std::filesystem::remove(path_ + suffix);
  const std::string sound = testing::ReadFile(path_);
  const auto expect_found = [&](const std::string& crime) {
    Tamper("PRAGMA foreign_keys = OFF; " + crime);
    EXPECT_FALSE(Verify(options).sound()) << crime;
    for (const char* suffix : {"-wal", "-shm"}) std::filesystem::remove(path_ + suffix);
    testing::WriteFile(path_, sound);
  };
  std::string table_before;
  for (const auto& [table, name, type, may_be_null] : columns) {
    const std::string last =
        " WHERE " + name + " IS (SELECT " + name + " FROM " + table + " ORDER BY 1 DESC LIMIT 1)";
    const std::string set = "UPDATE OR REPLACE " + table + " SET " + name + " = ";
    expect_found(set + Another(type, name) + last);
    if (may_be_null) {
      const std::string odd = type == "TEXT" ? "''" : "-9223372036854775807 - 1";
      expect_found(set + "CASE WHEN " + name + " IS NULL THEN " + odd + " ELSE NULL END" + last);
    }
    if (table != table_before) expect_found("DELETE FROM " + table + last);
    table_before = table;
  }
  for (const char* schema :
       {"DROP VIEW history", "DROP TABLE meta", "CREATE INDEX i ON event (kind)",
        "CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM event; END",
        "CREATE TABLE more (a)", "ALTER TABLE event ADD COLUMN more TEXT", "ANALYZE"}) {
    expect_found(std::string(schema) + "; UPDATE event SET kind = kind");
  }
}

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
  ASSERT_EQ(report.findings.size(), 3u);
  EXPECT_EQ(report.findings[0], "row clock: it is late");
  EXPECT_THAT(report.findings[1], HasSubstr("policy feed has other files"));
  EXPECT_EQ(report.findings[2], "policy 5ca1ab1e is missing, which commit 1 names");
}

}  // namespace
}  // namespace muster
