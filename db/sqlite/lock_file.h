// LockFile: one process holds a ledger for writing, and names itself.
//
// An open-file-description lock: the kernel drops it when the process ends, however it ends, and
// closing some other descriptor of the file does not. The file itself stays; only the lock counts.
#ifndef MUSTER_DB_SQLITE_LOCK_FILE_H_
#define MUSTER_DB_SQLITE_LOCK_FILE_H_

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "muster/status.h"

namespace muster {

/// Until when a lock is waited for; its epoch: not at all.
using LockTime = std::chrono::steady_clock::time_point;

/// Calls `lock`, and while it fails because another process holds the lock, calls it again every
/// few milliseconds until `until`. errno is that of the last call.
bool LockUntil(LockTime until, const std::function<bool()>& lock);

class LockFile {
 public:
  /// Creates `path` if needed, locks it, writes process id and host into it and flushes it and its
  /// directory. One that is held is waited for until `until`. kUnavailable: held, naming the
  /// holder of `subject`; or I/O failed.
  static Result<LockFile> Take(const std::string& path, const std::string& subject,
                               LockTime until = {});
  /// Whether a process holds the lock at `path`. Where this one cannot look, one may.
  static bool IsHeld(const std::string& path);

 private:
  struct Release {
    void operator()(const int* descriptor) const;
  };
  std::unique_ptr<int, Release> descriptor_;
};

/// kUnavailable: "cannot DOING PATH: " and what errno says.
Status SystemError(const std::string& doing, const std::string& path);

/// Flushes the directory that holds `path`, so that files created or renamed there stay.
Status SyncDirectoryOf(const std::string& path);

/// `path` with its directory's symbolic links resolved. kNotFound when there is no such directory.
Result<std::string> ResolveDirectory(const std::string& path);

}  // namespace muster

#endif  // MUSTER_DB_SQLITE_LOCK_FILE_H_
