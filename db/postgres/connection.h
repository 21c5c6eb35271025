// PgConnection: one connection to PostgreSQL, and its answers as Status. The only place that calls
// libpq.
//
// A statement is never cancelled and never timed out: a commit whose answer is not waited for may
// be done or not (see PostgresStore). A connection that broke says so and stays broken.
#ifndef MUSTER_DB_POSTGRES_CONNECTION_H_
#define MUSTER_DB_POSTGRES_CONNECTION_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "muster/status.h"

struct pg_conn;
struct pg_result;

namespace muster {

struct PgParameters;

/// Bytes of a bytea; a plain string is text.
struct PgBytes {
  std::string_view bytes;
};
using PgValue = std::variant<std::int64_t, std::string_view, PgBytes>;

/// What a statement answered; views live as long as it.
class PgRows {
 public:
  int size() const;
  bool empty() const { return size() == 0; }
  /// Rows that were inserted, updated or deleted.
  std::int64_t affected() const;
  std::int64_t Number(int row, int column) const;    ///< of an int8
  std::string_view Text(int row, int column) const;  ///< of text or bytea
  bool IsNull(int row, int column) const;

 private:
  friend class PgConnection;
  struct Clear {
    void operator()(pg_result* result) const;
  };
  explicit PgRows(pg_result* result) : result_(result) {}
  std::unique_ptr<pg_result, Clear> result_;
};

class PgConnection {
 public:
  /// Whether libpq can read `url`, which is connected to nothing.
  static bool CanRead(const std::string& url);
  /// `url` as libpq takes it; passwords and TLS by its own means (service file, pgpass, sslmode).
  /// kUnavailable: no server, or it does not let us in. kFailedPrecondition: too old a server.
  static Result<PgConnection> Open(const std::string& url);
  /// The same, tried again for as long as this.
  static Result<PgConnection> OpenWithin(const std::string& url, std::chrono::milliseconds within);

  /// One statement; int8, text and bytea come back as they are. kUnavailable: the connection broke,
  /// so that it may be done or not (see broken), or the server lacks something. kInternal: the
  /// statement is wrong. kNotFound: a table is missing.
  Result<PgRows> Run(const char* sql, std::span<const PgValue> values = {});
  Result<PgRows> Run(const char* sql, std::initializer_list<PgValue> values) {
    return Run(sql, std::span(values.begin(), values.size()));
  }
  /// The same for a statement that comes again and again: the server plans it once a connection.
  Result<PgRows> RunOften(const char* sql, std::initializer_list<PgValue> values);
  /// Several statements without values and answers, in one transaction.
  Status RunScript(const char* sql);

  /// Has the server plan a statement before RunOften or Send want it, with any values of its types.
  Status Plan(const char* sql, std::initializer_list<PgValue> values);
  /// Sends what RunOften would run, a transaction of its own, and does not wait: answers come in
  /// this order by Next. Until the last has come nothing may be called but these five.
  Status Send(const char* sql, std::initializer_list<PgValue> values);
  /// The same for the first part of a transaction, which the next Send ends. The server may begin
  /// at once, and locks what it needs until then. Planned before. Of both the answer is that of
  /// this one, or the first error. Nothing may be called before that Send.
  Status SendFirstPart(const char* sql, std::initializer_list<PgValue> values);
  /// Waits until Next will not, or until the eventfd `wake` is written to; whether it was the
  /// first.
  Result<bool> Ready(int wake);
  Result<PgRows> Next();
  std::size_t unanswered() const { return unanswered_; }

  bool broken() const;

 private:
  struct Finish {
    void operator()(pg_conn* connection) const;
  };
  explicit PgConnection(pg_conn* connection) : connection_(connection) {}
  /// The name of the statement, which the server knows from now on.
  Result<std::string> Prepare(const char* sql, const PgParameters& parameters);
  /// Sends a statement, and with `ends` the end of its transaction.
  Status Put(const char* sql, std::initializer_list<PgValue> values, bool ends);
  Result<PgRows> Answer(PgRows rows);
  Status Error(const pg_result* result);
  /// Takes in what comes before the end of an answer; whether that has come.
  bool TakeIn();

  std::unique_ptr<pg_conn, Finish> connection_;
  bool lost_ = false;
  std::vector<std::string> prepared_;   ///< statements; number i is called "i"
  std::size_t unanswered_ = 0;          ///< of what was sent
  std::optional<Result<PgRows>> next_;  ///< of the oldest of them, as far as it has come
  bool complete_ = false;               ///< it has come whole
};

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_CONNECTION_H_
