// Looks at single queues, not at whole subtrees: quota that a cohort itself owns is not counted.
#include "bindings/cli/show/reclaim.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "bindings/lab/read.h"
#include "bindings/lab/words.h"

namespace muster::cli {
namespace {

using FlavorResource = std::pair<std::string, std::string>;

/// The root cohort above each cohort.
std::map<std::string, std::string> Roots(const Engine& engine) {
  std::map<std::string, std::string> parent;
  for (const CohortView& cohort : lab::Read(engine.Cohorts()))
    parent[cohort.spec.name] = cohort.spec.parent;
  std::map<std::string, std::string> roots;
  for (const auto& [name, unused] : parent) {
    std::string root = name;
    for (std::size_t steps = 0; steps < parent.size() && !parent[root].empty(); ++steps) {
      root = parent[root];
    }
    roots[name] = root;
  }
  return roots;
}

/// One that was told to leave already is not evicted again.
bool HoldsQuota(const WorkloadView& workload) {
  return (workload.phase == WorkloadPhase::kAdmitted ||
          workload.phase == WorkloadPhase::kReserved) &&
         workload.spec.status.admission.has_value();
}

/// What `workload` uses although its queue is over its nominal quota of it.
std::set<FlavorResource> Borrowed(const WorkloadView& workload, const ClusterQueueView& queue) {
  std::set<FlavorResource> borrowed;
  for (const PodSetAssignment& pod_set : workload.spec.status.admission->pod_sets) {
    for (const auto& used : pod_set.flavors) {
      const auto quota =
          std::find_if(queue.quotas.begin(), queue.quotas.end(), [&used](const QuotaView& q) {
            return q.resource == used.first && q.flavor == used.second;
          });
      if (quota == queue.quotas.end() || quota->borrowed <= 0) continue;
      borrowed.insert({used.second, used.first});
    }
  }
  return borrowed;
}

}  // namespace

Lenders::Lenders(const Engine& engine)
    : queues_(lab::Read(engine.ClusterQueues())), roots_(Roots(engine)) {}

const std::string& Lenders::RootOf(const std::string& cohort) const {
  const auto root = roots_.find(cohort);
  return root == roots_.end() ? cohort : root->second;
}

std::vector<Reclaimer> Lenders::MayReclaimFrom(const WorkloadView& workload) const {
  std::vector<Reclaimer> found;
  if (!HoldsQuota(workload)) return found;
  const auto own = std::find_if(queues_.begin(), queues_.end(), [&](const ClusterQueueView& queue) {
    return queue.spec.name == lab::ClusterQueueOf(workload);
  });
  if (own == queues_.end() || own->spec.cohort.empty()) return found;
  const std::set<FlavorResource> borrowed = Borrowed(workload, *own);
  for (const ClusterQueueView& queue : queues_) {
    const PreemptionPolicy rule = queue.spec.preemption.reclaim_within_cohort;
    if (&queue == &*own || rule == PreemptionPolicy::kNever || queue.spec.cohort.empty() ||
        RootOf(queue.spec.cohort) != RootOf(own->spec.cohort)) {
      continue;
    }
    for (const QuotaView& quota : queue.quotas) {
      const Amount idle = quota.nominal - std::min(quota.nominal, quota.usage);
      if (idle == 0 || !borrowed.contains({quota.flavor, quota.resource})) continue;
      found.push_back({queue.spec.name, quota.flavor, quota.resource, idle, rule});
    }
  }
  return found;
}

std::vector<Reclaimer> MayReclaimFrom(const Engine& engine, const WorkloadView& workload) {
  if (!HoldsQuota(workload)) return {};  // no need of a picture of all queues
  return Lenders(engine).MayReclaimFrom(workload);
}

std::string ShowReclaimers(const std::vector<Reclaimer>& reclaimers) {
  std::map<std::string, PreemptionPolicy> queues;
  for (const Reclaimer& each : reclaimers) queues.emplace(each.cluster_queue, each.rule);
  std::string text;
  for (const auto& [queue, rule] : queues) {
    if (!text.empty()) text += ',';
    text += queue;
    if (rule != PreemptionPolicy::kAny) text += " (if of higher priority)";
  }
  return text;
}

Json ReclaimersJson(const std::vector<Reclaimer>& reclaimers) {
  Json list = Json::array();
  for (const Reclaimer& each : reclaimers) {
    list.push_back({{"clusterQueue", each.cluster_queue},
                    {"flavor", each.flavor},
                    {"resource", each.resource},
                    {"idle", FormatAmount(each.resource, each.idle)},
                    {"reclaimWithinCohort", lab::Spelled(each.rule)}});
  }
  return list;
}

}  // namespace muster::cli
