// Which queues may take a running workload's borrowed quota back.
#ifndef MUSTER_BINDINGS_CLI_SHOW_RECLAIM_H_
#define MUSTER_BINDINGS_CLI_SHOW_RECLAIM_H_

#include <map>
#include <string>
#include <vector>

#include "bindings/cli/json.h"
#include "muster/engine.h"

namespace muster::cli {

/// A ClusterQueue that lends what a workload uses, and by which rule it may reclaim it.
struct Reclaimer {
  std::string cluster_queue;
  std::string flavor;
  std::string resource;
  Amount idle = 0;  ///< nominal quota of that queue which it does not use itself
  PreemptionPolicy rule = PreemptionPolicy::kAny;  ///< kAny, or kLowerPriority
};

/// A picture of an engine's queues that answers for any number of workloads.
class Lenders {
 public:
  explicit Lenders(const Engine& engine);

  /// The queues that may evict `workload` to get their quota back: it holds quota, its queue uses
  /// more than its nominal quota of something the workload uses, and they share a cohort tree, have
  /// idle nominal quota of it and do not say reclaimWithinCohort: Never. O(queues x quotas).
  std::vector<Reclaimer> MayReclaimFrom(const WorkloadView& workload) const;

 private:
  const std::string& RootOf(const std::string& cohort) const;

  std::vector<ClusterQueueView> queues_;
  std::map<std::string, std::string> roots_;  ///< of every cohort
};

/// The same for a single one. O(1) for one that holds no quota, else O(queues x quotas).
std::vector<Reclaimer> MayReclaimFrom(const Engine& engine, const WorkloadView& workload);

/// "team-a,team-b (lower priority only)": every queue once, by name.
std::string ShowReclaimers(const std::vector<Reclaimer>& reclaimers);

Json ReclaimersJson(const std::vector<Reclaimer>& reclaimers);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_RECLAIM_H_
