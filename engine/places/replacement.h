// Replacement: another place for the pods that were on a host that failed.
//
// Method: of each podset in turn the pods on that host are placed alone, beside all that the
// workload holds, the failed host included. Where slices or a required level bind them to the pods
// that stay, only that domain is searched. The others stay where they are.
#ifndef MUSTER_ENGINE_PLACES_REPLACEMENT_H_
#define MUSTER_ENGINE_PLACES_REPLACEMENT_H_

#include <optional>
#include <string>
#include <vector>

#include "engine/places/place_finder.h"
#include "engine/policy/policy_calls.h"
#include "engine/state/world.h"
#include "engine/topology/topology_forest.h"

namespace muster {

/// Places for podsets of a workload that holds quota already.
struct NewPlaces {
  std::vector<std::optional<TopologyAssignment>> topologies;  ///< by podset; none: as before
  std::vector<PlacedPods> added;                              ///< pods that were elsewhere, or not
};

/// Where the pods on `host` go; none: nowhere. Precondition: it holds quota. O(leaves) a podset.
/// `calls` as for PlaceFinder.
std::optional<NewPlaces> ReplaceHost(World& world, const WorkloadRecord& workload,
                                     const std::string& host, PolicyCalls* calls);
/// The places of a workload whose podsets had none when it got its quota; none: there are none.
std::optional<NewPlaces> PlaceLater(World& world, const WorkloadRecord& workload, Hosts hosts,
                                    PolicyCalls* calls);

}  // namespace muster

#endif  // MUSTER_ENGINE_PLACES_REPLACEMENT_H_
