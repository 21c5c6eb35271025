// What all views of places have in common: which labels put a node where, which workloads stand.
#ifndef MUSTER_BINDINGS_PLACES_PLACED_H_
#define MUSTER_BINDINGS_PLACES_PLACED_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "muster/engine.h"

namespace muster::places {

/// Whether its lowest level is the host: then its domains are hosts, whatever the topology.
bool ByHost(const TopologyAssignment& where);

/// The label of its host; empty without one.
std::string HostOf(const Node& node);

/// The values of the levels that the node has; empty when one is missing.
std::vector<std::string> ValuesOf(const Node& node, const Topology& topology);

/// Pods can go to it.
bool IsUsable(const Node& node);

/// Adds `times` times each amount.
void AddTimes(const ResourceList& amounts, std::int32_t times, ResourceList* sum);

/// What a pod of the podset requests; null: there is no such podset. `requests`: of PodRequests.
const ResourceList* RequestsOf(const Workload& workload, std::string_view pod_set,
                               const std::vector<ResourceList>& requests);

/// It keeps what its admission says: it has one, and has not ended.
bool HoldsPlaces(const WorkloadView& workload);

/// Where pods of a podset stand: the label of a host, or a topology and the values of its levels.
struct Spot {
  std::string name;
  std::int32_t pods = 0;
};
/// The name of the spot that is a domain of the lowest level. Label values have no '/', so it is
/// none of a host.
std::string SpotOf(std::string_view topology, const std::vector<std::string>& values);
/// Of a podset; `topology_of`: of TopologyOfFlavors.
std::vector<Spot> SpotsOf(const PodSetAssignment& assigned,
                          const std::map<std::string, std::string, std::less<>>& topology_of);

/// Name of a flavor -> that of its topology, or empty. O(flavors).
std::map<std::string, std::string, std::less<>> TopologyOfFlavors(const Engine& engine);

}  // namespace muster::places

#endif  // MUSTER_BINDINGS_PLACES_PLACED_H_
