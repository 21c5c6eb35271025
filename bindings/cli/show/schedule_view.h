// What cycles decided, as tables for people.
#ifndef MUSTER_BINDINGS_CLI_SHOW_SCHEDULE_VIEW_H_
#define MUSTER_BINDINGS_CLI_SHOW_SCHEDULE_VIEW_H_

#include "bindings/cli/io.h"
#include "bindings/cli/world/play.h"

namespace muster::cli {

/// Every cycle with what it admitted, preempted and left pending, then a summary and the queues.
/// `wide` lists every pending workload with its whole message; else long ones are cut.
void PrintSchedule(const World& world, bool wide, Io& io);

/// Warnings on stderr about hooks that failed, so that the built-in rule decided.
void WarnAboutPolicies(const World& world, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_SCHEDULE_VIEW_H_
