// Opening, the one transaction that everything goes through, and what happens when it fails.
#include "db/sqlite/ledger.h"

#include <sqlite3.h>
#include <unistd.h>

#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "db/pending_commits.h"
#include "db/read_ahead.h"
#include "db/sqlite/base.h"
#include "db/sqlite/chain_reader.h"
#include "db/sqlite/connection.h"
#include "db/sqlite/file_watch.h"
#include "db/sqlite/inode_lock.h"
#include "db/sqlite/lock_file.h"
#include "db/sqlite/migrate.h"
#include "db/sqlite/reader.h"
#include "db/sqlite/reserve.h"
#include "db/sqlite/testing.h"
#include "db/sqlite/verify.h"
#include "db/sqlite/wal_mark.h"
#include "db/sqlite/writer.h"
#include "engine/base/caught.h"

namespace muster {
namespace {

constexpr int kCheckpointPages = 1000;

Status QuickCheck(const Connection& connection) {
  Result<Statement> check = Statement::Prepare(connection, "PRAGMA quick_check(1)");
  if (!check.ok()) return check.status();
  Result<bool> row = check->Step();
  if (!row.ok()) return row.status();
  if (check->Text(0) == "ok") return Status::Ok();
  return Damaged(connection, std::string(check->Text(0)));
}

}  // namespace

struct Ledger::State {
  std::string path;
  LedgerOptions options;
  LedgerTesting testing;
  // In this order: the locks are let go last.
  bool was_locked_before = true;  // there was a lock file; it may have been let go
  std::optional<LockFile> lock;
  std::optional<InodeLock> inode_lock;
  std::optional<Connection> connection;
  std::unique_ptr<Writer> writer;

  FileWatch watch;
  Reserve reserve;
  WalMark wal;
  std::int64_t wal_pages = 0;        // in the log
  std::int64_t checkpointed_at = 0;  // wal_pages at the last checkpoint
  ChainTail tail;
  PendingCommits pending;

  Status Open(OpenMode mode);
  Status Recover(bool unclean);
  Status Transact(const std::function<Status()>& write);
  Status CheckFiles();
  Status Compact(const CompactionPlan& plan);
  Status Checkpoint(int mode);
  void TendLog();
  Status Fail(const Status& cause) noexcept;
  Status Store(std::span<Commit> commits);
  Status Close();
  Status Read(const std::function<Status(const Connection&)>& read) const;
  void Reached(std::string_view point) const {
    if (testing.at_point) testing.at_point(point);
  }
};

Result<std::unique_ptr<Ledger>> Ledger::Open(const std::string& path, OpenMode mode,
                                             LedgerOptions options) {
  auto state = std::make_unique<State>();
  state->path = path;
  state->options = std::move(options);
  if (state->options.testing != nullptr) state->testing = *state->options.testing;
  if (Status status = state->Open(mode); !status.ok()) return status;
  return std::unique_ptr<Ledger>(new Ledger(std::move(state)));
}

Status Ledger::State::Open(OpenMode mode) {
  if (Status status = PrepareHashing(); !status.ok()) return status;
  const std::string& vfs = testing.vfs;
  if (vfs.empty()) {
    Result<std::string> resolved = ResolveDirectory(path);
    if (!resolved.ok()) return resolved.status();
    path = *resolved;
    if (Status status = CheckOneName(path); !status.ok()) return status;
  }
  if (mode == OpenMode::kExisting && !FileIsThere(vfs, path)) {
    return {StatusCode::kNotFound, "ledger " + path + " does not exist"};
  }
  if (vfs.empty()) {
    was_locked_before = access((path + ".lock").c_str(), F_OK) == 0;
    const LockTime until = std::chrono::steady_clock::now() + options.lock_wait;
    Result<LockFile> taken = LockFile::Take(path + ".lock", "ledger " + path, until);
    if (!taken.ok()) return taken.status();
    lock = std::move(*taken);
    Result<InodeLock> inode = InodeLock::Take(path, "ledger " + path, until);
    if (!inode.ok()) return inode.status();
    inode_lock = std::move(*inode);
  }
  const bool unclean = FileIsThere(vfs, path + "-wal");
  Result<Connection> opened =
      Connection::Open(path, Connection::Mode::kCreate, vfs, testing.lock_wait.value_or(kLockWait));
  if (!opened.ok()) return opened.status();
  connection = std::move(*opened);
  reserve = Reserve(vfs, path + ".reserve");
  return Recover(unclean);
}

Status Ledger::State::Recover(bool unclean) {
  const Result<std::int64_t> version = CheckVersion(*connection, NewestVersion(), true);
  if (!version.ok()) {
    // A file that is no ledger is left as it was found.
    if (testing.vfs.empty() && !was_locked_before) unlink((path + ".lock").c_str());
    return version.status();
  }
  const char* synchronous = options.durability == Durability::kFull ? "FULL" : "NORMAL";
  Status status = connection->PrepareForWriting(testing.synchronous.value_or(synchronous));
  if (status.ok() && unclean) status = QuickCheck(*connection);
  if (status.ok()) status = reserve.Fill(testing.reserve_bytes.value_or(kReserveBytes));
  if (status.ok()) status = Checkpoint(SQLITE_CHECKPOINT_TRUNCATE);
  if (status.ok() && *version < NewestVersion()) {
    status = Migrate(*connection, *version, options.engine_version);
    if (!status.ok()) wal.CutBack(*connection);
    if (status.ok()) status = Checkpoint(SQLITE_CHECKPOINT_TRUNCATE);
  }
  if (!status.ok()) return status;
  if (testing.vfs.empty()) {
    for (const char* suffix : {"", "-wal", "-shm", ".lock"}) watch.Add(path + suffix);
  }
  if (*version == 0 && testing.vfs.empty()) {
    if (status = SyncDirectoryOf(path); !status.ok()) return status;
  }
  Result<ChainTail> read = ReadTail(*connection);
  if (!read.ok()) return read.status();
  tail = *read;
  // The whole chain is for Verify; the newest commit is what the next one builds on.
  if (status = WalkChain(*connection, tail.last.seq, {}); tail.last.seq > 0 && !status.ok()) {
    return status;
  }
  Result<std::unique_ptr<Writer>> created = Writer::Create(*connection, options.engine_version);
  if (!created.ok()) return created.status();
  writer = std::move(*created);
  const auto note_pages = [](void* pages, sqlite3*, const char*, int now) {
    *static_cast<std::int64_t*>(pages) = now;
    return SQLITE_OK;
  };
  sqlite3_wal_hook(connection->handle(), note_pages, &wal_pages);
  return Status::Ok();
}

Ledger::Ledger(std::unique_ptr<State> state) : state_(std::move(state)) {}

Ledger::~Ledger() {
  if (state_->connection) (void)Close();
}

Status Ledger::Close() {
  State& s = *state_;
  if (!s.pending.failure().ok()) return s.pending.failure();
  try {
    return s.Close();
  } catch (...) {
    return s.Fail(Caught());
  }
}

Status Ledger::State::Close() {
  const Status status = Checkpoint(SQLITE_CHECKPOINT_TRUNCATE);
  const Status closed = {StatusCode::kUnavailable, "ledger " + path + " is closed"};
  if (status.ok()) connection->FoldOnClose();
  pending.Stop(closed);
  writer.reset();
  connection.reset();
  inode_lock.reset();
  lock.reset();
  return status;
}

Result<Ticket> Ledger::Append(Commit commit) { return state_->pending.Append(std::move(commit)); }

// Whatever is thrown leaves the transaction rolled back; nothing more is written then.
Status Ledger::Durable(Ticket ticket) {
  State& s = *state_;
  return s.pending.Durable(
      ticket, [&s](std::span<Commit> commits) { return s.Store(commits); },
      [&s](const Status& cause) { return s.Fail(cause); });
}

Status Ledger::State::Store(std::span<Commit> commits) {
  ChainTail next;
  const Status status = Transact([&] {
    Result<ChainTail> written = writer->Write(commits, tail);
    if (!written.ok()) return written.status();
    next = *written;
    return Status::Ok();
  });
  if (!status.ok()) return status;
  tail = next;
  TendLog();
  return Status::Ok();
}

Status Ledger::State::Transact(const std::function<Status()>& write) {
  while (true) {
    Status status;
    {
      Transaction transaction(*connection);
      status = transaction.Begin("BEGIN IMMEDIATE");
      if (status.ok()) Reached("begun");
      if (status.ok()) status = write();
      if (status.ok()) Reached("written");
      if (status.ok()) status = transaction.Commit();
    }
    if (Status files = CheckFiles(); !files.ok()) return Fail(files);
    if (status.ok()) {
      Reached("committed");
      return status;
    }
    // Once, with the space of the reserve; a second full disk finds none.
    if (!connection->disk_full() || !reserve.Release()) return Fail(status);
  }
}

Status Ledger::State::CheckFiles() {
  const std::optional<std::string> lost = watch.FirstLost();
  if (!lost) return Status::Ok();
  // File and log are parted from now on: what was acknowledged goes from the log into the file.
  const bool parted = *lost == path || *lost == path + "-wal";
  if (parted) (void)Checkpoint(SQLITE_CHECKPOINT_PASSIVE);
  return {StatusCode::kUnavailable,
          "ledger " + path + ": " + *lost + " was removed or replaced while it was open"};
}

Status Ledger::State::Checkpoint(int mode) {
  int code = SQLITE_OK;
  int pages = 0;
  connection->WaitForLocks(false);  // a reader may need the log for as long as it likes
  do {
    code = sqlite3_wal_checkpoint_v2(connection->handle(), "main", mode, &pages, nullptr);
  } while ((code & 0xff) == SQLITE_FULL && reserve.Release());
  connection->WaitForLocks(true);
  // Busy: a reader still needs the log.
  const bool fits = code == SQLITE_OK || (code & 0xff) == SQLITE_BUSY;
  if (!fits) return connection->Error(code, "checkpoint its log");
  if (mode == SQLITE_CHECKPOINT_TRUNCATE) {
    wal_pages = code == SQLITE_OK ? 0 : pages;
    if (Status status = wal.Confirm(*connection, wal_pages); !status.ok()) return status;
  }
  checkpointed_at = wal_pages;
  return Status::Ok();
}

void Ledger::State::TendLog() {
  Status status = wal.Confirm(*connection, wal_pages);
  if (wal_pages < checkpointed_at) checkpointed_at = 0;  // the log began anew
  const bool due =
      wal_pages - checkpointed_at >= testing.checkpoint_pages.value_or(kCheckpointPages);
  if (status.ok() && due) status = Checkpoint(SQLITE_CHECKPOINT_PASSIVE);
  // What was committed is durable either way; a failure concerns the commits to come.
  if (!status.ok()) (void)Fail(status);
}

Status Ledger::State::Fail(const Status& cause) noexcept {
  wal.CutBack(*connection);
  Status failure = pending.Fail(cause);
  writer.reset();
  connection.reset();
  return failure;
}

Status Ledger::State::Read(const std::function<Status(const Connection&)>& read) const {
  if (!pending.failure().ok()) return pending.failure();
  Transaction transaction(*connection);
  if (Status status = transaction.Begin("BEGIN"); !status.ok()) return status;
  return read(*connection);
}

Status Ledger::Load(const RowVisitor& visitor) const {
  return state_->Read([&](const Connection& connection) {
    const auto read = [&](const RowVisitor& rows) {
      return ReadRows(connection, state_->tail.state_digest, rows);
    };
    return ReadAhead(read, visitor);
  });
}

Status Ledger::LoadWhole(const StateVisitor& visitor) const {
  return state_->Read([&](const Connection& connection) {
    return ReadState(connection, "", state_->tail.state_digest, visitor);
  });
}

Status Ledger::ReadChain(std::int64_t first, const ChainVisitor& visitor) const {
  return state_->Read(
      [&](const Connection& connection) { return WalkChain(connection, first, visitor); });
}

Result<LastCommit> Ledger::last() const { return state_->tail.last; }

Result<HistoryBase> Ledger::base() const {
  Result<HistoryBase> base = state_->pending.failure();
  const Status status = state_->Read([&base](const Connection& connection) {
    base = ReadBase(connection);
    return base.status();
  });
  if (!status.ok()) return status;
  return base;
}

Status Ledger::LoadBase(const StateVisitor& visitor) const {
  return state_->Read(
      [&](const Connection& connection) { return ReadBaseRows(connection, visitor); });
}

Status Ledger::ReadCarried(const CarriedVisitor& visitor) const {
  return state_->Read(
      [&](const Connection& connection) { return muster::ReadCarried(connection, visitor); });
}

Status Ledger::Compact(const CompactionPlan& plan) {
  State& s = *state_;
  if (!s.pending.failure().ok()) return s.pending.failure();
  if (!s.pending.empty()) {
    return {StatusCode::kFailedPrecondition, "commits are not durable yet; nothing was compacted"};
  }
  try {
    return s.Compact(plan);
  } catch (...) {
    return s.Fail(Caught());
  }
}

Status Ledger::State::Compact(const CompactionPlan& plan) {
  const Result<HistoryBase> base = ReadBase(*connection);
  if (!base.ok()) return base.status();
  if (plan.first <= base->first || plan.first > tail.last.seq) {
    return {StatusCode::kFailedPrecondition, "commit " + std::to_string(plan.first) +
                                                 " cannot become the oldest of a history from " +
                                                 std::to_string(base->first) + " to " +
                                                 std::to_string(tail.last.seq)};
  }
  // For each commit that goes SQLite would look through all events for one that refers to it.
  if (Status status = connection->Run("PRAGMA foreign_keys = OFF"); !status.ok()) return status;
  Status status = Transact([&] { return WriteCompaction(*connection, plan); });
  if (!status.ok()) return status;  // and the connection is closed
  status = connection->Run("PRAGMA foreign_keys = ON");
  if (status.ok()) status = connection->Run("VACUUM");
  if (status.ok()) status = Checkpoint(SQLITE_CHECKPOINT_TRUNCATE);
  Reached("vacuumed");
  if (status.ok()) return status;
  return Fail({status.code(),
               "the ledger is compacted, but its file is as large as before: " + status.message()});
}

Status Ledger::StorePolicy(const StoredPolicy& policy) {
  State& s = *state_;
  if (!s.pending.failure().ok()) return s.pending.failure();
  if (policy.files.empty()) {
    return {StatusCode::kInvalidArgument, "policy package " + policy.hash + " has no files"};
  }
  try {
    const Status status = s.Transact([&s, &policy] { return s.writer->WritePolicy(policy); });
    if (status.ok()) s.TendLog();
    return status;
  } catch (...) {
    return s.Fail(Caught());
  }
}

Result<StoredPolicy> Ledger::LoadPolicy(std::string_view hash) const {
  Result<StoredPolicy> policy = state_->pending.failure();
  if (Status status = state_->Read([&](const Connection& connection) {
        policy = ReadPolicy(connection, hash);
        return policy.status();
      });
      !status.ok()) {
    return status;
  }
  return policy;
}

Result<std::vector<std::string>> Ledger::PolicyHashes() const {
  Result<std::vector<std::string>> hashes = state_->pending.failure();
  if (Status status = state_->Read([&](const Connection& connection) {
        hashes = ReadPolicyHashes(connection);
        return hashes.status();
      });
      !status.ok()) {
    return status;
  }
  return hashes;
}

Result<VerifyReport> Ledger::Verify(const VerifyOptions& options) const {
  if (!state_->pending.failure().ok()) return state_->pending.failure();
  return muster::Verify(*state_->connection, options);
}

StoreHealth Ledger::health() const {
  const std::int64_t reserve = state_->testing.reserve_bytes.value_or(kReserveBytes);
  return {state_->pending.failure(), reserve > 0 && !state_->reserve.filled(), state_->wal.bytes()};
}

}  // namespace muster
