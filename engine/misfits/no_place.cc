// See no_place.h. Each podset is looked at alone: where none of its own places is, none is beside
// others either.
#include "engine/misfits/no_place.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/misfits/place_gap.h"
#include "engine/places/place_finder.h"
#include "engine/placing/placer.h"
#include "engine/state/places.h"

namespace muster {
namespace {

std::string_view GroupNameOf(const PodSet& pod_set) {
  return pod_set.topology ? std::string_view(pod_set.topology->pod_set_group) : std::string_view();
}

/// The other podset of its group; nullptr: it has none.
const PodSet* PartnerOf(const SharedList<PodSet>& pod_sets, const PodSet& pod_set) {
  if (GroupNameOf(pod_set).empty()) return nullptr;
  const auto found = std::find_if(pod_sets.begin(), pod_sets.end(), [&](const PodSet& other) {
    return &other != &pod_set && GroupNameOf(other) == GroupNameOf(pod_set);
  });
  return found == pod_sets.end() ? nullptr : found;
}

std::int32_t LeastPods(const PodSet& pod_set) { return pod_set.min_count.value_or(pod_set.count); }

PodNeeds NeedsOfPods(const World& world, const PodSet& pod_set, const RequestContext& context) {
  const auto& numbers = world.capacity.places().numbers().all();
  PodNeeds needs;
  for (const auto& [resource, quantity] : PodResources(FillDefaults(pod_set.pods, context))) {
    const Amount amount = quantity.ToAmount(resource);
    // No host has what has no number; that of a resource to come stands for all of them.
    const auto number = numbers.find(resource);
    const auto none = static_cast<std::uint32_t>(numbers.size());
    if (amount > 0)
      needs.amounts.push_back({number == numbers.end() ? none : number->second, amount});
  }
  needs.names_any = true;
  needs.amounts.push_back({0, 1});
  std::sort(needs.amounts.begin(), needs.amounts.end(),
            [](const HostAmount& a, const HostAmount& b) { return a.resource < b.resource; });
  return needs;
}

}  // namespace

std::optional<NoPlace> FindNoPlace(const World& world, const ClusterQueueState& queue,
                                   const SharedList<PodSet>& pod_sets, std::size_t pod_set,
                                   const RequestContext& context,
                                   const std::vector<const ResourceFlavor*>& flavors) {
  const PodSet& workers = pod_sets[pod_set];
  if (LeastPods(workers) == 0 || (!AsksForPlaces(workers) && !ImpliesPlaces(queue))) {
    return std::nullopt;
  }
  const PodSet* const leader = PartnerOf(pod_sets, workers);
  const bool leads = leader != nullptr && (leader->count > workers.count ||
                                           (leader->count == workers.count && leader < &workers));
  if (leads) return std::nullopt;
  PlaceRequest request;
  request.count = LeastPods(workers);
  request.needs = NeedsOfPods(world, workers, context);
  request.leader = leader != nullptr;
  if (leader != nullptr) request.leader_needs = NeedsOfPods(world, *leader, context);
  request.empty = true;
  std::optional<PlaceGap> largest;
  std::string conflict;  // of the first flavor that has one
  for (const ResourceFlavor* const flavor : flavors) {
    const TopologyTree* const tree = world.capacity.places().Find(flavor->name);
    if (tree == nullptr) continue;
    if (NodesAreMade(world, queue, flavor->name)) return std::nullopt;
    request.slices.clear();
    SetLevels(*tree, workers, request);
    if (std::string found = LevelConflict(*tree, workers, request); !found.empty()) {
      if (conflict.empty()) conflict = std::move(found);
      continue;
    }
    if (tree->by_host()) request.filter = FilterFor(workers, *flavor);
    PlaceGap gap{tree, Placer(*tree).Place(request, {})};
    if (gap.result.found || HasNoNode(gap)) return std::nullopt;
    if (!largest || largest->result.most < gap.result.most) largest = std::move(gap);
  }
  if (!largest && conflict.empty()) return std::nullopt;
  if (!largest) return NoPlace{std::move(conflict), kCureOfLevels};
  return NoPlace{ClaimOfEmpty(*largest), CureOfEmpty(*largest)};
}

}  // namespace muster
