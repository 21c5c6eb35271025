// ReadOnlyLedger: looks into a ledger, also beside the process that is writing it.
//
// Its connection cannot write and never checkpoints, so it disturbs no other; each call sees one
// consistent moment, and after HoldMoment all calls the same one.
#ifndef MUSTER_DB_SQLITE_READ_ONLY_LEDGER_H_
#define MUSTER_DB_SQLITE_READ_ONLY_LEDGER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "db/sqlite/backup.h"
#include "db/sqlite/inode_lock.h"
#include "db/store.h"
#include "muster/status.h"

namespace muster {

struct LedgerTesting;

struct Blob {
  std::string bytes;
  bool operator==(const Blob&) const = default;
};
/// NULL, INTEGER, REAL, TEXT, BLOB.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string, Blob>;

struct QueryResult {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
};

/// A long reader keeps the writer's log from being merged, and rows are held in memory.
struct QueryLimits {
  std::int64_t rows = 1'000'000;
  std::int64_t seconds = 60;
};

class ReadOnlyLedger final : public HistoryReader {
 public:
  /// kNotFound, kInvalidArgument (see CheckOneName), kFailedPrecondition (foreign or newer file),
  /// kDataLoss, kUnavailable. A ledger that was closed can be read where nothing may be written,
  /// and a copy that was never written under its name leaves nothing beside it; if such a file is
  /// written after all meanwhile, the call that reads answers kUnavailable.
  static Result<std::unique_ptr<ReadOnlyLedger>> Open(const std::string& path,
                                                      const LedgerTesting* testing = nullptr);
  ~ReadOnlyLedger() override;

  /// The writer goes on, but its log grows meanwhile.
  Status HoldMoment() override;
  /// One scan of the events, without the proof of the chain.
  Status FindEvents(const std::string& subject, const std::string& mention,
                    const CarriedVisitor& visitor) const override;

  /// One SELECT (or WITH, or VALUES). kInvalidArgument: not one, or wrong SQL.
  /// kFailedPrecondition: it passed a limit.
  Result<QueryResult> Query(const std::string& sql, const QueryLimits& limits = {});
  /// See backup.h.
  Result<Backup> BackUp(const std::string& to, const BackupOptions& options = {});

  Status Load(const RowVisitor& visitor) const override;
  Status LoadWhole(const StateVisitor& visitor) const override;
  Status ReadChain(std::int64_t first, const ChainVisitor& visitor) const override;
  Result<LastCommit> last() const override;
  Result<HistoryBase> base() const override;
  Status LoadBase(const StateVisitor& visitor) const override;
  Status ReadCarried(const CarriedVisitor& visitor) const override;
  Result<StoredPolicy> LoadPolicy(std::string_view hash) const override;
  Result<std::vector<std::string>> PolicyHashes() const override;
  using StoredHistory::Verify;
  Result<VerifyReport> Verify(const VerifyOptions& options) const override;

 private:
  explicit ReadOnlyLedger(std::unique_ptr<Connection> connection);
  /// `locked`, if given, says whether it failed at a lock.
  static Result<std::unique_ptr<ReadOnlyLedger>> OpenFile(const std::string& path, bool still,
                                                          const LedgerTesting& switches,
                                                          bool* locked = nullptr);
  /// `answer`, unless the file should have been still and was written meanwhile.
  template <typename Answer>
  Answer IfStill(Answer answer) const;

  std::unique_ptr<Connection> connection_;
  std::optional<FileMoment> moment_;  ///< of a file that is read without locks
};

/// The linked SQLite, e.g. "3.40.1".
std::string SqliteVersion();

}  // namespace muster

#endif  // MUSTER_DB_SQLITE_READ_ONLY_LEDGER_H_
