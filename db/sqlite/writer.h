// Writer: turns commits into rows, inside a transaction that the caller began.
//
// Rows of state first, because their digests end up in the commit's hash; then the commits, then
// their events. Statements carry many rows at once where there are many, and are prepared when
// first needed, so that a small command does not pay for all.
#ifndef MUSTER_DB_SQLITE_WRITER_H_
#define MUSTER_DB_SQLITE_WRITER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "db/chain_links.h"
#include "db/hash_chain.h"
#include "db/sqlite/chain_reader.h"
#include "db/sqlite/connection.h"
#include "db/sqlite/statements.h"
#include "db/store_types.h"
#include "muster/journal.h"
#include "muster/status.h"

namespace muster {

class Writer {
 public:
  /// `connection` must outlive the writer. `tables` is "" for current state, of which there is one
  /// writer at a time, or kBaseTables, which must be empty.
  static Result<std::unique_ptr<Writer>> Create(const Connection& connection,
                                                std::string engine_version,
                                                std::string_view tables = "");
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Writes `commits` behind `tail`; the new tail counts once the transaction is committed.
  Result<ChainTail> Write(std::span<const Commit> commits, const ChainTail& tail);
  Status WritePolicy(const StoredPolicy& policy);
  /// Rows alone; the sum of the digests of all that this writer has written so.
  Result<std::uint64_t> AddRows(std::span<const StateRow> rows);
  /// A commit as it was stored elsewhere, without rows.
  Status AddCommit(const StoredCommit& commit);

 private:
  /// One INSERT, for one row and for kManyRows rows.
  struct Insert {
    std::string head;  ///< "INSERT INTO t (a, b) VALUES "
    std::string row;   ///< "(?,?)"
    std::string tail;  ///< "" or " ON CONFLICT ..."
    std::optional<Statement> one = std::nullopt;
    std::optional<Statement> many = std::nullopt;
  };
  /// How one table of current state is written.
  struct Table {
    Insert insert;
    std::string remove_sql;
    std::optional<Statement> remove = std::nullopt;
  };
  struct CommitRow {
    CommitHeader header;
    ChainHash prev;
    ChainHash hash;
  };
  struct EventRow {
    const Event* event;
    std::int64_t seq;
    std::int64_t commit_seq;
  };
  struct UseRow {
    const PolicyUse* use;
    std::int64_t commit_seq;
    std::int64_t position;
  };

  Writer(const Connection& connection, std::string engine_version, const std::string& tables);
  template <typename Row, typename BindRow>
  Status InsertAll(Insert* insert, std::span<const Row> rows, const BindRow& bind);
  /// The link for `commit`, whose rows are written, behind `tail`; moves the tail.
  CommitRow AddLink(const Commit& commit, ChainTail* tail);
  Status WriteRows(std::span<const StateRow> rows);
  Status UpsertRun(std::span<const StateRow> rows);
  Status RemoveRow(const StateRow& row);
  static void BindCommit(Statement* s, const CommitRow& row);
  static void BindEvent(Statement* s, const EventRow& row);
  static void BindUse(Statement* s, const UseRow& row);
  void BindWorkload(Statement* statement, const StateRow& row);
  void BindOther(Statement* statement, const StateRow& row);

  const Connection& connection_;
  const std::string engine_version_;
  Table tables_[4];  ///< by StateRow::Table
  Insert commit_insert_;
  Insert event_insert_;
  Insert policy_use_insert_;
  Insert policy_insert_;
  /// Sum of the digests of all rows; replace_digest() in SQL subtracts what a row replaces.
  std::uint64_t state_digest_ = 0;
  FieldBuffer fields_;
};

/// Writes `rows` into empty tables, inside the caller's transaction; the sum of their digests.
Result<std::uint64_t> WriteState(const Connection& connection, std::string_view tables,
                                 std::span<const StateRow> rows);

}  // namespace muster

#endif  // MUSTER_DB_SQLITE_WRITER_H_
