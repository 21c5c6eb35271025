// A backup is one moment of a ledger, whole and verified, or it is not there.
#include "db/sqlite/backup.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "db/sqlite/ledger.h"
#include "db/sqlite/read_only_ledger.h"
#include "tests/testing/ledger_world.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::LedgerWorld;
using testing::ReadFile;
using testing::TemporaryDirectory;
using testing::WriteFile;
namespace fs = std::filesystem;

class BackupTest : public ::testing::Test {
 protected:
  BackupTest() {
    writer_ = *Ledger::Open(path_, OpenMode::kCreate);
    for (int i = 0; i < 20; ++i) Store();
  }

  void Store() {
    const Result<Ticket> ticket = writer_->Append(world_.Cycle(3));
    ASSERT_TRUE(writer_->Durable(*ticket).ok());
  }
  Result<Backup> BackUp(const BackupOptions& options = {}) {
    const auto reader = ReadOnlyLedger::Open(path_);
    if (!reader.ok()) return reader.status();
    return (*reader)->BackUp(to_, options);
  }
  /// Names in the folder of backups.
  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(backups_.path())) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }
  /// Runs `act` in a process of its own and returns how that ended.
  template <typename Act>
  int InAnotherProcess(const Act& act) {
    const pid_t child = fork();
    if (child == 0) {
      act();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }

  TemporaryDirectory directory_;
  TemporaryDirectory backups_;
  const std::string path_ = (directory_.path() / "ledger").string();
  const std::string to_ = (backups_.path() / "copy").string();
  LedgerWorld world_;
  std::unique_ptr<Ledger> writer_;
};

TEST_F(BackupTest, IsTheMomentAtWhichItBeganAlsoWhileTheWriterCommits) {
  int steps = 0;
  BackupOptions options;
  options.pages_a_step = 1;
  options.progress = [&](std::int64_t done, std::int64_t total) {
    EXPECT_LE(done, total);
    if (++steps <= 10) Store();
  };
  const Result<Backup> backup = BackUp(options);
  ASSERT_TRUE(backup.ok()) << backup.status().message();
  EXPECT_GT(steps, 10);
  EXPECT_EQ(backup->last.seq, 20);
  EXPECT_EQ(backup->report.commits, 20);
  EXPECT_EQ(backup->bytes, static_cast<std::int64_t>(fs::file_size(to_)));
  EXPECT_THAT(Files(), ElementsAre("copy"));
  EXPECT_EQ(writer_->last()->seq, 30);
  EXPECT_TRUE(writer_->Verify()->sound());
  const auto restored = Ledger::Open(to_, OpenMode::kExisting);
  ASSERT_TRUE(restored.ok()) << restored.status().message();
  EXPECT_EQ((*restored)->last()->seq, 20);
  EXPECT_TRUE((*restored)->Verify()->sound());
  EXPECT_TRUE((*restored)->Load({}).ok());
}

TEST_F(BackupTest, HoldsWhatIsInTheLogOnlyWhichACopyOfTheFileMisses) {
  fs::copy_file(path_, to_ + "-bare");
  ASSERT_TRUE(BackUp().ok());
  EXPECT_LT((*ReadOnlyLedger::Open(to_ + "-bare"))->last()->seq, 20);
  EXPECT_EQ((*ReadOnlyLedger::Open(to_))->last()->seq, 20);
}

TEST_F(BackupTest, OfAClosedLedgerIsTheSameAndKeepsItsPermissions) {
  writer_.reset();
  fs::permissions(path_, fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(BackUp().ok());
  EXPECT_EQ((*ReadOnlyLedger::Open(to_))->last()->seq, 20);
  EXPECT_EQ(fs::status(to_).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(BackupTest, ReplacesNothing) {
  const auto refused = [this] {
    const Status status = BackUp().status();
    EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition) << status.message();
    EXPECT_THAT(status.message(), HasSubstr("exists; a backup replaces nothing"));
  };
  WriteFile(to_, "mine");
  refused();
  EXPECT_EQ(ReadFile(to_), "mine");
  fs::remove(to_);
  WriteFile(to_ + "-wal", "the log of another ledger");
  refused();
  fs::remove(to_ + "-wal");
  fs::create_symlink("/nowhere", to_);
  refused();
  fs::remove(to_);
  fs::create_directory(to_);
  refused();
  fs::remove(to_);
  EXPECT_TRUE(BackUp().ok());
  refused();
}

TEST_F(BackupTest, DoesNotTakeANameThatCameMeanwhile) {
  BackupOptions options;
  options.at_point = [this](std::string_view point) {
    if (point == "verified") WriteFile(to_, "mine");
  };
  EXPECT_EQ(BackUp(options).status().code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(ReadFile(to_), "mine");
  EXPECT_THAT(Files(), ElementsAre("copy"));
}

TEST_F(BackupTest, IntoNoFolderOrOverItselfIsRefused) {
  const auto reader = ReadOnlyLedger::Open(path_);
  EXPECT_FALSE((*reader)->BackUp("/no/such/folder/copy").ok());
  EXPECT_EQ((*reader)->BackUp(path_).status().code(), StatusCode::kFailedPrecondition);
}

TEST_F(BackupTest, OfADamagedLedgerIsRefusedAndLeavesNothing) {
  writer_.reset();
  std::string bytes = ReadFile(path_);
  const std::size_t at = bytes.find("team-1/job-1");
  ASSERT_NE(at, std::string::npos);
  bytes[at + 5] = 'x';
  WriteFile(path_, bytes);
  const Status status = BackUp().status();
  EXPECT_EQ(status.code(), StatusCode::kDataLoss);
  EXPECT_THAT(status.message(), HasSubstr("no backup was made"));
  EXPECT_THAT(Files(), IsEmpty());
}

class KilledBackup : public BackupTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(KilledBackup, LeavesAWholeOneOrNone) {
  const std::string when = GetParam();
  BackupOptions options;
  options.pages_a_step = 4;
  options.progress = [&when](std::int64_t, std::int64_t) {
    if (when == "copying") raise(SIGKILL);
  };
  options.at_point = [&when](std::string_view point) {
    if (point == when) raise(SIGKILL);
  };
  const int status = InAnotherProcess([&] { (void)BackUp(options); });
  ASSERT_TRUE(WIFSIGNALED(status)) << status;
  EXPECT_EQ(fs::exists(to_), when == "named");
  if (when != "named") {
    ASSERT_TRUE(BackUp().ok()) << "what it left stands in no way";
  }
  EXPECT_THAT(Files(), ElementsAre("copy"));
  EXPECT_TRUE((*(*ReadOnlyLedger::Open(to_))->Verify()).sound());
}

INSTANTIATE_TEST_SUITE_P(Db, KilledBackup,
                         ::testing::Values("copying", "copied", "verified", "named"));

TEST_F(BackupTest, ThatFindsNoRoomSaysSoAndLeavesNothing) {
  const int status = InAnotherProcess([this] {
    const rlimit little{16384, 16384};
    std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &little);
    const Status refused = BackUp().status();
    _exit(refused.code() == StatusCode::kUnavailable &&
                  refused.message().find("cannot copy into it") != std::string::npos
              ? 0
              : 1);
  });
  EXPECT_EQ(status, 0);
  EXPECT_THAT(Files(), IsEmpty());
  EXPECT_TRUE(writer_->Verify()->sound());
}

TEST_F(BackupTest, TwoAtOnceToTheSameNameDoNotMix) {
  BackupOptions options;
  options.at_point = [this](std::string_view point) {
    if (point != "copied") return;
    const Status second = BackUp().status();
    EXPECT_EQ(second.code(), StatusCode::kUnavailable) << second.message();
  };
  EXPECT_TRUE(BackUp(options).ok());
  EXPECT_TRUE((*(*ReadOnlyLedger::Open(to_))->Verify()).sound());
}

}  // namespace
}  // namespace muster
