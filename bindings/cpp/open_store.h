// Which store a place names: a file of SQLite, or a database of PostgreSQL.
#ifndef MUSTER_BINDINGS_CPP_OPEN_STORE_H_
#define MUSTER_BINDINGS_CPP_OPEN_STORE_H_

#include <memory>
#include <string>
#include <string_view>

#include "db/store.h"
#include "muster/durable_engine.h"
#include "muster/status.h"

namespace muster {

class PgStandby;

/// For writing. kInvalidArgument: options that this kind of store does not have. `standby`, if
/// given, is told what a database has while that is waited for; of a file it is told nothing.
Result<std::unique_ptr<Store>> OpenStore(const std::string& path, const DurableOptions& options,
                                         PgStandby* standby = nullptr);
/// For reading, also beside its writer. kNotFound when there is none.
Result<std::unique_ptr<HistoryReader>> OpenHistory(const std::string& path);

/// Whether `path` names a database, not a file.
bool IsDatabase(std::string_view path);
/// Whether a ledger of a database may have this name, behind the # of its place.
bool IsLedgerName(std::string_view name);
/// `path` as messages may show it: without a password.
std::string ShownPlace(const std::string& path);

}  // namespace muster

#endif  // MUSTER_BINDINGS_CPP_OPEN_STORE_H_
