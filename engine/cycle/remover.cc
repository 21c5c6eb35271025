// See remover.h.
#include "engine/cycle/remover.h"

#include <set>
#include <string>

#include "engine/cycle/deadlines.h"
#include "engine/cycle/queueing.h"
#include "engine/state/forest.h"
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
  // The quota it brought is gone from its tree; its siblings look again.
  for (const QueueId sibling : QueuesOfTree(world, queue.tree)) {
    world.AdvanceGeneration(sibling);
    if (sibling != queue.id) WakeTreeOf(world, sibling);
  }
  const auto naming = world.local_queues_naming.find(name);
  for (const LocalQueueId local_id :
       naming == world.local_queues_naming.end() ? std::set<LocalQueueId>() : naming->second) {
    LocalQueueState& local_queue = world.local_queue(local_id);
    EmptyLocalQueue(world, local_queue);
    local_queue.queue = {};
    for (const WorkloadId each : world.WorkloadsOf(local_queue)) world.workload(each).queue = {};
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
    world.EnterRoster(workload, {});
  }
  world.UnlistLocalQueue(queue);
  world.SetSpec(queue, {});  // it stops nobody any more
  if (world.changes.recording) {
    world.changes.forgotten_queues.insert("LocalQueue/" + key.ToString());
  }
  world.Forget(queue);
}

void WakeEverything(World& world) {
  for (const auto& [name, id] : world.queue_ids) {
    world.AdvanceGeneration(id);
    WakeTreeOf(world, id);
  }
}

}  // namespace

bool ObjectExists(const World& world, ObjectKind kind, const Key& key) {
  const Catalog& catalog = world.catalog;
  switch (kind) {
    case ObjectKind::kResourceFlavor:
      return catalog.flavors.contains(key.name);
    case ObjectKind::kClusterQueue:
      return world.FindQueue(key.name) != nullptr;
    case ObjectKind::kCohort:
      return catalog.cohorts.contains(key.name);
    case ObjectKind::kLocalQueue:
      return world.local_queue_ids.contains(key);
    case ObjectKind::kWorkloadPriorityClass:
      return catalog.workload_priority_classes.contains(key.name);
    case ObjectKind::kPriorityClass:
      return catalog.priority_classes.contains(key.name);
    case ObjectKind::kNamespace:
      return catalog.namespaces.contains(key.name);
    case ObjectKind::kLimitRange:
      return catalog.limit_ranges.contains(key);
    case ObjectKind::kRuntimeClass:
      return catalog.runtime_classes.contains(key.name);
    case ObjectKind::kAdmissionCheck:
      return catalog.admission_checks.contains(key.name);
    case ObjectKind::kTopology:
      return catalog.topologies.contains(key.name);
    case ObjectKind::kNode:
      return catalog.nodes.contains(key.name);
    case ObjectKind::kPod:
      return catalog.pods.contains(key);
    case ObjectKind::kPolicyBinding:
      return catalog.policy_bindings.contains(key.name);
    case ObjectKind::kConfiguration:
      return key == KeyOf(catalog.config);
    case ObjectKind::kEngineConfiguration:
      return key == KeyOf(catalog.engine_config);
    case ObjectKind::kWorkload:
      return world.FindWorkload(key) != nullptr;
  }
  return false;
}

void RemoveObject(World& world, ObjectKind kind, const Key& key) {
  Catalog& catalog = world.catalog;
  switch (kind) {
    case ObjectKind::kResourceFlavor:
      catalog.flavors.erase(key.name);
      break;
    case ObjectKind::kClusterQueue:
      RemoveClusterQueue(world, key.name);
      break;
    case ObjectKind::kCohort:
      catalog.cohorts.erase(key.name);
      break;
    case ObjectKind::kLocalQueue:
      RemoveLocalQueue(world, key);
      break;
    case ObjectKind::kWorkloadPriorityClass:
      catalog.workload_priority_classes.erase(key.name);
      break;
    case ObjectKind::kPriorityClass:
      catalog.priority_classes.erase(key.name);
      break;
    case ObjectKind::kNamespace:
      catalog.namespaces.erase(key.name);
      break;
    case ObjectKind::kLimitRange:
      catalog.limit_ranges.erase(key);
      break;
    case ObjectKind::kRuntimeClass:
      catalog.runtime_classes.erase(key.name);
      break;
    case ObjectKind::kAdmissionCheck:
      catalog.admission_checks.erase(key.name);
      break;
    case ObjectKind::kTopology:
      catalog.topologies.erase(key.name);
      break;
    case ObjectKind::kNode:
      catalog.nodes.erase(key.name);
      break;
    case ObjectKind::kPod:
      catalog.pods.erase(key);
      break;
    case ObjectKind::kPolicyBinding:
      catalog.policy_bindings.erase(key.name);
      break;
    case ObjectKind::kConfiguration:
      catalog.config = {};
      break;
    case ObjectKind::kEngineConfiguration:
      catalog.engine_config = {};
      SyncFinished(world);
      break;
    case ObjectKind::kWorkload:
      return;
  }
  world.changes.Touch(kind, key);
  const std::string name = key.ns.empty() ? key.name : key.ToString();
  if (world.changes.recording) {
    world.changes.events.push_back(
        {EventKind::kObjectDeleted, std::string(KindName(kind)) + "/" + name, "{}", {}});
  }
  if (kind == ObjectKind::kLimitRange) {
    world.forms.Clear();
    ResolveRequestsIn(world, key.ns);
  }
  if (kind == ObjectKind::kRuntimeClass || kind == ObjectKind::kConfiguration) {
    world.forms.Clear();
    for (const WorkloadId id : world.WorkloadsByName()) ResolveRequests(world, world.workload(id));
  }
  if (kind == ObjectKind::kConfiguration) {
    for (const auto& [queue, id] : world.queue_ids) world.queue(id).pending.UsageChanged();
    SyncDeadlines(world);
    RefreshKeysOfEvicted(world);
  }
  RebuildForest(world);
  const bool frees_nothing = kind == ObjectKind::kLocalQueue || kind == ObjectKind::kPolicyBinding;
  if (!frees_nothing) WakeEverything(world);
}

}  // namespace muster
