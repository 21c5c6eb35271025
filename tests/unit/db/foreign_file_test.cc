// Files that are not ours, or not of our time, are refused and left as they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "db/sqlite/ledger.h"
#include "db/sqlite/migrate.h"
#include "db/sqlite/read_only_ledger.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

using ::testing::HasSubstr;
using testing::ReadFile;
using testing::TemporaryDirectory;

void RunSql(const std::string& path, const std::string& sql) {
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(handle);
  sqlite3_close(handle);
}

void ExpectRefused(const std::string& path, StatusCode code, const std::string& text) {
  const std::string before = ReadFile(path);
  const Status writing = Ledger::Open(path, OpenMode::kCreate).status();
  EXPECT_EQ(writing.code(), code) << writing.message();
  EXPECT_THAT(writing.message(), HasSubstr(text));
  const Status reading = ReadOnlyLedger::Open(path).status();
  EXPECT_EQ(reading.code(), code) << reading.message();
  EXPECT_THAT(reading.message(), HasSubstr(text));
  EXPECT_EQ(ReadFile(path), before) << "the file was changed";
  const bool newer = text.starts_with("is of version");  // a ledger, which has its lock file
  EXPECT_EQ(std::filesystem::exists(path + ".lock"), newer);
}

TEST(ForeignFile, ADatabaseOfAnotherProgramIsRefused) {
  TemporaryDirectory directory;
  const std::string path = directory.path() / "other";
  RunSql(path, "CREATE TABLE t (a); PRAGMA application_id = 77;");
  ExpectRefused(path, StatusCode::kFailedPrecondition, "is not a Muster ledger");
}

TEST(ForeignFile, ADatabaseWithTablesAndNoMarkIsRefused) {
  TemporaryDirectory directory;
  const std::string path = directory.path() / "other";
  RunSql(path, "CREATE TABLE t (a)");
  ExpectRefused(path, StatusCode::kFailedPrecondition, "is not a Muster ledger");
}

TEST(ForeignFile, ALedgerOfANewerVersionIsRefused) {
  TemporaryDirectory directory;
  const std::string path = directory.path() / "ledger";
  ASSERT_TRUE(Ledger::Open(path, OpenMode::kCreate).ok());
  const std::int64_t newer = NewestVersion() + 1;
  RunSql(path, "PRAGMA user_version = " + std::to_string(newer));
  ExpectRefused(path, StatusCode::kFailedPrecondition,
                "is of version " + std::to_string(newer) + "; this Muster knows versions up to " +
                    std::to_string(NewestVersion()));
}

TEST(ForeignFile, TextIsRefused) {
  TemporaryDirectory directory;
  const std::string path = directory.Write("notes", std::string(5000, 'x'));
  ExpectRefused(path, StatusCode::kDataLoss, "is not a Muster ledger: it is another kind of file");
}

TEST(ForeignFile, AnEmptyFileBecomesALedger) {
  TemporaryDirectory directory;
  const std::string path = directory.Write("ledger", "");
  EXPECT_TRUE(Ledger::Open(path, OpenMode::kCreate).ok());
  EXPECT_TRUE(ReadOnlyLedger::Open(path).ok());
}

TEST(Migrations, AreNumberedFromOneAndEndAtTheNewestVersion) {
  std::int64_t expected = 0;
  for (const Migration& migration : Migrations()) {
    EXPECT_EQ(migration.version, ++expected);
    EXPECT_NE(migration.sql.find("PRAGMA user_version = " + std::to_string(expected) + ";"),
              std::string_view::npos);
  }
  EXPECT_EQ(NewestVersion(), expected);
}

TEST(Migrations, NoteWhichProgramDidThem) {
  TemporaryDirectory directory;
  const std::string path = directory.path() / "ledger";
  ASSERT_TRUE(Ledger::Open(path, OpenMode::kCreate, {.engine_version = "9.8"}).ok());
  const auto ledger = ReadOnlyLedger::Open(path);
  const Result<QueryResult> notes = (*ledger)->Query("SELECT value FROM meta");
  ASSERT_TRUE(notes.ok());
  ASSERT_EQ(notes->rows.size(), static_cast<std::size_t>(NewestVersion()));
  EXPECT_EQ(notes->rows[0][0], Cell("muster 9.8, SQLite " + SqliteVersion()));
}

}  // namespace
}  // namespace muster
