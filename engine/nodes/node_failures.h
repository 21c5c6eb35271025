// Node failures: what follows from nodes and foreign pods that come, go and change.
//
// A node that is gone, not ready, or tainted so that pods on it may not stay, is unhealthy for the
// workloads placed there: they wait for a second pass, or, with another such node, are evicted.
#ifndef MUSTER_ENGINE_NODES_NODE_FAILURES_H_
#define MUSTER_ENGINE_NODES_NODE_FAILURES_H_

#include <map>
#include <optional>
#include <string>

#include "engine/state/world.h"

namespace muster {

/// What the call changed, as it was before; none: it was not there.
struct ChangedNodes {
  std::map<std::string, std::optional<Node>> nodes;
  std::map<Key, std::optional<Pod>> pods;
  bool empty() const { return nodes.empty() && pods.empty(); }
};

/// Brings the trees to what the objects are now: in place, or anew where most nodes changed.
void UpdateTrees(World& world, const ChangedNodes& changed);
/// The Node or Pod, which is about to be removed, leaves the trees.
void LeaveTrees(World& world, ObjectKind kind, const Key& key);

/// Wakes queues that may find places now, and tells workloads of nodes that failed or are well
/// again: those that came, went, or changed in readiness or taints. Precondition: the trees are as
/// the objects are now. O(changed nodes + their holders), and waking.
void FollowNodes(World& world, const ChangedNodes& changed);

}  // namespace muster

#endif  // MUSTER_ENGINE_NODES_NODE_FAILURES_H_
