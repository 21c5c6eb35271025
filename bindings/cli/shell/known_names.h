// Names that a ledger knows, for completion.
#ifndef MUSTER_BINDINGS_CLI_SHELL_KNOWN_NAMES_H_
#define MUSTER_BINDINGS_CLI_SHELL_KNOWN_NAMES_H_

#include <string>
#include <vector>

#include "bindings/cli/kinds.h"

namespace muster::cli {

/// Names of `kind` in the ledger `db`, sorted; of what stands in a namespace NAMESPACE/NAME, or
/// NAME alone of the namespace `ns`, where one is given. Nothing where it cannot be read.
/// Complexity: that of reading the ledger's state.
std::vector<std::string> KnownNames(const std::string& db, Kind kind, const std::string& ns);

/// Namespaces in which it has workloads or LocalQueues, sorted.
std::vector<std::string> KnownNamespaces(const std::string& db);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHELL_KNOWN_NAMES_H_
