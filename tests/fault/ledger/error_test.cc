// Every operation of a short story fails once, and from then on: the ledger says so clearly, takes
// nothing more, and what it had acknowledged survives - in the same machine and in a power cut.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "tests/fault/ledger/ledger_check.h"
#include "tests/fault/ledger/story.h"
#include "tests/testing/crash_images.h"

namespace muster::testing {
namespace {

bool IsWrite(const DiskOp& op) { return op.kind == DiskOp::Kind::kWrite; }

/// Whether anything was written after the fault, be it by rolling back or by closing.
bool WroteAfterTheFault(const Story& story) {
  const std::vector<DiskOp>& record = story.vfs->record();
  const auto fault = record.begin() + static_cast<std::ptrdiff_t>(story.vfs->fault_moment());
  return std::any_of(fault + 1, record.end(), IsWrite);
}

/// Two sessions; stops at the first refusal.
void LiveUntilRefused(Story* story) {
  for (int session = 0; session < 2; ++session) {
    const std::unique_ptr<Ledger> ledger = story->Open();
    if (!ledger || !story->Load(ledger.get())) return;
    for (int i = 0; i < 4; ++i) {
      if (!story->Decide(ledger.get(), 1 + i % 2, 2)) {
        // It must say why, and keep saying so.
        EXPECT_FALSE(ledger->health().failure.ok());
        EXPECT_FALSE(ledger->Append({}).ok());
        EXPECT_FALSE(ledger->StorePolicy(kStoryPolicy).ok());
        return;
      }
    }
    if (!story->StorePolicy(ledger.get()) || !story->Note(ledger->Close())) return;
  }
}

/// Opens the disk without faults: everything acknowledged is there, and it can go on.
std::string Look(const Story& story, const DiskImage& disk, std::int64_t acknowledged) {
  CrashVfs vfs;
  vfs.Boot(disk);
  LedgerTesting testing = story.testing;
  testing.vfs = vfs.name();
  Result<std::unique_ptr<Ledger>> ledger =
      Ledger::Open(kStoryFile, OpenMode::kCreate, {"test", Durability::kFull, {}, &testing});
  if (!ledger.ok()) return "open: " + ledger.status().message();
  std::int64_t commits = 0;
  const std::string wrong = CompareWithHistory(**ledger, story.history, &commits);
  if (!wrong.empty()) return wrong;
  if (!story.boundaries.contains(commits)) return "half a transaction";
  if (commits < acknowledged) return "acknowledged commits are gone";
  if (story.policy_acknowledged && !(*ledger)->LoadPolicy(kStoryPolicy.hash).ok()) {
    return "the policy is gone";
  }
  const Result<Ticket> ticket = (*ledger)->Append({});
  if (!ticket.ok() || !(*ledger)->Durable(*ticket).ok()) return "it cannot go on";
  return "";
}

void CheckWhatIsLeft(const Story& story, const std::string& place) {
  ASSERT_EQ(Look(story, story.vfs->Visible(), story.acknowledged), "") << place << ", same machine";
  DiskModel model;
  for (const DiskOp& op : story.vfs->record()) model.Apply(op);
  DiskModel::Random random(7);
  for (const Loss loss : {Loss::kNothingArrived, Loss::kSubset, Loss::kTorn}) {
    ASSERT_EQ(Look(story, model.Draw(loss, random), story.acknowledged), "")
        << place << ", power cut, loss " << static_cast<int>(loss);
  }
}

/// Fails the k-th operation, for every k that the story reaches. The number of failures.
std::int64_t SweepFaults(Fault fault, const char* name) {
  for (std::int64_t k = 0;; ++k) {
    CrashVfs vfs;
    Story story(&vfs);
    fault.at = k;
    vfs.Inject(fault);
    LiveUntilRefused(&story);
    const bool fired = vfs.fault_fired();
    vfs.ClearFault();
    if (!fired) return k;
    const std::string place = std::string(name) + " at operation " + std::to_string(k);
    for (const Status& error : story.errors) {
      EXPECT_TRUE(error.code() == StatusCode::kUnavailable || error.code() == StatusCode::kDataLoss)
          << place << ": " << error.message();
      EXPECT_NE(error.message().find("ledger"), std::string::npos)
          << place << ": " << error.message();
    }
    // A full disk is met once more, without the reserve; and SQLite does without some files' sizes.
    const bool tolerated = fault.kind == FaultKind::kDiskFull || (fault.targets & kSizes) != 0;
    EXPECT_FALSE(!tolerated && !story.errors.empty() && WroteAfterTheFault(story)) << place;
    CheckWhatIsLeft(story, place);
    if (::testing::Test::HasFatalFailure()) return k;
  }
}

struct FaultCase {
  const char* name;
  FaultKind kind;
  unsigned targets;
};

class EveryOperation : public ::testing::TestWithParam<FaultCase> {};

TEST_P(EveryOperation, MayFailWithoutHarm) {
  const FaultCase& c = GetParam();
  for (const bool persistent : {false, true}) {
    const std::int64_t faults = SweepFaults({c.kind, c.targets, 0, persistent}, c.name);
    std::cout << c.name << (persistent ? ", and all after it: " : ": ") << faults << " failures\n";
    EXPECT_GT(faults, 5);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Disk, EveryOperation,
    ::testing::Values(FaultCase{"Read", FaultKind::kIoError, kReads},
                      FaultCase{"ShortRead", FaultKind::kShortRead, kReads},
                      FaultCase{"Write", FaultKind::kIoError, kWrites},
                      FaultCase{"WriteToFullDisk", FaultKind::kDiskFull, kWrites},
                      FaultCase{"Flush", FaultKind::kIoError, kSyncs},
                      FaultCase{"OpenSizeDeleteTruncateShare", FaultKind::kIoError,
                                kTruncates | kDeletes | kOpens | kSizes | kSharedMemory}),
    [](const auto& test) { return std::string(test.param.name); });

/// Cuts the power at every moment from `start` on.
void CheckEveryMomentFrom(std::size_t start, const Story& story, std::int64_t acknowledged) {
  DiskModel model;
  DiskModel::Random random(7);
  std::set<std::uint64_t> seen;
  const std::vector<DiskOp>& record = story.vfs->record();
  for (std::size_t moment = 0; moment < record.size(); ++moment) {
    model.Apply(record[moment]);
    if (moment < start) continue;
    if (record[moment].kind == DiskOp::Kind::kMark) acknowledged = record[moment].number;
    for (const Loss loss : {Loss::kNothingArrived, Loss::kSubset}) {
      const DiskImage disk = model.Draw(loss, random);
      if (!seen.insert(ContentHash(disk)).second) continue;
      ASSERT_EQ(Look(story, disk, acknowledged), "")
          << "moment " << moment << " of " << start << " to " << record.size();
    }
  }
}

// A kernel forgets, after a failed flush, that pages it still shows never reached the disk. The
// ledger is opened again in the same machine and the story goes on; then the power is cut.
TEST(FailedFlush, LeavesNothingThatLaterCommitsCouldBuildOn) {
  std::int64_t failures = 0;
  for (std::int64_t k = 0;; ++k) {
    CrashVfs vfs;
    Story story(&vfs);
    vfs.Inject({FaultKind::kIoError, kSyncs, k, false});
    LiveUntilRefused(&story);
    if (!vfs.fault_fired()) break;
    ++failures;
    vfs.ClearFault();
    const std::size_t start = vfs.record().size();
    const std::int64_t acknowledged = story.acknowledged;
    std::unique_ptr<Ledger> ledger = story.Open();
    ASSERT_NE(ledger, nullptr) << story.errors.back().message();
    // What was refused may be there or not; the rest of the story follows what is there.
    std::int64_t commits = 0;
    ASSERT_EQ(CompareWithHistory(*ledger, story.history, &commits), "");
    ASSERT_GE(commits, acknowledged);
    story.history.resize(static_cast<std::size_t>(commits));
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(story.Decide(ledger.get(), 1, 1));
    ledger.reset();
    ASSERT_NO_FATAL_FAILURE(CheckEveryMomentFrom(start, story, acknowledged)) << "flush " << k;
  }
  EXPECT_GT(failures, 10);
}

/// A ledger that folds its log after so many pages runs out of space: in the file, or in the log.
class FullDisk : public ::testing::TestWithParam<int> {};

TEST_P(FullDisk, CostsTheReserveFirstAndOnlyThenTheLedger) {
  CrashVfs vfs;
  Story story(&vfs);
  story.testing.checkpoint_pages = GetParam();
  story.testing.reserve_bytes = 100'000;
  std::unique_ptr<Ledger> ledger = story.Open();
  ASSERT_NE(ledger, nullptr);
  EXPECT_FALSE(ledger->health().reserve_spent);
  vfs.LimitSpace(400'000);
  while (!ledger->health().reserve_spent) ASSERT_TRUE(story.Decide(ledger.get(), 1, 3));
  EXPECT_FALSE(vfs.Visible().contains("L.reserve"));
  const std::int64_t when_spent = story.acknowledged;
  while (story.Decide(ledger.get(), 1, 3)) {
  }
  EXPECT_GT(story.acknowledged, when_spent + 1) << "the reserve's space was of no use";
  EXPECT_NE(story.errors.back().message().find("the disk is full"), std::string::npos);
  ledger.reset();
  vfs.LimitSpace(-1);
  CheckWhatIsLeft(story, "full disk");
  ledger = story.Open();
  ASSERT_NE(ledger, nullptr);
  EXPECT_FALSE(ledger->health().reserve_spent) << "there is room for a reserve again";
}

INSTANTIATE_TEST_SUITE_P(Disk, FullDisk, ::testing::Values(12, 1'000'000));

}  // namespace
}  // namespace muster::testing
