// Reading rows back: each is decoded as it comes, a workload straight into its record, and while
// that is at hand, what follows from it and the objects is derived. What follows from all rows
// together is in place_restored.cc.
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "engine/codec/byte_reader.h"
#include "engine/codec/codec.h"
#include "engine/record/rows.h"
#include "engine/state/catalog_tables.h"
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

/// So many records ahead the memory is asked for one that is copied, and for one to copy it to.
constexpr std::ptrdiff_t kCopiesAhead = 4;

/// A record of an earlier copy as if it were new, but for what is to be replaced, mostly by the
/// same.
std::unique_ptr<WorkloadRecord> Blank(std::unique_ptr<WorkloadRecord> used) {
  WorkloadRecord blank;
  blank.spec.key = std::move(used->spec.key);
  blank.spec.queue = std::move(used->spec.queue);
  blank.spec.series = std::move(used->spec.series);
  blank.spec.status.admission = std::move(used->spec.status.admission);
  blank.key.uid = std::move(used->key.uid);
  *used = std::move(blank);
  return used;
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
  ReadWorkload stored{.spec = {*record, recent_}};
  if (!DecodeStored(value, stored, &memory_)) return DamagedRow(key);
  Take(std::move(record), stored);
  return Status::Ok();
}

ConditionList Restorer::CopyConditions(const WorkloadRecord& original) {
  const ConditionList& list = original.spec.status.conditions;
  if (list.empty()) return {};
  const std::size_t queue = original.queue.valid() ? original.queue.value + 1 : 0;
  const std::size_t slot = 2 * queue + (original.holds() ? 1 : 0);
  if (copied_.size() <= slot) copied_.resize(slot + 1);
  CopiedConditions& known = copied_[slot];
  const TimeNs since = (*list.begin()).since;
  const auto later = static_cast<TimeNs>(static_cast<std::uint64_t>(since) -
                                         static_cast<std::uint64_t>(known.since));
  if (!known.original.empty() && list.IsCopyOf(known.original, later)) {
    return known.copy.After(later);
  }
  known = {list, since, ConditionList(list.vector())};
  return known.copy;
}

void Restorer::CopyWorkloads(const World& from, SpareRecords spare) {
  if (reads_.empty()) FindQueuesOfLocalQueues();
  copies_ = true;
  const std::size_t count = from.workload_index.size();
  reads_.reserve(count);
  arrivals_.reserve(count);
  turns_.resize(from.queues.size() + 1);
  for (const std::unique_ptr<ClusterQueueState>& queue : from.queues) {
    if (queue == nullptr) continue;
    turns_[queue->id.value + 1].reserve(queue->holders.size() + queue->pending.heap_size() +
                                         queue->pending.parked_size());
  }
  auto next = spare.begin();
  for (std::size_t i = 0; i < from.workloads.size(); ++i) {
    if (i + std::size_t{kCopiesAhead} < from.workloads.size()) {
      if (const auto& later = from.workloads[i + std::size_t{kCopiesAhead}]) Prefetch(*later);
    }
    if (from.workloads[i] == nullptr) continue;
    if (spare.end() - next > kCopiesAhead && next[kCopiesAhead] != nullptr) {
      Prefetch(*next[kCopiesAhead]);
    }
    while (next != spare.end() && *next == nullptr) ++next;
    Copy(from, *from.workloads[i],
         next == spare.end() ? std::make_unique<WorkloadRecord>() : Blank(std::move(*next++)));
  }
}

void Restorer::Copy(const World& from, const WorkloadRecord& original,
                    std::unique_ptr<WorkloadRecord> record) {
  const KeptStatus& status = original.spec.status;
  record->spec.key = original.spec.key;
  record->spec.queue = original.spec.queue;
  record->spec.series = original.spec.series;
  record->spec.status.admission = status.admission;
  record->spec.status.conditions = CopyConditions(original);
  if (!status.rare.IsNew()) record->spec.status.rare = RareStatus(*status.rare);
  record->key.uid = original.uid();
  record->key.created = original.created();
  record->active = original.active;
  WrittenWorkload stored = ToStored(from, original);
  Take(std::move(record), stored);
}

template <typename Stored>
void Restorer::Take(std::unique_ptr<WorkloadRecord> record, Stored& stored) {
  WorkloadRecord& workload = *record;
  workload.key.workload = WorkloadId(WorkloadSlot(), stored.arrival);  // its slot follows
  if (stored.pending_since != kNoTime)
    workload.aside.Mutable().pending_since = stored.pending_since;
  workload.reason = static_cast<PendingReason>(stored.reason);
  workload.SetMessage(stored.message);
  workload.reserved_at = stored.reserved_at;
  workload.evicted = stored.evicted;
  workload.finished_while_evicting = stored.finished_while_evicting;
  if (stored.checkpointed != kNoTime) workload.aside.Mutable().checkpointed = stored.checkpointed;
  if (stored.second_pass != kNoTime) {
    workload.aside.Mutable().second_pass = stored.second_pass;
    workload.aside.Mutable().passes = stored.passes;
  }
  workload.boosted = stored.boost.has_value();
  workload.key.boost = stored.boost.value_or(0);
  workload.to_boost = stored.to_boost;
  workload.is_job = stored.place == static_cast<std::int32_t>(QueuePlace::kByVariants);
  Derive(workload);
  SetProgress(workload, stored);
  for (const StoredUsage& usage : stored.room) {
    const FlavorId flavor = world_.names.Flavor(usage.flavor);
    const ResourceId resource = world_.names.Resource(usage.resource);
    workload.aside.Mutable().room.Mutable().wanted.push_back(
        {world_.names.Pair(flavor, resource), usage.amount});
  }
  if (!stored.room.empty()) rooms_[&workload] = std::move(stored.room_from);
  if (!stored.hold.empty()) {
    StoredHold& hold = stored.hold.front();
    workload.aside.Mutable().hold =
        PolicyHold{std::move(hold.policy), std::move(hold.reason), hold.until};
  }
  arrivals_.emplace_back(stored.arrival, static_cast<std::uint32_t>(reads_.size()));
  const std::size_t queue = workload.queue.valid() ? workload.queue.value + 1 : 0;
  if (turns_.size() <= queue) turns_.resize(queue + 1);
  turns_[queue].push_back({&workload, stored.stored_at, static_cast<QueuePlace>(stored.place)});
  reads_.push_back({std::move(record), {}});
}

void Restorer::Derive(WorkloadRecord& workload) {
  ResolveQueues(world_, workload);
  // ResolveRequests drops the progress of a workload whose form is new to it.
  Seldom<FlavorProgress> progress = workload.TakeProgress();
  ResolveRequests(world_, workload);
  workload.SetProgress(std::move(progress));
  ResolveKey(world_, workload);
}

template <typename Stored>
void Restorer::SetProgress(WorkloadRecord& workload, const Stored& stored) {
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
  } else if (key.starts_with("decision/")) {
    decoded = DecodeStored(value, decisions_.emplace_back());
  } else if (key.starts_with("consumer/")) {
    StoredConsumer stored;
    decoded = DecodeStored(value, stored);
    consumers_[stored.name] = {stored.acknowledged, stored.registered_at, stored.acknowledged_at};
  } else if (key == "decisions") {
    decoded = DecodeStored(value, numbers_);
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
  if (*kind == ObjectKind::kWorkload) return DamagedRow(key);
  std::visit([this](auto& object) { Put(std::move(object)); }, *decoded);
  return Status::Ok();
}

template <typename Spec>
void Restorer::Put(Spec spec) {
  Catalog& catalog = world_.catalog;
  if constexpr (std::is_same_v<Spec, ClusterQueue>) {
    world_.MakeQueue(spec);
  } else if constexpr (std::is_same_v<Spec, LocalQueue>) {
    world_.MakeLocalQueue(spec);
  } else if constexpr (std::is_same_v<Spec, Configuration>) {
    catalog.config = std::move(spec);
  } else if constexpr (std::is_same_v<Spec, EngineConfiguration>) {
    catalog.engine_config = std::move(spec);
  } else if constexpr (!std::is_same_v<Spec, Workload>) {
    auto& table = TableOf<Spec>(catalog);
    const Key key = KeyOfSpec(spec);
    table[NameIn(table, key)] = std::move(spec);
  }
}

}  // namespace muster
