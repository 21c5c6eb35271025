// One check per kind of object; ValidateObject picks among them.
#ifndef MUSTER_ENGINE_VALIDITY_VALIDATE_KINDS_H_
#define MUSTER_ENGINE_VALIDITY_VALIDATE_KINDS_H_

#include <span>

#include "engine/validity/problem_list.h"
#include "engine/validity/validate.h"
#include "muster/object.h"

namespace muster {

// validate_flavor.cc
void Check(const ResourceFlavor& flavor, ProblemList& problems);
void Check(const Topology& topology, ProblemList& problems);
void Check(const Node& node, ProblemList& problems);
void Check(const Pod& pod, ProblemList& problems);

// validate_queue.cc
void Check(const ClusterQueue& queue, ProblemList& problems);
void Check(const Cohort& cohort, ProblemList& problems);
void Check(const LocalQueue& queue, ProblemList& problems);

// validate_cluster.cc
void Check(const WorkloadPriorityClass& priority_class, ProblemList& problems);
void Check(const PriorityClass& priority_class, ProblemList& problems);
void Check(const Namespace& ns, ProblemList& problems);
void Check(const LimitRange& range, ProblemList& problems);
void Check(const RuntimeClass& runtime_class, ProblemList& problems);
void Check(const AdmissionCheck& check, ProblemList& problems);

// validate_config.cc
void Check(const Configuration& config, ProblemList& problems);
void Check(const EngineConfiguration& config, ProblemList& problems);
void Check(const PolicyBinding& binding, ProblemList& problems);

// validate_workload.cc, validate_status.cc
void Check(const Workload& workload, ProblemList& problems,
           KnownValid known = KnownValid::kNothing);
void CheckStatus(const Workload& workload, ProblemList& problems);
/// Its QuotaReserved condition is true.
bool ReservesQuota(const Workload& workload);

// validate_amounts.cc
/// What all podsets together ask for is at most kMostAsked of each resource; `list` is where they
/// stand.
void CheckAsked(const FieldPath& list, std::span<const PodSet> pod_sets, ProblemList& problems);

// validate_resource_groups.cc: shared by ClusterQueue and Cohort
struct GroupRules {
  bool has_parent = false;             ///< limits on borrowing and lending need one
  bool lending_within_nominal = true;  ///< of a ClusterQueue, not of a Cohort
};
void CheckResourceGroups(std::span<const ResourceGroup> groups, const GroupRules& rules,
                         ProblemList& problems);

}  // namespace muster

#endif  // MUSTER_ENGINE_VALIDITY_VALIDATE_KINDS_H_
