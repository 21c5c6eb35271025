// The jobs as a table.
#ifndef MUSTER_BINDINGS_CLI_SHOW_WORKLOAD_TABLE_H_
#define MUSTER_BINDINGS_CLI_SHOW_WORKLOAD_TABLE_H_

#include <vector>

#include "bindings/cli/table.h"
#include "muster/engine.h"

namespace muster::cli {

/// One row per workload, in the order of `workloads`. O(workloads of the engine x their quotas).
Table WorkloadsTable(const Engine& engine, const std::vector<WorkloadView>& workloads, bool wide);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_WORKLOAD_TABLE_H_
