// Beside other processes: one moment for several calls, and locks of SQLite that last moments.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

#include "db/sqlite/ledger.h"
#include "db/sqlite/read_only_ledger.h"
#include "db/sqlite/testing.h"
#include "tests/testing/ledger_world.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::LedgerWorld;
using ::testing::Not;
using testing::TemporaryDirectory;
using std::chrono_literals::operator""ms;

class BesideOthers : public ::testing::Test {
 protected:
  BesideOthers() {
    ledger_ = *Ledger::Open(path_, OpenMode::kCreate);
    for (int i = 0; i < 3; ++i) Store();
  }
  void Store() {
    const Result<Ticket> ticket = ledger_->Append(world_.Cycle(3));
    EXPECT_TRUE(ticket.ok() && ledger_->Durable(*ticket).ok());
  }

  TemporaryDirectory directory_;
  const std::string path_ = (directory_.path() / "ledger").string();
  LedgerWorld world_;
  std::unique_ptr<Ledger> ledger_;
};

TEST_F(BesideOthers, WhatIsReadOfAHeldMomentFitsTogether) {
  const auto reader = ReadOnlyLedger::Open(path_);
  ASSERT_TRUE((*reader)->HoldMoment().ok());
  Store();
  std::int64_t commits = 0;
  const Status read = (*reader)->ReadCommits(1, [&commits](const CommitRecord&) {
    ++commits;
    return Status::Ok();
  });
  EXPECT_TRUE(read.ok()) << read.message();
  EXPECT_EQ(commits, 3);
  Store();
  EXPECT_EQ((*reader)->last()->seq, 3);
  EXPECT_TRUE((*reader)->Load({}).ok());
  EXPECT_EQ((*reader)->Verify()->commits, 3);
  const auto copy = (*reader)->BackUp((directory_.path() / "copy").string());
  ASSERT_TRUE(copy.ok()) << copy.status().message();
  EXPECT_EQ(copy->last.seq, 3);
  EXPECT_EQ((*reader)->last()->seq, 3) << "a backup ends no moment";
  EXPECT_EQ((*ReadOnlyLedger::Open(path_))->last()->seq, 5);
}

bool LockPart(int descriptor, short type, off_t first, off_t count) {
  struct flock part = {};
  part.l_type = type;
  part.l_whence = SEEK_SET;
  part.l_start = first;
  part.l_len = count;
  return fcntl(descriptor, F_SETLK, &part) == 0;
}

/// The last to close a file has all of it.
bool LockTheFile(const std::string& path) {
  return LockPart(open(path.c_str(), O_RDWR), F_WRLCK, 0x40000002, 510);
}

/// A process that recovers the index of a log has it open, and its locks to write, merge, recover.
bool LockTheIndex(const std::string& path) {
  constexpr off_t kIndexBytes = 32'768;
  const int descriptor = open((path + "-shm").c_str(), O_RDWR | O_CREAT, 0644);
  return LockPart(descriptor, F_RDLCK, 128, 1) && LockPart(descriptor, F_WRLCK, 120, 3) &&
         ftruncate(descriptor, kIndexBytes) == 0;
}

/// Another process that locks a part of a file for some time, as SQLite does.
class Lock {
 public:
  template <typename LockIt>
  Lock(const LockIt& lock_it, const std::string& path, std::chrono::milliseconds time) {
    int locked[2];
    EXPECT_EQ(pipe(locked), 0);
    child_ = fork();
    if (child_ == 0) {
      const bool told = write(locked[1], lock_it(path) ? "y" : "n", 1) == 1;
      if (told) poll(nullptr, 0, static_cast<int>(time.count()));
      _exit(0);
    }
    char answer = 'n';
    EXPECT_EQ(read(locked[0], &answer, 1), 1);
    EXPECT_EQ(answer, 'y') << path;
    close(locked[0]);
    close(locked[1]);
  }
  ~Lock() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  pid_t child_ = 0;
};

TEST_F(BesideOthers, WhoClosesTheFileLastIsWaitedFor) {
  ledger_.reset();
  {
    const Lock lock(&LockTheFile, path_, 200ms);
    const auto reader = ReadOnlyLedger::Open(path_);
    ASSERT_TRUE(reader.ok()) << reader.status().message();
    EXPECT_EQ((*reader)->last()->seq, 3);
  }
  const Lock lock(&LockTheFile, path_, 200ms);
  const auto writer = Ledger::Open(path_, OpenMode::kExisting);
  ASSERT_TRUE(writer.ok()) << writer.status().message();
}

TEST_F(BesideOthers, WhoRecoversTheIndexOfTheLogIsWaitedFor) {
  ledger_.reset();
  {
    const Lock lock(&LockTheIndex, path_, 200ms);
    const auto reader = ReadOnlyLedger::Open(path_);
    ASSERT_TRUE(reader.ok()) << reader.status().message();
    EXPECT_EQ((*reader)->last()->seq, 3);
  }
  const Lock lock(&LockTheIndex, path_, 200ms);
  const auto writer = Ledger::Open(path_, OpenMode::kExisting);
  ASSERT_TRUE(writer.ok()) << writer.status().message();
}

TEST_F(BesideOthers, AReaderThatLooksForTheEndOfTheLogFailsNoCommit) {
  const Lock lock(&LockTheIndex, path_, 200ms);
  Store();
  EXPECT_TRUE(ledger_->health().failure.ok());
}

TEST_F(BesideOthers, ALockThatIsKeptIsSaidToBeOneAndNotAnOpenLedger) {
  ledger_.reset();
  LedgerTesting testing;
  testing.lock_wait = 20ms;
  const Lock lock(&LockTheFile, path_, 60'000ms);
  const Status reading = ReadOnlyLedger::Open(path_, &testing).status();
  EXPECT_EQ(reading.code(), StatusCode::kUnavailable);
  EXPECT_THAT(reading.message(),
              AllOf(HasSubstr("another process keeps it locked"), Not(HasSubstr("closed"))));
  LedgerOptions options;
  options.testing = &testing;
  const Status writing = Ledger::Open(path_, OpenMode::kExisting, options).status();
  EXPECT_THAT(writing.message(), HasSubstr("another process keeps it locked"));
}

}  // namespace
}  // namespace muster
