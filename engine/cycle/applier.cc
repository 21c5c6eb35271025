// See applier.h. Which change wakes whom follows Kueue's controllers.
#include "engine/cycle/applier.h"

#include <utility>

#include "engine/cycle/checks.h"
#include "engine/cycle/deadlines.h"
#include "engine/cycle/lifecycle.h"
#include "engine/cycle/look_ahead.h"
#include "engine/cycle/queueing.h"
#include "engine/model/check.h"
#include "engine/model/codec.h"
#include "engine/state/forest.h"
#include "engine/state/records.h"

namespace muster {
namespace {

bool UsesFlavor(const ClusterQueueState& queue, const std::string& flavor) {
  for (const ResourceGroup& group : queue.spec.resource_groups) {
    for (const FlavorQuotas& quotas : group.flavors) {
      if (quotas.name == flavor) return true;
    }
  }
  return false;
}

}  // namespace

template <typename Value, typename Name>
Applied Applier::StoreIn(std::map<Name, Value>& table, const Name& name, const Value& value) {
  const auto [it, is_new] = table.try_emplace(name, value);
  if (is_new) return Applied::kCreated;
  if (it->second == value) return Applied::kUnchanged;
  it->second = value;
  return Applied::kChanged;
}

Applied Applier::Apply(const Object& object) {
  const Applied applied = StoreObject(object);
  const ObjectKind kind = KindOf(object);
  if (applied != Applied::kUnchanged && kind != ObjectKind::kWorkload) {
    const Key key = KeyOf(object);
    world_.changes.Touch(kind, key);
    if (world_.changes.recording) {
      const std::string name = key.ns.empty() ? key.name : key.ToString();
      world_.changes.events.push_back({EventKind::kObjectApplied,
                                       std::string(KindName(kind)) + "/" + name,
                                       ToCanonicalJson(object),
                                       {}});
    }
  }
  return applied;
}

Applied Applier::StoreObject(const Object& object) {
  Catalog& catalog = world_.catalog;
  switch (KindOf(object)) {
    case ObjectKind::kResourceFlavor:
      return Store(std::get<ResourceFlavor>(object));
    case ObjectKind::kClusterQueue:
      return Store(std::get<ClusterQueue>(object));
    case ObjectKind::kCohort:
      return Store(std::get<Cohort>(object));
    case ObjectKind::kLocalQueue:
      return Store(std::get<LocalQueue>(object));
    case ObjectKind::kNamespace:
      return Store(std::get<Namespace>(object));
    case ObjectKind::kConfiguration:
      return Store(std::get<Configuration>(object));
    case ObjectKind::kEngineConfiguration:
      return Store(std::get<EngineConfiguration>(object));
    case ObjectKind::kWorkload:
      return Store(std::get<Workload>(object));
    case ObjectKind::kWorkloadPriorityClass: {
      const auto& value = std::get<WorkloadPriorityClass>(object);
      return StoreIn(catalog.workload_priority_classes, value.name, value);
    }
    case ObjectKind::kPriorityClass: {
      const auto& value = std::get<PriorityClass>(object);
      return StoreIn(catalog.priority_classes, value.name, value);
    }
    case ObjectKind::kLimitRange: {
      const auto& value = std::get<LimitRange>(object);
      RecomputeRequests();
      return StoreIn(catalog.limit_ranges, value.key, value);
    }
    case ObjectKind::kRuntimeClass: {
      const auto& value = std::get<RuntimeClass>(object);
      RecomputeRequests();
      return StoreIn(catalog.runtime_classes, value.name, value);
    }
    case ObjectKind::kAdmissionCheck: {
      const auto& value = std::get<AdmissionCheck>(object);
      const Applied applied = StoreIn(catalog.admission_checks, value.name, value);
      if (applied != Applied::kUnchanged) WakeEveryQueue();
      return applied;
    }
    case ObjectKind::kTopology: {
      const auto& value = std::get<Topology>(object);
      const Applied applied = StoreIn(catalog.topologies, value.name, value);
      if (applied != Applied::kUnchanged) WakeEveryQueue();
      return applied;
    }
    case ObjectKind::kNode: {
      const auto& value = std::get<Node>(object);
      return StoreIn(catalog.nodes, value.name, value);
    }
    case ObjectKind::kPod: {
      const auto& value = std::get<Pod>(object);
      return StoreIn(catalog.pods, value.key, value);
    }
    case ObjectKind::kPolicyBinding: {
      const auto& value = std::get<PolicyBinding>(object);
      return StoreIn(catalog.policy_bindings, value.name, value);
    }
  }
  return Applied::kUnchanged;
}

Applied Applier::Store(const ResourceFlavor& flavor) {
  const Applied applied = StoreIn(world_.catalog.flavors, flavor.name, flavor);
  if (applied != Applied::kUnchanged) {
    forest_stale_ = true;  // queues keep a pointer to it, or missed it
    WakeQueuesUsing(flavor.name);
  }
  return applied;
}

Applied Applier::Store(const ClusterQueue& spec) {
  ClusterQueueState* existing = world_.FindQueue(spec.name);
  if (existing == nullptr) {
    const QueueId id{static_cast<std::uint32_t>(world_.queues.size())};
    world_.queues.push_back(std::make_unique<ClusterQueueState>());
    existing = world_.queues.back().get();
    existing->Begin(id, spec);
    world_.queue_ids[spec.name] = id;
    for (const auto& [key, local_id] : world_.local_queue_ids) {
      if (world_.local_queue(local_id).spec.cluster_queue == spec.name) {
        local_queues_.insert(local_id);
      }
    }
    for (const WorkloadId workload_id : world_.WorkloadsByName()) {
      SyncQuota(world_, world_.workload(workload_id), true);
    }
    touched_.insert(id);
    world_.wake_trees.push_back(id);
    forest_stale_ = true;
    return Applied::kCreated;
  }
  if (existing->spec == spec) return Applied::kUnchanged;
  const bool quota_moved = existing->spec.resource_groups != spec.resource_groups ||
                           existing->spec.cohort != spec.cohort;
  if (quota_moved) TouchTree(existing->id);
  if (existing->spec.admission_checks != spec.admission_checks) {
    checks_changed_.insert(existing->id);
  }
  existing->spec = spec;
  ++world_.catalog_epoch;
  world_.wake_trees.push_back(existing->id);
  forest_stale_ = true;
  return Applied::kChanged;
}

Applied Applier::Store(const Cohort& cohort) {
  const auto before = world_.catalog.cohorts.find(cohort.name);
  if (before != world_.catalog.cohorts.end() && before->second == cohort) {
    return Applied::kUnchanged;
  }
  TouchTreeOf(cohort.name);
  const Applied applied = StoreIn(world_.catalog.cohorts, cohort.name, cohort);
  wake_cohorts_.insert(cohort.name);
  forest_stale_ = true;
  return applied;
}

Applied Applier::Store(const LocalQueue& spec) {
  LocalQueueState* existing = world_.FindLocalQueue(spec.key);
  if (existing != nullptr) {
    LocalQueue updated = spec;
    updated.history = existing->spec.history;
    if (existing->spec == updated) return Applied::kUnchanged;
    world_.SetSpec(*existing, updated);
    local_queues_.insert(existing->id);
    return Applied::kChanged;
  }
  const LocalQueueId id{static_cast<std::uint32_t>(world_.local_queues.size())};
  world_.local_queues.push_back(std::make_unique<LocalQueueState>());
  LocalQueueState& queue = *world_.local_queues.back();
  queue.id = id;
  world_.SetSpec(queue, spec);
  world_.ListLocalQueue(queue);
  for (const WorkloadId workload_id : world_.WorkloadsByName()) {
    const WorkloadRecord& workload = world_.workload(workload_id);
    if (workload.spec.key.ns == spec.key.ns && workload.spec.queue == spec.key.name) {
      world_.EnterRoster(world_.workload(workload_id), id);
    }
  }
  local_queues_.insert(id);
  return Applied::kCreated;
}

Applied Applier::Store(const Namespace& ns) {
  std::set<QueueId> selected_before;
  for (const auto& [name, id] : world_.queue_ids) {
    if (world_.SelectsNamespace(world_.queue(id), ns.name)) selected_before.insert(id);
  }
  const Applied applied = StoreIn(world_.catalog.namespaces, ns.name, ns);
  ++world_.catalog_epoch;
  for (const auto& [name, id] : world_.queue_ids) {
    if (!selected_before.contains(id) && world_.SelectsNamespace(world_.queue(id), ns.name)) {
      world_.wake_queues.push_back(id);
    }
  }
  return applied;
}

Applied Applier::Store(const Configuration& config) {
  if (world_.catalog.config == config) return Applied::kUnchanged;
  world_.catalog.config = config;
  RecomputeRequests();
  limits_stale_ = true;
  for (const auto& [key, id] : world_.local_queue_ids) local_queues_.insert(id);
  return Applied::kChanged;
}

Applied Applier::Store(const EngineConfiguration& config) {
  if (world_.catalog.engine_config == config) return Applied::kUnchanged;
  world_.catalog.engine_config = config;
  return Applied::kChanged;
}

void Applier::RecomputeRequests() {
  world_.forms.Clear();
  ++world_.catalog_epoch;
  requests_stale_ = true;
}

void Applier::TouchTreeOf(const std::string& cohort) {
  const int tree = TreeOfCohort(world_, cohort);
  if (tree < 0) return;
  for (const QueueId id : QueuesOfTree(world_, static_cast<std::uint32_t>(tree))) {
    touched_.insert(id);
  }
}

void Applier::TouchTree(QueueId queue) {
  touched_.insert(queue);
  if (world_.queue(queue).node == kNoNode) return;  // created in this call: no tree yet
  for (const QueueId id : QueuesOfTree(world_, world_.queue(queue).tree)) touched_.insert(id);
}

void Applier::WakeQueuesUsing(const std::string& flavor) {
  for (const auto& [name, id] : world_.queue_ids) {
    if (UsesFlavor(world_.queue(id), flavor)) world_.wake_trees.push_back(id);
  }
}

void Applier::WakeEveryQueue() {
  forest_stale_ = true;  // activity depends on checks and topologies
  for (const auto& [name, id] : world_.queue_ids) world_.wake_trees.push_back(id);
}

void Applier::SyncLocalQueue(LocalQueueState& queue) {
  const auto cluster_queue = world_.queue_ids.find(queue.spec.cluster_queue);
  const bool was_resolved = queue.queue.valid();
  queue.queue = cluster_queue == world_.queue_ids.end() ? QueueId{} : cluster_queue->second;
  if (!was_resolved && queue.queue.valid() && world_.catalog.config.admission_fair_sharing) {
    world_.changes.Touch(queue.id);
    queue.fair_usage.Start(queue.spec.history ? queue.spec.history->consumed : ResourceList{},
                           *world_.catalog.config.admission_fair_sharing, world_.now);
  }
  for (const WorkloadId id : world_.WorkloadsOf(queue)) {
    WorkloadRecord& workload = world_.workload(id);
    ResolveQueues(world_, workload);
    SyncChecks(world_, workload);
    const bool may_queue = MayQueue(world_, workload);
    if (!may_queue && workload.queued()) Dequeue(world_, workload);
    if (may_queue && !workload.queued()) {
      RefreshKey(world_, workload);
      Enqueue(world_, workload, true, false);  // a restarted queue starts afresh
    }
  }
}

void Applier::Finish() {
  for (const LocalQueueId id : local_queues_) SyncLocalQueue(world_.local_queue(id));
  for (std::size_t i = 0; i < newcomers_.size(); ++i) {
    AdmitNewcomer(newcomers_[i]);
    SyncQuota(world_, world_.workload(newcomers_[i].id), forest_stale_);
  }
  if (requests_stale_) {
    for (const WorkloadId id : world_.WorkloadsByName())
      ResolveRequests(world_, world_.workload(id));
  }
  if (forest_stale_) RebuildForest(world_);
  if (limits_stale_) {
    SyncDeadlines(world_);
    RefreshKeysOfEvicted(world_);
  }
  for (const QueueId id : checks_changed_) SyncChecksOf(world_, world_.queue(id));
  for (const std::string& cohort : wake_cohorts_) TouchTreeOf(cohort);
  for (const QueueId id : std::set<QueueId>(touched_)) TouchTree(id);
  for (const QueueId id : touched_) world_.AdvanceGeneration(id);
  for (std::size_t i = 0; i < newcomers_.size(); ++i) {
    if (i + kObjectsAhead < newcomers_.size()) {
      SendForHolder(world_, world_.workload(newcomers_[i + kObjectsAhead].id));
    }
    WorkloadRecord& workload = world_.workload(newcomers_[i].id);
    if (MayQueue(world_, workload)) Enqueue(world_, workload, true, true);
  }
  for (const std::string& cohort : wake_cohorts_) {
    const int tree = TreeOfCohort(world_, cohort);
    if (tree < 0) continue;
    for (const QueueId id : QueuesOfTree(world_, static_cast<std::uint32_t>(tree))) {
      WakeTreeOf(world_, id);
    }
  }
}

}  // namespace muster
