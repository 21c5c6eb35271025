// Every call on a file that a backup makes fails once, and from then on: what stands under the
// name that was asked for is whole, or nothing is.
#include "db/sqlite/backup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "db/sqlite/ledger.h"
#include "db/sqlite/read_only_ledger.h"
#include "tests/testing/failing_files.h"
#include "tests/testing/ledger_world.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

using ::testing::AnyOf;
using testing::FailingFiles;
using ::testing::HasSubstr;
using ::testing::Not;
using Call = FailingFiles::Call;
using Files = std::map<std::string, std::string>;
namespace fs = std::filesystem;

Files In(const fs::path& folder) {
  Files files;
  for (const auto& each : fs::directory_iterator(folder)) {
    files[each.path().filename().string()] = testing::ReadFile(each.path());
  }
  return files;
}

constexpr const char* kNames[] = {"open", "read", "write", "sync", "truncate", "rename"};

class FailingBackup : public ::testing::TestWithParam<std::tuple<Call, int, bool>> {
 protected:
  FailingBackup() {
    writer_ = *Ledger::Open(path_, OpenMode::kCreate);
    testing::LedgerWorld world;
    for (int i = 0; i < 20; ++i) {
      const Result<Ticket> ticket = writer_->Append(world.Cycle(3));
      EXPECT_TRUE(writer_->Durable(*ticket).ok());
    }
  }

  Status BackUp() const {
    const FailingFiles::While counting;
    const auto reader = ReadOnlyLedger::Open(path_);
    return reader.ok() ? (*reader)->BackUp(to_).status() : reader.status();
  }

  testing::TemporaryDirectory directory_;
  testing::TemporaryDirectory backups_;
  const std::string path_ = (directory_.path() / "ledger").string();
  const std::string to_ = (backups_.path() / "copy").string();
  std::unique_ptr<Ledger> writer_;
};

TEST_P(FailingBackup, LeavesAWholeOneOrNoneAndTheSourceAsItWas) {
  const auto& [call, error, lasts] = GetParam();
  Files before = In(directory_.path());
  before.erase("ledger-shm");  // memory that readers share with the writer
  std::int64_t at = 0;
  while (true) {
    FailingFiles::Arm(call, ++at, error, lasts);
    const Status status = BackUp();
    if (!FailingFiles::refused()) break;
    SCOPED_TRACE("call " + std::to_string(at) + ": " + status.message());
    Files after = In(directory_.path());
    after.erase("ledger-shm");
    ASSERT_EQ(after, before);
    for (const auto& [name, bytes] : In(backups_.path())) ASSERT_EQ(name, "copy");
    if (status.ok()) {
      ASSERT_TRUE(fs::exists(to_));
    } else {
      // SQLite takes what cannot be read for damage, in part.
      const bool damage = call == Call::kRead && status.code() == StatusCode::kDataLoss;
      ASSERT_TRUE(damage || status.code() == StatusCode::kUnavailable);
      ASSERT_THAT(status.message(), AnyOf(HasSubstr(to_), HasSubstr(path_)));
      ASSERT_THAT(status.message(),
                  AnyOf(HasSubstr(std::generic_category().message(error)), HasSubstr("disk"),
                        HasSubstr("unable to open"), HasSubstr("readonly"), HasSubstr("just now")));
      ASSERT_THAT(status.message(),
                  Not(AnyOf(HasSubstr("another name"), HasSubstr("not an error"))));
    }
    if (!fs::exists(to_)) continue;
    ASSERT_TRUE((*(*ReadOnlyLedger::Open(to_))->Verify()).sound());
    fs::remove(to_);
  }
  EXPECT_GT(at, 1) << "no call of this kind was made";
  EXPECT_TRUE((*(*ReadOnlyLedger::Open(to_))->Verify()).sound());
  EXPECT_TRUE(writer_->Verify()->sound());
}

INSTANTIATE_TEST_SUITE_P(Ledger, FailingBackup,
                         ::testing::Combine(::testing::Values(Call::kOpen, Call::kRead,
                                                              Call::kWrite, Call::kSync,
                                                              Call::kTruncate, Call::kRename),
                                            ::testing::Values(EIO, ENOSPC), ::testing::Bool()),
                         [](const auto& test) {
                           return std::string(kNames[static_cast<int>(std::get<0>(test.param))]) +
                                  (std::get<1>(test.param) == EIO ? "_io" : "_full") +
                                  (std::get<2>(test.param) ? "_from_then_on" : "_once");
                         });

}  // namespace
}  // namespace muster
