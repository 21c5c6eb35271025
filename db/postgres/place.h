// Where a ledger lies in PostgreSQL: a database, and a name in it.
#ifndef MUSTER_DB_POSTGRES_PLACE_H_
#define MUSTER_DB_POSTGRES_PLACE_H_

#include <string>
#include <string_view>

#include "muster/status.h"

namespace muster {

/// Whether `place` names a database instead of a file: postgres:// or postgresql://.
bool IsPostgres(std::string_view place);
/// Whether a ledger of a database may have this name.
bool IsPgName(std::string_view name);

struct PgPlace {
  std::string url;    ///< for libpq
  std::string shard;  ///< the ledger's name, "main" unless the URL ends with another after a #
  std::string shown;  ///< for messages, without a password
};
/// kInvalidArgument when the name is none, or libpq cannot read the URL. The message shows nothing
/// of a URL that could hide a password where none is looked for.
Result<PgPlace> PlaceFrom(const std::string& url);

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_PLACE_H_
