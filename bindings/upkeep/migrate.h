// Migrate: a ledger moves from a file into a database, or back, with its whole history.
//
// Commits keep their numbers, hashes and the state that each speaks of, so the new history is
// proved by the old chain. The old ledger stays as it was.
#ifndef MUSTER_BINDINGS_UPKEEP_MIGRATE_H_
#define MUSTER_BINDINGS_UPKEEP_MIGRATE_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "db/store.h"
#include "muster/status.h"

namespace muster {

struct MigrateOptions {
  /// How long a process that holds the old ledger is waited for.
  std::chrono::milliseconds lock_wait{0};
  /// What is done, at which commit, and the newest one.
  std::function<void(std::string_view what, std::int64_t done, std::int64_t total)> progress;
};

struct Migrated {
  VerifyReport report;  ///< of the new ledger
  LastCommit last;
  std::string state_hash;  ///< Engine::StateHash, of both
};

/// Takes the ledger `from` for writing, so that nothing is added meanwhile, and makes `to` of it.
/// Each is a file or a database. kFailedPrecondition: `to` is not empty. kDataLoss: `from` is
/// damaged; nothing is made then, nor after any other failure. O(history).
Result<Migrated> MigrateLedger(const std::string& from, const std::string& to,
                               const MigrateOptions& options = {});

/// A copy of what `from` has now as the new file `to`, for looking into.
Result<VerifyReport> CopyIntoFile(const StoredHistory& from, const std::string& to,
                                  const MigrateOptions& options = {});

}  // namespace muster

#endif  // MUSTER_BINDINGS_UPKEEP_MIGRATE_H_
