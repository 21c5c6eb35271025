// Tables of what the engine holds, in the style of kubectl get.
#ifndef MUSTER_BINDINGS_CLI_SHOW_GET_VIEW_H_
#define MUSTER_BINDINGS_CLI_SHOW_GET_VIEW_H_

#include <map>
#include <string>
#include <vector>

#include "bindings/cli/kinds.h"
#include "bindings/cli/show/get_items.h"
#include "bindings/cli/table.h"
#include "muster/engine.h"

namespace muster::cli {

/// One row per object of `kind`. `wide` adds columns.
Table KindTable(const Engine& engine, Kind kind, const Filter& filter, bool wide);

Table ClusterQueuesTable(const std::vector<ClusterQueueView>& queues, bool wide);

/// What a workload is doing: "Admitted", "Pending", "Parked", "Held", "Evicting", ...
std::string StateOf(const WorkloadView& workload);

/// "a=b,c=d"
std::string ShowLabels(const LabelMap& labels);

/// "gpu: cpu 3/10, memory 1Gi/4Gi"; used and nominal quota by flavor, of a cohort those of all
/// queues below.
std::string ShowUsage(const std::vector<QuotaView>& quotas, bool wide);

/// "cpu 2, memory 4Gi": what is not 0.
std::string ShowAmounts(const std::map<std::string, Amount>& amounts);
/// The same of what a queue uses above its nominal quota.
std::string ShowBorrowed(const std::vector<QuotaView>& quotas);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_GET_VIEW_H_
