// A ledger in a folder that may not be written: readable after a clean close, else said why not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

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
namespace fs = std::filesystem;

class ReadOnlyFolder : public ::testing::Test {
 protected:
  ReadOnlyFolder() {
    Store(3);
    fs::permissions(path_, fs::perms(0444));
  }
  ~ReadOnlyFolder() override { Open(); }

  void Store(int commits) {
    const auto ledger = Ledger::Open(path_, OpenMode::kCreate);
    for (int i = 0; i < commits; ++i) {
      EXPECT_TRUE((*ledger)->Durable(*(*ledger)->Append(world_.Cycle(3))).ok());
    }
  }
  /// From here on this process may not write there; root becomes another user for it.
  void Close() {
    fs::permissions(directory_.path(), fs::perms(0555));
    if (geteuid() == 0) {
      ASSERT_EQ(seteuid(65534), 0);
    }
  }
  void Open() {
    if (getuid() == 0) {
      ASSERT_EQ(seteuid(0), 0);
    }
    fs::permissions(directory_.path(), fs::perms::owner_all);
  }

  TemporaryDirectory directory_;
  const std::string path_ = (directory_.path() / "a ledger?#%").string();
  LedgerWorld world_;
};

TEST_F(ReadOnlyFolder, ACleanlyClosedLedgerIsReadInEveryWay) {
  Close();
  const auto reader = ReadOnlyLedger::Open(path_);
  ASSERT_TRUE(reader.ok()) << reader.status().message();
  EXPECT_EQ((*reader)->last()->seq, 3);
  EXPECT_TRUE((*reader)->Verify()->sound());
  EXPECT_TRUE((*reader)->Load({}).ok());
  EXPECT_TRUE((*reader)->ReadCommits(1, {}).ok());
  EXPECT_EQ((*reader)->Query("SELECT count(*) FROM commit_log")->rows.size(), 1u);
}

TEST_F(ReadOnlyFolder, AnEmptyLogThatAReaderLeftThereMeansNothing) {
  testing::WriteFile(path_ + "-wal", "");
  Close();
  const auto reader = ReadOnlyLedger::Open(path_);
  ASSERT_TRUE(reader.ok()) << reader.status().message();
  EXPECT_EQ((*reader)->last()->seq, 3);
}

TEST_F(ReadOnlyFolder, ALogWithSomethingInItIsNotLeftOut) {
  testing::WriteFile(path_ + "-wal", "something");
  Close();
  const Status status = ReadOnlyLedger::Open(path_).status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("read a copy of it and of its log"));
}

TEST_F(ReadOnlyFolder, ALedgerThatMayNotBeReadIsNotCalledMissing) {
  fs::permissions(path_, fs::perms::none);
  Close();
  EXPECT_EQ(ReadOnlyLedger::Open(path_).status().code(), StatusCode::kUnavailable);
  Open();
  fs::permissions(directory_.path(), fs::perms::none);
  if (getuid() == 0) {
    ASSERT_EQ(seteuid(65534), 0);
  }
  EXPECT_EQ(ReadOnlyLedger::Open(path_).status().code(), StatusCode::kUnavailable);
  EXPECT_EQ(Ledger::Open(path_, OpenMode::kExisting).status().code(), StatusCode::kUnavailable);
}

TEST_F(ReadOnlyFolder, WhatIsWrittenMeanwhileAfterAllIsNotMixedWithWhatWas) {
  Close();
  const auto reader = ReadOnlyLedger::Open(path_);
  ASSERT_TRUE(reader.ok()) << reader.status().message();
  Open();
  fs::permissions(path_, fs::perms::owner_all);
  Store(2);
  EXPECT_EQ((*reader)->Verify().status().code(), StatusCode::kUnavailable);
  EXPECT_THAT((*reader)->Load({}).message(), HasSubstr("was written while it was read"));
  EXPECT_EQ((*(*ReadOnlyLedger::Open(path_))->last()).seq, 5);
}

}  // namespace
}  // namespace muster
