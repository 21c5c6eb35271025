// Rows come in key order straight from the tables.
#include "db/sqlite/reader.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "db/hash_chain.h"
#include "db/sqlite/statements.h"
#include "db/sqlite/verify.h"
#include "engine/model/names.h"

namespace muster {
namespace {

/// Rows of one table of current state, checked one by one.
class RowReader {
 public:
  RowReader(const Connection& connection, std::string_view tables, const RowVisitor& visitor,
            const StateVisitor& states, std::vector<std::string>* damage)
      : connection_(connection),
        tables_(tables),
        visitor_(visitor),
        states_(states),
        damage_(damage) {}

  Status Read(StateRow::Table table) {
    Result<Statement> select = Statement::Prepare(connection_, Select(table));
    if (!select.ok()) return select.status();
    Result<bool> row = select->Step();
    while (row.ok() && *row) {
      if (Status status = Take(table, *select); !status.ok()) return status;
      row = select->Step();
    }
    return row.ok() ? Status::Ok() : row.status();
  }

  Status Finish(std::uint64_t state_digest) {
    if (sum_ == state_digest) return Status::Ok();
    return Report(tables_.empty() ? "the rows of current state are not those of the newest commit"
                                  : "rows are missing or too many");
  }

 private:
  std::string Select(StateRow::Table table) const {
    switch (table) {
      case StateRow::Table::kObject:
        return "SELECT kind || '/' || name, value, digest FROM " + tables_ +
               "object ORDER BY kind, name";
      case StateRow::Table::kWorkload:
        return std::string("SELECT ") + kWorkloadColumns + " FROM " + tables_ +
               "workload ORDER BY namespace, name";
      case StateRow::Table::kQueue:
        return "SELECT key, value, digest FROM " + tables_ + "queue_state ORDER BY key";
      case StateRow::Table::kEngine:
        break;
    }
    return "SELECT key, value, digest FROM " + tables_ + "engine_state ORDER BY key";
  }

  /// The row just read, to be stored again.
  StateRow Whole(StateRow::Table table, const Statement& row, std::string_view value) const {
    StateRow whole{table, key_, std::string(value)};
    if (table != StateRow::Table::kWorkload) return whole;
    whole.workload =
        WorkloadSummary{std::string(row.Text(2)),
                        std::string(row.Text(3)),
                        std::string(row.Text(4)),
                        EnumFromName<WorkloadPhase>(row.Text(5)).value_or(WorkloadPhase::kPending),
                        row.Number(6),
                        row.Time(7),
                        row.Time(8),
                        row.Time(9),
                        row.Time(10)};
    return whole;
  }

  Status Take(StateRow::Table table, const Statement& row) {
    std::uint64_t digest = 0;
    std::string_view value;
    std::int64_t stored = 0;
    if (table == StateRow::Table::kWorkload) {
      const WorkloadRow columns{row.Text(0), row.Text(1), row.Text(2),   row.Text(3),
                                row.Text(4), row.Text(5), row.Number(6), row.Time(7),
                                row.Time(8), row.Time(9), row.Time(10),  row.Text(11)};
      key_.assign(columns.ns).append("/").append(columns.name);
      value = columns.value;
      digest = DigestOf(columns, &fields_);
      stored = row.Number(12);
    } else {
      key_.assign(row.Text(0));
      value = row.Text(1);
      digest = DigestOf(table, key_, value, &fields_);
      stored = row.Number(2);
    }
    sum_ += digest;
    if (digest != static_cast<std::uint64_t>(stored)) {
      if (Status status = Report("row " + key_ + " was changed"); !status.ok()) return status;
    }
    if (states_) return states_(Whole(table, row, value));
    return visitor_ ? visitor_(table, key_, value) : Status::Ok();
  }

  Status Report(const std::string& what) {
    if (damage_ == nullptr) return Damaged(connection_, what);
    if (damage_->size() < kMaxFindings) damage_->push_back(what);
    return Status::Ok();
  }

  const Connection& connection_;
  const std::string tables_;
  const RowVisitor& visitor_;
  const StateVisitor& states_;
  std::vector<std::string>* damage_;
  std::uint64_t sum_ = 0;
  std::string key_;
  FieldBuffer fields_;
};

}  // namespace

Status Damaged(const Connection& connection, const std::string& what) {
  return {StatusCode::kDataLoss, "ledger " + connection.path() + " is damaged: " + what};
}

namespace {

Status ReadAll(RowReader reader, std::uint64_t sum) {
  for (const StateRow::Table table : {StateRow::Table::kObject, StateRow::Table::kWorkload,
                                      StateRow::Table::kQueue, StateRow::Table::kEngine}) {
    if (Status status = reader.Read(table); !status.ok()) return status;
  }
  return reader.Finish(sum);
}

}  // namespace

Status ReadRows(const Connection& connection, std::uint64_t state_digest, const RowVisitor& visitor,
                std::vector<std::string>* damage) {
  const StateVisitor none;
  return ReadAll(RowReader(connection, "", visitor, none, damage), state_digest);
}

Status ReadState(const Connection& connection, std::string_view tables, std::uint64_t sum,
                 const StateVisitor& visitor) {
  const RowVisitor none;
  return ReadAll(RowReader(connection, tables, none, visitor, nullptr), sum);
}

Result<StoredPolicy> ReadPolicy(const Connection& connection, std::string_view hash) {
  Result<Statement> select = Statement::Prepare(
      connection, "SELECT path, bytes, digest FROM policy WHERE hash = ? ORDER BY path");
  if (!select.ok()) return select.status();
  select->BindText(hash);
  StoredPolicy policy{std::string(hash), {}};
  FieldBuffer fields;
  Result<bool> row = select->Step();
  for (; row.ok() && *row; row = select->Step()) {
    const std::string_view path = select->Text(0);
    const std::string_view bytes = select->Text(1);
    if (DigestOfPolicyFile(hash, path, bytes, &fields) !=
        static_cast<std::uint64_t>(select->Number(2))) {
      return Damaged(connection, "file " + std::string(path) + " of policy " + policy.hash);
    }
    policy.files.push_back({std::string(path), std::string(bytes)});
  }
  if (!row.ok()) return row.status();
  if (policy.files.empty()) {
    return Status(StatusCode::kNotFound, "the ledger holds no policy package " + policy.hash);
  }
  return policy;
}

Result<std::vector<std::string>> ReadPolicyHashes(const Connection& connection) {
  Result<Statement> select =
      Statement::Prepare(connection, "SELECT DISTINCT hash FROM policy ORDER BY hash");
  if (!select.ok()) return select.status();
  std::vector<std::string> hashes;
  Result<bool> row = select->Step();
  for (; row.ok() && *row; row = select->Step()) hashes.emplace_back(select->Text(0));
  if (!row.ok()) return row.status();
  return hashes;
}

Result<std::int64_t> CheckVersion(const Connection& connection, std::int64_t newest,
                                  bool may_be_new) {
  const Result<std::int64_t> id = connection.Number("PRAGMA application_id");
  if (!id.ok()) return id;
  const Result<std::int64_t> version = connection.Number("PRAGMA user_version");
  if (!version.ok()) return version;
  const Result<std::int64_t> tables = connection.Number("SELECT count(*) FROM sqlite_schema");
  if (!tables.ok()) return tables;
  if (may_be_new && *id == 0 && *version == 0 && *tables == 0) {
    // SQLite takes a file of one byte for one of none; it is what is left of something.
    std::error_code unknown;
    if (std::filesystem::file_size(connection.path(), unknown) != 1) return 0;
    return Status(StatusCode::kFailedPrecondition,
                  NotALedger(connection.path(), "it has one byte"));
  }
  if (*id != kApplicationId || *version < 1) {
    const bool empty = *id == 0 && *version == 0 && *tables == 0;
    return Status(
        StatusCode::kFailedPrecondition,
        NotALedger(connection.path(), empty ? "it is empty" : "it is another program's database"));
  }
  if (*version > newest) {
    return Status(StatusCode::kFailedPrecondition,
                  "ledger " + connection.path() + " is of version " + std::to_string(*version) +
                      "; this Muster knows versions up to " + std::to_string(newest));
  }
  return version;
}

}  // namespace muster
