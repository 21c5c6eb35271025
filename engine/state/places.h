// Places: which podsets ask for a topology, what their pods need, and what holders use of hosts.
#ifndef MUSTER_ENGINE_STATE_PLACES_H_
#define MUSTER_ENGINE_STATE_PLACES_H_

#include <cstddef>
#include <set>
#include <string>

#include "engine/state/world.h"
#include "engine/topology/topology_forest.h"

namespace muster {

/// The podset says where its pods are to be.
inline bool AsksForPlaces(const PodSet& pod_set) {
  const auto& request = pod_set.topology;
  return request && (!request->required.empty() || !request->preferred.empty() ||
                     request->unconstrained || !request->slices.empty() ||
                     !request->segments.empty());
}
bool AsksForPlaces(const WorkloadRecord& workload);
/// Every flavor of the queue has a topology: then a podset that says nothing is placed, too.
bool ImpliesPlaces(const ClusterQueueState& queue);

/// Whether admission checks of the queue make nodes of the flavor: before they are ready there is
/// nowhere to be.
bool NodesAreMade(const World& world, const ClusterQueueState& queue, const std::string& flavor);
/// Whether pods of the podset were placed on the host.
bool IsOn(const PodSetAssignment& assigned, const std::string& host);

/// What one pod of the podset takes of a host: from its own spec, whatever the quota counts.
PodNeeds NeedsOf(World& world, const WorkloadRecord& workload, std::size_t pod_set);
/// Names of the resources that its pods ask for, by the same.
std::set<std::string> ResourcesOf(const World& world, const WorkloadRecord& workload,
                                  std::size_t pod_set);
/// The one flavor with a topology that a podset was given; null: none, or several.
const std::string* PlacedFlavor(const World& world, const PodSetAssignment& assigned);

/// What the workload uses as its status says.
Placed PlacedByStatus(World& world, const WorkloadRecord& workload);
/// Keeps what it uses of hosts as `holds` and its status say.
void SyncPlaces(World& world, const WorkloadRecord& workload);
/// It holds nothing any more: no second pass is made.
void ForgetSecondPass(World& world, WorkloadRecord& workload);
/// Builds the trees anew after a change of what they follow from. O(nodes log nodes + holders) a
/// flavor.
void RebuildPlaces(World& world);

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_PLACES_H_
