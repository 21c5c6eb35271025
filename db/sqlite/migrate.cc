#include "db/sqlite/migrate.h"

#include <sqlite3.h>

#include <utility>
#include <vector>

#include "db/hash_chain.h"
#include "db/sqlite/statements.h"

namespace muster {
namespace {

/// Gives every row of meta its digest.
Status SealMeta(const Connection& connection) {
  Result<Statement> select = Statement::Prepare(connection, "SELECT key, value FROM meta");
  if (!select.ok()) return select.status();
  std::vector<std::pair<std::string, std::string>> rows;
  Result<bool> row = select->Step();
  for (; row.ok() && *row; row = select->Step()) {
    rows.emplace_back(select->Text(0), select->Text(1));
  }
  if (!row.ok()) return row.status();
  Result<Statement> update =
      Statement::Prepare(connection, "UPDATE meta SET digest = ? WHERE key = ?");
  if (!update.ok()) return update.status();
  FieldBuffer fields;
  for (const auto& [key, value] : rows) {
    update->Bind(static_cast<std::int64_t>(DigestOfMeta(key, value, &fields)));
    update->BindText(key);
    if (Status status = update->Execute(); !status.ok()) return status;
  }
  return Status::Ok();
}

Status NoteProgram(const Connection& connection, std::int64_t version, const std::string& program) {
  const bool sealed = version >= kMetaDigestVersion;
  Result<Statement> insert = Statement::Prepare(
      connection, sealed ? "INSERT INTO meta (key, value, digest) VALUES (?, ?, ?)"
                         : "INSERT INTO meta (key, value) VALUES (?, ?)");
  if (!insert.ok()) return insert.status();
  const std::string key = MetaKey(version);
  const std::string value = "muster " + program + ", SQLite " + sqlite3_libversion();
  FieldBuffer fields;
  insert->BindText(key);
  insert->BindText(value);
  if (sealed) insert->Bind(static_cast<std::int64_t>(DigestOfMeta(key, value, &fields)));
  return insert->Execute();
}

Status Apply(const Connection& connection, const Migration& migration, const std::string& program) {
  Transaction transaction(connection);
  Status status = transaction.Begin("BEGIN IMMEDIATE");
  const std::string sql(migration.sql);
  if (status.ok()) status = connection.Run(sql.c_str());
  if (status.ok() && migration.version == kMetaDigestVersion) status = SealMeta(connection);
  if (status.ok()) status = NoteProgram(connection, migration.version, program);
  if (status.ok()) status = transaction.Commit();
  return status;
}

}  // namespace

std::int64_t NewestVersion() { return Migrations().back().version; }

std::string MetaKey(std::int64_t version) { return "version " + std::to_string(version) + " by"; }

Status Migrate(const Connection& connection, std::int64_t version, const std::string& program) {
  for (const Migration& migration : Migrations()) {
    if (migration.version <= version) continue;
    if (Status status = Apply(connection, migration, program); !status.ok()) return status;
  }
  return Status::Ok();
}

}  // namespace muster
