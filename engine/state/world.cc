// Lookups of the world.
#include "engine/state/world.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/base/check.h"
#include "engine/model/selector.h"

namespace muster {

namespace {

auto KeysOf(const World& world) {
  return
      [&world](WorkloadSlot slot) -> const Key& { return world.workloads[slot.value]->spec.key; };
}

/// Whether `uid` is MadeUid(arrival), without making that: opening a ledger asks about each.
bool IsMadeUid(std::string_view uid, std::int64_t arrival) {
  constexpr std::size_t kDigits = 20;  // one more than any number has, so the first is 0
  const char* const end = uid.data() + uid.size();
  std::int64_t number = 0;
  const auto read = std::from_chars(uid.data(), end, number);
  return uid.size() == kDigits && read.ec == std::errc() && read.ptr == end && number == arrival;
}

auto UidsOf(const World& world) {
  return [&world](WorkloadSlot slot) { return world.workloads[slot.value]->uid().view(); };
}

auto LocalQueueKeysOf(const World& world) {
  return [&world](LocalQueueId id) -> const Key& { return world.local_queue(id).spec.key; };
}

auto IsThere(const World& world) {
  return [&world](WorkloadId id) { return world.Knows(id); };
}

/// An id that was free, or the next one, for which there is a place then.
template <typename Table, typename IdType>
IdType TakeId(Table& table, std::vector<IdType>& free) {
  if (free.empty()) {
    table.emplace_back();
    return IdType{static_cast<std::uint32_t>(table.size() - 1)};
  }
  const IdType id = free.back();
  free.pop_back();
  return id;
}

bool IsListed(const World& world, WorkloadSlot slot, LocalQueueId queue) {
  const auto& workload = world.workloads[slot.value];
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

ClusterQueueState& World::MakeQueue(const ClusterQueue& spec) {
  const QueueId id = TakeId(queues, free_queues);
  queues[id.value] = std::make_unique<ClusterQueueState>();
  queue(id).Begin(id, spec);
  queue_ids[spec.name] = id;
  return queue(id);
}

LocalQueueState& World::MakeLocalQueue(const LocalQueue& spec) {
  const LocalQueueId id = TakeId(local_queues, free_local_queues);
  local_queues[id.value] = std::make_unique<LocalQueueState>();
  LocalQueueState& made = local_queue(id);
  made.id = id;
  SetSpec(made, spec);
  ListLocalQueue(made);
  return made;
}

void World::ForgetUnparked() {
  std::erase_if(with_parked, [this](QueueId id) {
    ClusterQueueState& parked = queue(id);
    parked.has_parked = parked.pending.AnyParked();
    return !parked.has_parked;
  });
}

void World::Forget(const ClusterQueueState& queue) {
  const QueueId id = queue.id;
  MUSTER_CHECK(!kept_room.contains(id) && "I13 kept room");
  std::erase(with_heads, id);
  std::erase(with_parked, id);
  std::erase(with_on_hold, id);
  std::erase(wake_trees, id);
  std::erase(wake_queues, id);
  changes.queues.erase(id);
  queues[id.value].reset();
  free_queues.push_back(id);
}

void World::Forget(const LocalQueueState& queue) {
  const LocalQueueId id = queue.id;
  MUSTER_CHECK(queue.roster.size() == 0 && "I3 one place");
  changes.local_queues.erase(id);
  local_queues[id.value].reset();
  free_local_queues.push_back(id);
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
  const WorkloadSlot slot = workload_index.Find(key, KeysOf(*this));
  return slot.valid() ? workloads[slot.value].get() : nullptr;
}

std::vector<WorkloadRecord*> World::FindWorkloads(std::span<const KeyView> keys) const {
  const auto send = [this](WorkloadSlot slot) { Prefetch(workloads[slot.value]->spec.key); };
  std::vector<WorkloadRecord*> found;
  found.reserve(keys.size());
  for (const WorkloadSlot slot : workload_index.FindAll(keys, KeysOf(*this), send)) {
    found.push_back(slot.valid() ? workloads[slot.value].get() : nullptr);
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

const WorkloadRecord* World::FindByUid(std::string_view uid) const {
  const WorkloadSlot slot = uid_index.Find({"", uid}, UidsOf(*this));
  return slot.valid() ? workloads[slot.value].get() : nullptr;
}

void World::NoteUid(const WorkloadRecord& workload) {
  if (IsMadeUid(workload.uid().view(), workload.id().arrival())) return;
  const KeyView uid("", workload.uid().view());
  if (const WorkloadRecord* const known = FindByUid(uid.name); known != nullptr) {
    if (!IsTrue(known->spec.status, condition::kFinished)) return;
    uid_index.Erase(uid, UidsOf(*this));
  }
  uid_index.Insert(uid, workload.id().slot());
}

void World::ListWorkload(const WorkloadRecord& workload) {
  workload_index.Insert(workload.spec.key, workload.id().slot());
  workload_order.Add(workload.id(), workload_index.size(), IsThere(*this));
}

World::Listed World::ListNext(const Key& key) {
  const bool used_again = !free_workloads.empty();
  const WorkloadSlot slot = used_again ? free_workloads.back()
                                       : WorkloadSlot{static_cast<std::uint32_t>(workloads.size())};
  const WorkloadSlot existing = workload_index.InsertNew(key, slot, KeysOf(*this));
  if (existing.valid()) return {workloads[existing.value].get(), false};
  if (used_again) {
    free_workloads.pop_back();
  } else {
    workloads.emplace_back();
  }
  auto& record = workloads[slot.value];
  record = std::make_unique<WorkloadRecord>();
  record->key.workload = WorkloadId(slot, next_sequence++);
  workload_order.Add(record->id(), workload_index.size(), IsThere(*this));
  return {record.get(), true};
}

void World::Forget(const WorkloadRecord& workload) {
  const WorkloadSlot slot = workload.id().slot();
  workload_index.Erase(workload.spec.key, KeysOf(*this));
  if (FindByUid(workload.uid().view()) == &workload) {
    uid_index.Erase({"", workload.uid().view()}, UidsOf(*this));
  }
  workloads[slot.value].reset();
  free_workloads.push_back(slot);
}

const std::vector<WorkloadId>& World::WorkloadsByName() const {
  return workload_order.Ids(IsThere(*this),
                            [this](WorkloadId id) -> const Key& { return Peek(id)->spec.key; });
}

std::vector<WorkloadId> World::InNameOrder(const std::set<WorkloadId>& ids) const {
  std::vector<WorkloadId> ordered(ids.begin(), ids.end());
  std::sort(ordered.begin(), ordered.end(), [this](WorkloadId a, WorkloadId b) {
    return workload(a).spec.key < workload(b).spec.key;
  });
  return ordered;
}

std::vector<WorkloadId> World::WorkloadsOf(const LocalQueueState& queue) const {
  std::vector<WorkloadId> ids;
  ids.reserve(queue.roster.size());
  queue.roster.ForEach([&](WorkloadSlot slot) { return IsListed(*this, slot, queue.id); },
                       [&](WorkloadSlot slot) { ids.push_back(workloads[slot.value]->id()); });
  if (!std::is_sorted(ids.begin(), ids.end())) std::sort(ids.begin(), ids.end());
  return ids;
}

void World::FailStale() {
  static constexpr SourcePath kFile(__FILE__);
  FailCheck("an id of a workload that is there", kFile.text, __LINE__);
}

void World::EnterRoster(WorkloadRecord& workload, LocalQueueId queue) {
  if (workload.roster == queue && queue.valid()) return;
  LeaveRoster(workload);
  workload.roster = queue;
  if (!queue.valid()) {
    without_local_queue[{workload.spec.key.ns, workload.spec.queue}].insert(workload.id());
    return;
  }
  local_queue(queue).roster.Add(workload.id().slot(),
                                [&](WorkloadSlot slot) { return IsListed(*this, slot, queue); });
  SyncAdmitted(*this, workload);
}

void World::LeaveRoster(WorkloadRecord& workload) {
  DropAdmitted(*this, workload);
  if (workload.roster.valid()) {
    local_queue(workload.roster).roster.Remove();
  } else if (!without_local_queue.empty()) {
    const auto waiting = without_local_queue.find({workload.spec.key.ns, workload.spec.queue});
    if (waiting != without_local_queue.end()) {
      waiting->second.erase(workload.id());
      if (waiting->second.empty()) without_local_queue.erase(waiting);
    }
  }
  workload.roster = {};
}

bool World::SharesByUsage() const {
  return catalog.config.admission_fair_sharing.has_value() &&
         catalog.Gate("AdmissionFairSharing", true);
}

bool World::UsageBased(const ClusterQueueState& queue) const {
  return queue.spec.admission_mode == AdmissionMode::kUsageBased && SharesByUsage();
}

LocalQueueUsage World::UsageOrder(const ClusterQueueState& queue) const {
  if (!queue.ordered_by_usage || !SharesByUsage()) return {};
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
