// The events of a workload as kubectl describe lists them.
#ifndef MUSTER_BINDINGS_CLI_SHOW_WORKLOAD_EVENTS_H_
#define MUSTER_BINDINGS_CLI_SHOW_WORKLOAD_EVENTS_H_

#include <span>

#include "bindings/cli/io.h"
#include "bindings/cli/world/events.h"

namespace muster::cli {

/// A table of the newest of `events`, which concern `workload`, oldest first; how many came before
/// them is said. Nothing when there are none.
void PrintEvents(std::span<const PastEvent> events, const Key& workload, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_WORKLOAD_EVENTS_H_
