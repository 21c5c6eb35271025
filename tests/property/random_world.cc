// What runs and what waits in a random world.
#include "tests/property/random_world.h"

#include <algorithm>
#include <string>

#include "tests/property/random_tree.h"

namespace muster::testing {
namespace {

bool Covers(const ClusterQueue& queue, const std::string& resource) {
  return std::any_of(queue.resource_groups.begin(), queue.resource_groups.end(),
                     [&](const ResourceGroup& group) {
                       const auto& covered = group.covered_resources;
                       return std::count(covered.begin(), covered.end(), resource) > 0;
                     });
}

void SetCondition(Workload& workload, const char* type, const char* reason, TimeNs since) {
  workload.status.conditions.push_back(
      {.type = type, .status = true, .reason = reason, .message = "", .since = since});
}

// Gives quota to `workload` in flavors of its queue, whether or not the quota is there.
void Reserve(Choices& choices, const ClusterQueue& queue, const std::vector<std::string>& flavors,
             Workload& workload) {
  Admission admission{.cluster_queue = queue.name, .pod_sets = {}};
  for (const PodSet& pod_set : workload.pod_sets) {
    PodSetAssignment assigned;
    assigned.name = pod_set.name;
    assigned.count = pod_set.count;
    for (const ResourceGroup& group : queue.resource_groups) {
      const bool foreign = choices.OneIn(16);
      const std::string flavor = foreign ? choices.Pick(flavors) : choices.Pick(group.flavors).name;
      for (const std::string& resource : group.covered_resources) {
        const auto asked = pod_set.pods.containers[0].requests.find(resource);
        if (asked == pod_set.pods.containers[0].requests.end()) continue;
        assigned.flavors[resource] = flavor;
        for (int i = 0; i < pod_set.count; ++i) {
          assigned.resource_usage[resource] = assigned.resource_usage[resource] + asked->second;
        }
      }
    }
    admission.pod_sets.push_back(assigned);
  }
  workload.status.admission = admission;
  const TimeNs since = kNow - (1 + choices.Below(4)) * 60 * kSecond;
  SetCondition(workload, "QuotaReserved", "QuotaReserved", since);
  SetCondition(workload, "Admitted", "Admitted", since);
  if (choices.OneIn(8)) SetCondition(workload, "Evicted", "Preempted", since + kSecond);
}

}  // namespace

Workload DrawWorkload(Choices& choices, const ClusterQueue& queue, int number) {
  Workload workload;
  workload.key = {kNamespace, Number("w", number)};
  // Neither in the order of names nor of creation, so that a forgotten tie-break shows.
  workload.uid = Number("u", (number * 7) % 10) + std::to_string(number);
  workload.created = kNow - (60 + choices.Below(4)) * 60 * kSecond;
  workload.queue = queue.name;
  if (!choices.OneIn(4)) workload.priority = choices.Between(-1, 2);
  const int pod_sets = choices.OneIn(4) ? 2 : 1;
  for (int i = 0; i < pod_sets; ++i) {
    PodSet pod_set;
    pod_set.name = Number("ps", i);
    pod_set.count = choices.OneIn(3) ? choices.Between(1, 3) : 1;
    Container container;
    container.name = "c";
    for (const char* resource : {kCpu, kGpu}) {
      if (choices.OneIn(4) || (!Covers(queue, resource) && !choices.OneIn(16))) continue;
      const bool nothing = choices.OneIn(12);
      container.requests[resource] = nothing ? Quantity() : DrawAmount(choices, resource, 3);
    }
    pod_set.pods.containers.push_back(container);
    workload.pod_sets.push_back(pod_set);
  }
  return workload;
}

World MakeRandomWorld(Choices& choices) {
  World world;
  std::vector<std::string> flavors;
  const Profile profile = choices.OneIn(3) ? Profile::kDeep : Profile::kBroad;
  const int flavor_count = profile == Profile::kDeep ? 1 : choices.Between(1, 3);
  // With the label that every namespace of a cluster has.
  world.emplace_back(Namespace{kNamespace, {{"kubernetes.io/metadata.name", kNamespace}}});
  for (int i = 0; i < flavor_count; ++i) {
    ResourceFlavor flavor;
    flavor.name = Number("flavor-", i);
    flavors.push_back(flavor.name);
    world.emplace_back(flavor);
  }
  const std::vector<ClusterQueue> queues = AddTree(choices, profile, flavors, world);
  const int holders = choices.Between(1, 7);
  const int waiting = choices.Between(1, 6);
  for (int i = 0; i < holders + waiting; ++i) {
    // Half of the holders crowd into the first queue, so that others have quota to reclaim.
    const bool crowd = i < holders && choices.Flip();
    const ClusterQueue queue = crowd ? queues.front() : choices.Pick(queues);
    Workload workload = DrawWorkload(choices, queue, i);
    if (i >= holders && choices.Flip()) workload.priority = 2;
    if (i > holders && choices.OneIn(4)) {
      const auto& before = std::get<Workload>(world.back());
      workload.queue = before.queue;
      workload.priority = before.priority;
      workload.pod_sets = before.pod_sets;
    }
    if (i < holders) Reserve(choices, queue, flavors, workload);
    world.emplace_back(workload);
  }
  return world;
}

}  // namespace muster::testing
