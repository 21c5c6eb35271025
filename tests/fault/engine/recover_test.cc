// Damage drill: bits flip in every page of a ledger. Each is named, or was in bytes that mean
// nothing; none is used. What `recover` saves is compared with what an oracle says can be saved.
//
// The oracle asks SQLite for each row of the ledger that was never damaged, by its key, in the
// damaged file, with none of Muster's code. What it gets back as it was is whole; from that it
// derives by hand which commits and which state must be saved.
#include "bindings/upkeep/recover.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "bindings/cpp/replay.h"
#include "bindings/cpp/stored_policies.h"
#include "db/sqlite/read_only_ledger.h"
#include "tests/fault/engine/engine_story.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kHeader = 100;
constexpr int kCommits = 120;

struct CloseHandle {
  void operator()(sqlite3* handle) const { sqlite3_close(handle); }
};
using Handle = std::unique_ptr<sqlite3, CloseHandle>;

Handle OpenFile(const std::string& path) {
  sqlite3* handle = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  Handle opened(handle);
  sqlite3_exec(handle, "PRAGMA cell_size_check = ON", nullptr, nullptr, nullptr);
  return opened;
}

/// The rows of `sql` as text; false when it cannot be run to its end.
bool Select(sqlite3* handle, const std::string& sql, std::vector<std::string>* rows) {
  sqlite3_stmt* statement = nullptr;
  int code = sqlite3_prepare_v2(handle, sql.c_str(), -1, &statement, nullptr);
  if (code == SQLITE_OK) code = sqlite3_step(statement);
  for (; code == SQLITE_ROW; code = sqlite3_step(statement)) {
    std::string row;
    for (int i = 0; i < sqlite3_column_count(statement); ++i) {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
      row += text == nullptr ? "NULL" : text;
      row += '|';
    }
    rows->push_back(std::move(row));
  }
  sqlite3_finalize(statement);
  return code == SQLITE_DONE;
}

/// One row of the ledger before the damage: how it is asked for, and what it was.
struct KnownRow {
  std::string select;
  std::string was;
};

struct KnownTable {
  const char* name;
  const char* key;      ///< an SQL condition that finds a row by its key
  const char* columns;  ///< an SQL text of all of its columns
};
constexpr KnownTable kState[] = {
    {"workload", "'namespace = ' || quote(namespace) || ' AND name = ' || quote(name)",
     "namespace, name, uid, local_queue, cluster_queue, phase, priority, created, reserved_at, "
     "admitted_at, finished_at, hex(value), digest"},
    {"object", "'kind = ' || quote(kind) || ' AND name = ' || quote(name)",
     "kind, name, hex(value), digest"},
    {"queue_state", "'key = ' || quote(key)", "key, hex(value), digest"},
    {"engine_state", "'key = ' || quote(key)", "key, hex(value), digest"}};
constexpr KnownTable kPolicy = {"policy",
                                "'hash = ' || quote(hash) || ' AND path = ' || quote(path)",
                                "hash, path, hex(bytes), digest"};
constexpr KnownTable kCommit = {"commit_log", "'seq = ' || seq",
                                "seq, time, cycle, command, engine_version, first_event, events, "
                                "state_digest, hex(prev_hash), hex(hash), hex(input)"};
constexpr KnownTable kEvent = {"event", "'seq = ' || seq",
                               "seq, commit_seq, kind, subject, policy_hash, payload"};
constexpr KnownTable kUse = {"policy_use",
                             "'commit_seq = ' || commit_seq || ' AND position = ' || "
                             "position",
                             "commit_seq, position, hash, calls, fuel"};

std::vector<KnownRow> Know(sqlite3* handle, const KnownTable& table,
                           const std::string& where = "1") {
  std::vector<std::string> keys;
  EXPECT_TRUE(Select(handle,
                     std::string("SELECT ") + table.key + " FROM " + table.name + " WHERE " + where,
                     &keys));
  std::vector<KnownRow> known;
  for (std::string key : keys) {
    key.pop_back();
    const std::string select =
        std::string("SELECT ") + table.columns + " FROM " + table.name + " WHERE " + key;
    std::vector<std::string> was;
    EXPECT_TRUE(Select(handle, select, &was));
    known.push_back({select, was.at(0)});
  }
  return known;
}

bool AreWhole(sqlite3* handle, const std::vector<KnownRow>& rows) {
  return std::all_of(rows.begin(), rows.end(), [handle](const KnownRow& row) {
    std::vector<std::string> found;
    return Select(handle, row.select, &found) && found.size() == 1 && found[0] == row.was;
  });
}

/// What was in the ledger, and what can be saved of it when it is damaged.
class Oracle {
 public:
  explicit Oracle(const std::string& path) {
    const Handle handle = OpenFile(path);
    for (const KnownTable& table : kState) {
      for (KnownRow& row : Know(handle.get(), table)) state_.push_back(std::move(row));
      scans_.push_back(std::string("SELECT count(*) FROM (SELECT ") + table.columns + " FROM " +
                       table.name + " ORDER BY 1, 2)");
    }
    for (const std::string& scan : scans_) {
      std::vector<std::string> count;
      EXPECT_TRUE(Select(handle.get(), scan, &count));
      counts_.push_back(count.at(0));
    }
    policy_ = Know(handle.get(), kPolicy);
    for (int seq = 1; seq <= kCommits; ++seq) {
      const std::string number = std::to_string(seq);
      std::vector<KnownRow>& rows = commits_.emplace_back();
      for (const auto& [table, where] :
           {std::pair{kCommit, "seq = " + number}, std::pair{kEvent, "commit_seq = " + number},
            std::pair{kUse, "commit_seq = " + number}}) {
        for (KnownRow& row : Know(handle.get(), table, where)) rows.push_back(std::move(row));
      }
    }
    std::vector<std::string> activated;
    EXPECT_TRUE(Select(handle.get(), "SELECT commit_seq FROM event WHERE kind = 'PolicyActivated'",
                       &activated));
    EXPECT_EQ(activated.size(), 1u);
    activated_ = std::stoi(activated.at(0));
  }

  struct Saved {
    bool nothing = false;  ///< not even the list of tables can be read
    bool rows = false;     ///< the state of the newest commit, by its rows
    int first = 1;
    int last = 0;
  };

  /// `path` is the damaged file with the first bytes of the whole one, which are known.
  Saved Judge(const std::string& path) const {
    const Handle handle = OpenFile(path);
    Saved saved;
    std::vector<std::string> tables;
    saved.nothing =
        !Select(handle.get(), "SELECT count(*) FROM sqlite_schema WHERE name = 'commit_log'",
                &tables) ||
        tables.at(0) != "1|";
    if (saved.nothing) return saved;
    std::vector<bool> good;
    for (const std::vector<KnownRow>& rows : commits_) good.push_back(AreWhole(handle.get(), rows));
    saved.rows = good.back() && AreWhole(handle.get(), state_);
    for (std::size_t i = 0; saved.rows && i < scans_.size(); ++i) {
      std::vector<std::string> count;
      saved.rows = Select(handle.get(), scans_[i], &count) && count.at(0) == counts_[i];
    }
    if (saved.rows) {
      saved.last = saved.first = kCommits;
      while (saved.first > 1 && good[static_cast<std::size_t>(saved.first) - 2]) --saved.first;
      return saved;
    }
    while (saved.last < kCommits && good[static_cast<std::size_t>(saved.last)]) ++saved.last;
    // What a damaged package decided cannot be repeated.
    if (!AreWhole(handle.get(), policy_)) saved.last = std::min(saved.last, activated_ - 1);
    return saved;
  }

 private:
  std::vector<KnownRow> state_;
  std::vector<std::string> scans_;
  std::vector<std::string> counts_;
  std::vector<KnownRow> policy_;
  std::vector<std::vector<KnownRow>> commits_;
  int activated_ = 0;
};

class RecoverDrill {
 public:
  RecoverDrill() {
    CrashVfs vfs;
    EngineStory story(&vfs, 7);
    EXPECT_TRUE(story.Live(1, kCommits));
    states_ = story.states;
    whole_ = vfs.Visible().at("L");
    directory_.Write("whole", whole_);
    oracle_ = std::make_unique<Oracle>(Path("whole"));
    std::set<std::string> kinds;
    for (std::size_t page = 0; page < pages(); ++page) kinds.insert(KindOf(page));
    EXPECT_EQ(kinds,
              (std::set<std::string>{"interior of a table", "leaf of a table",
                                     "interior of an index", "leaf of an index", "overflow"}))
        << "the drill has to meet every kind of page";
  }

  std::size_t pages() const { return whole_.size() / kPage; }

  void Flip(std::size_t byte, int bit) {
    SCOPED_TRACE("byte " + std::to_string(byte) + ", bit " + std::to_string(bit) + ", " +
                 KindOf(byte / kPage));
    ++flips_;
    std::string damaged = whole_;
    damaged[byte] = static_cast<char>(damaged[byte] ^ static_cast<char>(1 << bit));
    Clean();
    directory_.Write("damaged", damaged);
    directory_.HoldsNoHistory("damaged");
    directory_.HoldsNoHistory("judged");
    const bool named = IsNamed();
    std::string judged = damaged;
    judged.replace(0, kHeader, whole_, 0, kHeader);
    directory_.Write("judged", judged);
    const Oracle::Saved expected = oracle_->Judge(Path("judged"));
    if (!named) {
      ++meaningless_;
      EXPECT_TRUE(expected.rows && expected.first == 1) << "damage that was not named";
    }
    const Result<Recovered> recovered = RecoverLedger(Path("damaged"), Path("saved"));
    EXPECT_EQ(ReadFile(Path("damaged")), damaged) << "the damaged file has to stay";
    if (expected.nothing || expected.last == 0) {
      ++(expected.nothing ? nothing_ : empty_);
      EXPECT_FALSE(recovered.ok());
      EXPECT_FALSE(std::filesystem::exists(Path("saved")));
      return;
    }
    ASSERT_TRUE(recovered.ok()) << recovered.status().message();
    EXPECT_EQ(recovered->last.seq, expected.last);
    // The oracle asks by key. A scan may still find a row whose key is damaged, and so save more:
    // CheckSaved repeats all of it.
    EXPECT_LE(recovered->base.first, expected.first);
    EXPECT_NE(recovered->repeated, expected.rows);
    ++(expected.rows ? (expected.first == 1 ? all_ : state_) : prefix_);
    CheckSaved(static_cast<std::size_t>(expected.last), recovered->lost_policies.empty());
  }

  void Tell() const {
    std::cout << flips_ << " bits flipped in " << pages() << " pages: " << meaningless_
              << " without meaning, " << all_ << " saved whole, " << state_
              << " with the state and a part of the history, " << prefix_ << " up to the damage, "
              << empty_ << " with nothing to build on, " << nothing_ << " unreadable\n";
    EXPECT_GT(state_, 0);
    EXPECT_GT(prefix_, 0);
    EXPECT_GT(all_, 0);
  }

 private:
  std::string Path(const std::string& name) const { return (directory_.path() / name).string(); }

  void Clean() const {
    for (const char* name : {"damaged", "judged", "saved"}) {
      for (const char* suffix : {"", "-wal", "-shm", ".report", ".jsonl"}) {
        std::filesystem::remove(Path(name) + suffix);
      }
    }
  }

  std::string KindOf(std::size_t page) const {
    switch (whole_[page * kPage + (page == 0 ? kHeader : 0)]) {
      case 2:
        return "interior of an index";
      case 5:
        return "interior of a table";
      case 10:
        return "leaf of an index";
      case 13:
        return "leaf of a table";
      default:
        return "overflow";
    }
  }

  /// Whether `ledger verify` says that it is damaged.
  bool IsNamed() const {
    const auto ledger = ReadOnlyLedger::Open(Path("damaged"));
    if (!ledger.ok()) return true;
    VerifyOptions options;
    options.policy_hash = HashOf;
    const Result<VerifyReport> report = (*ledger)->Verify(options);
    return !report.ok() || !report->sound();
  }

  /// The new ledger has a state that there was after `commits` commits, and can be repeated.
  void CheckSaved(std::size_t commits, bool policies) {
    const auto ledger = ReadOnlyLedger::Open(Path("saved"));
    ASSERT_TRUE(ledger.ok()) << ledger.status().message();
    const Result<Engine> engine = ReadLedger(**ledger);
    if (!policies && !engine.ok()) {  // it names a package that is lost, and says so
      directory_.HoldsNoHistory("saved");
      return;
    }
    ASSERT_TRUE(engine.ok()) << engine.status().message();
    EXPECT_EQ(*engine->StateHash(), states_.at(commits));
    const Result<Replayed> replayed = ReplayLedger(**ledger);
    if (!policies) directory_.HoldsNoHistory("saved");
    ASSERT_TRUE(replayed.ok() || !policies) << replayed.status().message();
    if (replayed.ok()) {
      EXPECT_EQ(replayed->state_hash, states_.at(commits));
    }
  }

  TemporaryDirectory directory_;
  std::string whole_;
  std::vector<std::string> states_;
  std::unique_ptr<Oracle> oracle_;
  int flips_ = 0, meaningless_ = 0, all_ = 0, state_ = 0, prefix_ = 0, empty_ = 0, nothing_ = 0;
};

void Drill(int flips_a_page, std::uint64_t seed) {
  RecoverDrill drill;
  std::mt19937_64 random(seed);
  for (std::size_t page = 0; page < drill.pages() && !::testing::Test::HasFailure(); ++page) {
    for (int i = 0; i < flips_a_page; ++i) {
      drill.Flip(page * kPage + random() % kPage, static_cast<int>(random() % 8));
      if (::testing::Test::HasFailure()) return;
    }
  }
  drill.Tell();
}

TEST(RecoverDrill, SavesWhatTheOracleSaysCanBeSaved) { Drill(1, 1); }

TEST(NightRecoverDrill, SavesWhatTheOracleSaysCanBeSaved) { Drill(60, 2); }

}  // namespace
}  // namespace muster::testing
