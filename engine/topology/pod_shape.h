// What pods ask of nodes, and how they are counted: all that what a domain has room for depends on.
#ifndef MUSTER_ENGINE_TOPOLOGY_POD_SHAPE_H_
#define MUSTER_ENGINE_TOPOLOGY_POD_SHAPE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/topology/pod_needs.h"
#include "muster/spec.h"
#include "muster/workload.h"

namespace muster {

/// Pods in multiples of `size` inside one domain of `level`.
struct LevelSlices {
  std::size_t level = 0;
  std::int32_t size = 1;
  bool operator==(const LevelSlices&) const = default;
};

/// What nodes must be like, where leaves are hosts. Null lists: nothing.
struct NodeFilter {
  const PodTemplate* pods = nullptr;
  LabelMap node_selector;               ///< with what admission checks add
  std::vector<Toleration> tolerations;  ///< of the pods, the flavor and admission checks

  /// Whether it asks for more than that taints are tolerated.
  bool AsksOfNodes() const {
    return !node_selector.empty() || (pods != nullptr && pods->required_node_affinity);
  }
  bool Admits(const Node& node) const;
  /// Whether it admits the same nodes, whatever they are; what `pods` prefers is left aside.
  bool IsLike(const NodeFilter& other) const;
};

/// Pods that have room wherever others of the same shape have.
struct PodShape {
  PodNeeds needs;
  NodeFilter filter;
  std::vector<LevelSlices> slices;  ///< outermost first, each level below the one before
  bool empty = false;               ///< as if no holder used anything

  std::int32_t SliceSize() const { return slices.empty() ? 1 : slices.front().size; }
};

/// Size of the inner slices that domains of `level` hold in whole; 1: none.
inline std::int32_t InnerSizeAt(std::span<const LevelSlices> slices, std::size_t level) {
  for (std::size_t i = 1; i < slices.size(); ++i) {
    if (slices[i].level == level) return slices[i].size;
  }
  return 1;
}

/// The unit in which domains at and above `level`, below the slices' own, are handed pods.
inline std::int32_t NextInnerSize(std::span<const LevelSlices> slices, std::size_t level) {
  for (std::size_t i = 1; i < slices.size(); ++i) {
    if (slices[i].level >= level) return slices[i].size;
  }
  return 1;
}

}  // namespace muster

#endif  // MUSTER_ENGINE_TOPOLOGY_POD_SHAPE_H_
