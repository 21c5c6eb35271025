#include "db/sqlite/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "db/sqlite/read_only_ledger.h"
#include "db/sqlite/testing.h"
#include "tests/testing/crash_vfs.h"
#include "tests/testing/ledger_world.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

using ::testing::AllOf;
using testing::CrashVfs;
using testing::DiskOp;
using ::testing::HasSubstr;
using testing::LedgerWorld;
using testing::TemporaryDirectory;

class LedgerTest : public ::testing::Test {
 protected:
  std::string path() const { return (directory_.path() / "ledger").string(); }

  std::unique_ptr<Ledger> Open(LedgerOptions options = {}, OpenMode mode = OpenMode::kCreate) {
    Result<std::unique_ptr<Ledger>> ledger = Ledger::Open(path(), mode, std::move(options));
    EXPECT_TRUE(ledger.ok()) << ledger.status().message();
    return ledger.ok() ? std::move(*ledger) : nullptr;
  }

  static void Store(Ledger* ledger, Commit commit) {
    const Result<Ticket> ticket = ledger->Append(std::move(commit));
    ASSERT_TRUE(ticket.ok()) << ticket.status().message();
    const Status status = ledger->Durable(*ticket);
    ASSERT_TRUE(status.ok()) << status.message();
  }

  TemporaryDirectory directory_;
};

TEST_F(LedgerTest, DurableStoresAllUpToItsTicketInOneTransaction) {
  int transactions = 0;
  LedgerTesting testing;
  testing.at_point = [&](std::string_view point) { transactions += point == "committed" ? 1 : 0; };
  const std::unique_ptr<Ledger> ledger = Open({.testing = &testing});
  LedgerWorld world;
  Ticket last = 0;
  for (int i = 0; i < 40; ++i) last = *ledger->Append(world.Cycle(3));
  ASSERT_TRUE(ledger->Durable(last).ok());
  ASSERT_TRUE(ledger->Durable(last - 7).ok());
  EXPECT_EQ(transactions, 1);
  EXPECT_EQ(ledger->last()->seq, 40);
  EXPECT_TRUE(ledger->Verify()->sound());
  EXPECT_FALSE(ledger->Durable(last + 1).ok());
}

TEST_F(LedgerTest, ASecondWriterIsRefusedWithProcessAndHostOfTheFirst) {
  std::unique_ptr<Ledger> first = Open();
  const Result<std::unique_ptr<Ledger>> second = Ledger::Open(path(), OpenMode::kExisting);
  ASSERT_FALSE(second.ok());
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  EXPECT_EQ(second.status().code(), StatusCode::kUnavailable);
  EXPECT_THAT(second.status().message(),
              AllOf(HasSubstr("process " + std::to_string(getpid())), HasSubstr(host)));
  ASSERT_TRUE(first->Close().ok());
  EXPECT_TRUE(Ledger::Open(path(), OpenMode::kExisting).ok());
}

TEST_F(LedgerTest, AMissingLedgerIsNotFoundAndNothingIsCreated) {
  EXPECT_EQ(Ledger::Open(path(), OpenMode::kExisting).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(ReadOnlyLedger::Open(path()).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(Ledger::Open("/no/such/place/l", OpenMode::kCreate).status().code(),
            StatusCode::kNotFound);
  EXPECT_TRUE(std::filesystem::is_empty(directory_.path()));
}

TEST_F(LedgerTest, ADirectoryIsRefused) {
  EXPECT_EQ(Ledger::Open(directory_.path(), OpenMode::kCreate).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(directory_.path().string() + ".lock"));
}

TEST_F(LedgerTest, ASymbolicLinkIsFollowedToADirectoryButNotToAFile) {
  std::filesystem::create_directory(directory_.path() / "real");
  std::filesystem::create_directory_symlink("real", directory_.path() / "link");
  const std::string through = (directory_.path() / "link" / "ledger").string();
  ASSERT_TRUE(Ledger::Open(through, OpenMode::kCreate).ok());
  std::filesystem::create_symlink(through, path());
  EXPECT_THAT(Ledger::Open(path(), OpenMode::kExisting).status().message(),
              HasSubstr("is a symbolic link"));
}

TEST_F(LedgerTest, ClosingLeavesOneFileALockAndAReserve) {
  const std::unique_ptr<Ledger> ledger = Open();
  LedgerWorld world;
  Store(ledger.get(), world.Cycle(5));
  ASSERT_TRUE(ledger->Close().ok());
  std::map<std::string, std::uintmax_t> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory_.path())) {
    files[entry.path().filename().string()] = entry.file_size();
  }
  EXPECT_EQ(files.size(), 3u);
  EXPECT_GT(files["ledger"], 0u);
  EXPECT_EQ(files["ledger.lock"], 0u);
  EXPECT_EQ(files["ledger.reserve"], 1u << 20);
  EXPECT_FALSE(ledger->Append({}).ok());
  EXPECT_FALSE(ledger->Close().ok());
}

TEST_F(LedgerTest, TheLogIsFoldedEvery1000Pages) {
  const std::unique_ptr<Ledger> ledger = Open({.durability = Durability::kRelaxed});
  LedgerWorld world(4000);
  std::int64_t largest = 0;
  for (int i = 0; i < 120; ++i) {
    Store(ledger.get(), world.Cycle(20));
    largest = std::max(largest, ledger->health().wal_bytes);
  }
  EXPECT_GT(std::filesystem::file_size(path()), 8u << 20);
  EXPECT_LT(largest, 6 << 20);
}

std::int64_t FlushesOfACommit(Durability durability) {
  CrashVfs vfs;
  LedgerTesting testing;
  testing.vfs = vfs.name();
  Result<std::unique_ptr<Ledger>> ledger =
      Ledger::Open("L", OpenMode::kCreate, {"test", durability, {}, &testing});
  LedgerWorld world;
  std::size_t before = 0;
  // The first commit may also write the log's header.
  for (int i = 0; i < 2; ++i) {
    before = vfs.record().size();
    const Result<Ticket> ticket = (*ledger)->Append(world.Cycle(2));
    EXPECT_TRUE((*ledger)->Durable(*ticket).ok());
  }
  return std::count_if(vfs.record().begin() + static_cast<std::ptrdiff_t>(before),
                       vfs.record().end(),
                       [](const DiskOp& op) { return op.kind == DiskOp::Kind::kSync; });
}

TEST(LedgerDurability, FullFlushesEachCommitAndRelaxedNone) {
  EXPECT_EQ(FlushesOfACommit(Durability::kFull), 1);
  EXPECT_EQ(FlushesOfACommit(Durability::kRelaxed), 0);
}

}  // namespace
}  // namespace muster
