// The events of a workload as kubectl describe lists them.
#ifndef MUSTER_BINDINGS_CLI_SHOW_WORKLOAD_EVENTS_H_
#define MUSTER_BINDINGS_CLI_SHOW_WORKLOAD_EVENTS_H_

#include "bindings/cli/io.h"
#include "bindings/cli/json.h"
#include "bindings/lab/events.h"

namespace muster::cli {

/// A table of the newest events of `workload`, oldest first; how many came before them is said.
/// Nothing when there are none.
/// All of them with their times, reasons and messages, oldest first.
Json EventsJson(const lab::History& history, const Key& workload);

void PrintEvents(const lab::History& history, const Key& workload, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_WORKLOAD_EVENTS_H_
