// Base: where a history begins that was compacted, or recovered from damage.
//
// The oldest commit that is kept has the hash of the one before it, so what was dropped can be
// proved to have been there, and a copy of it to be the right one. A replay begins with the rows of
// the base, which are kept as those of current state are. Each function runs in a transaction that
// the caller began.
#ifndef MUSTER_DB_SQLITE_BASE_H_
#define MUSTER_DB_SQLITE_BASE_H_

#include <functional>
#include <span>
#include <string>

#include "db/sqlite/connection.h"
#include "db/store_types.h"
#include "muster/status.h"

namespace muster {

/// {1, 0} in a ledger whose history is whole. kDataLoss.
Result<HistoryBase> ReadBase(const Connection& connection);

/// The rows of the base in the order of Load, each checked; none without a base. kDataLoss when one
/// was changed, or some are missing.
Status ReadBaseRows(const Connection& connection, const StateVisitor& visitor);
/// The events from before it, likewise.
Status ReadCarried(const Connection& connection, const CarriedVisitor& visitor);

/// Calls `add` with everything that is wrong with the base.
void CheckBase(const Connection& connection, const std::function<void(std::string)>& add);

/// Replaces the base. `rows` have values.
Status WriteBase(const Connection& connection, const HistoryBase& base,
                 std::span<const StateRow> rows, std::span<const CarriedEvent> events);

}  // namespace muster

#endif  // MUSTER_DB_SQLITE_BASE_H_
