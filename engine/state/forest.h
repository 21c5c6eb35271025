// The quota forest: every cohort tree, built from the catalog and the workloads that hold quota.
#ifndef MUSTER_ENGINE_STATE_FOREST_H_
#define MUSTER_ENGINE_STATE_FOREST_H_

#include <span>
#include <string_view>
#include <vector>

#include "engine/state/world.h"

namespace muster {

/// Rebuilds World::trees and what queues derive from the catalog (groups, tree, node, active).
/// Usage is charged anew from the holders. O(nodes x pairs + holders).
void RebuildForest(World& world);

/// Whether the queue's tree has a column for every pair of `usage`.
bool KnowsPairs(const World& world, QueueId queue, std::span<const Usage> usage);

/// ClusterQueues of one tree, in the order of the tree's nodes.
std::vector<QueueId> QueuesOfTree(const World& world, std::uint32_t tree);

/// Index of the tree that contains cohort `name`; -1 when no tree does (it is part of a circle).
int TreeOfCohort(const World& world, std::string_view name);

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_FOREST_H_
