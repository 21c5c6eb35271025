// Ledgers of every past version are read as they are, and opened for writing become new ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>

#include "db/sqlite/ledger.h"
#include "db/sqlite/migrate.h"
#include "db/sqlite/read_only_ledger.h"
#include "tests/testing/ledger_world.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

using ::testing::HasSubstr;
using testing::LedgerWorld;
using testing::ReadFile;
using testing::TemporaryDirectory;

/// A copy of the ledger that is kept of a version.
std::string StoredLedger(std::int64_t version, const TemporaryDirectory& directory) {
  const auto kept = testing::SourceDir() / "tests/golden/ledgers" /
                    ("version-" + std::to_string(version) + ".ledger");
  return directory.Write("ledger", ReadFile(kept)).string();
}

std::int64_t CommitsOf(ReadOnlyLedger& ledger) {
  const auto found = ledger.Query("SELECT count(*) FROM commit_log");
  return found.ok() ? std::get<std::int64_t>(found->rows[0][0]) : -1;
}

std::int64_t VersionOf(ReadOnlyLedger& ledger) {
  const auto found = ledger.Query("SELECT count(*) FROM meta");
  return found.ok() ? std::get<std::int64_t>(found->rows[0][0]) : -1;
}

class OldVersion : public ::testing::TestWithParam<std::int64_t> {};

TEST_P(OldVersion, IsReadAndVerifiedWithoutBeingChanged) {
  const TemporaryDirectory directory;
  const std::string path = StoredLedger(GetParam(), directory);
  const std::string before = ReadFile(path);
  const auto ledger = ReadOnlyLedger::Open(path);
  ASSERT_TRUE(ledger.ok()) << ledger.status().message();
  const Result<VerifyReport> report = (*ledger)->Verify();
  EXPECT_THAT(report->findings, ::testing::IsEmpty());
  EXPECT_EQ(report->commits, CommitsOf(**ledger));
  EXPECT_EQ(VersionOf(**ledger), GetParam());
  EXPECT_EQ(ReadFile(path), before);
}

TEST_P(OldVersion, BecomesANewOneWhenItIsWritten) {
  const TemporaryDirectory directory;
  const std::string path = StoredLedger(GetParam(), directory);
  const std::int64_t before = CommitsOf(**ReadOnlyLedger::Open(path));
  {
    const auto ledger = Ledger::Open(path, OpenMode::kExisting);
    ASSERT_TRUE(ledger.ok()) << ledger.status().message();
    Commit commit;
    commit.at = (*ledger)->last()->at + kSecond;
    EXPECT_TRUE((*ledger)->Durable(*(*ledger)->Append(std::move(commit))).ok());
  }
  const auto ledger = ReadOnlyLedger::Open(path);
  const Result<VerifyReport> report = (*ledger)->Verify();
  EXPECT_THAT(report->findings, ::testing::IsEmpty());
  EXPECT_EQ(report->commits, before + 1);
  EXPECT_EQ(VersionOf(**ledger), NewestVersion());
}

INSTANTIATE_TEST_SUITE_P(Db, OldVersion, ::testing::Range<std::int64_t>(1, NewestVersion()));

TEST(OldVersionItself, IsKeptOfEachButTheNewest) {
  const auto kept = testing::FilesUnder(testing::SourceDir() / "tests/golden/ledgers", ".ledger");
  EXPECT_EQ(static_cast<std::int64_t>(kept.size()), NewestVersion() - 1);
}

}  // namespace
}  // namespace muster
