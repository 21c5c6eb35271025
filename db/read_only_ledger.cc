#include "db/read_only_ledger.h"

#include <sqlite3.h>

#include <utility>

#include "db/chain_reader.h"
#include "db/connection.h"
#include "db/lock_file.h"
#include "db/migrate.h"
#include "db/query.h"
#include "db/read_ahead.h"
#include "db/reader.h"
#include "db/testing.h"

namespace muster {

Result<std::unique_ptr<ReadOnlyLedger>> ReadOnlyLedger::Open(const std::string& path,
                                                             const LedgerTesting* testing) {
  if (Status status = PrepareHashing(); !status.ok()) return status;
  const std::string vfs = testing == nullptr ? std::string() : testing->vfs;
  std::string place = path;
  if (vfs.empty()) {
    Result<std::string> resolved = ResolveDirectory(path);
    if (!resolved.ok()) return resolved.status();
    place = *resolved;
    if (IsNoFile(place)) {
      return Status(StatusCode::kInvalidArgument, place + " is not a regular file");
    }
  }
  Result<Connection> opened = Connection::Open(place, Connection::Mode::kReadOnly, vfs);
  if (!opened.ok()) return opened.status();
  auto connection = std::make_unique<Connection>(std::move(*opened));
  const Result<std::int64_t> version = CheckVersion(*connection, NewestVersion(), false);
  if (!version.ok()) return version.status();
  return std::unique_ptr<ReadOnlyLedger>(new ReadOnlyLedger(std::move(connection)));
}

ReadOnlyLedger::ReadOnlyLedger(std::unique_ptr<Connection> connection)
    : connection_(std::move(connection)) {}
ReadOnlyLedger::~ReadOnlyLedger() = default;

Result<QueryResult> ReadOnlyLedger::Query(const std::string& sql, const QueryLimits& limits) {
  return RunQuery(*connection_, sql, limits);
}

Result<VerifyReport> ReadOnlyLedger::Verify(const VerifyOptions& options) {
  return muster::Verify(*connection_, options);
}

Status ReadOnlyLedger::Load(const RowVisitor& visitor) {
  Transaction transaction(*connection_);
  if (Status status = transaction.Begin("BEGIN"); !status.ok()) return status;
  const Result<ChainTail> tail = ReadTail(*connection_);
  if (!tail.ok()) return tail.status();
  const auto read = [&](const RowVisitor& rows) {
    return ReadRows(*connection_, tail->state_digest, rows);
  };
  return ReadAhead(read, visitor);
}

Status ReadOnlyLedger::ReadCommits(std::int64_t first, const CommitVisitor& visitor) {
  Transaction transaction(*connection_);
  if (Status status = transaction.Begin("BEGIN"); !status.ok()) return status;
  return WalkChain(*connection_, first, visitor);
}

Result<LastCommit> ReadOnlyLedger::last() {
  const Result<ChainTail> tail = ReadTail(*connection_);
  if (!tail.ok()) return tail.status();
  return tail->last;
}

Result<StoredPolicy> ReadOnlyLedger::LoadPolicy(std::string_view hash) {
  return ReadPolicy(*connection_, hash);
}

std::string SqliteVersion() { return sqlite3_libversion(); }

}  // namespace muster
