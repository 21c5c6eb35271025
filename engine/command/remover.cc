// See remover.h.
#include "engine/command/remover.h"

#include <set>
#include <string>

#include "engine/life/boosts.h"
#include "engine/life/deadlines.h"
#include "engine/life/queueing.h"
#include "engine/nodes/node_failures.h"
#include "engine/state/catalog_tables.h"
#include "engine/state/forest.h"
#include "engine/state/places.h"
#include "engine/state/records.h"

namespace muster {
namespace {

/// Everything queued through `queue` leaves its heap.
void EmptyLocalQueue(World& world, const LocalQueueState& queue) {
  for (const WorkloadId id : world.WorkloadsOf(queue)) {
    WorkloadRecord& workload = world.workload(id);
    if (workload.queued()) Dequeue(world, workload);
  }
}

void RemoveClusterQueue(World& world, const std::string& name) {
  ClusterQueueState& queue = *world.FindQueue(name);
  // The quota it brought is gone from its tree; its siblings look again, as everything does.
  const auto naming = world.local_queues_naming.find(name);
  for (const LocalQueueId local_id :
       naming == world.local_queues_naming.end() ? std::set<LocalQueueId>() : naming->second) {
    LocalQueueState& local_queue = world.local_queue(local_id);
    EmptyLocalQueue(world, local_queue);
    local_queue.queue = {};
    for (const WorkloadId each : world.WorkloadsOf(local_queue)) {
      world.workload(each).queue = {};
      world.accounts.Charge(world, world.workload(each));
    }
  }
  world.queue_ids.erase(name);
  std::set<WorkloadId> holders;
  queue.holders.ForEach([&](const WorkloadRecord& holder) { holders.insert(holder.id()); });
  for (const WorkloadId holder : world.InNameOrder(holders)) {
    SyncQuota(world, world.workload(holder), /*forest_stale=*/true);
  }
  if (world.changes.recording) world.changes.forgotten_queues.insert("ClusterQueue/" + name);
  world.Forget(queue);
}

void RemoveLocalQueue(World& world, const Key& key) {
  LocalQueueState& queue = *world.FindLocalQueue(key);
  EmptyLocalQueue(world, queue);
  for (const WorkloadId id : world.WorkloadsOf(queue)) {
    WorkloadRecord& workload = world.workload(id);
    world.LeaveRoster(workload);
    workload.local_queue = {};
    workload.queue = {};
    world.accounts.Charge(world, workload);
    world.EnterRoster(workload, {});
  }
  world.UnlistLocalQueue(queue);
  world.SetSpec(queue, {});  // it stops nothing any more
  if (world.changes.recording) {
    world.changes.forgotten_queues.insert("LocalQueue/" + key.ToString());
  }
  world.Forget(queue);
}

void WakeEverything(World& world) {
  for (const auto& [name, id] : world.queue_ids) {
    ClusterQueueState& queue = world.queue(id);
    if (world.tree_of(queue).requoted() < world.cycle) RequoteTree(world, queue);
    WakeTreeOf(world, id);
  }
}

/// Variants count, and those that they stand for do not, by a gate and a switch that are gone.
void SyncVariant(World& world, WorkloadRecord& workload) {
  SyncQuota(world, workload);
  if (workload.queued() || !MayQueue(world, workload)) return;
  RefreshKey(world, workload);
  Enqueue(world, workload, true, false);
}

/// Of the kinds that the catalog has no table of.
void RemoveFromState(World& world, ObjectKind kind, const Key& key) {
  if (kind == ObjectKind::kClusterQueue) RemoveClusterQueue(world, key.name);
  if (kind == ObjectKind::kLocalQueue) RemoveLocalQueue(world, key);
  if (kind == ObjectKind::kConfiguration) {
    world.catalog.config = {};
    RecountAdmitted(world);
  }
  if (kind == ObjectKind::kEngineConfiguration) {
    world.catalog.engine_config = {};
    SyncFinished(world);
  }
}

ChangedNodes Leaving(const World& world, ObjectKind kind, const Key& key) {
  ChangedNodes leaving;
  if (kind == ObjectKind::kNode) {
    const auto node = world.catalog.nodes.find(key.name);
    if (node != world.catalog.nodes.end()) leaving.nodes.emplace(key.name, node->second);
  } else if (kind == ObjectKind::kPod) {
    const auto pod = world.catalog.pods.find(key);
    if (pod != world.catalog.pods.end()) leaving.pods.emplace(key, pod->second);
  }
  return leaving;
}

}  // namespace

void RemoveObject(World& world, ObjectKind kind, const Key& key) {
  const KindRow& row = RowOf(kind);
  const ChangedNodes leaving = Leaving(world, kind, key);
  LeaveTrees(world, kind, key);
  const bool has_table =
      VisitTable(world.catalog, kind, [&](auto& table) { table.erase(NameIn(table, key)); });
  if (!has_table) RemoveFromState(world, kind, key);
  world.changes.Touch(kind, key);
  const std::string name = key.ns.empty() ? key.name : key.ToString();
  if (world.changes.recording) {
    world.changes.events.push_back(
        {EventKind::kObjectDeleted, std::string(row.name) + "/" + name, "{}", {}});
  }
  if (row.stale == Stale::kRequestsOfNamespace) {
    world.forms.Clear();
    ResolveRequestsIn(world, key.ns);
  }
  if (row.stale == Stale::kRequests) {
    world.forms.Clear();
    for (const WorkloadId id : world.WorkloadsByName()) ResolveRequests(world, world.workload(id));
  }
  if (kind == ObjectKind::kConfiguration) {
    for (const auto& [queue, id] : world.queue_ids) world.queue(id).pending.UsageChanged();
    SyncDeadlines(world);
    RefreshKeysOfEvicted(world);
    RefreshBoosts(world);
  }
  if (kind == ObjectKind::kConfiguration || kind == ObjectKind::kEngineConfiguration) {
    for (const WorkloadId id : world.WorkloadsByName()) SyncVariant(world, world.workload(id));
  }
  if (row.frees) {
    for (const auto& [queue, id] : world.queue_ids) world.queue(id).stale = true;
  }
  if (row.places) RebuildPlaces(world);
  world.capacity.places().Settle(world.catalog.nodes);
  RebuildForest(world);
  FollowNodes(world, leaving);
  if (row.frees) WakeEverything(world);
}

}  // namespace muster
