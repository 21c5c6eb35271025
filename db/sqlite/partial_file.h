// PartialFile: a ledger in the making, which has its name only when it is whole and on disk.
#ifndef MUSTER_DB_SQLITE_PARTIAL_FILE_H_
#define MUSTER_DB_SQLITE_PARTIAL_FILE_H_

#include <optional>
#include <string>

#include "db/sqlite/inode_lock.h"
#include "muster/status.h"

namespace muster {

/// kFailedPrecondition when there is a file `to`, or a log beside it. `what` names what would
/// replace it.
Status CheckFree(const std::string& to, const std::string& what);

/// Removed at the end of the scope unless it was named.
class PartialFile {
 public:
  /// `what`, such as "backup", is for messages.
  PartialFile(std::string path, std::string what)
      : path_(std::move(path)), what_(std::move(what)) {}
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const std::string& path() const { return path_; }

  /// Makes it, empty and with the permissions of `like`. kUnavailable: another process makes it
  /// too.
  Status Begin(const std::string& like);
  /// Flushes it and gives it its name, for good; nothing is replaced.
  Status Name(const std::string& to);

 private:
  int Move(const std::string& to) const;

  const std::string path_;
  const std::string what_;
  std::optional<InodeLock> lock_;
  bool named_ = false;
};

}  // namespace muster

#endif  // MUSTER_DB_SQLITE_PARTIAL_FILE_H_
