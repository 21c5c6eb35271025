// Rows go to the server as JSON, which it takes apart: one statement for thousands of them.
#include "db/follow/follower.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "db/hash_chain.h"
#include "db/postgres/connection.h"
#include "db/postgres/history.h"
#include "db/postgres/place.h"
#include "db/postgres/snapshots.h"
#include "engine/base/caught.h"
#include "engine/codec/json_writer.h"
#include "muster/views.h"

namespace muster {
namespace {

constexpr std::int64_t kTablesVersion = 1;  ///< of the tables
constexpr std::size_t kLongestSchema = 63;
constexpr int kChunkCommits = 2'000;  ///< of a transaction
constexpr std::size_t kChunkBytes = std::size_t{4} << 20;
constexpr std::chrono::milliseconds kFollowerReconnect{10'000};

// {S}: the schema, in quotes.
constexpr const char* kFollowerTables = R"sql(
CREATE SCHEMA IF NOT EXISTS {S};
CREATE TABLE {S}.follower (
  ledger     text        PRIMARY KEY,
  version    bigint      NOT NULL,
  commit_seq bigint      NOT NULL,  -- the tables are as after this commit
  hash       bytea       NOT NULL,  -- of that one
  time       timestamptz,           -- of that one
  written    timestamptz NOT NULL   -- when it was added
);
CREATE TABLE {S}.workloads (
  namespace     text   NOT NULL,
  name          text   NOT NULL,
  uid           text   NOT NULL,
  local_queue   text   NOT NULL,
  cluster_queue text   NOT NULL,
  phase         text   NOT NULL,
  priority      bigint NOT NULL,
  created       timestamptz,
  reserved_at   timestamptz,
  admitted_at   timestamptz,
  finished_at   timestamptz,
  PRIMARY KEY (namespace, name)
);
CREATE TABLE {S}.history (
  seq         bigint PRIMARY KEY,
  commit_seq  bigint NOT NULL,
  command     text,
  cycle       bigint,
  time        timestamptz,
  kind        text   NOT NULL,
  subject     text   NOT NULL,
  policy_hash text,
  payload     jsonb  NOT NULL,
  caller      text
);
CREATE INDEX ON {S}.history (subject, seq);
CREATE INDEX ON {S}.history (time);
CREATE VIEW {S}.lag AS
SELECT f.commit_seq, s.seq AS newest, s.seq - f.commit_seq AS commits_behind, f.time, f.written
FROM {S}.follower f JOIN muster_shard s ON s.id = f.ledger;
)sql";

/// A time that came as nanoseconds in column `name`, to the microsecond, with every digit.
std::string MomentOf(std::string_view name) {
  const std::string ns(name);
  return "'epoch'::timestamptz + (" + ns + " / 1000) * interval '1 microsecond'";
}

/// JSON as the type jsonb takes it: that has no NUL.
std::string WithoutNul(std::string json) {
  constexpr std::string_view kNul = "\\u0000";
  for (std::size_t at = json.find('\\'); at != json.npos; at = json.find('\\', at + 2)) {
    if (json.compare(at, kNul.size(), kNul) == 0) json.replace(at, kNul.size(), "\\ufffd");
  }
  return json;
}

void TimeField(JsonWriter& json, std::string_view key, TimeNs time) {
  if (time != kNoTime) json.Field(key, time);
}

/// What is to be written in one transaction.
class Chunk {
 public:
  Chunk() { events_.BeginArray(); }

  void Add(const CarriedEvent& carried, std::string_view command, std::int64_t cycle) {
    const Event& event = carried.event;
    events_.BeginObject();
    events_.Field("seq", carried.seq).Field("commit_seq", carried.commit);
    if (!command.empty()) events_.Field("command", command).Field("cycle", cycle);
    TimeField(events_, "at", carried.at);
    events_.Field("kind", EventName(event.kind)).Field("subject", event.subject);
    if (!event.policy_hash.empty()) events_.Field("policy_hash", event.policy_hash);
    events_.Key("payload").Written(event.payload);
    if (!carried.caller.empty()) events_.Field("caller", carried.caller);
    events_.EndObject();
    ++count_;
  }
  void Add(const CommitRecord& commit) {
    std::int64_t seq = commit.first_event;
    for (const Event& event : commit.events) {
      Add({seq++, commit.seq, commit.at, event, std::string(commit.caller())}, commit.command,
          commit.cycle);
    }
  }
  void Add(const StateRow& row) {
    if (row.table != StateRow::Table::kWorkload) return;
    bytes_ += static_cast<std::size_t>(SizeOf(row));
    workloads_[row.key] = row.value ? row.workload : std::nullopt;
  }

  std::int64_t count() const { return count_; }
  bool full() const { return events_.text().size() + bytes_ >= kChunkBytes; }
  std::string Events() {
    events_.EndArray();
    return WithoutNul(events_.Take());
  }
  /// Those that are there, or those that are not any more.
  std::string Workloads(bool there) const {
    JsonWriter json;
    json.BeginArray();
    for (const auto& [key, summary] : workloads_) {
      if (summary.has_value() != there) continue;
      const std::size_t slash = key.find('/');
      const std::string_view whole = key;
      json.BeginObject();
      json.Field("namespace", whole.substr(0, slash)).Field("name", whole.substr(slash + 1));
      if (there) {
        json.Field("uid", summary->uid).Field("local_queue", summary->local_queue);
        json.Field("cluster_queue", summary->cluster_queue);
        json.Field("phase", PhaseName(summary->phase)).Field("priority", summary->priority);
        TimeField(json, "created", summary->created);
        TimeField(json, "reserved_at", summary->reserved_at);
        TimeField(json, "admitted_at", summary->admitted_at);
        TimeField(json, "finished_at", summary->finished_at);
      }
      json.EndObject();
    }
    json.EndArray();
    return WithoutNul(json.Take());
  }

 private:
  JsonWriter events_;
  std::int64_t count_ = 0;
  std::size_t bytes_ = 0;
  std::map<std::string, std::optional<WorkloadSummary>> workloads_;  ///< by key, as they are last
};

bool IsSchemaName(std::string_view name) {
  return !name.empty() && name.size() <= kLongestSchema && !name.starts_with("pg_") &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '_' || c == '.';
         });
}

}  // namespace

struct Follower::State {
  State(PgPlace where, std::string into, PgConnection opened)
      : place(std::move(where)), schema(std::move(into)), connection(std::move(opened)) {}

  const PgPlace place;
  const std::string schema;
  PgConnection connection;

  /// The newest commit that the tables have.
  struct Position {
    std::int64_t seq = 0;
    std::string hash;
  };

  /// `sql` with the schema put in.
  std::string With(std::string sql) const {
    for (std::size_t at = sql.find("{S}"); at != sql.npos; at = sql.find("{S}")) {
      sql.replace(at, 3, '"' + schema + '"');
    }
    return sql;
  }
  Result<PgRows> Run(const std::string& sql, std::initializer_list<PgValue> values = {}) {
    return connection.Run(With(sql).c_str(), values);
  }
  /// In a transaction, which is undone when `work` fails.
  template <typename T>
  Result<T> Transact(const std::function<Result<T>()>& work) {
    if (Status begun = connection.RunScript("BEGIN"); !begun.ok()) return begun;
    Result<T> done = Guarded(work);
    if (!done.ok()) {
      (void)connection.RunScript("ROLLBACK");
      return done;
    }
    const Status ended = connection.RunScript("COMMIT");
    return ended.ok() ? std::move(done) : ended;
  }
  Result<bool> MakeTables();
  Result<Followed> Step();
  Result<Position> ReadPosition();
  Status Fill(const PgBase& base, Chunk* chunk);
  Status Write(Chunk* chunk, const CommitRecord& last, std::string_view hash);
  Status Refused(const std::string& why) const {
    return {StatusCode::kFailedPrecondition,
            "schema " + schema + " " + why + "; name another with --into, or drop this one"};
  }
};

Follower::Follower(std::unique_ptr<State> state) : state_(std::move(state)) {}
Follower::~Follower() = default;

const std::string& Follower::schema() const { return state_->schema; }

Result<std::unique_ptr<Follower>> Follower::Open(const std::string& url,
                                                 const std::string& schema) {
  if (Status status = PrepareHashing(); !status.ok()) return status;
  Result<PgPlace> place = PlaceFrom(url);
  if (!place.ok()) return place.status();
  const std::string name = schema.empty() ? "muster_" + place->shard : schema;
  if (!IsSchemaName(name)) {
    return Status(StatusCode::kInvalidArgument,
                  "'" + name + "' is no name of a schema: --into takes up to " +
                      std::to_string(kLongestSchema) +
                      " letters, digits and -_. and none that begins with pg_");
  }
  Result<PgConnection> opened = PgConnection::Open(place->url);
  if (!opened.ok()) return opened.status();
  std::unique_ptr<Follower> follower(
      new Follower(std::make_unique<State>(*place, name, *std::move(opened))));
  State& s = *follower->state_;
  const Result<PgHead> head = PgHistory(s.connection, s.place.shard, s.place.shown).Head();
  if (!head.ok()) return head.status();
  const Result<bool> made = s.Transact<bool>([&s] { return s.MakeTables(); });
  if (!made.ok()) return made.status();
  return follower;
}

/// Whether they were not there.
Result<bool> Follower::State::MakeTables() {
  // Two that begin at once would both make them.
  if (Result<PgRows> alone = Run("SELECT pg_advisory_xact_lock(hashtext('muster ledger follow'))");
      !alone.ok()) {
    return alone.status();
  }
  const Result<PgRows> there = Run(
      "SELECT relname::text FROM pg_class WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE "
      "nspname = $1) AND relname IN ('follower', 'workloads', 'history', 'lag') ORDER BY 1",
      {std::string_view(schema)});
  if (!there.ok()) return there.status();
  if (!there->empty() && there->Text(0, 0) != "follower") {
    return Refused("has a " + std::string(there->Text(0, 0)) + " that is not of a follower");
  }
  if (!there->empty()) {
    const Result<PgRows> whose = Run("SELECT ledger, version FROM {S}.follower");
    if (!whose.ok()) return whose.status();
    if (whose->size() != 1 || whose->Text(0, 0) != place.shard) {
      return Refused("follows another ledger");
    }
    if (whose->Number(0, 1) != kTablesVersion)
      return Refused("was made by another version of Muster");
    return false;
  }
  if (Status made = connection.RunScript(With(kFollowerTables).c_str()); !made.ok()) return made;
  const Result<PgRows> begun = Run("INSERT INTO {S}.follower VALUES ($1, $2, 0, '', NULL, now())",
                                   {std::string_view(place.shard), kTablesVersion});
  if (!begun.ok()) return begun.status();
  return true;
}

Result<Followed> Follower::Step() {
  State& s = *state_;
  if (s.connection.broken()) {
    Result<PgConnection> opened = PgConnection::OpenWithin(s.place.url, kFollowerReconnect);
    if (!opened.ok()) return opened.status();
    s.connection = *std::move(opened);
  }
  Result<Followed> step = s.Transact<Followed>([&s] { return s.Step(); });
  // Written or not: its position says so, on another connection.
  if (!step.ok() && s.connection.broken()) return Followed{.known = false};
  return step;
}

Result<Follower::State::Position> Follower::State::ReadPosition() {
  // Another follower of these tables is waited for, and what it wrote is seen.
  const Result<PgRows> rows = Run("SELECT commit_seq, hash FROM {S}.follower FOR UPDATE");
  if (!rows.ok()) return rows.status();
  if (rows->size() != 1) return Refused("has lost where it was");
  return Position{rows->Number(0, 0), std::string(rows->Text(0, 1))};
}

Result<Followed> Follower::State::Step() {
  Result<Position> position = ReadPosition();
  if (!position.ok()) return position.status();
  const PgHistory history(connection, place.shard, place.shown);
  const Result<PgHead> head = history.Head();
  if (!head.ok()) return head.status();
  if (head->seq < position->seq) {
    return Refused("has commit " + std::to_string(position->seq) + ", but the ledger ends with " +
                   std::to_string(head->seq));
  }
  Followed followed{position->seq, head->seq, kNoTime, 0};
  if (head->seq == position->seq) return followed;
  const Result<PgBase> base = PgSnapshots(connection, place.shard).Base();
  if (!base.ok()) return base.status();
  Chunk chunk;
  if (position->seq + 1 < base->base.first) {
    // The ledger begins later than the tables end, or they are new.
    if (Status filled = Fill(*base, &chunk); !filled.ok()) return filled;
    *position = {};
  }
  CommitRecord last;
  std::string hash;
  int commits = 0;
  bool enough = false;
  const Status walked = history.Walk(position->seq + 1, *head, [&](BatchCommit& commit) {
    const CommitRecord& record = commit.stored.record;
    if (commits == 0 && position->seq > 0 && Bytes(commit.stored.prev) != position->hash) {
      return Refused("has another commit " + std::to_string(position->seq) + " than the ledger");
    }
    chunk.Add(record);
    if (record.seq >= base->rows_from) {
      for (const StateRow& row : commit.rows) chunk.Add(row);
    } else if (record.seq == base->rows_from - 1) {
      const Result<PgState> state = PgSnapshots(connection, place.shard).Read(record.seq);
      if (!state.ok()) return state.status();
      for (const auto& [row_place, row] : state->rows) chunk.Add(row);
    }
    last = record;
    hash = Bytes(commit.stored.hash);
    enough = ++commits == kChunkCommits || chunk.full();
    return enough ? Status(StatusCode::kUnavailable, "the rest comes next") : Status::Ok();
  });
  if (!walked.ok() && !enough) return walked;
  followed.commit = last.seq;
  followed.at = last.at;
  followed.events = chunk.count();
  if (Status written = Write(&chunk, last, hash); !written.ok()) return written;
  return followed;
}

/// The tables begin anew, with what is known from before the ledger's first commit.
Status Follower::State::Fill(const PgBase& base, Chunk* chunk) {
  for (const char* table : {"history", "workloads"}) {
    const Result<PgRows> emptied = Run(std::string("DELETE FROM {S}.") + table);
    if (!emptied.ok()) return emptied.status();
  }
  for (const CarriedEvent& carried : base.carried) chunk->Add(carried, "", 0);
  return Status::Ok();
}

Status Follower::State::Write(Chunk* chunk, const CommitRecord& last, std::string_view hash) {
  const std::string gone = chunk->Workloads(/*there=*/false);
  const std::string there = chunk->Workloads(/*there=*/true);
  const std::string events = chunk->Events();
  Result<PgRows> done = Run(
      "INSERT INTO {S}.history SELECT seq, commit_seq, command, cycle, " + MomentOf("at") +
          ", kind, subject, policy_hash, payload, caller FROM jsonb_to_recordset($1::jsonb) AS x("
          "seq bigint, commit_seq bigint, command text, cycle bigint, at bigint, kind text, "
          "subject text, policy_hash text, payload jsonb, caller text)",
      {std::string_view(events)});
  if (!done.ok()) return done.status();
  done = Run(
      "DELETE FROM {S}.workloads w USING jsonb_to_recordset($1::jsonb) AS x(namespace text, name "
      "text) WHERE w.namespace = x.namespace AND w.name = x.name",
      {std::string_view(gone)});
  if (!done.ok()) return done.status();
  done = Run(
      "INSERT INTO {S}.workloads SELECT namespace, name, uid, local_queue, cluster_queue, phase, "
      "priority, " +
          MomentOf("created") + ", " + MomentOf("reserved_at") + ", " + MomentOf("admitted_at") +
          ", " + MomentOf("finished_at") +
          " FROM jsonb_to_recordset($1::jsonb) AS x(namespace text, name text, uid text, "
          "local_queue text, cluster_queue text, phase text, priority bigint, created bigint, "
          "reserved_at bigint, admitted_at bigint, finished_at bigint) ON CONFLICT (namespace, "
          "name) DO UPDATE SET uid = excluded.uid, local_queue = excluded.local_queue, "
          "cluster_queue = excluded.cluster_queue, phase = excluded.phase, priority = "
          "excluded.priority, created = excluded.created, reserved_at = excluded.reserved_at, "
          "admitted_at = excluded.admitted_at, finished_at = excluded.finished_at",
      {std::string_view(there)});
  if (!done.ok()) return done.status();
  const bool timed = last.at != kNoTime;
  done = Run(
      "UPDATE {S}.follower SET commit_seq = $1, hash = $2, written = now(), time = " +
          std::string(timed ? MomentOf("$3::bigint") : "CASE WHEN $3::bigint = 0 THEN NULL END"),
      {last.seq, PgBytes{hash}, timed ? last.at : 0});
  return done.status();
}

}  // namespace muster
