// Tables of what the engine holds, in the style of kubectl get.
#ifndef MUSTER_BINDINGS_CLI_SHOW_GET_VIEW_H_
#define MUSTER_BINDINGS_CLI_SHOW_GET_VIEW_H_

#include <string>
#include <vector>

#include "bindings/cli/io.h"
#include "bindings/cli/kinds.h"
#include "bindings/cli/show/get_items.h"
#include "muster/engine.h"

namespace muster::cli {

/// One row per object of `kind`; returns how many there were. `wide` adds columns.
std::size_t PrintKind(const Engine& engine, Kind kind, const Filter& filter, bool wide, Io& io);

void PrintClusterQueues(const std::vector<ClusterQueueView>& queues, bool wide, Io& io);

/// What a workload is doing: "Admitted", "Pending", "Parked", "Evicting", ...
std::string StateOf(const WorkloadView& workload);

/// "a=b,c=d"
std::string ShowLabels(const LabelMap& labels);

/// "gpu: cpu 3/10, memory 1Gi/4Gi"; used and nominal quota by flavor.
std::string ShowUsage(const std::vector<QuotaView>& quotas, bool wide);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_GET_VIEW_H_
