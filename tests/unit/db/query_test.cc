// A user may ask the ledger anything, and cannot change or stall it by asking.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "db/sqlite/ledger.h"
#include "db/sqlite/read_only_ledger.h"
#include "muster/views.h"
#include "tests/testing/ledger_world.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::LedgerWorld;
using testing::TemporaryDirectory;

class QueryTest : public ::testing::Test {
 protected:
  QueryTest() {
    writer_ = *Ledger::Open(path_, OpenMode::kCreate);
    Store(world_.Cycle(3));
    reader_ = *ReadOnlyLedger::Open(path_);
  }

  void Store(Commit commit) {
    const Result<Ticket> ticket = writer_->Append(std::move(commit));
    EXPECT_TRUE(writer_->Durable(*ticket).ok());
  }

  std::int64_t Count(const std::string& table) {
    const Result<QueryResult> result = reader_->Query("SELECT count(*) FROM " + table);
    EXPECT_TRUE(result.ok()) << result.status().message();
    return std::get<std::int64_t>(result->rows[0][0]);
  }

  TemporaryDirectory directory_;
  std::string path_ = directory_.path() / "ledger";
  LedgerWorld world_;
  std::unique_ptr<Ledger> writer_;
  std::unique_ptr<ReadOnlyLedger> reader_;
};

TEST_F(QueryTest, ReadsBesideALiveWriterWhatIsCommitted) {
  EXPECT_EQ(Count("commit_log"), 1);
  const Result<Ticket> ticket = writer_->Append(world_.Cycle(1));
  EXPECT_EQ(Count("commit_log"), 1);
  ASSERT_TRUE(writer_->Durable(*ticket).ok());
  EXPECT_EQ(Count("commit_log"), 2);
  EXPECT_EQ(reader_->last()->seq, 2);
  EXPECT_TRUE(reader_->Verify()->sound());
}

TEST_F(QueryTest, NeverFoldsTheLogAndNeverHoldsUpTheWriter) {
  const auto log = std::filesystem::file_size(path_ + "-wal");
  Count("event");
  reader_.reset();
  EXPECT_EQ(std::filesystem::file_size(path_ + "-wal"), log);
  Store(world_.Cycle(1));
  EXPECT_TRUE(writer_->health().failure.ok());
}

TEST_F(QueryTest, SeesAWorkloadsColumnsAndReadableTimes) {
  Commit commit;
  commit.at = 1'767'225'600 * kSecond;
  StateRow row{StateRow::Table::kWorkload, "research/train-7", "blob"};
  row.workload = WorkloadSummary{
      "0007", "main", "gpu", WorkloadPhase::kAdmitted, 50, commit.at, commit.at + kSecond};
  commit.rows = {row};
  Store(commit);
  const Result<QueryResult> result =
      reader_->Query("SELECT * FROM workloads WHERE namespace = 'research'");
  ASSERT_TRUE(result.ok());
  EXPECT_THAT(result->columns,
              ElementsAre("namespace", "name", "uid", "local_queue", "cluster_queue", "phase",
                          "priority", "created", "reserved_at", "admitted_at", "finished_at"));
  ASSERT_EQ(result->rows.size(), 1u);
  EXPECT_THAT(
      result->rows[0],
      ElementsAre(Cell("research"), Cell("train-7"), Cell("0007"), Cell("main"), Cell("gpu"),
                  Cell("Admitted"), Cell(std::int64_t{50}), Cell("2026-01-01T00:00:00Z"),
                  Cell("2026-01-01T00:00:01Z"), Cell(std::monostate()), Cell(std::monostate())));
}

TEST_F(QueryTest, HistoryTellsEventsWithTimeAndCycle) {
  const Result<QueryResult> result =
      reader_->Query("SELECT cycle, time, kind, subject FROM history ORDER BY seq LIMIT 1");
  ASSERT_TRUE(result.ok());
  EXPECT_THAT(result->rows[0], ElementsAre(Cell(std::int64_t{1}), Cell("2026-01-01T00:00:01Z"),
                                           Cell("Submitted"), Cell("team-1/job-1")));
}

TEST_F(QueryTest, GivesEveryTypeOfValue) {
  const Result<QueryResult> result = reader_->Query("SELECT NULL, 1, 2.5, 'text', x'00ff', ''");
  ASSERT_TRUE(result.ok());
  EXPECT_THAT(result->rows[0],
              ElementsAre(Cell(std::monostate()), Cell(std::int64_t{1}), Cell(2.5), Cell("text"),
                          Cell(Blob{std::string("\0\xff", 2)}), Cell("")));
}

TEST_F(QueryTest, AnythingButASingleReadingStatementIsRefused) {
  for (const char* sql :
       {"DELETE FROM event", "UPDATE workload SET phase = 'x'", "INSERT INTO meta VALUES (1, 2)",
        "PRAGMA journal_mode = DELETE", "PRAGMA wal_checkpoint", "ATTACH 'x' AS y", "BEGIN",
        "CREATE TEMP TABLE t (a)", "DROP TABLE event", "VACUUM", "SELECT 1; SELECT 2",
        "SELECT 1; DELETE FROM event", "", "-- nothing", "SELEKT 1", "SELECT nothing FROM event",
        "SELECT * FROM pragma_wal_checkpoint"}) {
    EXPECT_EQ(reader_->Query(sql).status().code(), StatusCode::kInvalidArgument) << sql;
  }
  EXPECT_GT(Count("event"), 0);
  EXPECT_EQ(reader_->Query("SELECT * FROM pragma_table_info('event')").status().message(),
            "a query may only read: SELECT, WITH or VALUES");
}

TEST_F(QueryTest, AcceptsATrailingSemicolonAndComment) {
  EXPECT_TRUE(reader_->Query("SELECT 1; -- that is all\n").ok());
  EXPECT_TRUE(reader_->Query("WITH t(a) AS (VALUES (1)) SELECT a FROM t").ok());
  EXPECT_TRUE(reader_->Query("VALUES (1), (2)").ok());
}

TEST_F(QueryTest, JsonOfPayloadsCanBeTakenApart) {
  const char* const queries[] = {
      "SELECT json_extract('{\"a\":[1,2]}', '$.a[1]')",
      "SELECT '{\"a\":{\"b\":2}}' -> '$.a' ->> 'b'",
      "SELECT value FROM json_each('[1, 2]') WHERE key = 1",
      "SELECT atom FROM json_tree('{\"a\":[2]}') WHERE type = 'integer'",
      "SELECT count(DISTINCT t.n) + 1 FROM (SELECT 1 AS n FROM commit_log) t, json_each('[5]')"};
  for (int again = 0; again < 2; ++again) {
    for (const char* sql : queries) {
      const Result<QueryResult> found = reader_->Query(sql);
      ASSERT_TRUE(found.ok()) << sql << ": " << found.status().message();
      EXPECT_THAT(found->rows[0], ElementsAre(Cell(std::int64_t{2}))) << sql;
    }
  }
  EXPECT_TRUE(reader_->Query("SELECT json_group_array(kind) FROM event").ok());
  EXPECT_EQ(reader_->Query("SELECT * FROM json_each('nonsense')").status().code(),
            StatusCode::kInvalidArgument);
}

TEST_F(QueryTest, EndsAtItsLimits) {
  const std::string endless =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT ";
  const Status rows = reader_->Query(endless + "i FROM n", {.rows = 1000}).status();
  EXPECT_EQ(rows.code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(rows.message(), HasSubstr("1000 rows"));
  const Status time = reader_->Query(endless + "sum(i) FROM n", {.seconds = 0}).status();
  EXPECT_EQ(time.code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(time.message(), HasSubstr("took too long"));
  EXPECT_EQ(Count("commit_log"), 1) << "the next query runs without those limits";
}

}  // namespace
}  // namespace muster
