#include "db/sqlite/query.h"

#include <sqlite3.h>

#include <chrono>
#include <memory>
#include <string_view>

namespace muster {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kOperationsBetweenLooks = 10'000;

int Allow(void*, int action, const char*, const char*, const char*, const char*) {
  const bool harmless = action == SQLITE_SELECT || action == SQLITE_READ ||
                        action == SQLITE_FUNCTION || action == SQLITE_RECURSIVE;
  return harmless ? SQLITE_OK : SQLITE_DENY;
}

int IsLate(void* deadline) { return Clock::now() > *static_cast<Clock::time_point*>(deadline); }

/// Sets the guards on a connection for one query.
class Guard {
 public:
  Guard(sqlite3* handle, std::int64_t seconds)
      : handle_(handle), deadline_(Clock::now() + std::chrono::seconds(seconds)) {
    sqlite3_set_authorizer(handle_, &Allow, nullptr);
    sqlite3_progress_handler(handle_, kOperationsBetweenLooks, &IsLate, &deadline_);
  }
  ~Guard() {
    sqlite3_progress_handler(handle_, 0, nullptr, nullptr);
    sqlite3_set_authorizer(handle_, nullptr, nullptr);
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  sqlite3* handle_;
  Clock::time_point deadline_;
};

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using StatementPtr = std::unique_ptr<sqlite3_stmt, Finalize>;

std::string Bytes(sqlite3_stmt* statement, int column) {
  const void* data = sqlite3_column_blob(statement, column);
  const int size = sqlite3_column_bytes(statement, column);
  return data == nullptr
             ? std::string()
             : std::string(static_cast<const char*>(data), static_cast<std::size_t>(size));
}

Cell CellAt(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_column_int64(statement, column)};
    case SQLITE_FLOAT:
      return sqlite3_column_double(statement, column);
    case SQLITE_TEXT:
      return Bytes(statement, column);
    case SQLITE_BLOB:
      return Blob{Bytes(statement, column)};
    default:
      return std::monostate();
  }
}

Status Refused(const Connection& connection, int code) {
  // Of a pragma as a table it is an error like others, but for its words.
  const bool refused = sqlite3_errmsg(connection.handle()) == std::string_view("not authorized");
  switch (refused ? SQLITE_AUTH : code & 0xff) {
    case SQLITE_AUTH:
      return {StatusCode::kInvalidArgument, "a query may only read: SELECT, WITH or VALUES"};
    case SQLITE_ERROR:
    case SQLITE_TOOBIG:
    case SQLITE_MISMATCH:
      return {StatusCode::kInvalidArgument, sqlite3_errmsg(connection.handle())};
    case SQLITE_INTERRUPT:
      return {StatusCode::kFailedPrecondition, "the query took too long; ask for less"};
    default:
      return connection.Error(code, "run the query");
  }
}

Result<StatementPtr> PrepareOne(const Connection& connection, const std::string& sql) {
  sqlite3_stmt* raw = nullptr;
  const char* tail = nullptr;
  const int code = sqlite3_prepare_v2(connection.handle(), sql.c_str(),
                                      static_cast<int>(sql.size()) + 1, &raw, &tail);
  StatementPtr statement(raw);
  if (code != SQLITE_OK) return Refused(connection, code);
  if (raw == nullptr || sqlite3_column_count(raw) == 0 || sqlite3_stmt_readonly(raw) == 0) {
    return Status(StatusCode::kInvalidArgument, "a query is one SELECT, WITH or VALUES");
  }
  sqlite3_stmt* second = nullptr;
  const int rest = sqlite3_prepare_v2(connection.handle(), tail, -1, &second, nullptr);
  const bool more = rest != SQLITE_OK || second != nullptr;
  sqlite3_finalize(second);
  if (more) return Status(StatusCode::kInvalidArgument, "a query is a single statement");
  return statement;
}

/// SQLite sets json_each and json_tree up when a connection first names them, by a statement that
/// the authorizer refuses; so that is done before.
Status PrepareJson(const Connection& connection) {
  return connection.Run("SELECT 1 FROM json_each('[]'), json_tree('[]')");
}

}  // namespace

Result<QueryResult> RunQuery(const Connection& connection, const std::string& sql,
                             const QueryLimits& limits) {
  if (Status status = PrepareJson(connection); !status.ok()) return status;
  const Guard guard(connection.handle(), limits.seconds);
  Result<StatementPtr> prepared = PrepareOne(connection, sql);
  if (!prepared.ok()) return prepared.status();
  sqlite3_stmt* statement = prepared->get();
  QueryResult result;
  const int columns = sqlite3_column_count(statement);
  for (int i = 0; i < columns; ++i) {
    const char* name = sqlite3_column_name(statement, i);
    result.columns.emplace_back(name == nullptr ? "" : name);
  }
  int code = sqlite3_step(statement);
  for (; code == SQLITE_ROW; code = sqlite3_step(statement)) {
    if (static_cast<std::int64_t>(result.rows.size()) >= limits.rows) {
      return Status(
          StatusCode::kFailedPrecondition,
          "the query has more than " + std::to_string(limits.rows) + " rows; add a LIMIT");
    }
    std::vector<Cell>& row = result.rows.emplace_back();
    for (int i = 0; i < columns; ++i) row.push_back(CellAt(statement, i));
  }
  if (code != SQLITE_DONE) return Refused(connection, code);
  return result;
}

}  // namespace muster
