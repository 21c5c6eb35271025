// What the ledger costs over SQLite itself: the same rows in the same transactions, once through
// Ledger and once through plain prepared statements, one row a step, no hash and no digest.
//
//   ledger_bench [DIRECTORY]
//
// For each size of commit both write alternately, a commit at a time, to files side by side, so
// that the moods of disk and machine hit both alike; medians are compared. A directory in memory
// (/dev/shm) shows the processor's part alone. Then opens and loads a ledger of kLoadRows
// workloads. Exit 1 when a ratio is below kFloor.
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "db/ledger.h"
#include "db/migrate.h"
#include "tests/testing/ledger_world.h"

namespace muster {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kFloor = 0.5;
constexpr double kSecondsPerSize = 4;
constexpr int kLoadRows = 500'000;

void Require(bool ok, const std::string& what) {
  if (ok) return;
  std::fprintf(stderr, "ledger_bench: %s\n", what.c_str());
  std::exit(3);
}

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

double Seconds(const std::function<void()>& work) {
  const Clock::time_point start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

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

/// Ratio of the medians, raw to ledger.
double Compare(const std::filesystem::path& directory, int size) {
  const std::string name = "ledger-bench-" + std::to_string(size);
  const std::filesystem::path place = directory / name;
  std::filesystem::remove_all(place);
  std::filesystem::create_directories(place);
  std::vector<double> raw_times;
  std::vector<double> ledger_times;
  {
    Raw raw(place / "raw");
    Result<std::unique_ptr<Ledger>> ledger =
        Ledger::Open(place / "ledger", OpenMode::kCreate, {.engine_version = "bench"});
    Require(ledger.ok(), ledger.status().message());
    testing::LedgerWorld world;
    bool submit = true;
    double spent = 0;
    while (spent < kSecondsPerSize || ledger_times.size() < 20) {
      Commit commit = NextCommit(&world, size, &submit);
      raw_times.push_back(Seconds([&] { raw.Write(commit); }));
      ledger_times.push_back(Seconds([&] {
        const Result<Ticket> ticket = (*ledger)->Append(std::move(commit));
        Require(ticket.ok() && (*ledger)->Durable(*ticket).ok(), "the ledger refused a commit");
      }));
      spent += raw_times.back() + ledger_times.back();
    }
  }
  const double raw = Median(raw_times);
  const double own = Median(ledger_times);
  const auto bytes = static_cast<double>(std::filesystem::file_size(place / "ledger"));
  std::printf("%9d %12.1f %12.1f %14.0f %8.2f %16.0f\n", size, raw * 1e6, own * 1e6, size / own,
              raw / own, 2 * bytes / (static_cast<double>(ledger_times.size()) * size));
  std::filesystem::remove_all(place);
  return raw / own;
}

void MeasureLoad(const std::filesystem::path& directory) {
  const std::filesystem::path place = directory / "ledger-bench-load";
  std::filesystem::remove_all(place);
  std::filesystem::create_directories(place);
  {
    const auto ledger =
        Ledger::Open(place / "ledger", OpenMode::kCreate, {.durability = Durability::kRelaxed});
    Require(ledger.ok(), ledger.status().message());
    testing::LedgerWorld world;
    for (int rows = 0; rows < kLoadRows; rows += 1000) {
      const Result<Ticket> ticket = (*ledger)->Append(world.Submit(1000));
      Require(ticket.ok() && (*ledger)->Durable(*ticket).ok(), "the ledger refused a commit");
    }
  }
  Result<std::unique_ptr<Ledger>> ledger = Status();
  const double open =
      Seconds([&] { ledger = Ledger::Open(place / "ledger", OpenMode::kExisting); });
  std::int64_t rows = 0;
  const double load = Seconds([&] {
    const Status status = (*ledger)->Load([&rows](auto, auto, auto) {
      ++rows;
      return Status::Ok();
    });
    Require(status.ok(), status.message());
  });
  const double verify = Seconds([&] { Require((*ledger)->Verify()->sound(), "not sound"); });
  std::printf("\n%lld rows: opened in %.3f s, loaded in %.3f s, verified in %.2f s\n",
              static_cast<long long>(rows), open, load, verify);
  ledger = Status();
  std::filesystem::remove_all(place);
}

int Main(int argc, char** argv) {
  const std::filesystem::path directory =
      argc > 1 ? std::filesystem::path(argv[1]) : std::filesystem::current_path();
  std::printf("%9s %12s %12s %14s %8s %16s\n", "workloads", "SQLite us", "ledger us",
              "ledger rows/s", "ratio", "bytes a workload");
  bool good = true;
  for (const int size : {1, 10, 100, 1000}) good = Compare(directory, size) >= kFloor && good;
  MeasureLoad(directory);
  return good ? 0 : 1;
}

}  // namespace
}  // namespace muster

int main(int argc, char** argv) { return muster::Main(argc, argv); }
