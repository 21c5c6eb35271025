// Lookups of the world.
#include "engine/state/world.h"

#include <algorithm>
#include <utility>

#include "engine/model/selector.h"

namespace muster {

namespace {

auto KeysOf(const World& world) {
  return [&world](WorkloadId id) -> const Key& { return world.workload(id).spec.key; };
}

auto LocalQueueKeysOf(const World& world) {
  return [&world](LocalQueueId id) -> const Key& { return world.local_queue(id).spec.key; };
}

bool IsListed(const World& world, WorkloadId id, LocalQueueId queue) {
  const auto& workload = world.workloads[id.value];
  return workload != nullptr && workload->roster == queue;
}

}  // namespace

bool Catalog::Gate(std::string_view name, bool fallback) const {
  const auto it = config.feature_gates.find(name);
  return it == config.feature_gates.end() ? fallback : it->second;
}

int ClusterQueueState::GroupOf(ResourceId resource) const {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const ResourceId covered : groups[g].resources) {
      if (covered == resource) return static_cast<int>(g);
    }
  }
  return -1;
}

ClusterQueueState* World::FindQueue(std::string_view name) {
  const auto it = queue_ids.find(name);
  return it == queue_ids.end() ? nullptr : &queue(it->second);
}

const ClusterQueueState* World::FindQueue(std::string_view name) const {
  const auto it = queue_ids.find(name);
  return it == queue_ids.end() ? nullptr : &queue(it->second);
}

LocalQueueState* World::FindLocalQueue(const Key& key) {
  return const_cast<LocalQueueState*>(std::as_const(*this).FindLocalQueue(key.ns, key.name));
}

const LocalQueueState* World::FindLocalQueue(std::string_view ns, std::string_view name) const {
  const LocalQueueId id = local_queue_index.Find({ns, name}, LocalQueueKeysOf(*this));
  return id.valid() ? &local_queue(id) : nullptr;
}

void World::SetSpec(LocalQueueState& queue, const LocalQueue& spec) {
  stopped_local_queues -= queue.spec.stop_policy != StopPolicy::kNone;
  const auto named_before = local_queues_naming.find(queue.spec.cluster_queue);
  if (named_before != local_queues_naming.end()) {
    named_before->second.erase(queue.id);
    if (named_before->second.empty()) local_queues_naming.erase(named_before);
  }
  const bool reweighted = queue.spec.fair_weight != spec.fair_weight;
  queue.spec = spec;
  if (reweighted) UsageChanged(queue);
  if (!spec.cluster_queue.empty()) local_queues_naming[spec.cluster_queue].insert(queue.id);
  stopped_local_queues += queue.spec.stop_policy != StopPolicy::kNone;
}

void World::ListLocalQueue(LocalQueueState& queue) {
  queue.name_text = queue.spec.key.name;
  local_queue_ids[queue.spec.key] = queue.id;
  local_queue_index.Insert(queue.spec.key, queue.id);
}

void World::UnlistLocalQueue(const LocalQueueState& queue) {
  local_queue_ids.erase(queue.spec.key);
  local_queue_index.Erase(queue.spec.key, LocalQueueKeysOf(*this));
}

WorkloadRecord* World::FindWorkload(const Key& key) {
  return const_cast<WorkloadRecord*>(std::as_const(*this).FindWorkload(key));
}

const WorkloadRecord* World::FindWorkload(const Key& key) const {
  const WorkloadId id = workload_index.Find(key, KeysOf(*this));
  return id.valid() ? &workload(id) : nullptr;
}

std::vector<WorkloadRecord*> World::FindWorkloads(std::span<const KeyView> keys) const {
  const auto send = [this](WorkloadId id) { Prefetch(workloads[id.value]->spec.key); };
  std::vector<WorkloadRecord*> found;
  found.reserve(keys.size());
  for (const WorkloadId id : workload_index.FindAll(keys, KeysOf(*this), send)) {
    found.push_back(id.valid() ? workloads[id.value].get() : nullptr);
  }
  return found;
}

std::vector<const LocalQueueState*> World::FindLocalQueues(std::span<const KeyView> keys) const {
  const auto send = [this](LocalQueueId id) { local_queue(id).PrefetchFront(); };
  std::vector<const LocalQueueState*> found;
  found.reserve(keys.size());
  for (const LocalQueueId id : local_queue_index.FindAll(keys, LocalQueueKeysOf(*this), send)) {
    found.push_back(id.valid() ? &local_queue(id) : nullptr);
  }
  return found;
}

void World::ListWorkload(const WorkloadRecord& workload) {
  workload_index.Insert(workload.spec.key, workload.id);
  workload_order.Add(workload.id, workload_index.size(),
                     [this](WorkloadId id) { return workloads[id.value] != nullptr; });
}

WorkloadRecord* World::ListNext(const Key& key) {
  const WorkloadId id{static_cast<std::uint32_t>(workloads.size())};
  const WorkloadId existing = workload_index.InsertNew(key, id, KeysOf(*this));
  if (existing.valid()) return workloads[existing.value].get();
  workloads.push_back(std::make_unique<WorkloadRecord>());
  workloads.back()->id = id;
  workload_order.Add(id, workload_index.size(),
                     [this](WorkloadId other) { return workloads[other.value] != nullptr; });
  return nullptr;
}

void World::UnlistWorkload(const WorkloadRecord& workload) {
  workload_index.Erase(workload.spec.key, KeysOf(*this));
}

// A workload that is forgotten is not there any more, and its id is never given again.
const std::vector<WorkloadId>& World::WorkloadsByName() const {
  return workload_order.Ids([this](WorkloadId id) { return workloads[id.value] != nullptr; },
                            KeysOf(*this));
}

std::vector<WorkloadId> World::InNameOrder(const std::set<WorkloadId>& ids) const {
  std::vector<WorkloadId> ordered(ids.begin(), ids.end());
  std::sort(ordered.begin(), ordered.end(), [this](WorkloadId a, WorkloadId b) {
    return workload(a).spec.key < workload(b).spec.key;
  });
  return ordered;
}

std::vector<WorkloadId> World::WorkloadsOf(const LocalQueueState& queue) const {
  return queue.roster.Ids([&](WorkloadId id) { return IsListed(*this, id, queue.id); });
}

void World::EnterRoster(WorkloadRecord& workload, LocalQueueId queue) {
  if (workload.roster == queue && queue.valid()) return;
  LeaveRoster(workload);
  workload.roster = queue;
  if (!queue.valid()) {
    without_local_queue[{workload.spec.key.ns, workload.spec.queue}].insert(workload.id);
    return;
  }
  local_queue(queue).roster.Add(workload.id,
                                [&](WorkloadId id) { return IsListed(*this, id, queue); });
}

void World::LeaveRoster(WorkloadRecord& workload) {
  if (workload.roster.valid()) {
    local_queue(workload.roster).roster.Remove();
  } else if (!without_local_queue.empty()) {
    const auto waiting = without_local_queue.find({workload.spec.key.ns, workload.spec.queue});
    if (waiting != without_local_queue.end()) {
      waiting->second.erase(workload.id);
      if (waiting->second.empty()) without_local_queue.erase(waiting);
    }
  }
  workload.roster = {};
}

bool World::UsageBased(const ClusterQueueState& queue) const {
  return catalog.config.admission_fair_sharing.has_value() &&
         catalog.Gate("AdmissionFairSharing", true) &&
         queue.spec.admission_mode == AdmissionMode::kUsageBased;
}

LocalQueueUsage World::UsageOrder(const ClusterQueueState& queue) const {
  if (!UsageBased(queue)) return {};
  return [this](LocalQueueId id) {
    const LocalQueueState& lq = local_queue(id);
    return lq.fair_usage.Value(*catalog.config.admission_fair_sharing, lq.spec.fair_weight);
  };
}

std::vector<const LimitRange*> World::LimitRangesOf(std::string_view ns) const {
  std::vector<const LimitRange*> ranges;
  for (auto it = catalog.limit_ranges.lower_bound(Key{std::string(ns), ""});
       it != catalog.limit_ranges.end() && it->first.ns == ns; ++it) {
    ranges.push_back(&it->second);
  }
  return ranges;
}

bool World::SelectsNamespace(const ClusterQueueState& queue, const std::string& ns) const {
  ClusterQueueState::Selected& last = queue.selected;
  if (last.catalog_epoch == catalog_epoch && last.ns == ns) return last.selected;
  if (!queue.spec.namespace_selector) return false;
  const auto it = catalog.namespaces.find(ns);
  const bool selected =
      it != catalog.namespaces.end() && Selects(*queue.spec.namespace_selector, it->second.labels);
  last = {catalog_epoch, ns, selected};
  return selected;
}

}  // namespace muster
