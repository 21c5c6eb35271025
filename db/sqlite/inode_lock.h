// InodeLock: one process writes into a file, whatever its name is at the time.
//
// Why beside LockFile: that goes by name, and a file can have several over time - it is renamed
// while it is open, or mounted elsewhere. SQLite's own locks do not keep two writers apart.
#ifndef MUSTER_DB_SQLITE_INODE_LOCK_H_
#define MUSTER_DB_SQLITE_INODE_LOCK_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "db/sqlite/lock_file.h"
#include "muster/status.h"

namespace muster {

/// Says that this process has a file open through SQLite. Closing any descriptor of a file drops
/// all POSIX locks that the process has on it, those of SQLite too; so descriptors of an InodeLock
/// stay open until nothing of this process uses the file any more.
class OpenInode;

/// The file at `path`; null when there is none. Keep it while a connection to the file is open.
std::shared_ptr<OpenInode> NoteOpen(const std::string& path);

class InodeLock {
 public:
  /// Locks the file at `path`, which is created when it is not there. One that is held is waited
  /// for until `until`. kUnavailable: a process holds it under this or another name; or I/O failed.
  static Result<InodeLock> Take(const std::string& path, const std::string& subject,
                                LockTime until = {});

 private:
  std::shared_ptr<const void> held_;
};

/// Whether a process writes into the file at `path` that did not open it by this name, judged by
/// the lock of `path`.lock: its log lies elsewhere.
bool IsWrittenElsewhere(const std::string& path);

/// What tells whether a file was written since.
struct FileMoment {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t changed = 0;  ///< nanoseconds since 1970
  bool operator==(const FileMoment&) const = default;
};
/// nullopt when there is no file at `path`, or its log `path`-wal has something in it, or a process
/// writes: then the file alone is not the ledger.
std::optional<FileMoment> StillMoment(const std::string& path);

/// Whether the file at `path` may be used as a ledger. kInvalidArgument when it is not a regular
/// file, has other names too (hard links), or is a mount point of its own: its log lies beside one
/// of the names, and a process that uses another misses it. OK when there is nothing.
Status CheckOneName(const std::string& path);

}  // namespace muster

#endif  // MUSTER_DB_SQLITE_INODE_LOCK_H_
