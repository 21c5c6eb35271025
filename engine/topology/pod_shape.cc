// See pod_shape.h.
#include "engine/topology/pod_shape.h"

#include <algorithm>

#include "engine/model/selector.h"

namespace muster {

bool NodeFilter::Admits(const Node& node) const {
  for (const Taint& taint : node.taints) {
    if (!muster::Admits(tolerations, {}, taint)) return false;
  }
  for (const auto& [key, value] : node_selector) {
    const auto label = node.labels.find(key);
    if (label == node.labels.end() || label->second != value) return false;
  }
  return pods == nullptr || !pods->required_node_affinity ||
         MatchesNode(*pods->required_node_affinity, node);
}

bool NodeFilter::IsLike(const NodeFilter& other) const {
  const bool asks = pods != nullptr && pods->required_node_affinity;
  const bool other_asks = other.pods != nullptr && other.pods->required_node_affinity;
  if (asks != other_asks || node_selector != other.node_selector ||
      tolerations != other.tolerations) {
    return false;
  }
  return !asks || *pods->required_node_affinity == *other.pods->required_node_affinity;
}

}  // namespace muster
