// Bits of a closed ledger flip, in every page: it is noticed, or it was in bytes that mean nothing.
#include <gtest/gtest.h>

#include <iostream>
#include <random>

#include "db/sqlite/ledger.h"
#include "db/sqlite/read_only_ledger.h"
#include "tests/fault/ledger/ledger_check.h"
#include "tests/fault/ledger/story.h"

namespace muster::testing {
namespace {

constexpr std::size_t kPage = 4096;

DiskImage ClosedLedger(Story* story) {
  const std::unique_ptr<Ledger> ledger = story->Open();
  EXPECT_NE(ledger, nullptr);
  for (int i = 0; i < 40; ++i) EXPECT_TRUE(story->Decide(ledger.get(), 1, 4));
  EXPECT_TRUE(story->StorePolicy(ledger.get()));
  EXPECT_TRUE(ledger->Close().ok());
  return story->vfs->Visible();
}

/// What a program gets to see of a ledger: its rows, its history, its policy; or an error.
struct Seen {
  bool refused = false;
  StateRows rows;
  std::vector<std::string> history;
  StoredPolicy policy;
  bool operator==(const Seen&) const = default;
};

Seen LookAt(const LedgerTesting& testing) {
  Seen seen;
  Result<std::unique_ptr<ReadOnlyLedger>> ledger = ReadOnlyLedger::Open(kStoryFile, &testing);
  seen.refused = !ledger.ok();
  if (seen.refused) return seen;
  Status status =
      (*ledger)->Load([&](StateRow::Table table, std::string_view key, std::string_view value) {
        seen.rows[{table, std::string(key)}] = std::string(value);
        return Status::Ok();
      });
  if (status.ok()) {
    status = (*ledger)->ReadCommits(1, [&](const CommitRecord& commit) {
      for (const Event& event : commit.events) {
        seen.history.push_back(std::to_string(commit.seq) + event.subject + event.payload);
      }
      return Status::Ok();
    });
  }
  Result<StoredPolicy> policy = (*ledger)->LoadPolicy(kStoryPolicy.hash);
  seen.refused = !status.ok() || !policy.ok();
  if (policy.ok()) seen.policy = *policy;
  return seen;
}

TEST(Damage, IsNoticedWhereverItIs) {
  CrashVfs original;
  Story story(&original);
  const DiskImage whole = ClosedLedger(&story);
  LedgerTesting testing = story.testing;
  const Seen expected = LookAt(testing);
  ASSERT_FALSE(expected.refused);
  ASSERT_EQ(expected.policy, kStoryPolicy);
  CrashVfs vfs;
  testing.vfs = vfs.name();
  std::mt19937_64 random(99);
  const std::size_t pages = whole.at(kStoryFile).size() / kPage;
  int noticed = 0;
  int flips = 0;
  for (std::size_t page = 0; page < pages; ++page) {
    for (int i = 0; i < 60; ++i, ++flips) {
      DiskImage damaged = whole;
      const std::size_t byte = page * kPage + random() % kPage;
      damaged[kStoryFile][byte] =
          static_cast<char>(damaged[kStoryFile][byte] ^ static_cast<char>(1 << random() % 8));
      vfs.Boot(damaged);
      const Seen seen = LookAt(testing);
      if (seen.refused) ++noticed;
      ASSERT_TRUE(seen.refused || seen == expected)
          << "byte " << byte << " was changed and not noticed";
    }
  }
  std::cout << flips << " bits flipped in " << pages << " pages: " << noticed << " refused, "
            << flips - noticed << " without meaning\n";
  EXPECT_GT(noticed, flips / 4);
}

TEST(Damage, IsNoticedWhenTheFileIsCutOff) {
  CrashVfs vfs;
  Story story(&vfs);
  const DiskImage whole = ClosedLedger(&story);
  const Seen expected = LookAt(story.testing);
  ASSERT_FALSE(expected.refused);
  const std::size_t size = whole.at(kStoryFile).size();
  for (std::size_t length = 512; length < size; length += 512) {
    DiskImage cut = whole;
    cut[kStoryFile].resize(length);
    vfs.Boot(cut);
    const Seen seen = LookAt(story.testing);
    ASSERT_TRUE(seen.refused || seen == expected) << length << " of " << size << " bytes";
    if (length + kPage > size) continue;  // what the last page lacks is noticed when it is read
    vfs.Boot(cut);
    ASSERT_FALSE(Ledger::Open(kStoryFile, OpenMode::kExisting, story.Options()).ok())
        << length << " of " << size << " bytes";
  }
}

TEST(Damage, IsNamedByTheFirstCommitThatIsWrong) {
  CrashVfs vfs;
  Story story(&vfs);
  DiskImage disk = ClosedLedger(&story);
  std::string& file = disk[kStoryFile];
  const std::string commit_23 = "{\"commit\":23,\"kind\":\"Admitted\"";
  const std::size_t place = file.find(commit_23);
  ASSERT_NE(place, std::string::npos);
  // The same text may also be in a row of current state; only the event is to be changed.
  for (std::size_t at = place; at != std::string::npos; at = file.find(commit_23, at + 1)) {
    file[at + 12] = '7';
  }
  vfs.Boot(disk);
  const Result<std::unique_ptr<ReadOnlyLedger>> ledger =
      ReadOnlyLedger::Open(kStoryFile, &story.testing);
  ASSERT_TRUE(ledger.ok()) << ledger.status().message();
  const Result<VerifyReport> report = (*ledger)->Verify();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->first_bad_commit, 23);
  EXPECT_EQ(report->commits, 22);
  ASSERT_FALSE(report->findings.empty());
  EXPECT_NE(report->findings[0].find("commit 23: its content does not match its hash"),
            std::string::npos)
      << report->findings[0];
}

}  // namespace
}  // namespace muster::testing
