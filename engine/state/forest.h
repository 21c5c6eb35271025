// The quota forest: every cohort tree, built from the catalog and the workloads that hold quota.
#ifndef MUSTER_ENGINE_STATE_FOREST_H_
#define MUSTER_ENGINE_STATE_FOREST_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/state/world.h"

namespace muster {

/// Rebuilds the trees and what queues derive from the catalog (groups, tree, node, active).
/// Usage is charged anew from what the holders of each queue use together. O(nodes x pairs).
void RebuildForest(World& world);

/// Queues and declared cohorts whose numbers changed, or objects that they name.
struct ForestChange {
  std::vector<QueueId> queues;
  std::vector<std::string> cohorts;
};
/// The same in place, with the same result, where no tree changes its nodes or its pairs.
/// Precondition: each queue and cohort stands in the forest, below the same parent as before, and
/// its resource groups had the SameShape. O(cells of the trees concerned).
void RefillForest(World& world, const ForestChange& change);

/// Quota in the tree of `queue` changed: what its workloads remember of flavors is out of date.
/// `queue` keeps it for all of them. O(1).
void RequoteTree(World& world, ClusterQueueState& queue);

/// Whether both name the same flavors and resources in the same order; numbers may differ.
bool SameShape(const std::vector<ResourceGroup>& a, const std::vector<ResourceGroup>& b);

/// Whether the queue's tree has a column for every pair of `usage`.
bool KnowsPairs(const World& world, QueueId queue, std::span<const Usage> usage);

/// ClusterQueues of one tree, in the order of the tree's nodes.
std::vector<QueueId> QueuesOfTree(const World& world, std::uint32_t tree);

/// Index of the tree that contains cohort `name`; -1 when no tree does (it is part of a circle).
/// O(log cohorts).
int TreeOfCohort(const World& world, std::string_view name);

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_FOREST_H_
