// See node_failures.h.
#include "engine/nodes/node_failures.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "engine/base/find_named.h"
#include "engine/life/lifecycle.h"
#include "engine/life/queueing.h"
#include "engine/life/second_pass.h"
#include "engine/model/selector.h"
#include "engine/state/places.h"

namespace muster {
namespace {

/// Of more nodes than these and this part of all, trees built anew cost less than those changed.
constexpr std::size_t kFewNodes = 8;
constexpr std::size_t kOfNodes = 8;
constexpr std::ptrdiff_t kFewNew = 64;  // each moves all leaves behind it

bool HasFlavor(const World& world, const Node& node) {
  for (const auto& [name, tree] : world.capacity.places().trees()) {
    if (BelongsTo(node, tree.flavor(), tree.topology())) return true;
  }
  return false;
}

/// Every active queue, as in Kueue: which of them the node is for is not asked.
void WakeForNode(World& world) {
  for (const auto& [name, id] : world.queue_ids) {
    if (world.queue(id).active) WakeTreeOf(world, id);
  }
}

/// Queues with a flavor that has the node.
void WakeForPod(World& world, const Node& node) {
  for (const auto& [name, id] : world.queue_ids) {
    const ClusterQueueState& queue = world.queue(id);
    const bool has = std::any_of(queue.groups.begin(), queue.groups.end(), [&](const auto& group) {
      return std::any_of(group.flavors.begin(), group.flavors.end(), [&](const auto& option) {
        const TopologyTree* tree =
            option.flavor == nullptr ? nullptr : world.capacity.places().Find(option.flavor->name);
        return tree != nullptr && BelongsTo(node, tree->flavor(), tree->topology());
      });
    });
    if (has) WakeTreeOf(world, id);
  }
}

/// A pod that left room on its node.
void FollowPods(World& world, const std::map<Key, std::optional<Pod>>& pods) {
  for (const auto& [key, before] : pods) {
    if (!before || before->node.empty()) continue;
    const auto now = world.catalog.pods.find(key);
    if (now != world.catalog.pods.end() && now->second == *before) continue;
    const auto node = world.catalog.nodes.find(before->node);
    if (node != world.catalog.nodes.end()) WakeForPod(world, node->second);
  }
}

/// For ever, whatever its effect.
bool ToleratesForEver(std::span<const Toleration> tolerations, const Taint& taint) {
  return std::any_of(tolerations.begin(), tolerations.end(), [&](const Toleration& toleration) {
    return !toleration.seconds && Tolerates(std::span(&toleration, 1), taint);
  });
}

/// Whether pods of the podset may stay on the node.
bool MayStay(const World& world, const WorkloadRecord& workload, const PodSetAssignment& assigned,
             const Node& node) {
  const PodSet* pod_set = FindNamed(workload.series().pod_sets, assigned.name);
  const std::string* flavor = PlacedFlavor(world, assigned);
  return std::all_of(node.taints.begin(), node.taints.end(), [&](const Taint& taint) {
    if (taint.effect != TaintEffect::kNoSchedule && taint.effect != TaintEffect::kNoExecute) {
      return true;
    }
    if (pod_set != nullptr && ToleratesForEver(pod_set->pods.tolerations, taint)) return true;
    if (flavor == nullptr) return false;
    return ToleratesForEver(world.capacity.places().Find(*flavor)->flavor().tolerations, taint);
  });
}

bool HasFailed(const World& world, const WorkloadRecord& workload, const Node* node,
               const std::string& host) {
  if (node == nullptr || !node->ready) return true;
  const auto& assigned = workload.spec.status.admission->pod_sets;
  return std::any_of(assigned.begin(), assigned.end(), [&](const PodSetAssignment& each) {
    return IsOn(each, host) && !MayStay(world, workload, each, *node);
  });
}

void MarkNode(World& world, WorkloadRecord& workload, const std::string& host, bool failed) {
  const SharedList<std::string>& marked = workload.spec.status.rare->unhealthy_nodes;
  const bool is_marked = std::find(marked.begin(), marked.end(), host) != marked.end();
  if (failed == is_marked) return;
  if (failed && !marked.empty()) {
    OrderEviction(world, workload, eviction::kNodeFailures,
                  "Node " + host + " failed beside node " + marked.front());
    return SyncSecondPass(world, workload);
  }
  SharedList<std::string>& nodes = workload.spec.status.rare.Mutable().unhealthy_nodes;
  std::vector<std::string> now(nodes.begin(), nodes.end());
  if (failed) {
    now.push_back(host);
  } else {
    std::erase(now, host);
  }
  nodes = SharedList<std::string>(std::move(now));
  world.changes.Touch(workload.id());
  SyncSecondPass(world, workload);
}

/// Leaves that are no hosts may have the same key.
bool IsOnHost(const std::vector<PlacedPods>& placed, const std::string& host) {
  return std::any_of(placed.begin(), placed.end(), [&](const PlacedPods& pods) {
    return pods.by_host && std::any_of(pods.pods.begin(), pods.pods.end(),
                                       [&](const auto& at) { return at.first == host; });
  });
}

void MarkHost(World& world, const std::string& host, const Node* node) {
  const std::span<const WorkloadId> there = world.capacity.places().HoldersOn(host);
  for (const WorkloadId id : std::vector<WorkloadId>(there.begin(), there.end())) {
    WorkloadRecord& workload = world.workload(id);
    if (workload.evicted || !IsOnHost(*world.capacity.places().HeldBy(id), host)) continue;
    MarkNode(world, workload, host, HasFailed(world, workload, node, host));
  }
}

std::string HostOf(const Node* node, const std::string& name) {
  if (node == nullptr) return name;
  const auto label = node->labels.find(std::string(kHostnameLabel));
  return label == node->labels.end() ? name : label->second;
}

}  // namespace

void UpdateTrees(World& world, const ChangedNodes& changed) {
  const Catalog& catalog = world.catalog;
  TopologyForest& places = world.capacity.places();
  if (places.empty() || changed.empty()) return;
  const std::size_t few = kFewNodes + catalog.nodes.size() / kOfNodes;
  const auto never_seen = std::count_if(changed.nodes.begin(), changed.nodes.end(),
                                        [](const auto& each) { return !each.second; });
  if (changed.nodes.size() > few || changed.pods.size() > few || never_seen > kFewNew) {
    return RebuildPlaces(world);
  }
  for (const auto& [name, before] : changed.nodes) {
    places.ChangeNode(before ? &*before : nullptr, catalog.nodes.find(name)->second);
  }
  for (const auto& [key, before] : changed.pods) {
    places.ChangePod(before ? &*before : nullptr, catalog.pods.find(key)->second, catalog.nodes);
  }
  places.Settle(catalog.nodes);
}

void LeaveTrees(World& world, ObjectKind kind, const Key& key) {
  TopologyForest& places = world.capacity.places();
  if (kind == ObjectKind::kNode) {
    const auto node = world.catalog.nodes.find(key.name);
    if (node != world.catalog.nodes.end()) places.RemoveNode(node->second);
  } else if (kind == ObjectKind::kPod) {
    const auto pod = world.catalog.pods.find(key);
    if (pod != world.catalog.pods.end()) places.RemovePod(pod->second, world.catalog.nodes);
  }
}

void FollowNodes(World& world, const ChangedNodes& changed) {
  if (world.capacity.places().empty() || changed.empty()) return;
  bool wakes = false;
  std::map<std::string, const Node*> nodes;  // as they are now, by host
  for (const auto& [name, before] : changed.nodes) {
    const auto found = world.catalog.nodes.find(name);
    const Node* now = found == world.catalog.nodes.end() ? nullptr : &found->second;
    wakes |= (before && HasFlavor(world, *before)) || (now != nullptr && HasFlavor(world, *now));
    const bool as_well =
        before && now != nullptr && before->ready == now->ready && before->taints == now->taints;
    if (as_well) continue;
    const std::string host = HostOf(before ? &*before : now, name);
    nodes[host] = now;
  }
  for (const auto& [host, node] : nodes) MarkHost(world, host, node);
  if (wakes) WakeForNode(world);
  FollowPods(world, changed.pods);
}

}  // namespace muster
