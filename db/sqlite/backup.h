// BackUp: one moment of a ledger as a file of its own, made beside the process that writes it.
#ifndef MUSTER_DB_SQLITE_BACKUP_H_
#define MUSTER_DB_SQLITE_BACKUP_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "db/sqlite/connection.h"
#include "db/sqlite/verify.h"
#include "db/store_types.h"
#include "muster/status.h"

namespace muster {

struct BackupOptions {
  VerifyOptions verify;  ///< how the copy is checked before it gets its name
  /// Called now and then while pages are copied, the last time with done = total.
  std::function<void(std::int64_t done, std::int64_t total)> progress;
  int pages_a_step = 256;  ///< so many are copied between two calls of `progress`
  /// For tests; called at "copied", "verified" and "named".
  std::function<void(std::string_view point)> at_point;
};

struct Backup {
  LastCommit last;  ///< the newest commit in it
  std::int64_t bytes = 0;
  VerifyReport report;  ///< of the copy; sound
};

/// Copies what `source` has now to the new file `to`. The copy is `to`.partial until it was
/// verified and flushed, so `to` is whole or absent, also after a power cut; a partial file that a
/// crash left is replaced by the next backup. The writer is not held up, but its log grows until
/// this is over. kFailedPrecondition: `to`, or a log beside it, exists. kDataLoss: the copy is
/// damaged, so the ledger is as well, or the disk of the copy. kUnavailable: I/O, or another backup
/// to `to` is running.
Result<Backup> BackUp(const Connection& source, const std::string& to,
                      const BackupOptions& options);

}  // namespace muster

#endif  // MUSTER_DB_SQLITE_BACKUP_H_
