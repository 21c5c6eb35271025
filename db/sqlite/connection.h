// Connection: one SQLite handle with the ledger's settings, and its errors as Status.
//
// The only place that opens a database. A connection is closed without a checkpoint unless
// FoldOnClose was called: after an I/O error nothing more may be written.
#ifndef MUSTER_DB_SQLITE_CONNECTION_H_
#define MUSTER_DB_SQLITE_CONNECTION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "db/sqlite/inode_lock.h"
#include "muster/status.h"

struct sqlite3;

namespace muster {

/// "MSTR": marks a file as a ledger.
inline constexpr std::int64_t kApplicationId = 0x4D535452;

/// "PATH is not a Muster ledger: WHAT", and what to name instead.
std::string NotALedger(const std::string& path, const std::string& what);

/// Whether there is a file at `path` with something in it, or one that may not be looked at. `vfs`
/// may be empty.
bool FileIsThere(const std::string& vfs, const std::string& path);

class Connection {
 public:
  enum class Mode {
    kReadOnly,
    kReadWrite,
    kCreate,
    kStill,  ///< read-only, of a file without a log that none writes meanwhile: locks nothing
             ///< and needs nothing beside it, so its folder may be read-only
  };

  /// Opens and sets what holds for every connection; touches nothing in the file. `vfs` may be
  /// empty. kNotFound, kUnavailable; kFailedPrecondition when the linked SQLite is too old.
  static Result<Connection> Open(const std::string& path, Mode mode, const std::string& vfs);

  /// The writer's settings: WAL, `synchronous`, no automatic checkpoint. For a ledger or a new
  /// file.
  Status PrepareForWriting(const std::string& synchronous);
  /// Merges the log into the file and removes it when the connection closes.
  void FoldOnClose();

  Status Run(const char* sql) const;
  /// First column of the first row of `sql`; 0 when there is none.
  Result<std::int64_t> Number(const char* sql) const;

  /// Status for the result code of the last call: kDataLoss for damage, kUnavailable for I/O,
  /// space, memory and locks, kInternal for the rest. `doing` completes "cannot ...".
  Status Error(int code, std::string_view doing) const;
  /// Whether the newest Error was about a full disk.
  bool disk_full() const { return disk_full_; }

  sqlite3* handle() const { return handle_.get(); }
  const std::string& path() const { return path_; }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  explicit Connection(std::string path) : path_(std::move(path)) {}

  std::string path_;
  std::shared_ptr<OpenInode> inode_;  // outlives the handle
  std::unique_ptr<sqlite3, Close> handle_;
  mutable bool disk_full_ = false;
};

/// BEGIN, and ROLLBACK unless committed. `begin` is "BEGIN" or "BEGIN IMMEDIATE".
class Transaction {
 public:
  explicit Transaction(const Connection& connection) : connection_(connection) {}
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  Status Begin(const char* begin);
  Status Commit();

 private:
  const Connection& connection_;
};

}  // namespace muster

#endif  // MUSTER_DB_SQLITE_CONNECTION_H_
