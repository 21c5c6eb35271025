// What a schema must be is asked of a new ledger in memory, made by the same migrations.
#include "db/sqlite/schema_check.h"

#include <map>
#include <utility>

#include "db/hash_chain.h"
#include "db/sqlite/migrate.h"
#include "db/sqlite/statements.h"

namespace muster {
namespace {

/// "table event" -> its SQL.
using Schema = std::map<std::string, std::string>;

Result<Schema> SchemaOf(const Connection& connection) {
  Result<Statement> select = Statement::Prepare(
      connection, "SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema");
  if (!select.ok()) return select.status();
  Schema schema;
  Result<bool> row = select->Step();
  for (; row.ok() && *row; row = select->Step()) schema.emplace(select->Text(0), select->Text(1));
  if (!row.ok()) return row.status();
  return schema;
}

Result<Schema> SchemaOfVersion(std::int64_t version) {
  Result<Connection> memory = Connection::Open(":memory:", Connection::Mode::kCreate, "");
  if (!memory.ok()) return memory.status();
  for (const Migration& migration : Migrations()) {
    if (migration.version > version) break;
    const std::string sql(migration.sql);
    if (Status status = memory->Run(sql.c_str()); !status.ok()) return status;
  }
  return SchemaOf(*memory);
}

Status CheckMeta(const Connection& connection, std::int64_t version,
                 const std::function<void(std::string)>& add) {
  const bool sealed = version >= kMetaDigestVersion;
  Result<Statement> select =
      Statement::Prepare(connection, sealed ? "SELECT key, value, digest FROM meta"
                                            : "SELECT key, value, 0 FROM meta");
  if (!select.ok()) return select.status();
  std::map<std::string, bool> expected;  // and whether it was found
  for (std::int64_t v = 1; v <= version; ++v) expected[MetaKey(v)] = false;
  FieldBuffer fields;
  Result<bool> row = select->Step();
  for (; row.ok() && *row; row = select->Step()) {
    const std::string key(select->Text(0));
    const auto digest = static_cast<std::int64_t>(DigestOfMeta(key, select->Text(1), &fields));
    const auto known = expected.find(key);
    if (known == expected.end()) {
      add("row " + key + " of meta does not belong there");
    } else {
      known->second = true;
    }
    if (sealed && digest != select->Number(2)) add("row " + key + " of meta was changed");
  }
  if (!row.ok()) return row.status();
  for (const auto& [key, found] : expected) {
    if (!found) add("row " + key + " of meta is missing");
  }
  return Status::Ok();
}

}  // namespace

Status CheckSchema(const Connection& connection, std::int64_t version,
                   const std::function<void(std::string)>& add) {
  const Result<Schema> expected = SchemaOfVersion(version);
  if (!expected.ok()) return expected.status();
  const Result<Schema> found = SchemaOf(connection);
  if (!found.ok()) return found.status();
  for (const auto& [name, sql] : *expected) {
    const auto same = found->find(name);
    if (same == found->end()) {
      add(name + " is missing");
    } else if (same->second != sql) {
      add(name + " is not that of version " + std::to_string(version));
    }
  }
  for (const auto& [name, sql] : *found) {
    if (!expected->contains(name)) add(name + " does not belong into a ledger");
  }
  return CheckMeta(connection, version, add);
}

}  // namespace muster
