// Parts are fetched one by one, so that memory holds a state once.
#include "db/postgres/snapshots.h"

#include <utility>

#include "engine/model/names.h"

namespace muster {
namespace {

constexpr std::int64_t kPartBytes = 1 << 20;
// First number of the digest of a base, beside those of hash_chain.cc and db/sqlite.
constexpr std::int64_t kPgBaseTag = 104;

std::int64_t DigestOfBase(std::string_view body) {
  FieldBuffer fields;
  fields.Number(kPgBaseTag);
  fields.Text(body);
  return static_cast<std::int64_t>(DigestOf(fields));
}

}  // namespace

std::int64_t SizeOf(const StateRow& row) {
  return static_cast<std::int64_t>(row.key.size() + (row.value ? row.value->size() : 0)) + 64;
}

RowPlace PlaceOf(const StateRow& row) {
  const bool split =
      row.table == StateRow::Table::kWorkload || row.table == StateRow::Table::kObject;
  if (!split) return {row.table, row.key, ""};
  const SplitKey key = SplitAtSlash(row.key);
  return {row.table, std::string(key.first), std::string(key.rest)};
}

std::uint64_t DigestOf(const StateRow& row, FieldBuffer* fields) {
  if (row.table != StateRow::Table::kWorkload) {
    return DigestOf(row.table, row.key, *row.value, fields);
  }
  static const WorkloadSummary kNone;
  const WorkloadSummary& summary = row.workload ? *row.workload : kNone;
  const SplitKey key = SplitAtSlash(row.key);
  return DigestOf(
      WorkloadRow{key.first, key.rest, summary.uid, summary.local_queue, summary.cluster_queue,
                  EnumName(summary.phase), summary.priority, summary.created, summary.reserved_at,
                  summary.admitted_at, summary.finished_at, *row.value},
      fields);
}

Result<std::vector<std::int64_t>> PgSnapshots::Seqs() const {
  const Result<PgRows> rows =
      connection_.Run("SELECT DISTINCT seq FROM muster_snapshot WHERE shard = $1 ORDER BY seq",
                      {std::string_view(shard_)});
  if (!rows.ok()) return rows.status();
  std::vector<std::int64_t> seqs;
  for (int i = 0; i < rows->size(); ++i) seqs.push_back(rows->Number(i, 0));
  return seqs;
}

Result<PgState> PgSnapshots::Read(std::int64_t seq) const {
  PgState state;
  state.last.seq = seq;
  FieldBuffer fields;
  std::int64_t parts = 1;
  for (std::int64_t part = 0; part < parts; ++part) {
    const Result<PgRows> found = connection_.Run(
        "SELECT parts, body, cycle FROM muster_snapshot WHERE shard = $1 AND seq = $2 AND part = "
        "$3",
        {std::string_view(shard_), seq, part});
    if (!found.ok()) return found.status();
    const std::string name = "the state after commit " + std::to_string(seq);
    if (found->empty()) return Status(StatusCode::kNotFound, name + " is not all there");
    parts = found->Number(0, 0);
    state.last.cycle = found->Number(0, 2);
    const std::string_view body = found->Text(0, 1);
    Result<std::vector<StateRow>> rows = DecodeRows(body);
    if (!rows.ok()) return Status(StatusCode::kDataLoss, name + " cannot be read");
    state.bytes += static_cast<std::int64_t>(body.size());
    for (StateRow& row : *rows) {
      if (!row.value) return Status(StatusCode::kDataLoss, name + " has a row without value");
      state.digest += DigestOf(row, &fields);
      RowPlace place = PlaceOf(row);
      state.rows.insert_or_assign(std::move(place), std::move(row));
    }
  }
  return state;
}

Result<PgState> PgSnapshots::Newest(std::int64_t seq) const {
  constexpr int kTries = 3;
  for (int i = 0; i < kTries; ++i) {
    const Result<PgRows> newest = connection_.Run(
        "SELECT coalesce(max(seq), 0) FROM muster_snapshot WHERE shard = $1 AND seq <= $2",
        {std::string_view(shard_), seq});
    if (!newest.ok()) return newest.status();
    const std::int64_t found = newest->Number(0, 0);
    if (found == 0) return PgState();
    Result<PgState> state = Read(found);
    // A writer may have dropped it for newer ones meanwhile.
    if (state.status().code() != StatusCode::kNotFound) return state;
  }
  return Status(StatusCode::kDataLoss, "a part of its newest snapshot is missing");
}

Status PgSnapshots::Write(const LastCommit& last, std::span<const StateRow> rows, bool kept) const {
  std::vector<std::span<const StateRow>> parts;
  for (std::size_t begin = 0; begin < rows.size() || parts.empty();) {
    std::size_t end = begin;
    for (std::int64_t bytes = 0; end < rows.size() && bytes < kPartBytes; ++end) {
      bytes += SizeOf(rows[end]);
    }
    parts.push_back(rows.subspan(begin, end - begin));
    begin = end;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string body = EncodeRows(parts[i]);
    const Result<PgRows> written = connection_.Run(
        "INSERT INTO muster_snapshot (shard, seq, part, parts, kept, body, cycle) VALUES ($1, $2, "
        "$3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
        {std::string_view(shard_), last.seq, static_cast<std::int64_t>(i),
         static_cast<std::int64_t>(parts.size()), std::int64_t{kept ? 1 : 0}, PgBytes{body},
         last.cycle});
    if (!written.ok()) return written.status();
  }
  return Status::Ok();
}

Status PgSnapshots::DropOld() const {
  return connection_
      .Run(
          "DELETE FROM muster_snapshot WHERE shard = $1 AND kept = 0 AND seq NOT IN (SELECT "
          "DISTINCT seq FROM muster_snapshot WHERE shard = $1 ORDER BY seq DESC LIMIT 2)",
          {std::string_view(shard_)})
      .status();
}

Result<PgBase> PgSnapshots::Base() const {
  const Result<PgRows> rows = connection_.Run(
      "SELECT body, digest FROM muster_base WHERE shard = $1", {std::string_view(shard_)});
  if (!rows.ok()) return rows.status();
  if (rows->empty()) return PgBase();
  if (DigestOfBase(rows->Text(0, 0)) != rows->Number(0, 1)) {
    return Status(StatusCode::kDataLoss, "the row of muster_base was changed");
  }
  return DecodeBase(rows->Text(0, 0));
}

Status PgSnapshots::WriteBase(const PgBase& base) const {
  const std::string body = EncodeBase(base);
  return connection_
      .Run("INSERT INTO muster_base (shard, body, digest) VALUES ($1, $2, $3)",
           {std::string_view(shard_), PgBytes{body}, DigestOfBase(body)})
      .status();
}

}  // namespace muster
