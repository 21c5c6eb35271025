// Ledger: the Store in an SQLite file with one writer.
//
// Events and commits are the truth; the rows of current state are written in the same transaction,
// so opening need not replay. Every commit is hashed together with its predecessor, and every row
// carries a digest: damage is found when it is read, not used. db/README.md has the promises.
#ifndef MUSTER_DB_SQLITE_LEDGER_H_
#define MUSTER_DB_SQLITE_LEDGER_H_

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "db/sqlite/compact.h"
#include "db/store.h"
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

/// A Store in one SQLite file. A full disk first costs the reserve beside it.
class Ledger final : public Store {
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

  /// Checkpoints the log and lets go of the lock.
  Status Close() override;

  Result<Ticket> Append(Commit commit) override;
  Status Durable(Ticket ticket) override;

  Status Load(const RowVisitor& visitor) const override;
  Status LoadWhole(const StateVisitor& visitor) const override;
  Status ReadChain(std::int64_t first, const ChainVisitor& visitor) const override;
  Result<LastCommit> last() const override;
  Result<HistoryBase> base() const override;
  Status LoadBase(const StateVisitor& visitor) const override;
  Status ReadCarried(const CarriedVisitor& visitor) const override;

  /// Drops the commits before `plan`.first in one transaction and gives their room back to the
  /// disk; needs as much memory as is left. kFailedPrecondition while commits are not durable, or
  /// when that commit is not there or the oldest already.
  Status Compact(const CompactionPlan& plan);

  Status StorePolicy(const StoredPolicy& policy) override;
  Result<StoredPolicy> LoadPolicy(std::string_view hash) const override;
  Result<std::vector<std::string>> PolicyHashes() const override;

  using StoredHistory::Verify;
  Result<VerifyReport> Verify(const VerifyOptions& options) const override;
  StoreHealth health() const override;

 private:
  struct State;
  explicit Ledger(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace muster

#endif  // MUSTER_DB_SQLITE_LEDGER_H_
