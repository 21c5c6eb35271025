// Rules of a workload's status: what a manifest or a caller says has become of it.
#include <algorithm>

#include "engine/base/find_named.h"
#include "engine/model/limits.h"
#include "engine/model/reclaimed_pods.h"
#include "engine/validity/validate_kinds.h"
#include "engine/validity/validate_rules.h"

namespace muster {
namespace {

/// The podset called `name`; adds a problem when there is none.
const PodSet* NeedPodSet(const FieldPath& path, const Workload& workload, std::string_view name,
                         ProblemList& problems) {
  const PodSet* pod_set = FindNamed(workload.pod_sets, name);
  if (pod_set == nullptr) {
    problems.Add(path, Quote(name) + " is not a podset of this workload",
                 "name one of spec.podSets");
  }
  return pod_set;
}

/// How many pods of its podset an admission grants: none only when none is left. More than the
/// podset has now are what it had when it was admitted, before it was scaled down.
void CheckGranted(const FieldPath& path, const Workload& workload, const PodSet& pod_set,
                  std::int32_t granted, ProblemList& problems) {
  const bool none_left =
      pod_set.count <= ReclaimedPods(workload.status.reclaimable_pods, pod_set.name);
  if (granted == 0 && !none_left) {
    problems.Add(path, "an admission grants a podset at least one pod",
                 "write " + std::to_string(pod_set.count));
  }
}

void CheckUsage(const FieldPath& path, const PodSetAssignment& assignment, ProblemList& problems) {
  CheckResources(path, assignment.resource_usage, problems);
  for (const auto& [name, quantity] : assignment.resource_usage) {
    if (quantity.ToAmount(name) == 0 || assignment.flavors.contains(name)) continue;
    problems.Add(path.Entry(name), "no flavor is assigned to it", "name its flavor in flavors");
  }
  if (assignment.count <= 0) return;
  for (const auto& [name, quantity] : assignment.resource_usage) {
    if (quantity.ToAmount(name) % assignment.count == 0) continue;
    problems.Add(
        path.Entry(name),
        quantity.ToString() + " is not a multiple of the count " + std::to_string(assignment.count),
        "write the request of one pod times the count");
  }
}

void CheckTopology(const FieldPath& path, const TopologyAssignment& topology,
                   ProblemList& problems) {
  CheckNotEmpty(path.Child("levels"), topology.levels.size(), problems);
  CheckSize(path.Child("levels"), topology.levels.size(), kMaxTopologyLevels, problems);
  const FieldPath domains = path.Child("domains");
  for (std::size_t i = 0; i < topology.domains.size(); ++i) {
    const FieldPath domain = domains.At(i);
    CheckAtLeast(domain.Child("count"), topology.domains[i].count, 1, problems);
    if (topology.domains[i].values.size() == topology.levels.size()) continue;
    problems.Add(domain.Child("values"),
                 std::to_string(topology.domains[i].values.size()) + " values for " +
                     std::to_string(topology.levels.size()) + " levels",
                 "give one value per level");
  }
}

void CheckAdmission(const FieldPath& path, const Workload& workload, const Admission& admission,
                    ProblemList& problems) {
  CheckName(path.Child("clusterQueue"), admission.cluster_queue, problems);
  const FieldPath list = path.Child("podSetAssignments");
  CheckSize(list, admission.pod_sets.size(), kMaxPodSets, problems);
  UniqueNames names;
  for (std::size_t i = 0; i < admission.pod_sets.size(); ++i) {
    const PodSetAssignment& assignment = admission.pod_sets[i];
    const FieldPath item = list.At(i);
    const PodSet* pod_set = NeedPodSet(item.Child("name"), workload, assignment.name, problems);
    names.Check(item.Child("name"), assignment.name, problems);
    CheckAtLeast(item.Child("count"), assignment.count, 0, problems);
    if (pod_set != nullptr) {
      CheckGranted(item.Child("count"), workload, *pod_set, assignment.count, problems);
    }
    CheckUsage(item.Child("resourceUsage"), assignment, problems);
    const FieldPath flavors = item.Child("flavors");
    for (const auto& [resource, flavor] : assignment.flavors) {
      CheckName(flavors.Entry(resource), flavor, problems);
    }
    if (assignment.topology) {
      CheckTopology(item.Child("topologyAssignment"), *assignment.topology, problems);
    }
  }
  // With as many names as podsets, one missing means one unknown or double: that is said already.
  if (admission.pod_sets.size() >= workload.pod_sets.size()) return;
  for (const PodSet& pod_set : workload.pod_sets) {
    if (names.Contains(pod_set.name)) continue;
    problems.Add(list, "podset " + Quote(pod_set.name) + " is missing: all start together",
                 "name every podset once, or remove status.admission");
  }
}

void CheckConditions(const FieldPath& list, std::span<const Condition> conditions,
                     ProblemList& problems) {
  CheckSize(list, conditions.size(), kMaxConditions, problems);
  UniqueNames types;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const FieldPath item = list.At(i);
    CheckQualifiedName(item.Child("type"), conditions[i].type, "condition type", problems);
    types.Check(item.Child("type"), conditions[i].type, problems);
  }
}

void CheckReclaimable(const FieldPath& list, const Workload& workload, ProblemList& problems) {
  UniqueNames names;
  for (std::size_t i = 0; i < workload.status.reclaimable_pods.size(); ++i) {
    const ReclaimablePods& pods = workload.status.reclaimable_pods[i];
    const FieldPath item = list.At(i);
    names.Check(item.Child("name"), pods.pod_set, problems);
    CheckAtLeast(item.Child("count"), pods.count, 0, problems);
    const PodSet* pod_set = NeedPodSet(item.Child("name"), workload, pods.pod_set, problems);
    if (pod_set != nullptr && pods.count > pod_set->count) {
      problems.Add(item.Child("count"), std::to_string(pods.count) + " is more than the podset has",
                   "write " + std::to_string(pod_set->count) + " or less");
    }
  }
}

void CheckUpdates(const FieldPath& list, const Workload& workload,
                  std::span<const PodSetUpdate> updates, ProblemList& problems) {
  for (std::size_t i = 0; i < updates.size(); ++i) {
    const FieldPath item = list.At(i);
    NeedPodSet(item.Child("name"), workload, updates[i].name, problems);
    CheckLabels(item.Child("labels"), updates[i].labels, problems);
    CheckLabels(item.Child("nodeSelector"), updates[i].node_selector, problems);
    CheckTolerations(item.Child("tolerations"), updates[i].tolerations, problems);
  }
}

void CheckCheckStates(const FieldPath& list, const Workload& workload, ProblemList& problems) {
  const SharedList<AdmissionCheckStatus>& checks = workload.status.admission_checks;
  CheckSize(list, checks.size(), kMaxCheckStates, problems);
  UniqueNames names;
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const FieldPath item = list.At(i);
    CheckName(item.Child("name"), checks[i].name, problems);
    names.Check(item.Child("name"), checks[i].name, problems);
    CheckAtLeast(item.Child("retryCount"), checks[i].retry_count, 0, problems);
    CheckAtLeast(item.Child("requeueAfterSeconds"), checks[i].requeue_after_seconds.value_or(0), 0,
                 problems);
    CheckUpdates(item.Child("podSetUpdates"), workload, checks[i].pod_set_updates, problems);
  }
}

}  // namespace

bool ReservesQuota(const Workload& workload) {
  return std::any_of(workload.status.conditions.begin(), workload.status.conditions.end(),
                     [](const Condition& c) { return c.type == "QuotaReserved" && c.status; });
}

void CheckStatus(const Workload& workload, ProblemList& problems) {
  const FieldPath path("status");
  const WorkloadStatus& status = workload.status;
  static const WorkloadStatus as_new;  // that of most that are submitted
  if (status == as_new) return;
  CheckConditions(path.Child("conditions"), status.conditions, problems);
  if (status.admission) {
    CheckAdmission(path.Child("admission"), workload, *status.admission, problems);
  } else if (ReservesQuota(workload)) {
    problems.Add(path.Child("admission"), "QuotaReserved is true, but no admission says what",
                 "give status.admission, or remove the condition");
  }
  CheckReclaimable(path.Child("reclaimablePods"), workload, problems);
  CheckCheckStates(path.Child("admissionChecks"), workload, problems);
  if (status.requeue_state) {
    const FieldPath requeue = path.Child("requeueState");
    CheckAtLeast(requeue.Child("count"), status.requeue_state->count, 0, problems);
  }
  CheckAtLeast(path.Child("accumulatedPastExecutionTimeSeconds"), status.past_execution_seconds, 0,
               problems);
  CheckSize(path.Child("unhealthyNodes"), status.unhealthy_nodes.size(), kMaxUnhealthyNodes,
            problems);
}

}  // namespace muster
