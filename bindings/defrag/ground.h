// Ground: which job stands where in the domains of one level, and what moving each would cost.
#ifndef MUSTER_BINDINGS_DEFRAG_GROUND_H_
#define MUSTER_BINDINGS_DEFRAG_GROUND_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "bindings/places/places.h"
#include "muster/engine.h"

namespace muster::defrag {

struct Ground {
  struct Job {
    Key key;
    std::string cluster_queue;
    bool movable = false;  ///< it holds quota, and is not told to leave
    ResourceList holds;
    DurationNs lost = 0;
    double node_hours = 0;
    std::map<std::size_t, ResourceList> on;  ///< by leaf
  };
  struct Leaf {
    std::vector<Node> nodes;
    std::int32_t usable = 0;
    std::set<std::size_t> jobs;
  };
  struct Domain {
    std::vector<std::string> values;
    std::vector<std::size_t> leaves;
    ResourceList free_elsewhere;  ///< on nodes of other domains that take pods
  };
  std::vector<Job> jobs;        ///< those that stand on some leaf, by key
  std::vector<Leaf> leaves;     ///< by the values of all levels
  std::vector<Domain> domains;  ///< of the level, by their values
  std::size_t workloads = 0;    ///< of the engine, whether they stand somewhere or not

  bool AreMovable(const std::set<std::size_t>& which) const;
  /// Nodes of the domain that would be untouched without these jobs.
  std::int32_t Untouched(std::size_t domain, const std::set<std::size_t>& without) const;
  double CostOf(const std::set<std::size_t>& which) const;
  /// False where what these jobs have in the domain is more than is free outside it.
  bool HasRoomElsewhere(std::size_t domain, const std::set<std::size_t>& which) const;
  /// False where `needed` is more than is free outside the domain.
  bool IsFreeElsewhere(std::size_t domain, const ResourceList& needed) const;
  /// Names of the nodes that take pods now.
  std::vector<std::string> NodesOf(std::size_t domain) const;
};

/// `places`: of PlacesOf; `depth`: levels from the highest to that of the domains.
/// O(nodes x levels + workloads + pods placed).
Ground ReadGround(const Engine& engine, TimeNs now, const Topology& topology, std::size_t depth,
                  std::span<const places::Place> places);

}  // namespace muster::defrag

#endif  // MUSTER_BINDINGS_DEFRAG_GROUND_H_
