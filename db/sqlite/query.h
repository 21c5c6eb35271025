// Query: one SELECT of any text that a user may type.
//
// An authorizer allows reading tables and calling functions, nothing else; a progress handler ends
// what takes too long.
#ifndef MUSTER_DB_SQLITE_QUERY_H_
#define MUSTER_DB_SQLITE_QUERY_H_

#include <string>

#include "db/sqlite/connection.h"
#include "db/sqlite/read_only_ledger.h"
#include "muster/status.h"

namespace muster {

/// See ReadOnlyLedger::Query.
Result<QueryResult> RunQuery(const Connection& connection, const std::string& sql,
                             const QueryLimits& limits);

}  // namespace muster

#endif  // MUSTER_DB_SQLITE_QUERY_H_
