// Taking over, the one statement of a commit, and what a broken connection means.
#include "db/postgres/postgres_store.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "db/pending_commits.h"
#include "db/postgres/batch_codec.h"
#include "db/postgres/connection.h"
#include "db/postgres/history.h"
#include "db/postgres/lease_keeper.h"
#include "db/postgres/place.h"
#include "db/postgres/policies.h"
#include "db/postgres/schema.h"
#include "db/postgres/snapshot_keeper.h"
#include "engine/base/caught.h"

namespace muster {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kBetweenTries{20};

// $1 shard, $2 epoch, $3 the newest commit before, $4 after, $5 its hash, $6 lease, $7 the group.
constexpr const char* kCommit =
    "WITH f AS (UPDATE muster_shard SET seq = $4, head_hash = $5, lease_until = now() + $6 * "
    "interval '1 millisecond' WHERE id = $1 AND epoch = $2 AND seq = $3 RETURNING 1) "
    "INSERT INTO muster_batch (shard, seq, epoch, hash, body) SELECT $1, $4, $2, $5, $7 "
    "WHERE EXISTS (SELECT 1 FROM f)";
// The defect that the fence test must notice.
constexpr const char* kCommitWithoutFence =
    "WITH f AS (UPDATE muster_shard SET seq = $4, head_hash = $5, lease_until = now() + $6 * "
    "interval '1 millisecond' WHERE id = $1 AND $2 = $2 AND $3 = $3 RETURNING 1) "
    "INSERT INTO muster_batch (shard, seq, epoch, hash, body) SELECT $1, $4, $2, $5, $7 "
    "WHERE EXISTS (SELECT 1 FROM f) ON CONFLICT (shard, seq) DO UPDATE SET epoch = "
    "excluded.epoch, hash = excluded.hash, body = excluded.body";

// $4: the session of the writer that was seen to be gone, or -1. Until the keeper of its lease has
// a session, the writer lives by this one: killed in between, it is waited for no longer.
constexpr const char* kTakeOver =
    "UPDATE muster_shard SET epoch = epoch + 1, holder = $2, session = pg_backend_pid(), "
    "lease_until = now() + $3 * interval '1 millisecond' WHERE id = $1 AND (lease_until <= now() "
    "OR session = $4) RETURNING epoch, seq, head_hash";

constexpr const char* kGoneSession =
    "SELECT session FROM muster_shard WHERE id = $1 AND session <> 0 AND NOT EXISTS (SELECT 1 FROM "
    "pg_stat_activity WHERE pid = session)";

/// How long a writer's session has to be gone before its lease counts no more. One that only lost
/// its connection has another by then.
constexpr milliseconds kGrace{300};

/// "process 7 on host".
std::string ThisProcess() {
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  return "process " + std::to_string(getpid()) + " on " + host;
}

}  // namespace

struct PostgresStore::State {
  PgPlace place;
  PostgresOptions options;
  PostgresTesting testing;
  mutable std::optional<PgConnection> connection;
  std::atomic<bool> superseded = false;  // another has the ledger
  std::unique_ptr<LeaseKeeper> keeper;

  std::int64_t epoch = 0;
  LastCommit last;
  ChainHash hash = kFirstPrevHash;
  std::int64_t next_event = 1;
  std::uint64_t state_digest = 0;
  std::map<RowPlace, std::uint64_t> digests;  // of every row of current state
  std::int64_t gone_session = -1;             // since `gone_since`
  Clock::time_point gone_since;
  mutable std::optional<PgState> opened_with;  // until it was loaded, or is no longer of now
  PgStandby* standby = nullptr;  // knows all up to `last`, of which this has only the digests
  std::int64_t followed_bytes = 0;  // as of PgState
  std::int64_t followed_tail = 0;
  std::unique_ptr<SnapshotKeeper> snapshots;
  PendingCommits pending;
  FieldBuffer fields;

  PgHistory History() const { return {*connection, place.shard, place.shown}; }
  Status Open();
  Status Prepare();
  /// Brings a ledger of an older version to this one.
  Status Upgrade();
  Status TakeOver();
  /// The session of a writer that has ended without letting go; -1 when none is known to.
  std::int64_t GoneSession();
  Status ReadBack(const PgHead& head);
  /// Brings `opened_with`, or the standby, up to what another writes.
  Status KeepUp();
  Status ReadUpTo(const PgHead& head);
  /// Gives `opened_with` to the standby of the options. Where it does not take it, or what follows,
  /// the next ReadUpTo reads the rows again.
  void HandOver();
  Status TellStandby(const PgHead& head);
  void DropStandby();
  /// Of `opened_with`: what this writes needs to know of the state before.
  void TakeDigests();
  /// Into `digests`, and their sum.
  void AddDigests(std::span<const StateRow> rows);
  Status Store(std::span<Commit> commits);
  BatchCommit Link(Commit commit);
  Status Send(const std::string& body, std::int64_t before);
  /// Whether the group up to `last` is in the history: after a broken connection, or a commit that
  /// changed nothing. kUnavailable: it is not and will not be by this writer.
  Result<bool> LookForIt(std::int64_t before);
  Status Reconnect();
  Status Fail(const Status& cause) noexcept;
  Status Close();
  /// Lets another take the ledger at once.
  Status Release();
};

Result<std::unique_ptr<PostgresStore>> PostgresStore::Open(const std::string& url,
                                                           PostgresOptions options) {
  auto state = std::make_unique<State>();
  Result<PgPlace> place = PlaceFrom(url);
  if (!place.ok()) return place.status();
  state->place = *std::move(place);
  state->options = std::move(options);
  if (state->options.testing != nullptr) state->testing = *state->options.testing;
  if (Status status = state->Open(); !status.ok()) return status;
  return std::unique_ptr<PostgresStore>(new PostgresStore(std::move(state)));
}

PostgresStore::PostgresStore(std::unique_ptr<State> state) : state_(std::move(state)) {}

PostgresStore::~PostgresStore() { (void)Close(); }

Status PostgresStore::State::Open() {
  if (Status status = PrepareHashing(); !status.ok()) return status;
  Result<PgConnection> opened = PgConnection::Open(place.url);
  if (!opened.ok()) return opened.status();
  connection = std::move(*opened);
  Status status = Prepare();
  if (status.ok()) status = TakeOver();
  if (!status.ok()) return status;
  Result<std::unique_ptr<SnapshotKeeper>> snapping =
      SnapshotKeeper::Start(place, options.snapshot_bytes);
  if (!snapping.ok()) return snapping.status();
  snapshots = std::move(*snapping);
  snapshots->Grown(followed_bytes, followed_tail);
  return Status::Ok();
}

Status PostgresStore::State::Upgrade() {
  const Result<PgRows> older =
      connection->Run("SELECT version, holder FROM muster_shard WHERE id = $1 AND version < $2",
                      {std::string_view(place.shard), std::int64_t{kPgVersion}});
  if (older.status().code() == StatusCode::kNotFound) return Status::Ok();  // no tables
  if (!older.ok() || older->empty()) return older.status();
  if (Status status = MakeTables(*connection); !status.ok()) return status;
  // Not under the hands of a writer that knows the older version.
  const Clock::time_point until = Clock::now() + options.lock_wait;
  while (true) {
    const Result<PgRows> raised = connection->Run(
        "UPDATE muster_shard SET version = $2 WHERE id = $1 AND lease_until <= now()",
        {std::string_view(place.shard), std::int64_t{kPgVersion}});
    if (raised.ok() && raised->affected() == 1) return Status::Ok();
    const bool lost = connection->broken();
    const bool too_late = Clock::now() >= until;
    if (!raised.ok() && (!lost || too_late)) return raised.status();
    if (too_late) break;
    if (!lost) std::this_thread::sleep_for(kBetweenTries);
    if (Status status = lost ? Reconnect() : Status::Ok(); !status.ok()) return status;
  }
  return {StatusCode::kUnavailable, "ledger " + place.shown + " of version " +
                                        std::to_string(older->Number(0, 0)) + " is held by " +
                                        std::string(older->Text(0, 1))};
}

Status PostgresStore::State::Prepare() {
  if (Status status = Upgrade(); !status.ok()) return status;
  Result<PgHead> head = History().Head();
  if (head.status().code() != StatusCode::kNotFound || !options.create) return head.status();
  if (Status status = MakeTables(*connection); !status.ok()) return status;
  return connection
      ->Run(
          "INSERT INTO muster_shard (id, version, epoch, seq, head_hash, holder, lease_until) "
          "VALUES ($1, $2, 0, 0, $3, '', now()) ON CONFLICT DO NOTHING",
          {std::string_view(place.shard), std::int64_t{kPgVersion}, PgBytes{Bytes(kFirstPrevHash)}})
      .status();
}

Status PostgresStore::State::TakeOver() {
  const std::string self = ThisProcess();
  const Clock::time_point until = Clock::now() + options.lock_wait;
  while (true) {
    const Result<PgRows> taken =
        connection->Run(kTakeOver, {std::string_view(place.shard), std::string_view(self),
                                    std::int64_t{options.lease.count()}, GoneSession()});
    if (!taken.ok() && connection->broken() && Clock::now() < until) {
      // It took the ledger or did not; it will hear of itself as of another when it did.
      if (Status status = Reconnect(); !status.ok()) return status;
      // When the database was started again, no session is there, of whichever writer.
      gone_session = -1;
      gone_since = Clock::now() + options.lease;
      continue;
    }
    if (!taken.ok()) return taken.status();
    if (!taken->empty()) {
      epoch = taken->Number(0, 0);
      const std::optional<ChainHash> head = HashFrom(taken->Text(0, 2));
      if (!head) return History().Damaged("the hash of its head is unreadable");
      // Reading may take longer than the lease.
      Result<std::unique_ptr<LeaseKeeper>> started =
          LeaseKeeper::Start(place, epoch, options.lease, &superseded);
      if (!started.ok()) return started.status();
      keeper = std::move(*started);
      Status read = ReadBack({epoch, taken->Number(0, 1), *head, self});
      if (!read.ok()) (void)Release();
      return read;
    }
    if (Clock::now() >= until) break;
    if (Status status = KeepUp(); !status.ok()) return status;
    std::this_thread::sleep_for(kBetweenTries);
  }
  const Result<PgHead> head = History().Head();
  if (!head.ok()) return head.status();
  return {StatusCode::kUnavailable, "ledger " + place.shown + " is held by " + head->holder};
}

std::int64_t PostgresStore::State::GoneSession() {
  const Clock::time_point now = Clock::now();
  const Result<PgRows> gone = connection->Run(kGoneSession, {std::string_view(place.shard)});
  const std::int64_t session = gone.ok() && !gone->empty() ? gone->Number(0, 0) : -1;
  if (session != gone_session) {
    gone_session = session;
    gone_since = std::max(gone_since, now);
  }
  return session >= 0 && now >= gone_since + kGrace ? session : -1;
}

Status PostgresStore::State::KeepUp() {
  const Result<PgHead> head = History().Head();
  Status status = head.status();
  const bool known = opened_with || standby != nullptr;
  if (status.ok() && known && head->seq == (opened_with ? opened_with->last : last).seq) {
    return status;
  }
  if (status.ok()) status = ReadUpTo(*head);
  if (status.ok() && opened_with && options.standby != nullptr) HandOver();
  if (status.ok() && testing.followed) testing.followed(head->seq);
  // A broken connection is found by the next try to take the ledger.
  return connection->broken() ? Status::Ok() : status;
}

Status PostgresStore::State::ReadUpTo(const PgHead& head) {
  if (standby != nullptr) {
    Status told = TellStandby(head);
    if (standby != nullptr) return told;
  }
  if (opened_with) return History().Follow(head, &*opened_with);
  Result<PgState> state = History().Rows(head);
  if (!state.ok()) return state.status();
  opened_with = *std::move(state);
  return Status::Ok();
}

void PostgresStore::State::TakeDigests() {
  for (const auto& [row_place, row] : opened_with->rows) {
    digests.emplace_hint(digests.end(), row_place, DigestOf(row, &fields));
  }
  state_digest = opened_with->digest;
  last = opened_with->last;
  next_event = opened_with->next_event;
  followed_bytes = opened_with->bytes;
  followed_tail = opened_with->tail_bytes;
}

Status PostgresStore::State::ReadBack(const PgHead& head) {
  if (Status status = ReadUpTo(head); !status.ok()) return status;
  if (standby == nullptr) TakeDigests();
  hash = head.hash;
  return Status::Ok();
}

void PostgresStore::State::HandOver() {
  TakeDigests();
  standby = std::exchange(options.standby, nullptr);
  PgState read = *std::exchange(opened_with, std::nullopt);
  std::vector<StateRow> rows;
  rows.reserve(read.rows.size());
  while (!read.rows.empty()) {
    rows.push_back(std::move(read.rows.extract(read.rows.begin()).mapped()));
  }
  const Status taken = Guarded([&] {
    const auto find = [this](std::string_view package) { return History().LoadPolicy(package); };
    return standby->Begin(last, std::move(rows), find);
  });
  if (!taken.ok()) DropStandby();
}

Status PostgresStore::State::TellStandby(const PgHead& head) {
  return History().WalkOn(last.seq, head, [&](BatchCommit& commit) {
    const CommitRecord& record = commit.stored.record;
    const bool is_new = record.seq > last.seq;
    if (is_new) {
      AddDigests(commit.rows);
      for (const StateRow& row : commit.rows) followed_tail += SizeOf(row);
      last = {record.seq, record.at, record.cycle != 0 ? record.cycle : last.cycle};
      next_event = record.first_event + static_cast<std::int64_t>(record.events.size());
    }
    if (state_digest != commit.stored.state_digest) return History().Differs(record.seq);
    const Status told = is_new ? Guarded([&] { return standby->Follow(commit); }) : Status::Ok();
    if (!told.ok()) DropStandby();
    return told;
  });
}

void PostgresStore::State::DropStandby() {
  standby = nullptr;
  digests.clear();
}

void PostgresStore::State::AddDigests(std::span<const StateRow> rows) {
  for (const StateRow& row : rows) {
    RowPlace row_place = PlaceOf(row);
    const auto known = digests.find(row_place);
    if (known != digests.end()) state_digest -= known->second;
    if (row.value) {
      const std::uint64_t digest = DigestOf(row, &fields);
      state_digest += digest;
      digests[std::move(row_place)] = digest;
    } else if (known != digests.end()) {
      digests.erase(known);
    }
  }
}

Result<Ticket> PostgresStore::Append(Commit commit) {
  return state_->pending.Append(std::move(commit));
}

Status PostgresStore::Durable(Ticket ticket) {
  State& s = *state_;
  return s.pending.Durable(
      ticket,
      [&s](std::span<Commit> commits) {
        const Status status = s.Store(commits);
        return status.ok() ? status : s.Fail(status);
      },
      [&s](const Status& cause) { return s.Fail(cause); });
}

// After a failure the store takes nothing more, so what is linked need not be taken back.
Status PostgresStore::State::Store(std::span<Commit> commits) {
  opened_with.reset();
  const std::int64_t before = last.seq;
  std::vector<BatchCommit> batch;
  batch.reserve(commits.size());
  for (Commit& commit : commits) batch.push_back(Link(std::move(commit)));
  const std::string body = EncodeBatch(batch);
  if (Status status = Send(body, before); !status.ok()) return status;
  snapshots->Grown(0, static_cast<std::int64_t>(body.size()));
  return Status::Ok();
}

BatchCommit PostgresStore::State::Link(Commit commit) {
  AddDigests(commit.rows);
  BatchCommit linked;
  linked.stored.prev = hash;
  linked.stored.state_digest = state_digest;
  CommitRecord& record = linked.stored.record;
  record.seq = last.seq + 1;
  record.command = CommandName(commit.command);
  record.input = std::move(commit.input);
  record.at = commit.at;
  record.cycle = commit.cycle;
  record.engine_version = options.engine_version;
  record.first_event = next_event;
  record.events = std::move(commit.events);
  record.policies = std::move(commit.policies);
  linked.rows = std::move(commit.rows);
  const auto events = static_cast<std::int64_t>(record.events.size());
  const CommitHeader header{
      record.seq,         record.at, record.cycle, record.command, record.engine_version,
      record.first_event, events,    state_digest, record.input};
  hash = linked.stored.hash =
      HashCommit(linked.stored.prev, header, record.events, record.policies, &fields);
  last = {record.seq, record.at, record.cycle != 0 ? record.cycle : last.cycle};
  next_event += events;
  return linked;
}

Status PostgresStore::State::Send(const std::string& body, std::int64_t before) {
  while (true) {
    const Result<PgRows> sent = connection->RunOften(
        testing.without_fence ? kCommitWithoutFence : kCommit,
        {std::string_view(place.shard), epoch, before, last.seq, PgBytes{Bytes(hash)},
         std::int64_t{options.lease.count()}, PgBytes{body}});
    if (sent.ok() && sent->affected() == 1) return Status::Ok();
    if (!sent.ok() && !connection->broken()) return sent.status();
    if (!sent.ok()) {
      if (Status status = Reconnect(); !status.ok()) return status;
    }
    const Result<bool> there = LookForIt(before);
    if (!there.ok()) return there.status();
    if (*there) return Status::Ok();
  }
}

// The lock of the row waits for a commit of this writer that its lost connection may still be at.
// One that comes even later finds another end of the history, or adds the very same group.
Result<bool> PostgresStore::State::LookForIt(std::int64_t before) {
  const Result<PgRows> rows = connection->Run(
      "SELECT epoch, seq, head_hash, holder FROM muster_shard WHERE id = $1 FOR UPDATE",
      {std::string_view(place.shard)});
  if (!rows.ok()) return rows.status();
  if (rows->empty()) return Status(StatusCode::kDataLoss, "ledger " + place.shown + " is gone");
  if (rows->Number(0, 0) != epoch) {
    superseded = true;
    return Status(StatusCode::kUnavailable,
                  "ledger " + place.shown + " was taken over by " + std::string(rows->Text(0, 3)));
  }
  const bool same = rows->Number(0, 1) == last.seq && rows->Text(0, 2) == Bytes(hash);
  if (same) return true;
  if (rows->Number(0, 1) == before) return false;
  return Status(StatusCode::kDataLoss, "ledger " + place.shown + " ends with commit " +
                                           std::to_string(rows->Number(0, 1)) +
                                           ", which is not this writer's");
}

Status PostgresStore::State::Reconnect() {
  const Clock::time_point until = Clock::now() + options.reconnect;
  while (true) {
    Result<PgConnection> opened = PgConnection::Open(place.url);
    if (opened.ok()) {
      connection = std::move(*opened);
      return Status::Ok();
    }
    if (Clock::now() >= until) return opened.status();
    std::this_thread::sleep_for(kBetweenTries);
  }
}

Status PostgresStore::State::Fail(const Status& cause) noexcept {
  Status failure = pending.Fail(cause);
  keeper.reset();
  snapshots.reset();
  connection.reset();
  return failure;
}

Status PostgresStore::Close() {
  State& s = *state_;
  if (!s.pending.failure().ok()) return s.pending.failure();
  return Guarded([&s] { return s.Close(); });
}

Status PostgresStore::State::Close() {
  snapshots.reset();
  const Status released = Release();
  pending.Stop({StatusCode::kUnavailable, "ledger " + place.shown + " is closed"});
  connection.reset();
  return released;
}

Status PostgresStore::State::Release() {
  keeper.reset();
  return connection
      ->Run("UPDATE muster_shard SET lease_until = now(), holder = '' WHERE id = $1 AND epoch = $2",
            {std::string_view(place.shard), epoch})
      .status();
}

Status PostgresStore::LoadWhole(const StateVisitor& visitor) const {
  if (!state_->pending.failure().ok()) return state_->pending.failure();
  // An engine loads it once, when it is opened: it has just been read.
  const std::optional<PgState> read = std::exchange(state_->opened_with, std::nullopt);
  if (!read) return state_->History().LoadWhole(visitor);
  for (const auto& [place, row] : read->rows) {
    if (Status status = visitor(row); !status.ok()) return status;
  }
  return Status::Ok();
}

Status PostgresStore::ReadChain(std::int64_t first, const ChainVisitor& visitor) const {
  if (!state_->pending.failure().ok()) return state_->pending.failure();
  return state_->History().ReadChain(first, visitor);
}

Result<LastCommit> PostgresStore::last() const {
  if (!state_->pending.failure().ok()) return state_->pending.failure();
  return state_->last;
}

Result<HistoryBase> PostgresStore::base() const {
  if (!state_->pending.failure().ok()) return state_->pending.failure();
  return state_->History().Base();
}

Status PostgresStore::LoadBase(const StateVisitor& visitor) const {
  if (!state_->pending.failure().ok()) return state_->pending.failure();
  return state_->History().LoadBase(visitor);
}

Status PostgresStore::ReadCarried(const CarriedVisitor& visitor) const {
  if (!state_->pending.failure().ok()) return state_->pending.failure();
  return state_->History().ReadCarried(visitor);
}

Status PostgresStore::StorePolicy(const StoredPolicy& policy) {
  State& s = *state_;
  if (!s.pending.failure().ok()) return s.pending.failure();
  if (policy.files.empty()) {
    return {StatusCode::kInvalidArgument, "policy package " + policy.hash + " has no files"};
  }
  const Status status = Guarded([&] {
    if (Status begun = s.connection->RunScript("BEGIN"); !begun.ok()) return begun;
    if (Status written = WritePolicy(*s.connection, s.place.shard, policy); !written.ok()) {
      return written;
    }
    return s.connection->RunScript("COMMIT");
  });
  return status.ok() ? status : s.Fail(status);
}

Result<StoredPolicy> PostgresStore::LoadPolicy(std::string_view policy_hash) const {
  if (!state_->pending.failure().ok()) return state_->pending.failure();
  return state_->History().LoadPolicy(policy_hash);
}

Result<std::vector<std::string>> PostgresStore::PolicyHashes() const {
  if (!state_->pending.failure().ok()) return state_->pending.failure();
  return state_->History().PolicyHashes();
}

Result<VerifyReport> PostgresStore::Verify(const VerifyOptions& options) const {
  if (!state_->pending.failure().ok()) return state_->pending.failure();
  return state_->History().Verify(options);
}

StoreHealth PostgresStore::health() const { return {state_->pending.failure(), false, 0}; }

bool PostgresStore::superseded() const noexcept { return state_->superseded; }

}  // namespace muster
