// PlainSqlite: the floor of everything durable. The same rows as a commit's, in one transaction of
// plain prepared statements, one row a step, no hash and no digest; and a place for its files.
#ifndef MUSTER_TESTS_BENCH_PLAIN_SQLITE_H_
#define MUSTER_TESTS_BENCH_PLAIN_SQLITE_H_

#include <sqlite3.h>

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>

#include "db/sqlite/migrate.h"
#include "muster/journal.h"
#include "tests/bench/measure.h"

namespace muster::bench {

class PlainSqlite {
 public:
  explicit PlainSqlite(const std::string& path) {
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
    queue_ = Prepare("INSERT OR REPLACE INTO queue_state VALUES (?,?,0)");
    engine_ = Prepare("INSERT OR REPLACE INTO engine_state VALUES (?,?,0)");
    workload_ = Prepare("INSERT OR REPLACE INTO workload VALUES (?,?,?,?,?,?,?,?,?,?,?,?,0)");
  }
  ~PlainSqlite() {
    for (sqlite3_stmt* s : {begin_, commit_, commit_row_, event_, workload_, queue_, engine_})
      sqlite3_finalize(s);
    sqlite3_close(handle_);
  }
  PlainSqlite(const PlainSqlite&) = delete;
  PlainSqlite& operator=(const PlainSqlite&) = delete;

  void Write(const Commit& commit) {
    Step(begin_);
    Numbers(commit_row_, {++seq_, commit.at, commit.cycle, next_event_,
                          static_cast<std::int64_t>(commit.events.size())});
    for (const Event& event : commit.events) WriteEvent(event);
    for (const StateRow& row : commit.rows) {
      if (row.table == StateRow::Table::kWorkload) {
        WriteWorkload(row);
      } else {
        WriteOther(row.table == StateRow::Table::kQueue ? queue_ : engine_, row);
      }
    }
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

  void WriteOther(sqlite3_stmt* statement, const StateRow& row) {
    Text(statement, 1, row.key);
    sqlite3_bind_blob64(statement, 2, row.value->data(), row.value->size(), SQLITE_STATIC);
    Step(statement);
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
  sqlite3_stmt* queue_ = nullptr;
  sqlite3_stmt* engine_ = nullptr;
  std::int64_t seq_ = 0;
  std::int64_t next_event_ = 1;
};

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

}  // namespace muster::bench

#endif  // MUSTER_TESTS_BENCH_PLAIN_SQLITE_H_
