#include "db/sqlite/writer.h"

#include <sqlite3.h>

#include <utility>

#include "engine/model/names.h"

namespace muster {
namespace {

constexpr std::size_t kManyRows = 16;

std::uint64_t* Sum(sqlite3_context* context) {
  return static_cast<std::uint64_t*>(sqlite3_user_data(context));
}

// replace_digest(old, new): new; takes old out of the running sum. It runs where SQLite has the old
// row in hand, which saves reading every row before replacing it.
void ReplaceDigest(sqlite3_context* context, int, sqlite3_value** values) {
  *Sum(context) -= static_cast<std::uint64_t>(sqlite3_value_int64(values[0]));
  sqlite3_result_value(context, values[1]);
}

std::string Upsert(const std::string& keys, const std::vector<std::string>& columns) {
  std::string sql = " ON CONFLICT (" + keys + ") DO UPDATE SET ";
  for (const std::string& column : columns) sql += column + " = excluded." + column + ", ";
  return sql + "digest = replace_digest(digest, excluded.digest)";
}

std::string Many(const std::string& row) {
  std::string rows = row;
  for (std::size_t i = 1; i < kManyRows; ++i) rows += "," + row;
  return rows;
}

Status Prepare(const Connection& connection, const std::string& sql,
               std::optional<Statement>* statement) {
  if (statement->has_value()) return Status::Ok();
  Result<Statement> prepared = Statement::Prepare(connection, sql);
  if (!prepared.ok()) return prepared.status();
  *statement = std::move(*prepared);
  return Status::Ok();
}

}  // namespace

Writer::Writer(const Connection& connection, std::string engine_version, const std::string& tables)
    : connection_(connection), engine_version_(std::move(engine_version)) {
  const auto at = [](StateRow::Table table) { return static_cast<std::size_t>(table); };
  tables_[at(StateRow::Table::kObject)] = {
      {"INSERT INTO " + tables + "object (kind, name, value, digest) VALUES ", "(?,?,?,?)",
       Upsert("kind, name", {"value"})},
      "DELETE FROM " + tables + "object WHERE kind = ? AND name = ? RETURNING digest"};
  tables_[at(StateRow::Table::kWorkload)] = {
      {"INSERT INTO " + tables + "workload (" + kWorkloadColumns + ") VALUES ",
       "(?,?,?,?,?,?,?,?,?,?,?,?,?)",
       Upsert("namespace, name",
              {"uid", "local_queue", "cluster_queue", "phase", "priority", "created", "reserved_at",
               "admitted_at", "finished_at", "value"})},
      "DELETE FROM " + tables + "workload WHERE namespace = ? AND name = ? RETURNING digest"};
  tables_[at(StateRow::Table::kQueue)] = {
      {"INSERT INTO " + tables + "queue_state (key, value, digest) VALUES ", "(?,?,?)",
       Upsert("key", {"value"})},
      "DELETE FROM " + tables + "queue_state WHERE key = ? RETURNING digest"};
  tables_[at(StateRow::Table::kEngine)] = {
      {"INSERT INTO " + tables + "engine_state (key, value, digest) VALUES ", "(?,?,?)",
       Upsert("key", {"value"})},
      "DELETE FROM " + tables + "engine_state WHERE key = ? RETURNING digest"};
  commit_insert_ = {
      "INSERT INTO commit_log (seq, time, cycle, command, engine_version, first_event, "
      "events, state_digest, prev_hash, hash, input) VALUES ",
      "(?,?,?,?,?,?,?,?,?,?,?)", ""};
  event_insert_ = {
      "INSERT INTO event (seq, commit_seq, kind, subject, policy_hash, payload) VALUES ",
      "(?,?,?,?,?,?)", ""};
  policy_use_insert_ = {"INSERT INTO policy_use (commit_seq, position, hash, calls, fuel) VALUES ",
                        "(?,?,?,?,?)", ""};
  policy_insert_ = {"INSERT OR IGNORE INTO policy (hash, path, bytes, digest) VALUES ", "(?,?,?,?)",
                    ""};
}

Result<std::unique_ptr<Writer>> Writer::Create(const Connection& connection,
                                               std::string engine_version,
                                               std::string_view tables) {
  std::unique_ptr<Writer> writer(
      new Writer(connection, std::move(engine_version), std::string(tables)));
  if (!tables.empty()) {  // which are empty, so nothing is replaced
    for (Table& table : writer->tables_) table.insert.tail.clear();
    return writer;
  }
  const int code = sqlite3_create_function_v2(
      connection.handle(), "replace_digest", 2, SQLITE_UTF8 | SQLITE_DIRECTONLY,
      &writer->state_digest_, &ReplaceDigest, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return connection.Error(code, "prepare to write");
  return writer;
}

template <typename Row, typename BindRow>
Status Writer::InsertAll(Insert* insert, std::span<const Row> rows, const BindRow& bind) {
  std::size_t done = 0;
  while (done < rows.size()) {
    const bool many = rows.size() - done >= kManyRows;
    std::optional<Statement>* statement = many ? &insert->many : &insert->one;
    const std::string& values = insert->row;
    if (!statement->has_value()) {
      const std::string sql = insert->head + (many ? Many(values) : values) + insert->tail;
      if (Status status = Prepare(connection_, sql, statement); !status.ok()) return status;
    }
    for (std::size_t i = 0; i < (many ? kManyRows : 1); ++i) bind(&**statement, rows[done++]);
    if (Status status = (*statement)->Execute(); !status.ok()) return status;
  }
  return Status::Ok();
}

Result<ChainTail> Writer::Write(std::span<const Commit> commits, const ChainTail& tail) {
  ChainTail next = tail;
  std::vector<CommitRow> links;
  std::vector<EventRow> events;
  std::vector<UseRow> uses;
  state_digest_ = tail.state_digest;
  for (const Commit& commit : commits) {
    if (Status status = WriteRows(commit.rows); !status.ok()) return status;
    links.push_back(AddLink(commit, &next));
    const std::int64_t seq = next.last.seq;
    std::int64_t number = links.back().header.first_event;
    for (const Event& event : commit.events) events.push_back({&event, number++, seq});
    std::int64_t position = 0;
    for (const PolicyUse& use : commit.policies) uses.push_back({&use, seq, position++});
  }
  // Commits before what refers to them, or every foreign key would be looked for twice.
  Status status = InsertAll<CommitRow>(&commit_insert_, links, BindCommit);
  if (status.ok()) status = InsertAll<EventRow>(&event_insert_, events, BindEvent);
  if (status.ok()) status = InsertAll<UseRow>(&policy_use_insert_, uses, BindUse);
  if (!status.ok()) return status;
  return next;
}

Writer::CommitRow Writer::AddLink(const Commit& commit, ChainTail* tail) {
  const auto events = static_cast<std::int64_t>(commit.events.size());
  const CommitHeader header{
      tail->last.seq + 1, commit.at,        commit.cycle, CommandName(commit.command),
      engine_version_,    tail->next_event, events,       state_digest_,
      commit.input};
  const ChainHash prev = tail->hash;
  tail->hash = HashCommit(prev, header, commit.events, commit.policies, &fields_);
  tail->last = {header.seq, commit.at, commit.cycle != 0 ? commit.cycle : tail->last.cycle};
  tail->next_event += events;
  tail->state_digest = state_digest_;
  return {header, prev, tail->hash};
}

Result<std::uint64_t> Writer::AddRows(std::span<const StateRow> rows) {
  if (Status status = WriteRows(rows); !status.ok()) return status;
  return state_digest_;
}

Status Writer::AddCommit(const StoredCommit& commit) {
  const CommitRecord& record = commit.record;
  const CommitRow row{HeaderOf(record, commit.state_digest), commit.prev, commit.hash};
  std::vector<EventRow> events;
  std::int64_t number = record.first_event;
  for (const Event& event : record.events) events.push_back({&event, number++, record.seq});
  std::vector<UseRow> uses;
  std::int64_t position = 0;
  for (const PolicyUse& use : record.policies) uses.push_back({&use, record.seq, position++});
  Status status = InsertAll<CommitRow>(&commit_insert_, {&row, 1}, BindCommit);
  if (status.ok()) status = InsertAll<EventRow>(&event_insert_, events, BindEvent);
  if (status.ok()) status = InsertAll<UseRow>(&policy_use_insert_, uses, BindUse);
  return status;
}

void Writer::BindCommit(Statement* s, const CommitRow& row) {
  s->Bind(row.header.seq);
  s->BindTime(row.header.at);
  s->Bind(row.header.cycle);
  s->BindText(row.header.command);
  s->BindText(row.header.engine_version);
  s->Bind(row.header.first_event);
  s->Bind(row.header.events);
  s->Bind(static_cast<std::int64_t>(row.header.state_digest));
  s->BindBlob(Bytes(row.prev));
  s->BindBlob(Bytes(row.hash));
  if (row.header.input) {
    s->BindBlob(*row.header.input);
  } else {
    s->BindNull();
  }
}

void Writer::BindEvent(Statement* s, const EventRow& row) {
  s->Bind(row.seq);
  s->Bind(row.commit_seq);
  s->BindText(EventName(row.event->kind));
  s->BindText(row.event->subject);
  if (row.event->policy_hash.empty()) {
    s->BindNull();
  } else {
    s->BindText(row.event->policy_hash);
  }
  s->BindText(row.event->payload);
}

void Writer::BindUse(Statement* s, const UseRow& row) {
  s->Bind(row.commit_seq);
  s->Bind(row.position);
  s->BindText(row.use->hash);
  s->Bind(row.use->calls);
  s->Bind(row.use->fuel);
}

Status Writer::WriteRows(std::span<const StateRow> rows) {
  while (!rows.empty()) {
    std::size_t run = 0;
    while (run < rows.size() && rows[run].value && rows[run].table == rows[0].table) ++run;
    const Status status = run == 0 ? RemoveRow(rows[0]) : UpsertRun(rows.first(run));
    if (!status.ok()) return status;
    rows = rows.subspan(run == 0 ? 1 : run);
  }
  return Status::Ok();
}

Status Writer::UpsertRun(std::span<const StateRow> rows) {
  Insert* insert = &tables_[static_cast<std::size_t>(rows[0].table)].insert;
  return InsertAll<StateRow>(insert, rows, [this](Statement* statement, const StateRow& row) {
    if (row.table == StateRow::Table::kWorkload) {
      BindWorkload(statement, row);
    } else {
      BindOther(statement, row);
    }
  });
}

Status Writer::RemoveRow(const StateRow& row) {
  Table& table = tables_[static_cast<std::size_t>(row.table)];
  if (Status status = Prepare(connection_, table.remove_sql, &table.remove); !status.ok()) {
    return status;
  }
  const bool split =
      row.table == StateRow::Table::kWorkload || row.table == StateRow::Table::kObject;
  if (split) {
    const SplitKey key = SplitAtSlash(row.key);
    table.remove->BindText(key.first);
    table.remove->BindText(key.rest);
  } else {
    table.remove->BindText(row.key);
  }
  Result<bool> found = table.remove->Step();
  while (found.ok() && *found) {
    state_digest_ -= static_cast<std::uint64_t>(table.remove->Number(0));
    found = table.remove->Step();
  }
  table.remove->Reset();
  return found.ok() ? Status::Ok() : found.status();
}

void Writer::BindWorkload(Statement* statement, const StateRow& row) {
  static const WorkloadSummary kNone;
  const WorkloadSummary& summary = row.workload ? *row.workload : kNone;
  const SplitKey key = SplitAtSlash(row.key);
  const WorkloadRow columns{key.first,
                            key.rest,
                            summary.uid,
                            summary.local_queue,
                            summary.cluster_queue,
                            EnumName(summary.phase),
                            summary.priority,
                            summary.created,
                            summary.reserved_at,
                            summary.admitted_at,
                            summary.finished_at,
                            *row.value};
  for (const std::string_view text : {columns.ns, columns.name, columns.uid, columns.local_queue,
                                      columns.cluster_queue, columns.phase}) {
    statement->BindText(text);
  }
  statement->Bind(columns.priority);
  for (const TimeNs time :
       {columns.created, columns.reserved_at, columns.admitted_at, columns.finished_at}) {
    statement->BindTime(time);
  }
  statement->BindBlob(columns.value);
  const std::uint64_t digest = DigestOf(columns, &fields_);
  state_digest_ += digest;
  statement->Bind(static_cast<std::int64_t>(digest));
}

void Writer::BindOther(Statement* statement, const StateRow& row) {
  if (row.table == StateRow::Table::kObject) {
    const SplitKey key = SplitAtSlash(row.key);
    statement->BindText(key.first);
    statement->BindText(key.rest);
  } else {
    statement->BindText(row.key);
  }
  statement->BindBlob(*row.value);
  const std::uint64_t digest = DigestOf(row.table, row.key, *row.value, &fields_);
  state_digest_ += digest;
  statement->Bind(static_cast<std::int64_t>(digest));
}

Result<std::uint64_t> WriteState(const Connection& connection, std::string_view tables,
                                 std::span<const StateRow> rows) {
  const Result<std::unique_ptr<Writer>> writer = Writer::Create(connection, "", tables);
  if (!writer.ok()) return writer.status();
  return (*writer)->AddRows(rows);
}

Status Writer::WritePolicy(const StoredPolicy& policy) {
  const auto bind = [this, &policy](Statement* s, const StoredPolicy::File& file) {
    s->BindText(policy.hash);
    s->BindText(file.path);
    s->BindBlob(file.bytes);
    s->Bind(static_cast<std::int64_t>(
        DigestOfPolicyFile(policy.hash, file.path, file.bytes, &fields_)));
  };
  return InsertAll<StoredPolicy::File>(&policy_insert_, policy.files, bind);
}

}  // namespace muster
