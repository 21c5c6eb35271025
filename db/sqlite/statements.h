// Statement: a prepared statement that remembers the first mistake until Step reports it.
//
// Text and bytes are bound without a copy: they must live until Reset or the next Step ends.
#ifndef MUSTER_DB_SQLITE_STATEMENTS_H_
#define MUSTER_DB_SQLITE_STATEMENTS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "db/sqlite/connection.h"
#include "muster/status.h"
#include "muster/types.h"

struct sqlite3_stmt;

namespace muster {

class Statement {
 public:
  static Result<Statement> Prepare(const Connection& connection, const std::string& sql);

  /// Parameters are bound in order, from the first; Reset begins again.
  void Bind(std::int64_t value);
  void BindText(std::string_view text);
  void BindBlob(std::string_view bytes);
  void BindNull();
  /// NULL for kNoTime.
  void BindTime(TimeNs time);

  /// True when there is a row, false at the end. After an error only Reset and destruction.
  Result<bool> Step();
  /// Steps to the end of a statement that has no rows, then Reset.
  Status Execute();
  void Reset();

  /// Columns of the row Step found; views live until the next Step or Reset.
  std::int64_t Number(int column) const;
  std::string_view Text(int column) const;  ///< TEXT or BLOB
  TimeNs Time(int column) const;            ///< kNoTime for NULL

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  explicit Statement(const Connection& connection) : connection_(&connection) {}
  void Note(int code);

  const Connection* connection_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int bound_ = 0;
  int failure_ = 0;
};

/// Rows of current state whose table and columns differ only in name, and the order of the columns
/// that every reader and writer of `workload` uses.
inline constexpr const char* kWorkloadColumns =
    "namespace, name, uid, local_queue, cluster_queue, phase, priority, created, reserved_at, "
    "admitted_at, finished_at, value, digest";

}  // namespace muster

#endif  // MUSTER_DB_SQLITE_STATEMENTS_H_
