// Taking over, and what goes into a group of commits.
#include "db/postgres/postgres_store.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "db/batches/batch_codec.h"
#include "db/pending_commits.h"
#include "db/postgres/commit_chain.h"
#include "db/postgres/connection.h"
#include "db/postgres/followed_ledger.h"
#include "db/postgres/gone_writer.h"
#include "db/postgres/groups_in_flight.h"
#include "db/postgres/history.h"
#include "db/postgres/known_head.h"
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

// $4: the session of the writer that was seen to be gone, or -1. Until the keeper of its lease has
// a session, the writer lives by this one: killed in between, it is waited for no longer.
constexpr const char* kTakeOver =
    "UPDATE muster_shard SET epoch = epoch + 1, holder = $2, session = pg_backend_pid(), "
    "lease_until = now() + $3 * interval '1 millisecond' WHERE id = $1 AND (lease_until <= now() "
    "OR session = $4) RETURNING epoch, seq, head_hash";

}  // namespace

struct PostgresStore::State {
  State() = default;
  ~State() {
    if (wake >= 0) close(wake);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  PgPlace place;
  PostgresOptions options;
  PostgresTesting testing;
  mutable std::optional<PgConnection> connection;
  std::atomic<bool> superseded = false;  // another has the ledger
  std::unique_ptr<LeaseKeeper> keeper;

  std::int64_t epoch = 0;
  std::optional<CommitChain> chain;  // once it is known where the history ends
  std::unique_ptr<KnownHead> known;  // null: no folder of heads
  bool compared = false;             // the ledger has what is known
  GoneWriter gone;
  std::optional<FollowedLedger> followed;  // its rows until loaded or changed
  std::unique_ptr<SnapshotKeeper> snapshots;
  PendingCommits pending;
  std::optional<GroupsInFlight> groups;  // while this is the writer
  int wake = -1;                         // eventfd, of Wake

  PgHistory History() const { return {*connection, place.shard, place.shown}; }
  Status Open();
  Status Prepare();
  /// Brings a ledger of an older version to this one.
  Status Upgrade();
  Status TakeOver();
  /// Whether it has the ledger now. A connection that breaks is tried again before `until`.
  Result<bool> TryToTake(const std::string& self, Clock::time_point until);
  /// Waits until there is something to do; whether the ledger may be taken.
  Result<bool> NextTurn(bool before);
  /// Through a connection that is new: what it knew of sessions counts no more.
  Status ReconnectToWait();
  Status ReadBack(const PgHead& head);
  /// With what is known, before that is changed.
  Status Compare(const PgHead& head);
  Status Note(std::int64_t seq, const ChainHash& its_hash) {
    return known ? known->Note(seq, its_hash) : Status::Ok();
  }
  /// Follows what another writes.
  Status KeepUp();
  Status Send(std::span<Commit> commits, Ticket ticket);
  /// Whether `ticket` is durable; not when the eventfd `woken`, or -1, was written to before.
  Result<bool> Await(Ticket ticket, int woken);
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
  wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake < 0) return {StatusCode::kUnavailable, "no file descriptor for the ledger"};
  if (!options.heads.empty()) {
    Result<std::unique_ptr<KnownHead>> head = KnownHead::Open(options.heads, place);
    if (!head.ok()) return head.status();
    known = *std::move(head);
  }
  // One that stands by may begin while the database fails over.
  if (options.lock_wait > options.reconnect) {
    if (Status reached = Reconnect(); !reached.ok()) return reached;
  } else {
    Result<PgConnection> opened = PgConnection::Open(place.url);
    if (!opened.ok()) return opened.status();
    connection = std::move(*opened);
  }
  followed.emplace([this] { return History(); }, options.standby);
  Status status = Prepare();
  if (status.ok()) status = TakeOver();
  if (!status.ok()) return status;
  Result<std::unique_ptr<SnapshotKeeper>> snapping =
      SnapshotKeeper::Start(place, options.snapshot_bytes);
  if (!snapping.ok()) return snapping.status();
  snapshots = std::move(*snapping);
  groups.emplace(PgWriter{place, epoch, options.lease, options.reconnect, testing.without_fence},
                 &*connection, &superseded);
  snapshots->Grown(followed->bytes(), followed->tail_bytes());
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
  if (known && known->seq() > 0) return known->Lost("does not exist");
  if (Status status = MakeTables(*connection); !status.ok()) return status;
  return connection
      ->Run(
          "INSERT INTO muster_shard (id, version, epoch, seq, head_hash, holder, lease_until) "
          "VALUES ($1, $2, 0, 0, $3, '', now()) ON CONFLICT DO NOTHING",
          {std::string_view(place.shard), std::int64_t{kPgVersion}, PgBytes{Bytes(kFirstPrevHash)}})
      .status();
}

Status PostgresStore::State::TakeOver() {
  const std::string self = NameOfHolder(getpid());
  const Clock::time_point until = Clock::now() + options.lock_wait;
  bool may_take = options.turns == nullptr;
  while (true) {
    if (may_take) {
      const Result<bool> taken = TryToTake(self, until);
      if (!taken.ok() || *taken) return taken.status();
    }
    if (Clock::now() >= until) break;
    if (Status status = KeepUp(); !status.ok()) return status;
    const Result<bool> next = NextTurn(may_take);
    if (!next.ok()) return next.status();
    may_take = *next;
  }
  const Result<PgHead> head = History().Head();
  if (!head.ok()) return head.status();
  return {StatusCode::kUnavailable, "ledger " + place.shown + " is held by " + head->holder};
}

Result<bool> PostgresStore::State::TryToTake(const std::string& self, Clock::time_point until) {
  while (true) {
    const Result<PgRows> taken = connection->Run(
        kTakeOver, {std::string_view(place.shard), std::string_view(self),
                    std::int64_t{options.lease.count()}, gone.Session(*connection, place.shard)});
    if (!taken.ok() && connection->broken() && Clock::now() < until) {
      // It took the ledger or did not; it will hear of itself as of another when it did.
      if (Status status = ReconnectToWait(); !status.ok()) return status;
      continue;
    }
    if (!taken.ok()) return taken.status();
    if (taken->empty()) return false;
    epoch = taken->Number(0, 0);
    const std::optional<ChainHash> head = HashFrom(taken->Text(0, 2));
    if (!head) return History().Damaged("the hash of its head is unreadable");
    // Reading may take longer than the lease.
    Result<std::unique_ptr<LeaseKeeper>> started =
        LeaseKeeper::Start(place, epoch, options.lease, &superseded);
    if (!started.ok()) return started.status();
    keeper = std::move(*started);
    const Status read = ReadBack({epoch, taken->Number(0, 1), *head, self});
    if (read.ok()) return true;
    (void)Release();
    return read;
  }
}

Result<bool> PostgresStore::State::NextTurn(bool before) {
  if (options.turns == nullptr) {
    std::this_thread::sleep_for(kBetweenTries);
    return true;
  }
  if (!before && connection->broken()) {
    if (Status status = ReconnectToWait(); !status.ok()) return status;
  }
  const Result<bool> may_take = options.turns->MayTake(followed->seq());
  // What it saw of sessions in an earlier turn says nothing of how long one is gone.
  if (may_take.ok() && *may_take && !before) gone.LookAnew();
  return may_take;
}

Status PostgresStore::State::ReconnectToWait() {
  if (Status status = Reconnect(); !status.ok()) return status;
  // When the database was started again, no session is there, of whichever writer.
  gone.LookAnew(options.lease);
  return Status::Ok();
}

Status PostgresStore::State::KeepUp() {
  const Result<PgHead> head = History().Head();
  Status status = head.status();
  const std::int64_t before = followed->seq();
  if (status.ok()) status = Compare(*head);
  if (status.ok()) status = followed->KeepUp(*head);
  if (status.ok() && followed->seq() != before && followed->seq() == head->seq) {
    status = Note(head->seq, head->hash);
  }
  if (followed->seq() != before && testing.followed) testing.followed(followed->seq());
  // A broken connection is found by the next try to take the ledger.
  return connection->broken() ? Status::Ok() : status;
}

Status PostgresStore::State::ReadBack(const PgHead& head) {
  if (Status status = Compare(head); !status.ok()) return status;
  if (Status status = followed->Finish(head); !status.ok()) return status;
  chain.emplace(options.engine_version, followed->last(), followed->next_event(), head.hash,
                followed->TakeDigests());
  return Note(head.seq, head.hash);
}

Status PostgresStore::State::Compare(const PgHead& head) {
  if (compared || !known) return Status::Ok();
  const Status status = known->Check(History(), head);
  compared = status.ok();
  return status;
}

Result<Ticket> PostgresStore::Append(Commit commit) {
  return state_->pending.Append(std::move(commit));
}

Status PostgresStore::Durable(Ticket ticket) {
  State& s = *state_;
  if (s.pending.durable(ticket)) return Status::Ok();
  if (Status status = Begin(ticket); !status.ok()) return status;
  return s.Await(ticket, -1).status();
}

std::size_t PostgresStore::useful_groups() const noexcept {
  if (state_->testing.groups != 0) return state_->testing.groups;
  return state_->groups ? state_->groups->useful() : 1;
}

Status PostgresStore::Begin(Ticket ticket) {
  State& s = *state_;
  return s.pending.Begin(
      ticket,
      [&s, ticket](std::span<Commit> commits) {
        const Status status = s.Send(commits, ticket);
        return status.ok() ? status : s.Fail(status);
      },
      [&s](const Status& cause) { return s.Fail(cause); });
}

Result<bool> PostgresStore::Await(Ticket ticket) { return state_->Await(ticket, state_->wake); }

void PostgresStore::Wake() noexcept {
  const std::uint64_t once = 1;
  (void)!write(state_->wake, &once, sizeof(once));
}

Result<bool> PostgresStore::State::Await(Ticket ticket, int woken) {
  while (!pending.durable(ticket)) {
    if (!pending.failure().ok()) return pending.failure();
    const Result<std::optional<PgGroup>> stored = Guarded([&] { return groups->Await(woken); });
    if (!stored.ok()) return Fail(stored.status());
    if (!*stored) return false;
    if (Status noted = Note((*stored)->last, (*stored)->hash); !noted.ok()) return Fail(noted);
    pending.Confirm((*stored)->ticket);
    snapshots->Grown(0,
                     static_cast<std::int64_t>((*stored)->body.size() + (*stored)->changes.size()));
  }
  return true;
}

// After a failure the store takes nothing more, so what is linked need not be taken back.
Status PostgresStore::State::Send(std::span<Commit> commits, Ticket ticket) {
  followed.reset();
  PgGroup group;
  group.begun = PgGroup::Clock::now();
  group.ticket = ticket;
  group.before = chain->last().seq;
  std::vector<BatchCommit> batch;
  batch.reserve(commits.size());
  for (Commit& commit : commits) batch.push_back(chain->Number(std::move(commit)));
  group.last = chain->last().seq;
  const bool ahead = groups->takes_ahead() && SizeOf(batch) >= testing.ahead_from;
  if (ahead) {
    group.changes = EncodeChanges(batch);
    if (Status status = groups->SendAhead(&group); !status.ok()) return status;
    if (testing.sent_ahead) testing.sent_ahead();
  }
  for (BatchCommit& commit : batch) chain->Link(&commit);
  group.hash = chain->hash();
  group.body = ahead ? EncodeLinks(batch) : EncodeBatch(batch);
  return groups->Send(std::move(group));
}

Status PostgresStore::State::Reconnect() {
  Result<PgConnection> opened = PgConnection::OpenWithin(place.url, options.reconnect);
  if (!opened.ok()) return opened.status();
  connection = *std::move(opened);
  return Status::Ok();
}

Status PostgresStore::State::Fail(const Status& cause) noexcept {
  Status failure = pending.Fail(cause);
  keeper.reset();
  snapshots.reset();
  groups.reset();
  connection.reset();
  return failure;
}

Status PostgresStore::Close() {
  State& s = *state_;
  if (!s.pending.failure().ok()) return s.pending.failure();
  return Guarded([&s] { return s.Close(); });
}

Status PostgresStore::State::Close() {
  while (!groups->empty() && groups->Await(-1).ok()) continue;
  groups.reset();
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
  std::optional<PgState> read;
  if (state_->followed) read = state_->followed->TakeRows();
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
  return state_->chain->last();
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
