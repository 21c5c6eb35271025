// Verify: is this ledger whole? The file, the hash chain from the first commit to the last, and the
// rows of current state against the newest commit.
#ifndef MUSTER_DB_SQLITE_VERIFY_H_
#define MUSTER_DB_SQLITE_VERIFY_H_

#include "db/store_types.h"
#include "muster/status.h"

namespace muster {

class Connection;

/// Damage is in the report; an error means that it could not be looked for. One read transaction.
Result<VerifyReport> Verify(Connection& connection, const VerifyOptions& options);

}  // namespace muster

#endif  // MUSTER_DB_SQLITE_VERIFY_H_
