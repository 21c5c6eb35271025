// Reading rows back. Ids are given anew, in the old order of arrival; everything derived is derived
// again by the same functions that derive it at run time.
#include <algorithm>
#include <string>
#include <utility>

#include "engine/model/byte_reader.h"
#include "engine/model/codec.h"
#include "engine/record/rows.h"
#include "engine/state/forest.h"
#include "engine/state/records.h"

namespace muster {
namespace {

template <typename Stored>
bool DecodeStored(std::string_view bytes, Stored& stored) {
  ByteReader reader(bytes);
  if (reader.Byte() != static_cast<std::uint8_t>(kCodecVersion)) return false;
  VisitFields(reader, stored);
  return reader.ok() && reader.AtEnd();
}

Status Damaged(std::string_view key) {
  return Status(StatusCode::kDataLoss, "the stored row of " + std::string(key) + " is damaged");
}

Key SplitKey(std::string_view text) {
  const std::size_t slash = text.find('/');
  return {std::string(text.substr(0, slash)),
          slash == std::string_view::npos ? std::string() : std::string(text.substr(slash + 1))};
}

std::optional<ObjectKind> KindFromName(std::string_view name) {
  for (std::size_t k = 0; k < kObjectKinds; ++k) {
    const auto kind = static_cast<ObjectKind>(k);
    if (KindName(kind) == name) return kind;
  }
  return std::nullopt;
}

}  // namespace

Status Restorer::Add(StateRow::Table table, std::string_view key, std::string_view value) {
  switch (table) {
    case StateRow::Table::kObject:
      return AddObject(key, value);
    case StateRow::Table::kWorkload:
      return DecodeStored(value, workloads_.emplace_back()) ? Status::Ok() : Damaged(key);
    case StateRow::Table::kQueue: {
      const Key name = SplitKey(key);
      if (name.ns == "ClusterQueue") {
        queues_.emplace_back(name.name, StoredClusterQueue{});
        return DecodeStored(value, queues_.back().second) ? Status::Ok() : Damaged(key);
      }
      local_queues_.emplace_back(SplitKey(name.name), StoredLocalQueue{});
      return DecodeStored(value, local_queues_.back().second) ? Status::Ok() : Damaged(key);
    }
    case StateRow::Table::kEngine:
      return AddEngineRow(key, value);
  }
  return Damaged(key);
}

Status Restorer::AddEngineRow(std::string_view key, std::string_view value) {
  bool decoded = false;
  if (key.starts_with("account/")) {
    decoded = DecodeStored(value, accounts_.emplace_back());
  } else if (key.starts_with("balance/")) {
    decoded = DecodeStored(value, balances_.emplace_back());
  } else {
    decoded = DecodeStored(value, engine_);
  }
  return decoded ? Status::Ok() : Damaged(key);
}

// After the holders: what they are charged is derived from them.
void Restorer::RestoreAccounts() {
  for (const StoredAccount& stored : accounts_) {
    Account& account = world_.accounts.Restore(stored.rule);
    account.rule = stored.rule;
    account.declared_at = stored.declared_at;
  }
  for (StoredBalance& stored : balances_) {
    world_.accounts.Restore(stored.rule).balances[stored.key] = {stored.at, stored.total,
                                                                 std::move(stored.parts)};
  }
  if (accounts_.empty() && balances_.empty()) return;
  for (const WorkloadId id : world_.WorkloadsByName()) {  // sums depend on the order
    if (world_.workload(id).holds()) world_.accounts.ChargeRestored(world_, world_.workload(id));
  }
}

Status Restorer::AddObject(std::string_view key, std::string_view value) {
  const Key name = SplitKey(key);
  const std::optional<ObjectKind> kind = KindFromName(name.ns);
  if (!kind) return Damaged(key);
  Result<Object> decoded = Decode(*kind, value);
  if (!decoded.ok()) return decoded.status();
  Catalog& catalog = world_.catalog;
  switch (*kind) {
    case ObjectKind::kClusterQueue:
      AddQueue(std::get<ClusterQueue>(*decoded));
      break;
    case ObjectKind::kLocalQueue:
      AddLocalQueue(std::get<LocalQueue>(*decoded));
      break;
    case ObjectKind::kWorkload:
      return Damaged(key);
    case ObjectKind::kConfiguration:
      catalog.config = std::get<Configuration>(*decoded);
      break;
    case ObjectKind::kEngineConfiguration:
      catalog.engine_config = std::get<EngineConfiguration>(*decoded);
      break;
    default: {
      const auto put = [](auto& table, const auto& name_of, auto& object) {
        table[name_of(object)] = std::move(object);
      };
      const auto by_name = [](const auto& object) { return object.name; };
      const auto by_key = [](const auto& object) { return object.key; };
      if (auto* o = std::get_if<ResourceFlavor>(&*decoded)) put(catalog.flavors, by_name, *o);
      if (auto* o = std::get_if<Cohort>(&*decoded)) put(catalog.cohorts, by_name, *o);
      if (auto* o = std::get_if<WorkloadPriorityClass>(&*decoded)) {
        put(catalog.workload_priority_classes, by_name, *o);
      }
      if (auto* o = std::get_if<PriorityClass>(&*decoded)) {
        put(catalog.priority_classes, by_name, *o);
      }
      if (auto* o = std::get_if<Namespace>(&*decoded)) put(catalog.namespaces, by_name, *o);
      if (auto* o = std::get_if<LimitRange>(&*decoded)) put(catalog.limit_ranges, by_key, *o);
      if (auto* o = std::get_if<RuntimeClass>(&*decoded)) {
        put(catalog.runtime_classes, by_name, *o);
      }
      if (auto* o = std::get_if<AdmissionCheck>(&*decoded)) {
        put(catalog.admission_checks, by_name, *o);
      }
      if (auto* o = std::get_if<Topology>(&*decoded)) put(catalog.topologies, by_name, *o);
      if (auto* o = std::get_if<Node>(&*decoded)) put(catalog.nodes, by_name, *o);
      if (auto* o = std::get_if<Pod>(&*decoded)) put(catalog.pods, by_key, *o);
      if (auto* o = std::get_if<PolicyBinding>(&*decoded)) {
        put(catalog.policy_bindings, by_name, *o);
      }
    }
  }
  return Status::Ok();
}

void Restorer::AddQueue(const ClusterQueue& spec) {
  auto queue = std::make_unique<ClusterQueueState>();
  queue->Begin({static_cast<std::uint32_t>(world_.queues.size())}, spec);
  world_.queue_ids[spec.name] = queue->id;
  world_.queues.push_back(std::move(queue));
}

void Restorer::AddLocalQueue(const LocalQueue& spec) {
  auto queue = std::make_unique<LocalQueueState>();
  queue->id = {static_cast<std::uint32_t>(world_.local_queues.size())};
  world_.SetSpec(*queue, spec);
  world_.local_queues.push_back(std::move(queue));
  world_.ListLocalQueue(*world_.local_queues.back());
}

Status Restorer::Finish() {
  world_.now = engine_.now;
  world_.cycle = engine_.cycle;
  world_.next_sequence = engine_.next_sequence;
  for (const auto& [key, id] : world_.local_queue_ids) {
    LocalQueueState& queue = world_.local_queue(id);
    const auto cluster_queue = world_.queue_ids.find(queue.spec.cluster_queue);
    if (cluster_queue != world_.queue_ids.end()) queue.queue = cluster_queue->second;
  }
  std::vector<StoredWorkload*> arrived;
  arrived.reserve(workloads_.size());
  for (StoredWorkload& stored : workloads_) arrived.push_back(&stored);
  std::sort(arrived.begin(), arrived.end(), [](const StoredWorkload* a, const StoredWorkload* b) {
    return a->arrival < b->arrival;
  });
  for (StoredWorkload* stored : arrived) PlaceWorkload(std::move(*stored));
  if (Status status = RestoreQueues(); !status.ok()) return status;
  if (Status status = RestoreRooms(); !status.ok()) return status;
  RestoreAccounts();
  RebuildForest(world_);
  for (std::size_t i = 0; i < arrived.size(); ++i) {
    WorkloadRecord& workload = *world_.workloads[i];
    const auto place = static_cast<QueuePlace>(arrived[i]->place);
    if (place == QueuePlace::kNone) continue;
    if (!workload.queue.valid()) return Damaged(workload.spec.key.ToString());
    EnqueueRestored(workload, place, arrived[i]->stored_at);
  }
  return Status::Ok();
}

void Restorer::PlaceWorkload(StoredWorkload&& stored) {
  const WorkloadId id{static_cast<std::uint32_t>(world_.workloads.size())};
  world_.workloads.push_back(std::make_unique<WorkloadRecord>());
  WorkloadRecord& workload = *world_.workloads.back();
  workload.id = id;
  workload.arrival = stored.arrival;
  workload.spec = std::move(stored.spec);
  workload.pending_since = stored.pending_since;
  workload.reason = static_cast<PendingReason>(stored.reason);
  workload.message = stored.message;
  workload.reserved_at = stored.reserved_at;
  workload.evicted = stored.evicted;
  workload.finished_while_evicting = stored.finished_while_evicting;
  world_.ListWorkload(workload);
  ResolveQueues(world_, workload);
  ResolveRequests(world_, workload);
  FlavorProgress progress;
  for (const StoredPodSetProgress& pod_set : stored.progress) {
    const auto index = static_cast<std::uint32_t>(progress.pod_sets++);
    for (const StoredTried& t : pod_set.tried) {
      progress.tried.push_back({index, world_.names.Resource(t.resource), t.flavor_index});
    }
  }
  progress.cycle = stored.progress_cycle;
  progress.generation = stored.progress_generation;
  progress.order = stored.progress_order;
  if (!(progress == FlavorProgress())) workload.progress = progress;
  for (const StoredUsage& usage : stored.room) {
    const FlavorId flavor = world_.names.Flavor(usage.flavor);
    const ResourceId resource = world_.names.Resource(usage.resource);
    workload.room.Mutable().wanted.push_back({world_.names.Pair(flavor, resource), usage.amount});
  }
  if (!stored.room.empty()) rooms_.emplace_back(id, std::move(stored.room_from));
  ResolveKey(world_, workload);
  if (workload.local_queue.valid()) {
    world_.EnterRoster(workload, workload.local_queue);
  }
  SyncQuota(world_, workload, /*forest_stale=*/true);
}

Status Restorer::RestoreRooms() {
  for (const auto& [id, victims] : rooms_) {
    WorkloadRecord& workload = world_.workload(id);
    for (const Key& key : victims) {
      const WorkloadRecord* victim = world_.FindWorkload(key);
      if (victim == nullptr) return Damaged(workload.spec.key.ToString());
      workload.room.Mutable().victims.insert(victim->id);
    }
    if (!workload.queue.valid()) return Damaged(workload.spec.key.ToString());
    world_.kept_room[workload.queue] = id;
  }
  return Status::Ok();
}

// Since the row was stored a wake may have put the workload into the heap, and its class may have
// been parked after that.
void Restorer::EnqueueRestored(WorkloadRecord& workload, QueuePlace place, std::int64_t stored_at) {
  ClusterQueueState& queue = world_.queue(workload.queue);
  const bool alone = place == QueuePlace::kParked && stored_at >= queue.last_wake;
  const auto parked_class = queue.pending.parked_classes().find(workload.form());
  const bool with_class = !alone && parked_class != queue.pending.parked_classes().end() &&
                          parked_class->second.turn > stored_at;
  if (alone) return queue.pending.Park(workload.key);
  if (with_class) return queue.pending.ParkWithClass(workload.key);
  workload.key.sticky = queue.pending.IsSticky(workload.id);
  queue.pending.Push(workload.key);
  world_.ExpectHead(queue);
}

Status Restorer::RestoreQueues() {
  for (const auto& [name, stored] : queues_) {
    ClusterQueueState* queue = world_.FindQueue(name);
    if (queue == nullptr) return Damaged("ClusterQueue/" + name);
    queue->generation = stored.generation;
    queue->turns = stored.turns;
    queue->last_wake = stored.last_wake;
    if (stored.marked) {
      const WorkloadRecord* workload = world_.FindWorkload(*stored.marked);
      if (workload == nullptr) return Damaged("ClusterQueue/" + name);
      queue->pending.Mark(workload->id, stored.sticky);
    }
    for (const StoredClass& parked : stored.parked_classes) {
      queue->pending.NoteClass(
          {static_cast<std::uint64_t>(parked.high), static_cast<std::uint64_t>(parked.low)},
          {static_cast<PendingReason>(parked.reason), parked.turn});
    }
  }
  for (const auto& [key, stored] : local_queues_) {
    LocalQueueState* queue = world_.FindLocalQueue(key);
    if (queue == nullptr) return Damaged("LocalQueue/" + key.ToString());
    std::map<WorkloadId, ResourceList> pending;
    for (const StoredPenalty& penalty : stored.pending) {
      const WorkloadRecord* workload = world_.FindWorkload(penalty.workload);
      if (workload == nullptr) return Damaged("LocalQueue/" + key.ToString());
      pending[workload->id] = penalty.amounts;
    }
    queue->fair_usage.Restore(stored.consumed, std::move(pending), stored.last_update);
  }
  return Status::Ok();
}

}  // namespace muster
