// What `muster get` prints, here and for a service that is asked for it.
#ifndef MUSTER_BINDINGS_CLI_SHOW_GET_PRINT_H_
#define MUSTER_BINDINGS_CLI_SHOW_GET_PRINT_H_

#include <ostream>
#include <string>
#include <vector>

#include "bindings/cli/io.h"
#include "bindings/cli/kinds.h"
#include "bindings/cli/show/get_items.h"
#include "muster/engine.h"
#include "muster/status.h"

namespace muster::cli {

inline const std::vector<std::string> kGetOutputs = {"table", "wide", "json", "yaml"};

/// Prints the objects of `kind` that `filter` means. An empty list prints nothing as a table.
/// kNotFound where `filter` has a name and there is none of it.
Status PrintKind(const Engine& engine, Kind kind, const Filter& filter, const std::string& output,
                 std::ostream& out, const Paint& paint);

/// "no workload in namespace team-a": what an empty table is said to be.
std::string NothingOf(Kind kind, const Filter& filter);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_GET_PRINT_H_
