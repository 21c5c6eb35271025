// The ledgers of a database as a service of one of them, or the front of all, tells them.
#ifndef MUSTER_BINDINGS_CLI_WORLD_READ_SHARDS_H_
#define MUSTER_BINDINGS_CLI_WORLD_READ_SHARDS_H_

#include <vector>

#include "bindings/cli/io.h"
#include "bindings/cli/world/service.h"
#include "bindings/trees/trees.h"

namespace muster::cli {

/// Prints what went wrong and returns an exit code: kNo where its ledger is in a file.
int ReadShards(const Service& service, Io& io, std::vector<Tree>* trees);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_READ_SHARDS_H_
