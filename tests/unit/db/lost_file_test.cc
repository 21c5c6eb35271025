// Files of an open ledger are removed or replaced, or things named that are none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "db/sqlite/ledger.h"
#include "db/sqlite/read_only_ledger.h"
#include "tests/testing/ledger_world.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::LedgerWorld;
using testing::TemporaryDirectory;

class LostFile : public ::testing::TestWithParam<const char*> {
 protected:
  LostFile() {
    Result<std::unique_ptr<Ledger>> opened = Ledger::Open(path_, OpenMode::kCreate);
    EXPECT_TRUE(opened.ok()) << opened.status().message();
    ledger_ = std::move(*opened);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(Store(ledger_.get()).ok());
  }

  Status Store(Ledger* ledger) {
    const Result<Ticket> ticket = ledger->Append(world_.Cycle(3));
    return ticket.ok() ? ledger->Durable(*ticket) : ticket.status();
  }

  TemporaryDirectory directory_;
  const std::string path_ = (directory_.path() / "ledger").string();
  LedgerWorld world_;
  std::unique_ptr<Ledger> ledger_;
};

TEST_P(LostFile, EndsTheWritingAndIsNamed) {
  const std::string file = path_ + GetParam();
  std::filesystem::rename(file, file + ".away");
  const Status status = Store(ledger_.get());
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), AllOf(HasSubstr("removed or replaced"), HasSubstr(file)));
  EXPECT_FALSE(ledger_->Append(world_.Cycle(1)).ok());
  EXPECT_FALSE(ledger_->health().failure.ok());
}

TEST_P(LostFile, IsNoticedWhenAnotherTookItsName) {
  const std::string file = path_ + GetParam();
  std::filesystem::copy_file(file, file + ".copy");
  std::filesystem::rename(file + ".copy", file);
  EXPECT_THAT(Store(ledger_.get()).message(), HasSubstr(file));
}

INSTANTIATE_TEST_SUITE_P(Db, LostFile, ::testing::Values("", "-wal", "-shm", ".lock"),
                         [](const auto& test) {
                           const std::string suffix = test.param;
                           return suffix.empty() ? std::string("Itself") : suffix.substr(1);
                         });

using LostLog = LostFile;

TEST_F(LostLog, CostsNothingThatWasAcknowledged) {
  std::filesystem::remove(path_ + "-wal");
  EXPECT_FALSE(Store(ledger_.get()).ok());
  ledger_.reset();
  const Result<std::unique_ptr<Ledger>> again = Ledger::Open(path_, OpenMode::kExisting);
  ASSERT_TRUE(again.ok()) << again.status().message();
  EXPECT_GE((*again)->last()->seq, 3);
  EXPECT_TRUE((*again)->Verify()->sound());
}

TEST_F(LostLog, IsNotNeededByAFileThatWasRenamed) {
  std::filesystem::rename(path_, path_ + ".away");
  EXPECT_FALSE(Store(ledger_.get()).ok());
  ledger_.reset();
  const Result<std::unique_ptr<Ledger>> again = Ledger::Open(path_ + ".away", OpenMode::kExisting);
  ASSERT_TRUE(again.ok()) << again.status().message();
  EXPECT_GE((*again)->last()->seq, 3);
}

using LostLock = LostFile;

TEST_F(LostLock, DoesNotLetTwoWrite) {
  std::filesystem::remove(path_ + ".lock");
  const Status second = Ledger::Open(path_, OpenMode::kExisting).status();
  EXPECT_EQ(second.code(), StatusCode::kUnavailable);
  EXPECT_THAT(second.message(), HasSubstr("whose lock file is gone"));
  EXPECT_FALSE(Store(ledger_.get()).ok());
  ledger_.reset();
  const auto again = Ledger::Open(path_, OpenMode::kExisting);
  ASSERT_TRUE(again.ok()) << again.status().message();
  EXPECT_TRUE(Store(again->get()).ok());
  EXPECT_EQ((*again)->last()->seq, 4) << "without what was not confirmed";
  EXPECT_TRUE((*again)->Verify()->sound());
}

TEST(NoFile, APipeOrDeviceIsRefusedAndNothingIsPutBesideIt) {
  TemporaryDirectory directory;
  const std::string pipe = (directory.path() / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {pipe, std::string("/dev/null")}) {
    EXPECT_EQ(Ledger::Open(path, OpenMode::kCreate).status().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(ReadOnlyLedger::Open(path).status().code(), StatusCode::kInvalidArgument);
    EXPECT_FALSE(std::filesystem::exists(path + ".lock"));
  }
}

}  // namespace
}  // namespace muster
