// Cycles on a ledger, one after the other, while an operator edits the policy that decides.
#ifndef MUSTER_BINDINGS_CLI_WORLD_WATCH_POLICIES_H_
#define MUSTER_BINDINGS_CLI_WORLD_WATCH_POLICIES_H_

#include <optional>
#include <string>

#include "bindings/cli/io.h"
#include "muster/durable_engine.h"

namespace muster::cli {

struct WatchPolicies {
  std::string folder;         ///< of the package; staged at once, then whenever it is saved
  std::optional<int> cycles;  ///< unset: until the process is ended
  DurationNs every = kSecond;
};

/// Runs cycles by the wall clock and prints what each decided and what became of each save.
int ScheduleWatching(DurableEngine& opened, const WatchPolicies& watch, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_WATCH_POLICIES_H_
