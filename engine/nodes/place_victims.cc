// See place_victims.h.
#include "engine/nodes/place_victims.h"

#include <utility>

#include "engine/base/sort_once.h"
#include "engine/kin/preemption_gates.h"

namespace muster {
namespace {

class LaterPlaces : public PlaceQuestion {
 public:
  LaterPlaces(World& world, const WorkloadRecord& workload) : world_(world), workload_(workload) {}
  bool HasPlace() const override {
    return PlaceLater(world_, workload_, Hosts::kAsUsed, nullptr).has_value();
  }

 private:
  World& world_;
  const WorkloadRecord& workload_;
};

/// What the podsets without a place were given, ascending.
std::vector<FlavorResourceId> PairsOfUnplaced(World& world, const WorkloadRecord& workload) {
  std::vector<FlavorResourceId> pairs;
  for (const PodSetAssignment& assigned : workload.spec.status.admission->pod_sets) {
    if (assigned.topology) continue;
    for (const auto& [resource, flavor] : assigned.flavors) {
      pairs.push_back(world.names.Pair(world.names.Flavor(flavor), world.names.Resource(resource)));
    }
  }
  SortOnce(pairs);
  return pairs;
}

}  // namespace

std::optional<PlacesByEviction> FindPlacesByEviction(World& world, const WorkloadRecord& workload,
                                                     PreemptionSearch& search) {
  if (HasClosedGate(workload)) return std::nullopt;
  if (!PlaceLater(world, workload, Hosts::kUnused, nullptr)) return std::nullopt;
  const ClusterQueueState& queue = world.queue(workload.holds_in);
  const LaterPlaces question(world, workload);
  std::vector<FlavorResourceId> pairs = PairsOfUnplaced(world, workload);
  std::vector<Usage> no_more;  // its queue may borrow all the same
  for (const FlavorResourceId pair : pairs) no_more.push_back({pair, 0});
  const PreemptionRequest request{workload, queue, no_more, std::move(pairs), &question};
  PlacesByEviction found;
  found.victims = search.FindVictims(request);
  if (found.victims.empty()) return std::nullopt;
  const CapacityMark mark(world.capacity, queue.tree);
  for (const Victim& victim : found.victims) SimulateRemoval(world, victim.workload);
  std::optional<NewPlaces> places = PlaceLater(world, workload, Hosts::kAsUsed, search.policies());
  if (!places) return std::nullopt;
  found.places = *std::move(places);
  return found;
}

}  // namespace muster
