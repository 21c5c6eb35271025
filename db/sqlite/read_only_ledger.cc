#include "db/sqlite/read_only_ledger.h"

#include <sqlite3.h>

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "db/read_ahead.h"
#include "db/sqlite/base.h"
#include "db/sqlite/chain_reader.h"
#include "db/sqlite/connection.h"
#include "db/sqlite/lock_file.h"
#include "db/sqlite/migrate.h"
#include "db/sqlite/query.h"
#include "db/sqlite/reader.h"
#include "db/sqlite/statements.h"
#include "db/sqlite/testing.h"
#include "db/sqlite/verify.h"
#include "engine/model/names.h"

namespace muster {
namespace {

/// Whether a process wrote the ledger at `path` under this name: its lock file stays.
bool WasWrittenHere(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path + ".lock", error) || error;
}

}  // namespace

template <typename Answer>
Answer ReadOnlyLedger::IfStill(Answer answer) const {
  if (!moment_ || StillMoment(connection_->path()) == moment_) return answer;
  return Status(StatusCode::kUnavailable,
                "ledger " + connection_->path() + " was written while it was read; read it again");
}

Result<std::unique_ptr<ReadOnlyLedger>> ReadOnlyLedger::Open(const std::string& path,
                                                             const LedgerTesting* testing) {
  if (Status status = PrepareHashing(); !status.ok()) return status;
  const LedgerTesting switches = testing == nullptr ? LedgerTesting() : *testing;
  const std::string& vfs = switches.vfs;
  std::string place = path;
  if (vfs.empty()) {
    Result<std::string> resolved = ResolveDirectory(path);
    if (!resolved.ok()) return resolved.status();
    place = *resolved;
    if (Status status = CheckOneName(place); !status.ok()) return status;
    if (IsWrittenElsewhere(place)) {
      return Status(StatusCode::kUnavailable,
                    "ledger " + place +
                        " is being written under another name, beside which its "
                        "log lies; read it there");
    }
  }
  if (vfs.empty() && !WasWrittenHere(place)) {
    // A backup is read as it stands: reading it as a database leaves an index and a log beside it.
    if (const std::optional<FileMoment> moment = StillMoment(place)) {
      Result<std::unique_ptr<ReadOnlyLedger>> still = OpenFile(place, /*still=*/true, switches);
      if (still.ok()) (*still)->moment_ = moment;
      return still;
    }
  }
  bool locked = false;
  Result<std::unique_ptr<ReadOnlyLedger>> reader =
      OpenFile(place, /*still=*/false, switches, &locked);
  if (reader.ok() || reader.status().code() != StatusCode::kUnavailable || !vfs.empty() || locked) {
    return reader;
  }
  // Reading needs an index of the log beside the file, even for a log that is empty or absent.
  const std::optional<FileMoment> moment = StillMoment(place);
  if (!moment) {
    return Status(StatusCode::kUnavailable, reader.status().message() +
                                                "; it was not closed, and where nothing may be "
                                                "written only a closed ledger can be read: read a "
                                                "copy of it and of its log");
  }
  Result<std::unique_ptr<ReadOnlyLedger>> still = OpenFile(place, /*still=*/true, switches);
  if (still.ok()) (*still)->moment_ = moment;
  return still;
}

Result<std::unique_ptr<ReadOnlyLedger>> ReadOnlyLedger::OpenFile(const std::string& path,
                                                                 bool still,
                                                                 const LedgerTesting& switches,
                                                                 bool* locked) {
  Result<Connection> opened =
      Connection::Open(path, still ? Connection::Mode::kStill : Connection::Mode::kReadOnly,
                       switches.vfs, switches.lock_wait.value_or(kLockWait));
  if (!opened.ok()) return opened.status();
  auto connection = std::make_unique<Connection>(std::move(*opened));
  const Result<std::int64_t> version = CheckVersion(*connection, NewestVersion(), false);
  if (!version.ok()) {
    if (locked != nullptr) *locked = connection->locked();
    return version.status();
  }
  return std::unique_ptr<ReadOnlyLedger>(new ReadOnlyLedger(std::move(connection)));
}

ReadOnlyLedger::ReadOnlyLedger(std::unique_ptr<Connection> connection)
    : connection_(std::move(connection)) {}
ReadOnlyLedger::~ReadOnlyLedger() = default;

Status ReadOnlyLedger::HoldMoment() { return IfStill(connection_->HoldMoment()); }

Status ReadOnlyLedger::FindEvents(const std::string& subject, const std::string& mention,
                                  const CarriedVisitor& visitor) const {
  const Result<std::int64_t> version = connection_->Number("PRAGMA user_version");
  if (!version.ok()) return version.status();
  const std::string input = *version >= kCommandVersion ? "input" : "NULL";
  Result<Statement> select = Statement::Prepare(
      *connection_, "SELECT event.seq, commit_seq, time, kind, subject, payload, " + input +
                        " FROM event JOIN commit_log ON commit_log.seq = commit_seq WHERE subject "
                        "= ?1 OR (kind = 'Preempted' AND instr(payload, "
                        "?2)) ORDER BY event.seq");
  if (!select.ok()) return IfStill(select.status());
  select->BindText(subject);
  select->BindText(mention);
  Result<bool> row = select->Step();
  for (; row.ok() && *row; row = select->Step()) {
    const std::optional<EventKind> kind = EnumFromName<EventKind>(select->Text(3));
    if (!kind) continue;  // of an older or newer version
    CarriedEvent found{select->Number(0), select->Number(1), select->Time(2), {}};
    found.event = {*kind, std::string(select->Text(4)), std::string(select->Text(5)), {}};
    found.caller = CallerOf(select->Text(6));
    if (Status status = visitor(found); !status.ok()) return status;
  }
  return IfStill(row.ok() ? Status::Ok() : row.status());
}

Result<QueryResult> ReadOnlyLedger::Query(const std::string& sql, const QueryLimits& limits) {
  return IfStill(RunQuery(*connection_, sql, limits));
}

Result<VerifyReport> ReadOnlyLedger::Verify(const VerifyOptions& options) const {
  return IfStill(muster::Verify(*connection_, options));
}

Result<Backup> ReadOnlyLedger::BackUp(const std::string& to, const BackupOptions& options) {
  return IfStill(muster::BackUp(*connection_, to, options));
}

Status ReadOnlyLedger::Load(const RowVisitor& visitor) const {
  Transaction transaction(*connection_);
  if (Status status = transaction.Begin("BEGIN"); !status.ok()) return status;
  const Result<ChainTail> tail = ReadTail(*connection_);
  if (!tail.ok()) return IfStill(tail.status());
  const auto read = [&](const RowVisitor& rows) {
    return ReadRows(*connection_, tail->state_digest, rows);
  };
  return IfStill(ReadAhead(read, visitor));
}

Status ReadOnlyLedger::LoadWhole(const StateVisitor& visitor) const {
  Transaction transaction(*connection_);
  if (Status status = transaction.Begin("BEGIN"); !status.ok()) return status;
  const Result<ChainTail> tail = ReadTail(*connection_);
  if (!tail.ok()) return IfStill(tail.status());
  return IfStill(ReadState(*connection_, "", tail->state_digest, visitor));
}

Status ReadOnlyLedger::ReadChain(std::int64_t first, const ChainVisitor& visitor) const {
  Transaction transaction(*connection_);
  if (Status status = transaction.Begin("BEGIN"); !status.ok()) return status;
  return IfStill(WalkChain(*connection_, first, visitor));
}

Result<LastCommit> ReadOnlyLedger::last() const {
  const Result<ChainTail> tail = ReadTail(*connection_);
  if (!tail.ok()) return IfStill(tail.status());
  return tail->last;
}

Result<HistoryBase> ReadOnlyLedger::base() const { return IfStill(ReadBase(*connection_)); }

Status ReadOnlyLedger::LoadBase(const StateVisitor& visitor) const {
  Transaction transaction(*connection_);
  if (Status status = transaction.Begin("BEGIN"); !status.ok()) return status;
  return IfStill(ReadBaseRows(*connection_, visitor));
}

Status ReadOnlyLedger::ReadCarried(const CarriedVisitor& visitor) const {
  Transaction transaction(*connection_);
  if (Status status = transaction.Begin("BEGIN"); !status.ok()) return status;
  return IfStill(muster::ReadCarried(*connection_, visitor));
}

Result<StoredPolicy> ReadOnlyLedger::LoadPolicy(std::string_view hash) const {
  return IfStill(ReadPolicy(*connection_, hash));
}

Result<std::vector<std::string>> ReadOnlyLedger::PolicyHashes() const {
  return IfStill(ReadPolicyHashes(*connection_));
}

std::string SqliteVersion() { return sqlite3_libversion(); }

}  // namespace muster
