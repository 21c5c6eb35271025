// Taking over, the one statement of a commit, and what a broken connection means.
#include "db/postgres/postgres_store.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "db/commit_check.h"
#include "db/postgres/batch_codec.h"
#include "db/postgres/connection.h"
#include "db/postgres/history.h"
#include "db/postgres/lease_keeper.h"
#include "db/postgres/place.h"
#include "db/postgres/schema.h"
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

constexpr const char* kTakeOver =
    "UPDATE muster_shard SET epoch = epoch + 1, holder = $2, lease_until = now() + $3 * interval "
    "'1 millisecond' WHERE id = $1 AND lease_until <= now() RETURNING epoch, seq, head_hash";

/// "process 7 on host".
std::string ThisProcess() {
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  return "process " + std::to_string(getpid()) + " on " + host;
}

/// Without a base: see store.h.
Status NoRows() { return Status::Ok(); }

}  // namespace

struct PostgresStore::State {
  PgPlace place;
  PostgresOptions options;
  PostgresTesting testing;
  mutable std::optional<PgConnection> connection;
  std::unique_ptr<LeaseKeeper> keeper;

  std::int64_t epoch = 0;
  LastCommit last;
  ChainHash hash = kFirstPrevHash;
  std::int64_t next_event = 1;
  std::uint64_t state_digest = 0;
  std::map<RowPlace, std::uint64_t> digests;  // of every row of current state
  std::vector<Commit> pending;                // appended, not durable; the last has `appended`
  Ticket appended = 0;
  Ticket durable = 0;
  Status failure;
  FieldBuffer fields;

  PgHistory History() const { return {*connection, place.shard, place.shown}; }
  Status Open();
  Status Prepare();
  Status TakeOver();
  Status ReadBack(const PgHead& head);
  Status Store(Ticket ticket);
  BatchCommit Link(Commit commit);
  Status Send(const std::string& body, std::int64_t before);
  /// Whether the group up to `last` is in the history: after a broken connection, or a commit that
  /// changed nothing. kUnavailable: it is not and will not be by this writer.
  Result<bool> LookForIt(std::int64_t before);
  Status Reconnect();
  Status Fail(const Status& cause) noexcept;
  Status Close();
};

Result<std::unique_ptr<PostgresStore>> PostgresStore::Open(const std::string& url,
                                                           PostgresOptions options) {
  auto state = std::make_unique<State>();
  state->place = PlaceFrom(url);
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
  Result<std::unique_ptr<LeaseKeeper>> started = LeaseKeeper::Start(place, epoch, options.lease);
  if (!started.ok()) return started.status();
  keeper = std::move(*started);
  return Status::Ok();
}

Status PostgresStore::State::Prepare() {
  Result<PgHead> head = History().Head();
  if (head.status().code() != StatusCode::kNotFound || !options.create) return head.status();
  // Two that make the tables at once disturb each other; the second finds them.
  if (!connection->RunScript(kPgSchema).ok()) {
    if (Status status = connection->RunScript(kPgSchema); !status.ok()) return status;
  }
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
                                    std::int64_t{options.lease.count()}});
    if (!taken.ok()) return taken.status();
    if (!taken->empty()) {
      epoch = taken->Number(0, 0);
      const std::optional<ChainHash> head = HashFrom(taken->Text(0, 2));
      if (!head) return History().Damaged("the hash of its head is unreadable");
      return ReadBack({epoch, taken->Number(0, 1), *head, self});
    }
    if (Clock::now() >= until) break;
    std::this_thread::sleep_for(kBetweenTries);
  }
  const Result<PgHead> head = History().Head();
  if (!head.ok()) return head.status();
  return {StatusCode::kUnavailable, "ledger " + place.shown + " is held by " + head->holder};
}

Status PostgresStore::State::ReadBack(const PgHead& head) {
  Result<std::map<RowPlace, StateRow>> rows = History().Rows(head, &last);
  if (!rows.ok()) return rows.status();
  for (const auto& [row_place, row] : *rows) {
    const std::uint64_t digest = DigestOf(row, &fields);
    digests.emplace(row_place, digest);
    state_digest += digest;
  }
  hash = head.hash;
  if (head.seq == 0) return Status::Ok();
  return History().Walk(head.seq, head, [this](const BatchCommit& commit) {
    const CommitRecord& record = commit.stored.record;
    next_event = record.first_event + static_cast<std::int64_t>(record.events.size());
    return Status::Ok();
  });
}

Result<Ticket> PostgresStore::Append(Commit commit) {
  State& s = *state_;
  if (!s.failure.ok()) return s.failure;
  return Guarded([&]() -> Result<Ticket> {
    if (Status status = CheckKeys(commit); !status.ok()) return status;
    s.pending.push_back(std::move(commit));
    return ++s.appended;
  });
}

Status PostgresStore::Durable(Ticket ticket) {
  State& s = *state_;
  if (ticket <= s.durable) return Status::Ok();
  if (!s.failure.ok()) return s.failure;
  if (ticket > s.appended) return {StatusCode::kInternal, "this ticket was never given out"};
  try {
    const Status status = s.Store(ticket);
    return status.ok() ? status : s.Fail(status);
  } catch (...) {
    return s.Fail(Caught());
  }
}

// After a failure the store takes nothing more, so what is linked need not be taken back.
Status PostgresStore::State::Store(Ticket ticket) {
  const auto count = static_cast<std::ptrdiff_t>(ticket - durable);
  const std::int64_t before = last.seq;
  std::vector<BatchCommit> batch;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    batch.push_back(Link(std::move(pending[static_cast<std::size_t>(i)])));
  }
  pending.erase(pending.begin(), pending.begin() + count);
  if (Status status = Send(EncodeBatch(batch), before); !status.ok()) return status;
  durable = ticket;
  return Status::Ok();
}

BatchCommit PostgresStore::State::Link(Commit commit) {
  for (const StateRow& row : commit.rows) {
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
    const Result<PgRows> sent =
        connection->Run(testing.without_fence ? kCommitWithoutFence : kCommit,
                        {std::string_view(place.shard), epoch, before, last.seq,
                         PgBytes{Bytes(hash)}, std::int64_t{options.lease.count()}, PgBytes{body}});
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
  failure = cause;
  try {
    failure = {cause.code() == StatusCode::kDataLoss ? cause.code() : StatusCode::kUnavailable,
               cause.message() + "; the ledger takes nothing more until it is opened again"};
  } catch (...) {  // without memory it is said more briefly
  }
  pending.clear();
  keeper.reset();
  connection.reset();
  return failure;
}

Status PostgresStore::Close() {
  State& s = *state_;
  if (!s.failure.ok()) return s.failure;
  return Guarded([&s] { return s.Close(); });
}

Status PostgresStore::State::Close() {
  keeper.reset();
  const Status released =
      connection
          ->Run(
              "UPDATE muster_shard SET lease_until = now(), holder = '' WHERE id = $1 AND epoch = "
              "$2",
              {std::string_view(place.shard), epoch})
          .status();
  failure = {StatusCode::kUnavailable, "ledger " + place.shown + " is closed"};
  pending.clear();
  connection.reset();
  return released;
}

Status PostgresStore::Load(const RowVisitor& visitor) const {
  if (!state_->failure.ok()) return state_->failure;
  return state_->History().Load(visitor);
}

Status PostgresStore::ReadCommits(std::int64_t first, const CommitVisitor& visitor) const {
  if (!state_->failure.ok()) return state_->failure;
  return state_->History().ReadCommits(first, visitor);
}

Result<LastCommit> PostgresStore::last() const {
  if (!state_->failure.ok()) return state_->failure;
  return state_->last;
}

Result<HistoryBase> PostgresStore::base() const { return HistoryBase(); }
Status PostgresStore::LoadBase(const StateVisitor&) const { return NoRows(); }
Status PostgresStore::ReadCarried(const CarriedVisitor&) const { return NoRows(); }

Status PostgresStore::StorePolicy(const StoredPolicy& policy) {
  State& s = *state_;
  if (!s.failure.ok()) return s.failure;
  if (policy.files.empty()) {
    return {StatusCode::kInvalidArgument, "policy package " + policy.hash + " has no files"};
  }
  const Status status = Guarded([&] {
    if (Status begun = s.connection->RunScript("BEGIN"); !begun.ok()) return begun;
    for (const StoredPolicy::File& file : policy.files) {
      const std::uint64_t digest =
          DigestOfPolicyFile(policy.hash, file.path, file.bytes, &s.fields);
      const Result<PgRows> stored = s.connection->Run(
          "INSERT INTO muster_policy (shard, hash, path, bytes, digest) VALUES ($1, $2, $3, $4, "
          "$5) ON CONFLICT DO NOTHING",
          {std::string_view(s.place.shard), std::string_view(policy.hash),
           std::string_view(file.path), PgBytes{file.bytes}, static_cast<std::int64_t>(digest)});
      if (!stored.ok()) return stored.status();
    }
    return s.connection->RunScript("COMMIT");
  });
  return status.ok() ? status : s.Fail(status);
}

Result<StoredPolicy> PostgresStore::LoadPolicy(std::string_view policy_hash) const {
  if (!state_->failure.ok()) return state_->failure;
  return state_->History().LoadPolicy(policy_hash);
}

Result<std::vector<std::string>> PostgresStore::PolicyHashes() const {
  if (!state_->failure.ok()) return state_->failure;
  return state_->History().PolicyHashes();
}

Result<VerifyReport> PostgresStore::Verify(const VerifyOptions& options) const {
  if (!state_->failure.ok()) return state_->failure;
  return state_->History().Verify(options);
}

StoreHealth PostgresStore::health() const { return {state_->failure, false, 0}; }

struct PostgresReader::State {
  State(const PgPlace& place, PgConnection opened)
      : connection(std::move(opened)), history(connection, place.shard, place.shown) {}

  PgConnection connection;
  PgHistory history;
};

PostgresReader::PostgresReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
PostgresReader::~PostgresReader() = default;

Result<std::unique_ptr<PostgresReader>> PostgresReader::Open(const std::string& url) {
  if (Status status = PrepareHashing(); !status.ok()) return status;
  const PgPlace place = PlaceFrom(url);
  Result<PgConnection> opened = PgConnection::Open(place.url);
  if (!opened.ok()) return opened.status();
  std::unique_ptr<PostgresReader> reader(
      new PostgresReader(std::make_unique<State>(place, std::move(*opened))));
  if (const Result<PgHead> head = reader->state_->history.Head(); !head.ok()) {
    return head.status();
  }
  return reader;
}

Status PostgresReader::Load(const RowVisitor& visitor) const {
  return state_->history.Load(visitor);
}
Status PostgresReader::ReadCommits(std::int64_t first, const CommitVisitor& visitor) const {
  return state_->history.ReadCommits(first, visitor);
}
Result<LastCommit> PostgresReader::last() const { return state_->history.Last(); }
Result<HistoryBase> PostgresReader::base() const { return HistoryBase(); }
Status PostgresReader::LoadBase(const StateVisitor&) const { return NoRows(); }
Status PostgresReader::ReadCarried(const CarriedVisitor&) const { return NoRows(); }
Result<StoredPolicy> PostgresReader::LoadPolicy(std::string_view hash) const {
  return state_->history.LoadPolicy(hash);
}
Result<std::vector<std::string>> PostgresReader::PolicyHashes() const {
  return state_->history.PolicyHashes();
}
Result<VerifyReport> PostgresReader::Verify(const VerifyOptions& options) const {
  return state_->history.Verify(options);
}

}  // namespace muster
