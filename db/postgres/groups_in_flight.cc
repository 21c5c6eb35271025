#include "db/postgres/groups_in_flight.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "db/batches/batch_codec.h"

namespace muster {
namespace {

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

// The two halves of a group whose changes go ahead. When the row is not as it must be, f is empty
// and the hash NULL, which the table refuses. now() would be the time of the first half, and the
// lease may have been renewed since.
constexpr const char* kAddChanges =
    "INSERT INTO muster_body (shard, seq, epoch, body) VALUES ($1, $2, $3, $4)";
constexpr const char* kCommitLinks =
    "WITH f AS (UPDATE muster_shard SET seq = $4, head_hash = $5, lease_until = clock_timestamp() "
    "+ $6 * "
    "interval '1 millisecond' WHERE id = $1 AND epoch = $2 AND seq = $3 RETURNING head_hash) "
    "INSERT INTO muster_batch (shard, seq, epoch, hash, body) VALUES ($1, $4, $2, (SELECT "
    "head_hash "
    "FROM f), $7)";
constexpr const char* kCommitLinksWithoutFence =
    "WITH f AS (UPDATE muster_shard SET seq = $4, head_hash = $5, lease_until = clock_timestamp() "
    "+ $6 * "
    "interval '1 millisecond' WHERE id = $1 AND $2 = $2 AND $3 = $3 RETURNING head_hash) "
    "INSERT INTO muster_batch (shard, seq, epoch, hash, body) VALUES ($1, $4, $2, (SELECT "
    "head_hash "
    "FROM f), $7) ON CONFLICT (shard, seq) DO UPDATE SET epoch = excluded.epoch, hash = "
    "excluded.hash, body = excluded.body";

// glibc gives a large block back to the system when it is freed, so a server would fetch the memory
// of every large group anew, at a fault a page; once it has freed a block, it keeps what is
// smaller. This makes it free one of 8 MiB, which takes it some milliseconds once a connection. It
// reads a group into a power of two, so that is enough for 4 MiB: ten thousand decisions.
constexpr const char* kLetServerKeepMemory = "SELECT octet_length(repeat(repeat('-', 1024), 8192))";

constexpr double kMostUseful = 4;

double SecondsIn(PgGroup::Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

void Follow(double* average, double newest) {
  *average = *average == 0 ? newest : *average + (newest - *average) / 8;
}

}  // namespace

std::size_t GroupsInFlight::useful() const {
  if (served_ <= 0) return 1;
  return static_cast<std::size_t>(std::min(kMostUseful, 1 + std::round((trip_ + made_) / served_)));
}

const char* GroupsInFlight::Whole() const {
  return writer_.without_fence ? kCommitWithoutFence : kCommit;
}
const char* GroupsInFlight::Links() const {
  return writer_.without_fence ? kCommitLinksWithoutFence : kCommitLinks;
}

void GroupsInFlight::Measure() {
  const auto now = PgGroup::Clock::now();
  // It arrived when it had travelled, and was begun when the one before was done.
  Follow(&served_, std::max(1e-6, std::min(SecondsIn(now - sent_.front().sent) - trip_,
                                           SecondsIn(now - answered_))));
  answered_ = now;
}

void GroupsInFlight::GreetServer() {
  refuses_ahead_ = false;
  // What is broken is found below.
  (void)connection_.RunScript(kLetServerKeepMemory);
  constexpr std::int64_t kNumber = 0;
  constexpr std::string_view kText;
  constexpr PgBytes kBytes;
  (void)connection_.Plan(kAddChanges, {kText, kNumber, kNumber, kBytes});
  for (const char* each : {Whole(), Links()}) {
    (void)connection_.Plan(each, {kText, kNumber, kNumber, kNumber, kBytes, kNumber, kBytes});
  }
  constexpr int kTries = 3;
  for (int i = 0; i < kTries; ++i) {
    const auto begun = PgGroup::Clock::now();
    if (!connection_.RunOften("SELECT 1", {}).ok()) return;
    const double took = SecondsIn(PgGroup::Clock::now() - begun);
    trip_ = i == 0 ? took : std::min(trip_, took);
  }
}

Status GroupsInFlight::SendAhead(PgGroup* group) {
  group->sent = PgGroup::Clock::now();
  if (connection_.broken()) return Status::Ok();
  const Status status = connection_.SendFirstPart(
      kAddChanges,
      {std::string_view(writer_.place.shard), group->last, writer_.epoch, PgBytes{group->changes}});
  group->ahead = !connection_.broken();
  return group->ahead ? status : Status::Ok();
}

Status GroupsInFlight::Send(PgGroup group) {
  const auto now = PgGroup::Clock::now();
  if (!group.ahead) group.sent = now;
  Follow(&made_, SecondsIn(now - group.begun));
  sent_.push_back(std::move(group));
  return Transmit(sent_.back());
}

Status GroupsInFlight::Transmit(const PgGroup& group) {
  if (connection_.broken()) return Status::Ok();
  const bool join = !group.ahead && !group.changes.empty();
  const std::string joined = join ? JoinedBatch(group.body, group.changes) : "";
  const Status status =
      connection_.Send(group.ahead ? Links() : Whole(),
                       {std::string_view(writer_.place.shard), writer_.epoch, group.before,
                        group.last, PgBytes{Bytes(group.hash)}, std::int64_t{writer_.lease.count()},
                        PgBytes{join ? joined : group.body}});
  return connection_.broken() ? Status::Ok() : status;
}

Result<std::optional<PgGroup>> GroupsInFlight::Await(int wake) {
  while (found_ == 0) {
    const Result<bool> ready = connection_.Ready(wake);
    if (ready.ok() && !*ready) return std::optional<PgGroup>();
    const Result<PgRows> answer = ready.ok() ? connection_.Next() : ready.status();
    // That the second half of one fails may mean that another has the ledger; it is looked for, and
    // sent again whole, which says what else is wrong.
    const bool refused = !answer.ok() && !connection_.broken();
    if (refused && !sent_.front().ahead) return answer.status();
    refuses_ahead_ = refuses_ahead_ || refused;
    if (answer.ok() && answer->affected() == 1) {
      found_ = 1;
      Measure();
    } else if (Status status = SendAgain(); !status.ok()) {
      return status;
    }
  }
  --found_;
  std::optional<PgGroup> stored = std::move(sent_.front());
  sent_.pop_front();
  return stored;
}

Status GroupsInFlight::SendAgain() {
  while (!connection_.broken() && connection_.unanswered() > 0) (void)connection_.Next();
  const auto until = PgGroup::Clock::now() + writer_.reconnect;
  while (true) {
    if (connection_.broken()) {
      Result<PgConnection> opened = PgConnection::OpenWithin(writer_.place.url, writer_.reconnect);
      if (!opened.ok()) return opened.status();
      connection_ = *std::move(opened);
      GreetServer();
    }
    const Result<std::size_t> there = LookForThem();
    if (there.ok()) {
      found_ = *there;
      break;
    }
    // A server that ends lets connections in and breaks them.
    if (!connection_.broken() || PgGroup::Clock::now() >= until) return there.status();
  }
  // Whole: the server may not know yet that the connection with the first half of one is gone.
  for (std::size_t i = found_; i < sent_.size(); ++i) {
    sent_[i].ahead = false;
    sent_[i].sent = PgGroup::Clock::now();
    if (Status status = Transmit(sent_[i]); !status.ok()) return status;
  }
  return Status::Ok();
}

// The lock of the row waits for a commit of this writer that its lost connection may still be at.
// One that comes even later finds another end of the history, or adds the very same group.
Result<std::size_t> GroupsInFlight::LookForThem() {
  const PgPlace& place = writer_.place;
  const Result<PgRows> rows = connection_.Run(
      "SELECT epoch, seq, head_hash, holder FROM muster_shard WHERE id = $1 FOR UPDATE",
      {std::string_view(place.shard)});
  if (!rows.ok()) return rows.status();
  if (rows->empty()) return Status(StatusCode::kDataLoss, "ledger " + place.shown + " is gone");
  if (rows->Number(0, 0) != writer_.epoch) {
    superseded_ = true;
    return Status(StatusCode::kUnavailable,
                  "ledger " + place.shown + " was taken over by " + std::string(rows->Text(0, 3)));
  }
  const std::int64_t end = rows->Number(0, 1);
  if (end == sent_.front().before) return std::size_t{0};
  for (std::size_t i = 0; i < sent_.size(); ++i) {
    if (end == sent_[i].last && rows->Text(0, 2) == Bytes(sent_[i].hash)) return i + 1;
  }
  return Status(StatusCode::kDataLoss, "ledger " + place.shown + " ends with commit " +
                                           std::to_string(end) + ", which is not this writer's");
}

}  // namespace muster
