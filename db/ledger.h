// Ledger: the engine's memory on disk, an SQLite file with one writer. Start here.
//
// Events and commits are the truth; the rows of current state are written in the same transaction,
// so opening need not replay. Every commit is hashed together with its predecessor, and every row
// carries a digest: damage is found when it is read, not used. db/README.md has the promises.
#ifndef MUSTER_DB_LEDGER_H_
#define MUSTER_DB_LEDGER_H_

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "db/ledger_types.h"
#include "db/verify.h"
#include "muster/journal.h"
#include "muster/status.h"

namespace muster {

struct LedgerTesting;

enum class OpenMode {
  kExisting,  ///< kNotFound when there is no file
  kCreate,    ///< creates the file when there is none
};

/// What a returned Durable survives.
enum class Durability {
  kFull,     ///< process kill, crash of the system, power cut
  kRelaxed,  ///< process kill only; a power cut may take the last commits, never a part of one
};

struct LedgerOptions {
  std::string engine_version = "unknown";  ///< recorded with every commit
  Durability durability = Durability::kFull;
  /// How long a ledger that another process holds is waited for.
  std::chrono::milliseconds lock_wait{0};
  const LedgerTesting* testing = nullptr;  ///< must outlive the ledger
};

/// Synchronous: Append keeps the commit in memory, Durable stores everything up to its ticket in
/// one transaction. Used by one thread at a time.
///
/// After any I/O error, full disk (once the reserve is gone) or lack of memory the ledger takes
/// nothing more: every later Append, and Durable of what was not durable, answers kUnavailable with
/// the first cause. What Durable had confirmed is safe; what it had not may or may not be found
/// after reopening.
class Ledger final : public Journal {
 public:
  /// Takes the lock `path`.lock and recovers what a crash left. kUnavailable: another process holds
  /// it (the message has its pid and host), or I/O failed. kFailedPrecondition: some other
  /// program's file, or written by a newer Muster. kDataLoss: damaged.
  static Result<std::unique_ptr<Ledger>> Open(const std::string& path, OpenMode mode,
                                              LedgerOptions options = {});
  /// Close, its result ignored.
  ~Ledger() override;
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  /// Merges the log into the file and lets go of the lock; appended commits that were not made
  /// durable are dropped. Every later call answers kUnavailable.
  Status Close();

  Result<Ticket> Append(Commit commit) override;
  Status Durable(Ticket ticket) override;

  /// Every row of current state; kDataLoss when one does not match its digest or their sum does not
  /// match the newest commit. O(rows).
  Status Load(const RowVisitor& visitor) const;
  /// Commits from `first` on, in order, each checked against its hash. O(events).
  Status ReadCommits(std::int64_t first, const CommitVisitor& visitor) const;
  LastCommit last() const;

  /// Keeps a package for ever; durable on return. Storing the same hash again changes nothing.
  Status StorePolicy(const StoredPolicy& policy);
  /// kNotFound when no package has this hash. The caller compares the hash with the files.
  Result<StoredPolicy> LoadPolicy(std::string_view hash) const;
  Result<std::vector<std::string>> PolicyHashes() const;  ///< sorted

  /// Checks everything; see verify.h.
  Result<VerifyReport> Verify(const VerifyOptions& options = {}) const;
  LedgerHealth health() const;

 private:
  struct State;
  explicit Ledger(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace muster

#endif  // MUSTER_DB_LEDGER_H_
