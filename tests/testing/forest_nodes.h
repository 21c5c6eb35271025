// Nodes that come, change and go, as a forest of places is told of them.
#ifndef MUSTER_TESTS_TESTING_FOREST_NODES_H_
#define MUSTER_TESTS_TESTING_FOREST_NODES_H_

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "engine/topology/topology_forest.h"

namespace muster::testing {

/// Puts the node in the place of the one of its name, if there is one. `nodes`: all there are.
inline void ChangeNode(TopologyForest& forest, std::map<std::string, Node>& nodes, Node node) {
  const auto [at, is_new] = nodes.try_emplace(node.name, node);
  std::optional<Node> before;
  if (!is_new) before = std::exchange(at->second, std::move(node));
  forest.ChangeNode(before ? &*before : nullptr, at->second);
}

/// Nothing where there is none of that name.
inline void RemoveNode(TopologyForest& forest, std::map<std::string, Node>& nodes,
                       const std::string& name) {
  const auto at = nodes.find(name);
  if (at == nodes.end()) return;
  forest.RemoveNode(at->second);
  nodes.erase(at);
}

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_FOREST_NODES_H_
