// Every row and event has a digest, and their sums are in the one row of `base`.
#include "db/sqlite/base.h"

#include <memory>
#include <optional>

#include "db/hash_chain.h"
#include "db/sqlite/migrate.h"
#include "db/sqlite/reader.h"
#include "db/sqlite/statements.h"
#include "db/sqlite/writer.h"
#include "engine/model/names.h"

namespace muster {
namespace {

// First numbers of the digests, as in hash_chain.cc.
constexpr std::int64_t kBaseTag = 102;
constexpr std::int64_t kCarriedTag = 103;

/// The row of `base`; first is 0 when there is none.
struct Sealed {
  HistoryBase base{0, 0};
  std::uint64_t sum = 0;
  std::uint64_t carried_sum = 0;
};

std::int64_t Stored(std::uint64_t digest) { return static_cast<std::int64_t>(digest); }

std::uint64_t DigestOf(const Sealed& sealed, FieldBuffer* fields) {
  fields->Clear();
  for (const std::int64_t number : {kBaseTag, sealed.base.first, sealed.base.state_at,
                                    Stored(sealed.sum), Stored(sealed.carried_sum)}) {
    fields->Number(number);
  }
  return muster::DigestOf(*fields);
}

std::uint64_t DigestOf(const CarriedEvent& carried, FieldBuffer* fields) {
  fields->Clear();
  for (const std::int64_t number : {kCarriedTag, carried.seq, carried.commit, carried.at}) {
    fields->Number(number);
  }
  const Event& event = carried.event;
  fields->Text(EventName(event.kind));
  for (const std::string* text : {&event.subject, &event.policy_hash, &event.payload}) {
    fields->Text(*text);
  }
  return muster::DigestOf(*fields);
}

Result<Sealed> ReadSealed(const Connection& connection) {
  Sealed sealed;
  const Result<std::int64_t> version = connection.Number("PRAGMA user_version");
  if (!version.ok()) return version.status();
  if (*version < kBaseVersion) return sealed;
  Result<Statement> select =
      Statement::Prepare(connection, "SELECT first, state_at, sum, carried_sum, digest FROM base");
  if (!select.ok()) return select.status();
  Result<bool> row = select->Step();
  if (!row.ok()) return row.status();
  if (!*row) return sealed;
  sealed.base = {select->Number(0), select->Number(1)};
  sealed.sum = static_cast<std::uint64_t>(select->Number(2));
  sealed.carried_sum = static_cast<std::uint64_t>(select->Number(3));
  FieldBuffer fields;
  if (Stored(DigestOf(sealed, &fields)) != select->Number(4)) {
    return Damaged(connection, "the row of base was changed");
  }
  row = select->Step();
  if (!row.ok()) return row.status();
  if (*row) return Damaged(connection, "base has more than one row");
  return sealed;
}

/// A row of `carried`, and its digest as stored.
Result<CarriedEvent> CarriedFrom(const Connection& connection, const Statement& row) {
  const std::string name = "carried event " + std::to_string(row.Number(0));
  const std::optional<EventKind> kind = EnumFromName<EventKind>(row.Text(3));
  if (!kind) return Damaged(connection, name + " is of no known kind");
  CarriedEvent carried{
      row.Number(0),
      row.Number(1),
      row.Time(2),
      {*kind, std::string(row.Text(4)), std::string(row.Text(6)), std::string(row.Text(5))}};
  FieldBuffer fields;
  const bool same = Stored(DigestOf(carried, &fields)) == row.Number(7);
  const bool odd = row.Number(8) != 0 || row.Number(9) != 0;  // what hashes like none
  if (!same || odd) return Damaged(connection, name + " was changed");
  return carried;
}

}  // namespace

Result<HistoryBase> ReadBase(const Connection& connection) {
  const Result<Sealed> sealed = ReadSealed(connection);
  if (!sealed.ok()) return sealed.status();
  return sealed->base.first == 0 ? HistoryBase() : sealed->base;
}

Status ReadBaseRows(const Connection& connection, const StateVisitor& visitor) {
  const Result<Sealed> sealed = ReadSealed(connection);
  if (!sealed.ok() || sealed->base.first == 0) return sealed.status();
  return ReadState(connection, kBaseTables, sealed->sum, visitor);
}

Status ReadCarried(const Connection& connection, const CarriedVisitor& visitor) {
  const Result<Sealed> sealed = ReadSealed(connection);
  if (!sealed.ok() || sealed->base.first == 0) return sealed.status();
  Result<Statement> select = Statement::Prepare(
      connection,
      "SELECT seq, commit_seq, time, kind, subject, policy_hash, payload, digest, "
      "policy_hash = '', time = -9223372036854775807 - 1 FROM carried ORDER BY seq");
  if (!select.ok()) return select.status();
  std::uint64_t sum = 0;
  Result<bool> row = select->Step();
  for (; row.ok() && *row; row = select->Step()) {
    const Result<CarriedEvent> carried = CarriedFrom(connection, *select);
    if (!carried.ok()) return carried.status();
    sum += static_cast<std::uint64_t>(select->Number(7));
    if (!visitor) continue;
    if (Status status = visitor(*carried); !status.ok()) return status;
  }
  if (!row.ok()) return row.status();
  if (sum == sealed->carried_sum) return Status::Ok();
  return Damaged(connection, "carried events are missing or too many");
}

void CheckBase(const Connection& connection, const std::function<void(std::string)>& add) {
  const Result<HistoryBase> base = ReadBase(connection);
  if (!base.ok()) return add(base.status().message());
  if (const Status rows = ReadBaseRows(connection, {}); !rows.ok()) add("base: " + rows.message());
  if (const Status events = ReadCarried(connection, {}); !events.ok()) add(events.message());
  const Result<std::int64_t> oldest =
      connection.Number("SELECT coalesce(min(seq), 1) FROM commit_log");
  if (oldest.ok() && *oldest < base->first) {
    add("commit " + std::to_string(*oldest) + " is there, but the history begins with commit " +
        std::to_string(base->first));
  }
  const Result<std::int64_t> version = connection.Number("PRAGMA user_version");
  if (!version.ok() || *version < kBaseVersion || base->first != 1) return;
  const Result<std::int64_t> stray = connection.Number(
      "SELECT (SELECT count(*) FROM base_workload) + (SELECT count(*) FROM base_object) + (SELECT "
      "count(*) FROM base_queue_state) + (SELECT count(*) FROM base_engine_state) + (SELECT "
      "count(*) FROM carried)");
  if (stray.ok() && *stray > 0 && base->state_at == 0) {
    add("there are rows of a base, but the history begins with commit 1");
  }
}

Status WriteBase(const Connection& connection, const HistoryBase& base,
                 std::span<const StateRow> rows, std::span<const CarriedEvent> events) {
  for (const char* sql :
       {"DELETE FROM base", "DELETE FROM base_workload", "DELETE FROM base_object",
        "DELETE FROM base_queue_state", "DELETE FROM base_engine_state", "DELETE FROM carried"}) {
    if (Status status = connection.Run(sql); !status.ok()) return status;
  }
  Sealed sealed;
  sealed.base = base;
  const Result<std::uint64_t> sum = WriteState(connection, kBaseTables, rows);
  if (!sum.ok()) return sum.status();
  sealed.sum = *sum;
  Result<Statement> insert = Statement::Prepare(
      connection,
      "INSERT INTO carried (seq, commit_seq, time, kind, subject, policy_hash, payload, digest) "
      "VALUES (?,?,?,?,?,nullif(?,''),?,?)");
  if (!insert.ok()) return insert.status();
  FieldBuffer fields;
  for (const CarriedEvent& carried : events) {
    const std::uint64_t digest = DigestOf(carried, &fields);
    sealed.carried_sum += digest;
    insert->Bind(carried.seq);
    insert->Bind(carried.commit);
    insert->BindTime(carried.at);
    insert->BindText(EventName(carried.event.kind));
    insert->BindText(carried.event.subject);
    insert->BindText(carried.event.policy_hash);
    insert->BindText(carried.event.payload);
    insert->Bind(Stored(digest));
    if (Status status = insert->Execute(); !status.ok()) return status;
  }
  Result<Statement> seal = Statement::Prepare(
      connection,
      "INSERT INTO base (first, state_at, sum, carried_sum, digest) VALUES (?,?,?,?,?)");
  if (!seal.ok()) return seal.status();
  for (const std::int64_t number :
       {base.first, base.state_at, Stored(sealed.sum), Stored(sealed.carried_sum),
        Stored(DigestOf(sealed, &fields))}) {
    seal->Bind(number);
  }
  return seal->Execute();
}

}  // namespace muster
