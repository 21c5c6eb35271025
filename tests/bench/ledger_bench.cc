// What the ledger costs over SQLite itself: the same rows in the same transactions, once through
// Ledger and once through plain prepared statements, one row a step, no hash and no digest.
//
// For each size of commit both write alternately, a commit at a time, to files side by side, so
// that the moods of disk and machine hit both alike; medians are compared. The files are made in
// the working directory; one in memory (/dev/shm) shows the processor's part alone. Then opens,
// loads and verifies a ledger of kLoadRows workloads.
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "db/ledger.h"
#include "db/migrate.h"
#include "tests/bench/measure.h"
#include "tests/testing/ledger_world.h"

namespace muster::bench {
namespace {

constexpr int kLoadRows = 500'000;

/// The plain writer.
class Raw {
 public:
  explicit Raw(const std::string& path) {
    Require(sqlite3_open(path.c_str(), &handle_) == SQLITE_OK, "open");
    Run("PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        "PRAGMA wal_autocheckpoint = 1000");
    Run(std::string(Migrations()[0].sql));
    begin_ = Prepare("BEGIN IMMEDIATE");
    commit_ = Prepare("COMMIT");
    commit_row_ = Prepare(
        "INSERT INTO commit_log VALUES (?,?,?,'cycle','bench',?,?,0,zeroblob(32),"
        "zeroblob(32))");
    event_ = Prepare("INSERT INTO event VALUES (?,?,?,?,?,?)");
    workload_ = Prepare("INSERT OR REPLACE INTO workload VALUES (?,?,?,?,?,?,?,?,?,?,?,?,0)");
  }
  ~Raw() {
    for (sqlite3_stmt* s : {begin_, commit_, commit_row_, event_, workload_}) sqlite3_finalize(s);
    sqlite3_close(handle_);
  }
  Raw(const Raw&) = delete;
  Raw& operator=(const Raw&) = delete;

  void Write(const Commit& commit) {
    Step(begin_);
    Numbers(commit_row_, {++seq_, commit.at, commit.cycle, next_event_,
                          static_cast<std::int64_t>(commit.events.size())});
    for (const Event& event : commit.events) WriteEvent(event);
    for (const StateRow& row : commit.rows) WriteWorkload(row);
    Step(commit_);
  }

 private:
  void WriteEvent(const Event& event) {
    sqlite3_bind_int64(event_, 1, next_event_++);
    sqlite3_bind_int64(event_, 2, seq_);
    Text(event_, 3, EventName(event.kind));
    Text(event_, 4, event.subject);
    if (event.policy_hash.empty()) {
      sqlite3_bind_null(event_, 5);
    } else {
      Text(event_, 5, event.policy_hash);
    }
    Text(event_, 6, event.payload);
    Step(event_);
  }

  void WriteWorkload(const StateRow& row) {
    const std::size_t slash = row.key.find('/');
    const std::string_view key = row.key;
    const WorkloadSummary& summary = *row.workload;
    Text(workload_, 1, key.substr(0, slash));
    Text(workload_, 2, key.substr(slash + 1));
    Text(workload_, 3, summary.uid);
    Text(workload_, 4, summary.local_queue);
    Text(workload_, 5, summary.cluster_queue);
    Text(workload_, 6, "Pending");
    sqlite3_bind_int64(workload_, 7, summary.priority);
    sqlite3_bind_int64(workload_, 8, summary.created);
    if (summary.reserved_at == kNoTime) {
      sqlite3_bind_null(workload_, 9);
      sqlite3_bind_null(workload_, 10);
    } else {
      sqlite3_bind_int64(workload_, 9, summary.reserved_at);
      sqlite3_bind_int64(workload_, 10, summary.admitted_at);
    }
    sqlite3_bind_null(workload_, 11);
    sqlite3_bind_blob64(workload_, 12, row.value->data(), row.value->size(), SQLITE_STATIC);
    Step(workload_);
  }

  void Run(const std::string& sql) {
    Require(sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK, sql);
  }
  sqlite3_stmt* Prepare(const char* sql) {
    sqlite3_stmt* statement = nullptr;
    Require(sqlite3_prepare_v2(handle_, sql, -1, &statement, nullptr) == SQLITE_OK, sql);
    return statement;
  }
  static void Text(sqlite3_stmt* statement, int column, std::string_view text) {
    sqlite3_bind_text64(statement, column, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  }
  static void Numbers(sqlite3_stmt* statement, std::initializer_list<std::int64_t> numbers) {
    int column = 0;
    for (const std::int64_t number : numbers) sqlite3_bind_int64(statement, ++column, number);
    Step(statement);
  }
  static void Step(sqlite3_stmt* statement) {
    Require(sqlite3_step(statement) == SQLITE_DONE, sqlite3_sql(statement));
    sqlite3_reset(statement);
  }

  sqlite3* handle_ = nullptr;
  sqlite3_stmt* begin_ = nullptr;
  sqlite3_stmt* commit_ = nullptr;
  sqlite3_stmt* commit_row_ = nullptr;
  sqlite3_stmt* event_ = nullptr;
  sqlite3_stmt* workload_ = nullptr;
  std::int64_t seq_ = 0;
  std::int64_t next_event_ = 1;
};

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

/// Alternately `size` new workloads, and the start of as many: one event and one row each.
Commit NextCommit(testing::LedgerWorld* world, int size, bool* submit) {
  Commit commit = *submit ? world->Submit(size) : world->Start(size);
  *submit = !*submit;
  return commit;
}

/// A new empty directory below the working directory, gone with everything in it at the end.
class Place {
 public:
  Place() : path_(std::filesystem::current_path() / "ledger-bench") {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Place() { std::filesystem::remove_all(path_); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

std::unique_ptr<Ledger> Open(const std::filesystem::path& path, const LedgerOptions& options) {
  return Take(Ledger::Open(path, OpenMode::kCreate, options));
}

void Write(Ledger& ledger, Commit commit) {
  Require(ledger.Durable(Take(ledger.Append(std::move(commit)))));
}

/// One iteration compares the two writers for `budget` seconds.
void Compare(benchmark::State& state, int size, double budget) {
  for (auto _ : state) {
    const Place place;
    std::vector<double> raw_times;
    std::vector<double> ledger_times;
    {
      Raw raw(place / "raw");
      const std::unique_ptr<Ledger> ledger = Open(place / "ledger", {.engine_version = "bench"});
      testing::LedgerWorld world;
      bool submit = true;
      double spent = 0;
      while (spent < budget || ledger_times.size() < 2) {
        Commit commit = NextCommit(&world, size, &submit);
        raw_times.push_back(Seconds([&] { raw.Write(commit); }));
        ledger_times.push_back(Seconds([&] { Write(*ledger, std::move(commit)); }));
        spent += raw_times.back() + ledger_times.back();
      }
    }
    const double own = Median(ledger_times);
    const auto bytes = static_cast<double>(std::filesystem::file_size(place / "ledger"));
    state.SetIterationTime(own);
    state.counters["floor, s"] = Median(raw_times);
    state.counters["rows a second"] = size / own;
    state.counters["bytes a workload"] =
        2 * bytes / (static_cast<double>(ledger_times.size()) * size);
  }
}

void Load(benchmark::State& state, int workloads) {
  for (auto _ : state) {
    const Place place;
    {
      const auto ledger = Open(place / "ledger", {.durability = Durability::kRelaxed});
      testing::LedgerWorld world;
      for (int rows = 0; rows < workloads; rows += 1000) Write(*ledger, world.Submit(1000));
    }
    std::unique_ptr<Ledger> ledger;
    const double open =
        Seconds([&] { ledger = Take(Ledger::Open(place / "ledger", OpenMode::kExisting)); });
    const double load =
        Seconds([&] { Require(ledger->Load([](auto, auto, auto) { return Status::Ok(); })); });
    state.SetIterationTime(open + load);
    state.counters["of it to open, s"] = open;
    state.counters["verify, s"] =
        Seconds([&] { Require(ledger->Verify()->sound(), "the ledger is not sound"); });
  }
}

}  // namespace

void RegisterAll(Size size) {
  const bool smoke = size == Size::kSmoke;
  const double budget = smoke ? 0 : 2;
  for (const int rows : {1, 10, 100, 1000}) {
    const std::string name = "ledger/commit of " + std::to_string(rows) + " workloads";
    benchmark::RegisterBenchmark(name.c_str(), Compare, rows, budget)
        ->Iterations(1)
        ->UseManualTime();
  }
  const int load = smoke ? 1000 : kLoadRows;
  benchmark::RegisterBenchmark(
      ("ledger/open and load " + std::to_string(load) + " workloads").c_str(), Load, load)
      ->Iterations(1)
      ->Repetitions(1)
      ->UseManualTime();
}

}  // namespace muster::bench
