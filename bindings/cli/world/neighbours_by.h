// Where the services of a database's ledgers are, as a service asks for them.
#ifndef MUSTER_BINDINGS_CLI_WORLD_NEIGHBOURS_BY_H_
#define MUSTER_BINDINGS_CLI_WORLD_NEIGHBOURS_BY_H_

#include <functional>
#include <string>

#include "bindings/cli/json.h"
#include "bindings/http/neighbours.h"
#include "bindings/trees/trees.h"

namespace muster::cli {

/// What GET /v1/shards tells of the database that `db` names; it waits for that.
std::function<Result<Json>()> ShardsOf(const std::string& db);
/// Those that `keeper`, which must outlive them, knows of. It tells nothing.
http::Neighbours NeighboursBy(const TreeKeeper& keeper, const std::string& db);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_NEIGHBOURS_BY_H_
