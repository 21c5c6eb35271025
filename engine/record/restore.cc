// Reading rows back: each is decoded as it comes, a workload straight into its record, and while
// that is at hand, what follows from it and the objects is derived. What follows from all rows
// together is in place_restored.cc.
#include <memory>
#include <string>
#include <utility>

#include "engine/model/byte_reader.h"
#include "engine/model/codec.h"
#include "engine/record/rows.h"
#include "engine/state/records.h"

namespace muster {
namespace {

template <typename Stored>
bool DecodeStored(std::string_view bytes, Stored& stored, ReadMemory* memory = nullptr) {
  ByteReader reader(bytes, memory);
  if (!reader.TakeVersion(kOldestCodecVersion, kCodecVersion)) return false;
  VisitFields(reader, stored);
  return reader.ok() && reader.AtEnd();
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

Status DamagedRow(std::string_view key) {
  return Status(StatusCode::kDataLoss, "the stored row of " + std::string(key) + " is damaged");
}

Status Restorer::Add(StateRow::Table table, std::string_view key, std::string_view value) {
  switch (table) {
    case StateRow::Table::kObject:
      return AddObject(key, value);
    case StateRow::Table::kWorkload:
      return AddWorkload(key, value);
    case StateRow::Table::kQueue: {
      const Key name = SplitKey(key);
      if (name.ns == "ClusterQueue") {
        queues_.emplace_back(name.name, StoredClusterQueue{});
        return DecodeStored(value, queues_.back().second) ? Status::Ok() : DamagedRow(key);
      }
      local_queues_.emplace_back(SplitKey(name.name), StoredLocalQueue{});
      return DecodeStored(value, local_queues_.back().second) ? Status::Ok() : DamagedRow(key);
    }
    case StateRow::Table::kEngine:
      return AddEngineRow(key, value);
  }
  return DamagedRow(key);
}

Status Restorer::AddWorkload(std::string_view key, std::string_view value) {
  if (reads_.empty()) FindQueuesOfLocalQueues();  // objects mostly come first
  auto record = std::make_unique<WorkloadRecord>();
  WorkloadRecord& workload = *record;
  ReadWorkload stored{.spec = {workload, recent_}};
  if (!DecodeStored(value, stored, &memory_)) return DamagedRow(key);
  workload.key.workload = WorkloadId(WorkloadSlot(), stored.arrival);  // its slot follows
  if (stored.pending_since != kNoTime)
    workload.aside.Mutable().pending_since = stored.pending_since;
  workload.reason = static_cast<PendingReason>(stored.reason);
  workload.SetMessage(stored.message);
  workload.reserved_at = stored.reserved_at;
  workload.evicted = stored.evicted;
  workload.finished_while_evicting = stored.finished_while_evicting;
  Derive(workload);
  SetProgress(workload, stored);
  for (const StoredUsage& usage : stored.room) {
    const FlavorId flavor = world_.names.Flavor(usage.flavor);
    const ResourceId resource = world_.names.Resource(usage.resource);
    workload.aside.Mutable().room.Mutable().wanted.push_back(
        {world_.names.Pair(flavor, resource), usage.amount});
  }
  if (!stored.room.empty()) rooms_[&workload] = std::move(stored.room_from);
  arrivals_.emplace_back(stored.arrival, static_cast<std::uint32_t>(reads_.size()));
  const std::size_t queue = workload.queue.valid() ? workload.queue.value + 1 : 0;
  if (turns_.size() <= queue) turns_.resize(queue + 1);
  turns_[queue].push_back({&workload, stored.stored_at, static_cast<QueuePlace>(stored.place)});
  reads_.push_back({std::move(record), {}});
  return Status::Ok();
}

void Restorer::Derive(WorkloadRecord& workload) {
  ResolveQueues(world_, workload);
  // ResolveRequests drops the progress of a workload whose form is new to it.
  Seldom<FlavorProgress> progress = workload.TakeProgress();
  ResolveRequests(world_, workload);
  workload.SetProgress(std::move(progress));
  ResolveKey(world_, workload);
}

void Restorer::SetProgress(WorkloadRecord& workload, const ReadWorkload& stored) {
  if (stored.progress.empty() && stored.progress_cycle == 0 && stored.progress_generation == 0 &&
      stored.progress_order == 0) {
    return;  // so are most
  }
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
  workload.SetProgress(progress);
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
  return decoded ? Status::Ok() : DamagedRow(key);
}

Status Restorer::AddObject(std::string_view key, std::string_view value) {
  derive_again_ = derive_again_ || !reads_.empty();
  const Key name = SplitKey(key);
  const std::optional<ObjectKind> kind = KindFromName(name.ns);
  if (!kind) return DamagedRow(key);
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
      return DamagedRow(key);
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

void Restorer::AddQueue(const ClusterQueue& spec) { world_.MakeQueue(spec); }

void Restorer::AddLocalQueue(const LocalQueue& spec) { world_.MakeLocalQueue(spec); }

}  // namespace muster
