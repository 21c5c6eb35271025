#include "db/migrate.h"

#include <sqlite3.h>

#include "db/statements.h"

namespace muster {
namespace {

Status NoteProgram(const Connection& connection, std::int64_t version, const std::string& program) {
  Result<Statement> insert =
      Statement::Prepare(connection, "INSERT INTO meta (key, value) VALUES (?, ?)");
  if (!insert.ok()) return insert.status();
  const std::string key = "version " + std::to_string(version) + " by";
  const std::string value = "muster " + program + ", SQLite " + sqlite3_libversion();
  insert->BindText(key);
  insert->BindText(value);
  return insert->Execute();
}

Status Apply(const Connection& connection, const Migration& migration, const std::string& program) {
  Transaction transaction(connection);
  Status status = transaction.Begin("BEGIN IMMEDIATE");
  const std::string sql(migration.sql);
  if (status.ok()) status = connection.Run(sql.c_str());
  if (status.ok()) status = NoteProgram(connection, migration.version, program);
  if (status.ok()) status = transaction.Commit();
  return status;
}

}  // namespace

std::int64_t NewestVersion() { return Migrations().back().version; }

Status Migrate(const Connection& connection, std::int64_t version, const std::string& program) {
  for (const Migration& migration : Migrations()) {
    if (migration.version <= version) continue;
    if (Status status = Apply(connection, migration, program); !status.ok()) return status;
  }
  return Status::Ok();
}

}  // namespace muster
