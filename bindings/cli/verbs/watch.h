// get -w: a list of a ledger, then what changes of it.
#ifndef MUSTER_BINDINGS_CLI_VERBS_WATCH_H_
#define MUSTER_BINDINGS_CLI_VERBS_WATCH_H_

#include <string>

#include "bindings/cli/io.h"
#include "bindings/cli/kinds.h"
#include "bindings/cli/show/get_items.h"
#include "muster/engine.h"

namespace muster::cli {

struct Watched {
  std::string db;
  Kind kind = Kind::kWorkload;
  Filter filter;
  std::string output;  ///< "table", "wide" or "json"
};

/// Prints what there is in `first`, the ledger's state, as ADDED; afterwards, until SIGINT or
/// SIGTERM, whatever is added, changed or gone, within a second. As JSON each change is one line.
/// The ledger is only looked at beside its writer, and read again when there is a new commit.
int Watch(const Engine& first, const Watched& watched, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_VERBS_WATCH_H_
