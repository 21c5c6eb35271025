// The tree of domains as a heat map: how much of each is in use, as signs in a terminal, and as
// JSON, from which the service's page draws the same.
#ifndef MUSTER_BINDINGS_CLI_SHOW_HEAT_VIEW_H_
#define MUSTER_BINDINGS_CLI_SHOW_HEAT_VIEW_H_

#include <cstddef>
#include <string>
#include <vector>

#include "bindings/cli/io.h"
#include "bindings/cli/json.h"
#include "bindings/places/places.h"
#include "muster/engine.h"

namespace muster::cli {

/// One topology: its domains with their use, and the largest gang that each level has a place for.
struct Heat {
  Topology topology;
  std::set<std::string> resources;  ///< by which use is reckoned
  std::vector<places::Place> domains;
  std::vector<places::Largest> largest;
};

/// Every topology that has nodes, by name. O(topologies x (nodes x levels + workloads)).
std::vector<Heat> HeatOf(const Engine& engine);

/// {"topologies": [...]}, as components/schemas/Heat of the service's openapi.yaml says.
Json HeatJson(const std::vector<Heat>& heats);

/// A line for each domain above the lowest level and a sign for each below it, painted by use; more
/// lines where `width` has no room for all signs. Where they are more than `height` (0: as many as
/// there are), the lines are the domains of a higher level; what is left out even so is counted.
std::vector<std::string> HeatLines(const std::vector<Heat>& heats, std::size_t width,
                                   std::size_t height, const Paint& paint);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_HEAT_VIEW_H_
