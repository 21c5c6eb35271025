// How the ledgers of a database look in a list.
#ifndef MUSTER_BINDINGS_CLI_SHOW_SHARDS_H_
#define MUSTER_BINDINGS_CLI_SHOW_SHARDS_H_

#include <vector>

#include "bindings/cli/json.h"
#include "bindings/cli/table.h"
#include "bindings/trees/trees.h"

namespace muster::cli {

Table ShardsTable(const std::vector<Tree>& trees);
Json ShardsJson(const std::vector<Tree>& trees);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_SHARDS_H_
