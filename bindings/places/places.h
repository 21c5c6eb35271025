// Places: the nodes as a Topology orders them, what they have and what stands there, as people
// want to see it. Reckoned from what the engine shows; the engine's own account is engine/topology.
#ifndef MUSTER_BINDINGS_PLACES_PLACES_H_
#define MUSTER_BINDINGS_PLACES_PLACES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "muster/engine.h"

namespace muster::places {

/// Pods of one podset that hold their place.
struct Standing {
  Key workload;
  std::string pod_set;
  std::int32_t pods = 0;
};

/// What a node, or all nodes of a domain, have and give. Only of nodes that pods can go to.
struct Room {
  std::int32_t nodes = 0;      ///< also those that take no pods now
  std::int32_t usable = 0;     ///< ready and not cordoned
  std::int32_t untouched = 0;  ///< usable, and no workload is there; of a leaf all or none
  ResourceList allocatable;
  ResourceList used;  ///< by workloads, and by pods that are not Muster's
};

/// A domain of a topology above the lowest level, or a leaf of one that has a single level.
struct Place {
  std::vector<std::string> values;  ///< from the highest level on
  Room room;
  std::vector<Room> leaves;             ///< those right below it, in order of their names
  std::vector<std::string> leaf_names;  ///< as many
};

/// Every domain above the leaves, each before those below it, in order of the labels' values.
/// Nodes without one of the labels are in none. O(nodes x levels + pods placed).
std::vector<Place> PlacesOf(const Engine& engine, const Topology& topology);

/// Resources that flavors of the topology have quota for, as they are named on nodes. O(queues).
std::set<std::string> ResourcesOf(const Engine& engine, const Topology& topology);

/// Of a domain or leaf: percent in use of the resource that is used most, rounded down, but at
/// least 1 where anything is used; 100 is all of it. kTakesNone where no pod can go now.
std::int32_t UsedPercent(const Room& room, const std::set<std::string>& resources);
inline constexpr std::int32_t kTakesNone = -1;

/// The domain of a level with most untouched nodes, the first where several have as many: the
/// largest gang of whole nodes that has a place there.
struct Largest {
  std::string level;
  std::string domain;  ///< values from the highest level on, "a/b"
  std::int32_t nodes = 0;
};
/// By level above the lowest, from the highest on. `places`: of PlacesOf. O(places).
std::vector<Largest> LargestOf(const std::vector<Place>& places, const Topology& topology);

/// A node, and what stands on it of workloads that hold places by host, by workload and podset.
struct NodeUse {
  Room room;
  std::vector<Standing> standing;
};
/// O(workloads + pods placed).
NodeUse UseOf(const Engine& engine, const Node& node);

/// Where a podset's pods stand: the domain above the hosts (empty where the topology has none or
/// the node is gone) -> host or lowest domain -> pods.
using Stands = std::map<std::string, std::map<std::string, std::int32_t>>;
Stands StandsOf(const Engine& engine, const TopologyAssignment& assignment,
                std::string_view topology);

}  // namespace muster::places

#endif  // MUSTER_BINDINGS_PLACES_PLACES_H_
