// A workload at length: what it asks for, what it got, what has happened to it.
#ifndef MUSTER_BINDINGS_CLI_SHOW_DESCRIBE_WORKLOAD_H_
#define MUSTER_BINDINGS_CLI_SHOW_DESCRIBE_WORKLOAD_H_

#include "bindings/cli/io.h"
#include "bindings/lab/events.h"
#include "muster/engine.h"

namespace muster::cli {

void DescribeWorkload(const Engine& engine, const WorkloadView& workload,
                      const lab::History& history, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_DESCRIBE_WORKLOAD_H_
