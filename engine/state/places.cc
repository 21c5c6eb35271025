// See places.h.
#include "engine/state/places.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/find_named.h"
#include "engine/model/requests.h"
#include "engine/state/place_mismatch.h"
#include "engine/topology/missing_level.h"

namespace muster {
namespace {

/// Whose checks make nodes; until then there is nowhere to be.
constexpr std::string_view kMakesNodes = "kueue.x-k8s.io/provisioning-request";

ResourceList RequestsOf(const World& world, const WorkloadRecord& workload, std::size_t pod_set) {
  const std::vector<const LimitRange*> ranges = world.LimitRangesOf(workload.spec.key.ns);
  const RequestContext context{world.catalog.config, world.catalog.runtime_classes, ranges};
  return PodResources(FillDefaults(workload.series().pod_sets[pod_set].pods, context));
}

}  // namespace

bool AsksForPlaces(const WorkloadRecord& workload) {
  const SharedList<PodSet>& pod_sets = workload.series().pod_sets;
  return std::any_of(pod_sets.begin(), pod_sets.end(),
                     [](const PodSet& pod_set) { return AsksForPlaces(pod_set); });
}

bool ImpliesPlaces(const ClusterQueueState& queue) {
  if (queue.groups.empty()) return false;
  return std::all_of(queue.groups.begin(), queue.groups.end(), [](const auto& group) {
    return std::all_of(group.flavors.begin(), group.flavors.end(), [](const FlavorOption& option) {
      return option.flavor != nullptr && !option.flavor->topology_name.empty();
    });
  });
}

namespace {

/// Each layer is below the one before it, the first below the podset's own level or at it.
std::optional<std::string> SegmentsOutOfOrder(const TopologyTree& tree,
                                              const TopologyRequest& request) {
  const std::string* above = !request.required.empty() ? &request.required : &request.preferred;
  int least = above->empty() ? 0 : tree.LevelOf(*above);
  for (const SliceLayer& layer : request.segments) {
    if (tree.LevelOf(layer.level) < least) {
      return "flavor " + tree.flavor().name + " has level " + layer.level + " not below " + *above;
    }
    above = &layer.level;
    least = tree.LevelOf(layer.level) + 1;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> PlaceMismatch(const World& world, const ClusterQueueState& queue,
                                         const PodSet& pod_set, const ResourceFlavor& flavor) {
  if (!AsksForPlaces(pod_set)) {
    if (flavor.topology_name.empty() || ImpliesPlaces(queue)) return std::nullopt;
    return "flavor " + flavor.name + " supports only TopologyAwareScheduling";
  }
  const TopologyTree* tree = world.capacity.places().Find(flavor.name);
  if (tree == nullptr) {
    return "flavor " + flavor.name + " does not support TopologyAwareScheduling";
  }
  const TopologyRequest& request = *pod_set.topology;
  if (const std::string* const level = MissingLevel(*tree, request); level != nullptr) {
    return "flavor " + flavor.name + " does not contain the requested level " + *level;
  }
  return SegmentsOutOfOrder(*tree, request);
}

bool NodesAreMade(const World& world, const ClusterQueueState& queue, const std::string& flavor) {
  const auto& rules = queue.spec.admission_checks;
  return std::any_of(rules.begin(), rules.end(), [&](const AdmissionCheckRule& rule) {
    const auto check = world.catalog.admission_checks.find(rule.name);
    if (check == world.catalog.admission_checks.end()) return false;
    if (check->second.controller != kMakesNodes) return false;
    const auto& on = rule.on_flavors;
    return on.empty() || std::find(on.begin(), on.end(), flavor) != on.end();
  });
}

bool IsOn(const PodSetAssignment& assigned, const std::string& host) {
  if (!assigned.topology || assigned.topology->levels.empty() ||
      assigned.topology->levels.back() != kHostnameLabel) {
    return false;
  }
  const auto& domains = assigned.topology->domains;
  return std::any_of(domains.begin(), domains.end(), [&](const TopologyDomain& domain) {
    return !domain.values.empty() && domain.values.back() == host;
  });
}

PodNeeds NeedsOf(World& world, const WorkloadRecord& workload, std::size_t pod_set) {
  PodNeeds needs;
  ResourceNumbers& numbers = world.capacity.places().numbers();
  for (const auto& [resource, quantity] : RequestsOf(world, workload, pod_set)) {
    needs.names_any = true;
    const Amount amount = quantity.ToAmount(resource);
    if (amount > 0) needs.amounts.push_back({numbers.Of(resource), amount});
  }
  needs.amounts.push_back({0, 1});
  std::sort(needs.amounts.begin(), needs.amounts.end(),
            [](const HostAmount& a, const HostAmount& b) { return a.resource < b.resource; });
  return needs;
}

std::set<std::string> ResourcesOf(const World& world, const WorkloadRecord& workload,
                                  std::size_t pod_set) {
  std::set<std::string> names;
  for (const auto& [resource, quantity] : RequestsOf(world, workload, pod_set)) {
    names.insert(resource);
  }
  return names;
}

const std::string* PlacedFlavor(const World& world, const PodSetAssignment& assigned) {
  const std::string* found = nullptr;
  for (const auto& [resource, flavor] : assigned.flavors) {
    if (world.capacity.places().Find(flavor) == nullptr) continue;
    if (found != nullptr && *found != flavor) return nullptr;
    found = &flavor;
  }
  return found;
}

Placed PlacedByStatus(World& world, const WorkloadRecord& workload) {
  std::vector<PlacedPods> all;
  const SharedList<PodSet>& pod_sets = workload.series().pod_sets;
  for (const PodSetAssignment& assigned : workload.spec.status.admission->pod_sets) {
    if (!assigned.topology) continue;
    const std::string* flavor = PlacedFlavor(world, assigned);
    const PodSet* pod_set = FindNamed(pod_sets, assigned.name);
    if (flavor == nullptr || pod_set == nullptr) continue;
    PlacedPods placed;
    placed.flavor = *flavor;
    placed.by_host =
        !assigned.topology->levels.empty() && assigned.topology->levels.back() == kHostnameLabel;
    placed.needs = NeedsOf(world, workload, static_cast<std::size_t>(pod_set - pod_sets.begin()));
    for (const TopologyDomain& domain : assigned.topology->domains) {
      placed.pods.emplace_back(KeyOfDomain(*assigned.topology, domain), domain.count);
    }
    all.push_back(std::move(placed));
  }
  if (all.empty()) return nullptr;
  return std::make_shared<const std::vector<PlacedPods>>(std::move(all));
}

void SyncPlaces(World& world, const WorkloadRecord& workload) {
  TopologyForest& places = world.capacity.places();
  if (!workload.holds() || !workload.spec.status.admission) {
    places.Release(workload.id());
  } else {
    places.Hold(workload.id(), PlacedByStatus(world, workload));
  }
}

void ForgetSecondPass(World& world, WorkloadRecord& workload) {
  if (workload.aside.IsNew() || workload.aside->second_pass == kNoTime) return;
  world.second_passes.erase({workload.aside->second_pass, workload.id()});
  workload.aside.Mutable().second_pass = kNoTime;
}

void RebuildPlaces(World& world) {
  TopologyForest& places = world.capacity.places();
  const Catalog& catalog = world.catalog;
  places.FollowKueue(catalog.engine_config.overcommit_as_kueue);
  if (places.empty() && catalog.topologies.empty()) return;
  places.TakeAllNodes(catalog.Gate("SchedulerLibraryIntegration", false));
  const bool other_flavors =
      places.Rebuild(catalog.flavors, catalog.topologies, catalog.nodes, catalog.pods);
  if (!other_flavors) return;
  for (const auto& workload : world.workloads) {
    if (workload != nullptr && workload->holds()) SyncPlaces(world, *workload);
  }
}

}  // namespace muster
