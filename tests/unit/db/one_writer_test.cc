// One process writes a ledger, by whatever name it came; it is not read where its log is missing.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
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

class OneWriter : public ::testing::Test {
 protected:
  OneWriter() { ledger_ = *Ledger::Open(path_, OpenMode::kCreate); }

  Status Store() {
    const Result<Ticket> ticket = ledger_->Append(world_.Cycle(3));
    return ticket.ok() ? ledger_->Durable(*ticket) : ticket.status();
  }
  Status WriteBy(const std::string& name) {
    return Ledger::Open(name, OpenMode::kExisting).status();
  }
  static void ExpectRefused(const Status& status, StatusCode code, const std::string& why) {
    EXPECT_EQ(status.code(), code) << status.message();
    EXPECT_THAT(status.message(), HasSubstr(why));
  }

  TemporaryDirectory directory_;
  const std::string path_ = (directory_.path() / "ledger").string();
  const std::string other_ = (directory_.path() / "other").string();
  LedgerWorld world_;
  std::unique_ptr<Ledger> ledger_;
};

TEST_F(OneWriter, AHardLinkIsRefusedByEitherNameAlsoWhenTheLedgerIsClosed) {
  ASSERT_TRUE(Store().ok());
  fs::create_hard_link(path_, other_);
  for (int closed = 0; closed < 2; ++closed) {
    ExpectRefused(WriteBy(other_), StatusCode::kInvalidArgument, "2 names (hard links)");
    ExpectRefused(ReadOnlyLedger::Open(other_).status(), StatusCode::kInvalidArgument,
                  "2 names (hard links)");
    EXPECT_FALSE(fs::exists(other_ + ".lock"));
    if (closed == 0) {
      EXPECT_TRUE(Store().ok()) << "the writer goes on";
    }
    ledger_.reset();
  }
  ExpectRefused(WriteBy(path_), StatusCode::kInvalidArgument, "hard links");
  fs::remove(other_);
  EXPECT_TRUE(WriteBy(path_).ok());
}

TEST_F(OneWriter, AFileThatWasRenamedWhileItIsOpenIsRefusedUntilItsWriterEnds) {
  ASSERT_TRUE(Store().ok());
  fs::rename(path_, other_);
  ExpectRefused(WriteBy(other_), StatusCode::kUnavailable, "under another name");
  ExpectRefused(ReadOnlyLedger::Open(other_).status(), StatusCode::kUnavailable,
                "being written under another name");
  EXPECT_FALSE(Store().ok());
  ledger_.reset();
  const auto again = Ledger::Open(other_, OpenMode::kExisting);
  ASSERT_TRUE(again.ok()) << again.status().message();
  EXPECT_GE((*again)->last()->seq, 1) << "what was acknowledged is there";
  EXPECT_TRUE((*again)->Verify()->sound());
}

TEST_F(OneWriter, ACopyOfTheLockFileInItsPlaceLetsNoSecondOneIn) {
  fs::copy_file(path_ + ".lock", path_ + ".copy");
  fs::rename(path_ + ".copy", path_ + ".lock");
  ExpectRefused(WriteBy(path_), StatusCode::kUnavailable, "whose lock file is gone");
}

TEST_F(OneWriter, ALinkToTheFolderIsTheSameLedgerAndALinkToTheFileIsRefused) {
  const std::string folder = (directory_.path() / "folder").string();
  fs::create_directory_symlink(directory_.path(), folder);
  ExpectRefused(WriteBy(folder + "/ledger"), StatusCode::kUnavailable,
                "process " + std::to_string(getpid()));
  EXPECT_TRUE(ReadOnlyLedger::Open(folder + "/ledger").ok());
  fs::create_symlink(path_, other_);
  ExpectRefused(WriteBy(other_), StatusCode::kInvalidArgument, "name the file itself");
  ExpectRefused(ReadOnlyLedger::Open(other_).status(), StatusCode::kInvalidArgument,
                "name the file itself");
}

TEST_F(OneWriter, ALedgerMountedAsASingleFileIsRefused) {
  testing::WriteFile(other_, "");
  const pid_t child = fork();
  if (child == 0) {
    const bool mounted = unshare(CLONE_NEWNS) == 0 &&
                         mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                         mount(path_.c_str(), other_.c_str(), nullptr, MS_BIND, nullptr) == 0;
    if (!mounted) _exit(77);
    const bool refused =
        WriteBy(other_).message().find("mounted as a single file") != std::string::npos &&
        !ReadOnlyLedger::Open(other_).ok();
    _exit(refused ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "this process may not mount";
  EXPECT_EQ(status, 0);
}

/// Whether another process would find SQLite's lock on the file that says "I read it".
bool OthersSeeItOpen(const std::string& path) {
  const pid_t child = fork();
  if (child == 0) {
    const int descriptor = open(path.c_str(), O_RDWR);
    struct flock shared = {};
    shared.l_type = F_WRLCK;
    shared.l_whence = SEEK_SET;
    shared.l_start = 0x40000002;
    shared.l_len = 510;
    _exit(fcntl(descriptor, F_GETLK, &shared) == 0 && shared.l_type != F_UNLCK ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status) == 1;
}

TEST_F(OneWriter, WhoIsRefusedOrReadsTakesNoLockOfSqliteAway) {
  ASSERT_TRUE(Store().ok());
  ASSERT_TRUE(OthersSeeItOpen(path_));
  fs::rename(path_ + ".lock", path_ + ".away");
  EXPECT_FALSE(WriteBy(path_).ok());
  fs::rename(path_ + ".away", path_ + ".lock");
  EXPECT_TRUE(OthersSeeItOpen(path_));
  ASSERT_TRUE(ReadOnlyLedger::Open(path_).ok());
  EXPECT_TRUE(OthersSeeItOpen(path_));
  const auto reader = ReadOnlyLedger::Open(path_);
  ASSERT_TRUE((*reader)->last().ok());
  ledger_.reset();
  EXPECT_TRUE(OthersSeeItOpen(path_)) << "the reader has it open";
}

std::size_t OpenDescriptors() {
  const fs::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

TEST_F(OneWriter, ReadersAndRefusedWritersBesideItLeaveNoDescriptorsBehind) {
  const auto use = [this] {
    EXPECT_TRUE(ReadOnlyLedger::Open(path_).ok());
    EXPECT_FALSE(WriteBy(path_).ok());
    fs::rename(path_ + ".lock", path_ + ".away");
    EXPECT_FALSE(WriteBy(path_).ok());
    fs::rename(path_ + ".away", path_ + ".lock");
  };
  use();
  const std::size_t before = OpenDescriptors();
  for (int i = 0; i < 50; ++i) use();
  EXPECT_EQ(OpenDescriptors(), before);
}

}  // namespace
}  // namespace muster
