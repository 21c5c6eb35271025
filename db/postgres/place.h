// Where a ledger lies in PostgreSQL: a database, and a name in it.
#ifndef MUSTER_DB_POSTGRES_PLACE_H_
#define MUSTER_DB_POSTGRES_PLACE_H_

#include <string>

namespace muster {

struct PgPlace {
  std::string url;    ///< for libpq
  std::string shard;  ///< the ledger's name, "main" unless the URL ends with another after a #
  std::string shown;  ///< for messages, without a password
};
PgPlace PlaceFrom(const std::string& url);

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_PLACE_H_
