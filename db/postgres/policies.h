// Policy packages in PostgreSQL, and the tables that everything lies in.
#ifndef MUSTER_DB_POSTGRES_POLICIES_H_
#define MUSTER_DB_POSTGRES_POLICIES_H_

#include <string_view>

#include "db/postgres/connection.h"
#include "db/store_types.h"
#include "muster/status.h"

namespace muster {

/// In the caller's transaction. One that is there already stays as it is.
Status WritePolicy(PgConnection& connection, std::string_view shard, const StoredPolicy& policy);

/// Makes the tables that are not there.
Status MakeTables(PgConnection& connection);

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_POLICIES_H_
