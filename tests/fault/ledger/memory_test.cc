// Every allocation SQLite makes in a short story fails once, and from then on: a clear error, no
// leak, and what was acknowledged is there afterwards.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <iostream>

#include "tests/fault/ledger/ledger_check.h"
#include "tests/fault/ledger/story.h"

namespace muster::testing {
namespace {

sqlite3_mem_methods real_memory;
bool armed = false;
bool fired = false;
bool persistent = false;
std::int64_t fails_at = 0;
std::int64_t allocations = 0;

bool Fails() {
  if (!armed) return false;
  const std::int64_t now = allocations++;
  const bool fails = now == fails_at || (persistent && now > fails_at);
  fired = fired || fails;
  return fails;
}

void* Malloc(int bytes) { return Fails() ? nullptr : real_memory.xMalloc(bytes); }
void* Realloc(void* old, int bytes) { return Fails() ? nullptr : real_memory.xRealloc(old, bytes); }

/// Puts the failing allocator under SQLite; no connection may be open.
void InstallAllocator() {
  if (real_memory.xMalloc != nullptr) return;  // by an earlier test of this process
  ASSERT_EQ(sqlite3_shutdown(), SQLITE_OK);
  ASSERT_EQ(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real_memory), SQLITE_OK);
  sqlite3_mem_methods failing = real_memory;
  failing.xMalloc = Malloc;
  failing.xRealloc = Realloc;
  ASSERT_EQ(sqlite3_config(SQLITE_CONFIG_MALLOC, &failing), SQLITE_OK);
  ASSERT_EQ(sqlite3_initialize(), SQLITE_OK);
}

void Live(Story* story) {
  for (int session = 0; session < 2; ++session) {
    const std::unique_ptr<Ledger> ledger = story->Open();
    if (!ledger || !story->Load(ledger.get())) return;
    if (!story->Decide(ledger.get(), 1, session == 0 ? 8 : 1)) return;
    if (session == 0 && !story->StorePolicy(ledger.get())) return;
    if (!story->Note(ledger->Close())) return;
  }
}

void CheckWhatIsLeft(const Story& story) {
  LedgerTesting testing = story.testing;
  const Result<std::unique_ptr<Ledger>> ledger =
      Ledger::Open(kStoryFile, OpenMode::kCreate, {"test", Durability::kFull, {}, &testing});
  ASSERT_TRUE(ledger.ok()) << ledger.status().message();
  std::int64_t commits = 0;
  ASSERT_EQ(CompareWithHistory(**ledger, story.history, &commits), "");
  ASSERT_GE(commits, story.acknowledged);
  ASSERT_TRUE(story.boundaries.contains(commits));
}

struct Failures {
  const char* name;
  bool persistent;
  std::int64_t every;  ///< every so manyth allocation has its turn
};
void PrintTo(const Failures& failures, std::ostream* out) { *out << failures.name; }

class Memory : public ::testing::TestWithParam<Failures> {};

TEST_P(Memory, EveryAllocationMayFailWithoutHarm) {
  ASSERT_NO_FATAL_FAILURE(InstallAllocator());
  persistent = GetParam().persistent;
  std::int64_t harmless = -1;  // the last story meets no failure
  fired = true;
  for (fails_at = 0; fired; fails_at += GetParam().every) {
    CrashVfs vfs;
    const sqlite3_int64 before = sqlite3_memory_used();
    {
      Story story(&vfs);
      fired = false;
      allocations = 0;
      armed = true;
      Live(&story);
      armed = false;
      for (const Status& error : story.errors) {
        EXPECT_EQ(error.code(), StatusCode::kUnavailable) << error.message();
        EXPECT_NE(error.message().find("out of memory"), std::string::npos) << error.message();
      }
      harmless += story.errors.empty() ? 1 : 0;
      ASSERT_NO_FATAL_FAILURE(CheckWhatIsLeft(story)) << "allocation " << fails_at;
    }
    ASSERT_EQ(sqlite3_memory_used(), before) << "allocation " << fails_at << " leaks";
  }
  std::cout << fails_at / GetParam().every - 1 << " allocations failed"
            << (persistent ? ", and all after them" : "") << "; SQLite could do without "
            << harmless << " of them\n";
  EXPECT_GT(fails_at, 300);
}

const auto kName = [](const auto& test) { return std::string(test.param.name); };
INSTANTIATE_TEST_SUITE_P(Sqlite, Memory,
                         ::testing::Values(Failures{"Once", false, 4},
                                           Failures{"AndAllAfterIt", true, 4}),
                         kName);
INSTANTIATE_TEST_SUITE_P(NightSqlite, Memory,
                         ::testing::Values(Failures{"Once", false, 1},
                                           Failures{"AndAllAfterIt", true, 1}),
                         kName);

}  // namespace
}  // namespace muster::testing
