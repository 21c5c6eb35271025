// Builders: objects and workloads in one line, with the defaults a test does not care about.
#ifndef MUSTER_TESTS_TESTING_BUILDERS_H_
#define MUSTER_TESTS_TESTING_BUILDERS_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "muster/engine.h"

namespace muster::testing {

/// 2026-01-01T12:00:00Z, the noon at which tests begin.
inline constexpr TimeNs kNoon = 1'767'268'800 * kSecond;

inline Namespace MakeNamespace(std::string name = "default") { return {std::move(name), {}}; }
inline ResourceFlavor MakeFlavor(std::string name) {
  ResourceFlavor flavor;
  flavor.name = std::move(name);
  return flavor;
}

/// Quota of one flavor for one resource, in whole units.
struct Quota {
  std::string flavor = "default";
  std::string resource = "cpu";
  std::int64_t nominal = 0;
  std::optional<std::int64_t> borrow = std::nullopt;
  std::optional<std::int64_t> lend = std::nullopt;
};

/// One resource group per distinct resource, flavors in the order given.
inline std::vector<ResourceGroup> MakeGroups(const std::vector<Quota>& quotas) {
  std::vector<ResourceGroup> groups;
  for (const Quota& quota : quotas) {
    ResourceGroup* group = nullptr;
    for (ResourceGroup& g : groups) {
      if (g.covered_resources.front() == quota.resource) group = &g;
    }
    if (group == nullptr) {
      group = &groups.emplace_back();
      group->covered_resources = {quota.resource};
    }
    ResourceQuota entry;
    entry.name = quota.resource;
    entry.nominal = Quantity::Units(quota.nominal);
    if (quota.borrow) entry.borrowing_limit = Quantity::Units(*quota.borrow);
    if (quota.lend) entry.lending_limit = Quantity::Units(*quota.lend);
    group->flavors.push_back({quota.flavor, {entry}});
  }
  return groups;
}

inline ClusterQueue MakeQueue(std::string name, std::string cohort, std::vector<Quota> quotas,
                              PreemptionRules rules = {}) {
  ClusterQueue queue;
  queue.name = std::move(name);
  queue.cohort = std::move(cohort);
  queue.resource_groups = MakeGroups(quotas);
  queue.namespace_selector = LabelSelector{};
  queue.preemption = rules;
  return queue;
}

inline Cohort MakeCohort(std::string name, std::string parent, std::vector<Quota> quotas = {}) {
  return {std::move(name), std::move(parent), MakeGroups(quotas), 1.0};
}

/// LocalQueue `lq-QUEUE` of namespace default.
inline LocalQueue MakeLocalQueue(const std::string& queue) {
  LocalQueue local_queue;
  local_queue.key = {"default", "lq-" + queue};
  local_queue.cluster_queue = queue;
  return local_queue;
}

/// A workload of `count` pods of one container, pending in `lq-QUEUE`; UID `u-NAME`.
inline Workload MakeWorkload(std::string name, const std::string& queue, ResourceList request,
                             std::int32_t priority = 0, std::int32_t count = 1) {
  Workload workload;
  workload.key = {"default", name};
  workload.uid = "u-" + name;
  workload.created = kNoon;
  workload.queue = "lq-" + queue;
  workload.priority = priority;
  PodSet pod_set;
  pod_set.name = "main";
  pod_set.count = count;
  pod_set.pods.containers.push_back({"c", std::move(request), {}, false});
  workload.pod_sets.push_back(std::move(pod_set));
  return workload;
}

inline ResourceList Cpu(std::int64_t cores) { return {{"cpu", Quantity::Units(cores)}}; }

/// The same workload, admitted in ClusterQueue `queue` on `flavor` since `reserved_at`.
inline Workload Holding(Workload workload, const std::string& queue,
                        const std::string& flavor = "default", TimeNs reserved_at = kNoon) {
  Admission admission{queue, {}};
  for (const PodSet& pod_set : workload.pod_sets) {
    PodSetAssignment assigned;
    assigned.name = pod_set.name;
    assigned.count = pod_set.count;
    for (const auto& [resource, amount] : pod_set.pods.containers.front().requests) {
      assigned.flavors[resource] = flavor;
      assigned.resource_usage[resource] = amount * Quantity::Units(pod_set.count);
    }
    admission.pod_sets.push_back(std::move(assigned));
  }
  workload.status.admission = std::move(admission);
  for (const char* type : {"QuotaReserved", "Admitted"}) {
    workload.status.conditions.push_back({type, true, type, "", reserved_at});
  }
  return workload;
}

inline Key DefaultKey(std::string name) { return {"default", std::move(name)}; }

/// Names of the admitted workloads of one cycle, in the order of decision.
inline std::vector<std::string> AdmittedNames(const CycleResult& result) {
  std::vector<std::string> names;
  for (const AdmittedWorkload& admitted : result.admitted) names.push_back(admitted.workload.name);
  return names;
}
inline std::vector<std::string> PreemptedNames(const CycleResult& result) {
  std::vector<std::string> names;
  for (const auto& preempted : result.preempted) names.push_back(preempted.workload.name);
  return names;
}

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_BUILDERS_H_
