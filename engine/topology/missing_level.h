// MissingLevel: what a podset asks for that a tree cannot give it at all.
#ifndef MUSTER_ENGINE_TOPOLOGY_MISSING_LEVEL_H_
#define MUSTER_ENGINE_TOPOLOGY_MISSING_LEVEL_H_

#include <string>

#include "engine/topology/topology_tree.h"
#include "muster/workload.h"

namespace muster {

/// The first level asked for that the tree lacks, which is one of the request's; null: it has all.
/// O(levels asked for).
inline const std::string* MissingLevel(const TopologyTree& tree, const TopologyRequest& request) {
  const auto lacks = [&tree](const std::string& level) {
    return !level.empty() && tree.LevelOf(level) < 0;
  };
  if (lacks(request.required)) return &request.required;
  if (lacks(request.preferred)) return &request.preferred;
  for (const auto* const layers : {&request.slices, &request.segments}) {
    for (const SliceLayer& layer : *layers) {
      if (lacks(layer.level)) return &layer.level;
    }
  }
  return nullptr;
}

}  // namespace muster

#endif  // MUSTER_ENGINE_TOPOLOGY_MISSING_LEVEL_H_
