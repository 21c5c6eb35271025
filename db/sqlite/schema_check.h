// SchemaCheck: are the tables, views and notes of a ledger those that its version has?
#ifndef MUSTER_DB_SQLITE_SCHEMA_CHECK_H_
#define MUSTER_DB_SQLITE_SCHEMA_CHECK_H_

#include <cstdint>
#include <functional>
#include <string>

#include "db/sqlite/connection.h"
#include "muster/status.h"

namespace muster {

/// Calls `add` with each thing that is missing, was changed or does not belong into a ledger of
/// `version`, rows of meta among them. An error means that it could not be looked for.
Status CheckSchema(const Connection& connection, std::int64_t version,
                   const std::function<void(std::string)>& add);

}  // namespace muster

#endif  // MUSTER_DB_SQLITE_SCHEMA_CHECK_H_
