// Building a small world: node 0 is the root; every later node hangs below an earlier cohort.
#include "tests/exhaustive/small_world.h"

namespace muster::testing {
namespace {

constexpr const char* kGpu = "nvidia.com/gpu";

std::string Name(const char* prefix, int i) { return prefix + std::to_string(i); }

ResourceGroup MakeGroup(Choices& choices, const std::vector<SmallQuota>& quotas, int flavors,
                        bool has_parent) {
  ResourceGroup group;
  group.covered_resources = {kGpu};
  for (int i = 0; i < flavors; ++i) {
    const SmallQuota small = choices.Pick(quotas);
    ResourceQuota quota;
    quota.name = kGpu;
    quota.nominal = Quantity::Units(small.nominal);
    if (small.borrowing && has_parent) quota.borrowing_limit = Quantity::Units(*small.borrowing);
    if (small.lending && has_parent) quota.lending_limit = Quantity::Units(*small.lending);
    group.flavors.push_back({Name("f", i), {quota}});
  }
  return group;
}

struct Tree {
  std::vector<std::string> cohorts;
  std::vector<std::string> queues;
};

Tree AddTree(Choices& choices, const WorldScope& scope, World& world) {
  Tree tree;
  const PreemptionRules rules = choices.Pick(scope.rules);
  const FlavorFungibility fungibility = choices.Pick(scope.fungibility);
  const int nodes = choices.Pick(scope.nodes);
  for (int i = 0; i < nodes; ++i) {
    const bool is_root = i == 0;
    const bool is_last = i + 1 == nodes;
    const std::string parent = is_root ? "" : choices.Pick(tree.cohorts);
    // Without a queue the world would be idle: the last node is one, if no other is.
    const bool is_queue = is_root ? nodes == 1 : (is_last && tree.queues.empty()) || choices.Flip();
    const auto& quotas = is_queue ? scope.queue_quotas : scope.cohort_quotas;
    const ResourceGroup group = MakeGroup(choices, quotas, scope.flavors, !is_root);
    if (!is_queue) {
      Cohort cohort;
      cohort.name = Name("c", i);
      cohort.parent = parent;
      cohort.resource_groups = {group};
      tree.cohorts.push_back(cohort.name);
      world.emplace_back(cohort);
      continue;
    }
    ClusterQueue queue;
    queue.name = Name("q", i);
    queue.cohort = parent;
    queue.resource_groups = {group};
    queue.preemption = rules;
    queue.flavor_fungibility = fungibility;
    queue.namespace_selector.emplace();
    tree.queues.push_back(queue.name);
    world.emplace_back(queue);
    LocalQueue local;
    local.key = {"default", queue.name};
    local.cluster_queue = queue.name;
    world.emplace_back(local);
  }
  return tree;
}

Workload MakeJob(const SmallJob& small, const std::string& queue, int number) {
  Workload workload;
  workload.key = {"default", Name("w", number)};
  workload.uid = Name("u", number);
  workload.created = kNow - (60 - number) * 60 * kSecond;
  workload.queue = queue;
  workload.priority = small.priority;
  PodSet pod_set;
  pod_set.name = "main";
  Container container;
  container.name = "c";
  container.requests[kGpu] = Quantity::Units(small.size);
  pod_set.pods.containers.push_back(container);
  workload.pod_sets.push_back(pod_set);
  if (!small.holds) return workload;
  PodSetAssignment assigned;
  assigned.name = pod_set.name;
  assigned.count = 1;
  assigned.flavors[kGpu] = Name("f", *small.holds);
  assigned.resource_usage = container.requests;
  Admission admission;
  admission.cluster_queue = queue;
  admission.pod_sets = {assigned};
  workload.status.admission = admission;
  for (const char* type : {"QuotaReserved", "Admitted"}) {
    const TimeNs since = kNow - (20 - number) * 60 * kSecond;
    workload.status.conditions.push_back({type, true, type, "", since});
  }
  return workload;
}

}  // namespace

World MakeSmallWorld(Choices& choices, const WorldScope& scope) {
  World world;
  world.emplace_back(Namespace{"default", {}});
  for (int i = 0; i < scope.flavors; ++i) {
    ResourceFlavor flavor;
    flavor.name = Name("f", i);
    world.emplace_back(flavor);
  }
  const Tree tree = AddTree(choices, scope, world);
  for (int i = 0; i < static_cast<int>(scope.jobs.size()); ++i) {
    const SmallJob job = choices.Pick(scope.jobs[static_cast<std::size_t>(i)]);
    world.emplace_back(MakeJob(job, choices.Pick(tree.queues), i));
  }
  return world;
}

}  // namespace muster::testing
