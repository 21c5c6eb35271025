// From the outside in: the file as SQLite sees it, then the history, then the state it led to.
#include "db/sqlite/verify.h"

#include <utility>

#include "db/sqlite/base.h"
#include "db/sqlite/chain_reader.h"
#include "db/sqlite/connection.h"
#include "db/sqlite/migrate.h"
#include "db/sqlite/reader.h"
#include "db/sqlite/schema_check.h"
#include "db/sqlite/statements.h"

namespace muster {
namespace {

class Verifier {
 public:
  Verifier(const Connection& connection, const VerifyOptions& options)
      : connection_(connection), options_(options) {}

  Result<VerifyReport> Run() {
    const Result<std::int64_t> version = CheckVersion(connection_, NewestVersion(), false);
    if (!version.ok()) Add(version.status());
    CheckFile();
    if (version.ok()) {
      const Status status =
          CheckSchema(connection_, *version, [this](std::string what) { Add(std::move(what)); });
      if (!status.ok()) Add(status);
    }
    CheckForeignKeys();
    CheckBase(connection_, [this](std::string what) { Add(std::move(what)); });
    CheckChain();
    CheckRows();
    CheckUnsetTimes(version.ok() ? *version : 0);
    CheckPolicies();
    if (options_.policy_hash) CheckPoliciesAreThere();
    if (!unreadable_.ok()) return unreadable_;
    return std::move(report_);
  }

 private:
  void Add(std::string finding) {
    if (report_.findings.size() < kMaxFindings) report_.findings.push_back(std::move(finding));
  }
  /// A disk that fails, or too little memory, says nothing about the ledger.
  void Add(const Status& status) {
    if (status.code() != StatusCode::kUnavailable) return Add(status.message());
    if (unreadable_.ok()) unreadable_ = status;
  }

  /// Calls `take` for each row of `sql`.
  template <typename Take>
  void ForEach(const std::string& sql, const Take& take) {
    Result<Statement> check = Statement::Prepare(connection_, sql);
    if (!check.ok()) return Add(check.status());
    Result<bool> row = check->Step();
    for (; row.ok() && *row; row = check->Step()) take(*check);
    if (!row.ok()) Add(row.status());
  }

  void CheckFile() {
    ForEach(options_.thorough ? "PRAGMA integrity_check" : "PRAGMA quick_check",
            [this](const Statement& row) {
              if (row.Text(0) != "ok") Add("file: " + std::string(row.Text(0)));
            });
  }

  void CheckForeignKeys() {
    ForEach("PRAGMA foreign_key_check", [this](const Statement& row) {
      Add("row " + std::to_string(row.Number(1)) + " of " + std::string(row.Text(0)) +
          " belongs to no row of " + std::string(row.Text(2)));
    });
  }

  /// A time that is not set is NULL; the number that stands for it in memory hashes the same.
  void CheckUnsetTimes(std::int64_t version) {
    const std::string unset = "(" + std::to_string(kNoTime + 1) + " - 1)";
    ForEach("SELECT seq FROM commit_log WHERE time = " + unset, [this](const Statement& row) {
      Add("commit " + std::to_string(row.Number(0)) + ": its time is not one");
    });
    const bool has_base = version >= kBaseVersion;
    for (const std::string table : {"workload", has_base ? "base_workload" : "workload"}) {
      ForEach("SELECT namespace || '/' || name FROM " + table + " WHERE " + unset +
                  " IN (created, reserved_at, admitted_at, finished_at)",
              [this](const Statement& row) {
                Add("row " + std::string(row.Text(0)) + " has a time that is none");
              });
      if (!has_base) break;
    }
  }

  /// Packages are stored before they decide, and kept for ever.
  void CheckPoliciesAreThere() {
    ForEach(
        "SELECT hash, min(commit_seq) FROM ("
        "SELECT hash, commit_seq FROM policy_use UNION ALL "
        "SELECT policy_hash, commit_seq FROM event WHERE policy_hash <> '' UNION ALL "
        "SELECT json_extract(payload, '$.hash'), commit_seq FROM event "
        "WHERE kind = 'PolicyActivated' AND json_valid(payload)) "
        "WHERE hash IS NOT NULL AND hash NOT IN (SELECT hash FROM policy) GROUP BY hash",
        [this](const Statement& row) {
          Add("policy " + std::string(row.Text(0)) + " is missing, which commit " +
              std::to_string(row.Number(1)) + " names");
        });
  }

  void CheckChain() {
    const auto count = [this](const StoredCommit& commit) {
      ++report_.commits;
      report_.events += static_cast<std::int64_t>(commit.record.events.size());
      return Status::Ok();
    };
    const Status status = WalkChain(connection_, 1, count, &report_.first_bad_commit);
    if (!status.ok()) Add(status);
  }

  void CheckRows() {
    const Result<ChainTail> tail = ReadTail(connection_);
    if (!tail.ok()) return Add(tail.status());
    const RowVisitor visit = [this](StateRow::Table table, std::string_view key,
                                    std::string_view value) {
      ++report_.rows;
      if (options_.rows) {
        const Status status = options_.rows(table, key, value);
        if (!status.ok()) Add("row " + std::string(key) + ": " + status.message());
      }
      return Status::Ok();
    };
    std::vector<std::string> damage;
    const Status status = ReadRows(connection_, tail->state_digest, visit, &damage);
    for (std::string& finding : damage) Add(std::move(finding));
    if (!status.ok()) Add(status);
  }

  void CheckPolicies() {
    const Result<std::vector<std::string>> hashes = ReadPolicyHashes(connection_);
    if (!hashes.ok()) return Add(hashes.status().message());
    for (const std::string& hash : *hashes) {
      const Result<StoredPolicy> policy = ReadPolicy(connection_, hash);
      if (!policy.ok()) {
        Add(policy.status());
      } else if (options_.policy_hash && options_.policy_hash(*policy) != hash) {
        Add("policy " + hash + " has other files than its hash says");
      }
    }
  }

  const Connection& connection_;
  const VerifyOptions& options_;
  VerifyReport report_;
  Status unreadable_;  ///< why something could not be looked at
};

}  // namespace

Result<VerifyReport> Verify(Connection& connection, const VerifyOptions& options) {
  Transaction transaction(connection);
  if (Status status = transaction.Begin("BEGIN"); !status.ok()) return status;
  return Verifier(connection, options).Run();
}

}  // namespace muster
