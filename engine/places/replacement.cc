// See replacement.h.
#include "engine/places/replacement.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "engine/state/places.h"

namespace muster {
namespace {

using LeafCounts = std::map<std::uint32_t, std::int32_t>;  // pods by leaf

/// One podset with pods on the failed host.
class PodSetReplacement {
 public:
  PodSetReplacement(World& world, const WorkloadRecord& workload, std::size_t pod_set,
                    const TopologyTree& tree)
      : tree_(tree), spec_(workload.series().pod_sets[pod_set]) {
    request_.needs = NeedsOf(world, workload, pod_set);
    request_.filter = FilterFor(workload, pod_set, tree.flavor());
    request_.by_affinity = world.catalog.Gate("TASRespectNodeAffinityPreferred", false);
    request_.balanced = world.catalog.Gate("TASBalancedPlacement", false);
  }

  /// False when a host of those that stay is no leaf any more.
  bool Split(const TopologyAssignment& placed, const std::string& host) {
    for (const TopologyDomain& domain : placed.domains) {
      const LeafKey key = KeyOfDomain(placed, domain);
      if (key == host) {
        request_.count += domain.count;
        continue;
      }
      const std::optional<std::uint32_t> leaf = tree_.FindLeaf(key);
      if (!leaf) return false;
      if (left_.empty()) first_left_ = *leaf;
      left_[*leaf] += domain.count;
    }
    return true;
  }

  /// Says where to look; false: nowhere.
  bool Bind() {
    SetLevels(tree_, spec_, request_);
    if (!LevelConflict(tree_, spec_, request_).empty()) return false;
    if (left_.empty()) return true;
    const std::vector<LevelSlices> layers = request_.slices;
    if (!layers.empty() && request_.count % layers.front().size != 0) return BindToSlice(layers);
    if (request_.spread == Spread::kRequired) {
      OnlyIn(request_.level, tree_.AncestorOf(first_left_, request_.level));
    }
    return true;
  }

  const PlaceRequest& request() const { return request_; }
  const PodNeeds& needs() const { return request_.needs; }

  /// All pods, those that stay and those that were found a place.
  std::vector<LeafPods> With(const std::vector<LeafPods>& found) const {
    LeafCounts all = left_;
    for (const LeafPods& each : found) all[each.leaf] += each.count;
    std::vector<LeafPods> pods;
    for (const auto& [leaf, count] : all) pods.push_back({leaf, count});
    return pods;
  }

 private:
  void OnlyIn(std::size_t level, std::uint32_t domain) {
    request_.only_level = static_cast<int>(level);
    request_.only_domain = domain;
  }

  /// The slice that lost pods is made whole where it is.
  bool BindToSlice(const std::vector<LevelSlices>& layers) {
    const auto broken = std::find_if(layers.rbegin(), layers.rend(), [&](const LevelSlices& layer) {
      return request_.count % layer.size != 0;
    });
    LeafCounts by_domain;
    for (const auto& [leaf, count] : left_) {
      by_domain[tree_.AncestorOf(leaf, broken->level)] += count;
    }
    const auto home = std::find_if(by_domain.begin(), by_domain.end(), [&](const auto& domain) {
      return (domain.second + request_.count) % broken->size == 0;
    });
    if (home == by_domain.end()) return false;
    OnlyIn(broken->level, home->first);
    const auto whole = std::find_if(layers.rbegin(), layers.rend(), [&](const LevelSlices& layer) {
      return request_.count % layer.size == 0;
    });
    request_.slices.clear();
    request_.segmented = false;  // what is missing goes where the others are
    if (whole != layers.rend()) request_.slices.push_back(*whole);
    if (request_.spread != Spread::kUnconstrained || !request_.slices.empty()) return true;
    // As Kueue has it: what asked for slices alone asks for no level once they are dropped.
    request_.level = tree_.depth() - 1;
    return spec_.topology->unconstrained || !spec_.topology->segments.empty();
  }

  const TopologyTree& tree_;
  const PodSet& spec_;
  LeafCounts left_;
  std::uint32_t first_left_ = 0;  ///< of those, the one recorded first
  PlaceRequest request_;
};

}  // namespace

std::optional<NewPlaces> ReplaceHost(World& world, const WorkloadRecord& workload,
                                     const std::string& host, PolicyCalls* calls) {
  const SharedList<PodSet>& pod_sets = workload.series().pod_sets;
  const auto& assigned = workload.spec.status.admission->pod_sets;
  NewPlaces places;
  places.topologies.resize(assigned.size());
  for (std::size_t i = 0; i < assigned.size() && i < pod_sets.size(); ++i) {
    if (!IsOn(assigned[i], host)) continue;
    const std::string* flavor = PlacedFlavor(world, assigned[i]);
    if (flavor == nullptr) return std::nullopt;
    const TopologyTree& tree = *world.capacity.places().Find(*flavor);
    if (!tree.by_host()) return std::nullopt;
    PodSetReplacement replacement(world, workload, i, tree);
    if (!replacement.Split(*assigned[i].topology, host) || !replacement.Bind()) return std::nullopt;
    Placer placer(tree);
    const PlaceResult found =
        PlaceAsWanted({world, calls, workload, world.queue(workload.holds_in), tree}, placer,
                      replacement.request(), places.added);
    if (!found.found) return std::nullopt;
    places.topologies[i] = RecordOf(tree, replacement.With(found.workers));
    places.added.push_back(PlacedOf(tree, replacement.needs(), found.workers));
  }
  return places;
}

std::optional<NewPlaces> PlaceLater(World& world, const WorkloadRecord& workload, Hosts hosts,
                                    PolicyCalls* calls) {
  const ClusterQueueState& queue = world.queue(workload.holds_in);
  const auto& assigned = workload.spec.status.admission->pod_sets;
  Assignment assignment;
  assignment.mode = AssignmentMode::kFit;
  assignment.pod_sets.resize(workload.series().pod_sets.size());
  for (std::size_t i = 0; i < assignment.pod_sets.size() && i < assigned.size(); ++i) {
    PodSetAssignmentPlan& plan = assignment.pod_sets[i];
    if (assigned[i].topology) continue;  // it has its place
    plan.count = assigned[i].count;
    for (const auto& [resource, flavor] : assigned[i].flavors) {
      AssignedFlavor given;
      given.resource = world.names.Resource(resource);
      given.flavor = world.names.Flavor(flavor);
      given.mode = FlavorMode::kFit;
      plan.flavors.push_back(given);
    }
  }
  PlaceFinder finder(world, workload, queue, calls);
  if (!finder.Begin(assignment) || !finder.Find(assignment, hosts)) return std::nullopt;
  return NewPlaces{assignment.places->topologies, *assignment.places->placed};
}

}  // namespace muster
