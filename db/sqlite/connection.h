// Connection: one SQLite handle with the ledger's settings, and its errors as Status.
//
// The only place that opens a database. A connection is closed without a checkpoint unless
// FoldOnClose was called: after an I/O error nothing more may be written.
#ifndef MUSTER_DB_SQLITE_CONNECTION_H_
#define MUSTER_DB_SQLITE_CONNECTION_H_

#include <chrono>
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

/// How long a lock of SQLite's own is waited for: while a process recovers the index of the log, or
/// is the last to close the file. That takes moments; the lock on writing is another (LockFile).
inline constexpr std::chrono::milliseconds kLockWait{5'000};

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
  static Result<Connection> Open(const std::string& path, Mode mode, const std::string& vfs,
                                 std::chrono::milliseconds lock_wait = kLockWait);

  /// The writer's settings: WAL, `synchronous`, no automatic checkpoint. For a ledger or a new
  /// file.
  Status PrepareForWriting(const std::string& synchronous);
  /// Whether locks are waited for, as they are at first.
  void WaitForLocks(bool wait) const;
  /// From now on every Transaction sees the moment that the file is in now.
  Status HoldMoment();
  bool holds_moment() const { return holds_moment_; }
  /// Checkpoints the log and removes it when the connection closes.
  void FoldOnClose();

  Status Run(const char* sql) const;
  /// First column of the first row of `sql`; 0 when there is none.
  Result<std::int64_t> Number(const char* sql) const;

  /// Status for the result code of the last call: kDataLoss for damage, kUnavailable for I/O,
  /// space, memory and locks, kInternal for the rest. `doing` completes "cannot ...".
  Status Error(int code, std::string_view doing) const;
  /// Whether the newest Error was about a full disk.
  bool disk_full() const { return disk_full_; }
  /// Whether it was about a lock that another process held for too long.
  bool locked() const { return locked_; }

  sqlite3* handle() const { return handle_.get(); }
  const std::string& path() const { return path_; }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  Connection(std::string path, std::chrono::milliseconds lock_wait)
      : path_(std::move(path)), lock_wait_(lock_wait) {}

  std::string path_;
  std::chrono::milliseconds lock_wait_;
  bool holds_moment_ = false;
  std::shared_ptr<OpenInode> inode_;  // outlives the handle
  std::unique_ptr<sqlite3, Close> handle_;
  mutable bool disk_full_ = false;
  mutable bool locked_ = false;
};

/// BEGIN, and ROLLBACK unless committed. `begin` is "BEGIN" or "BEGIN IMMEDIATE". On a connection
/// that holds a moment it is part of that one: it begins and ends nothing.
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
