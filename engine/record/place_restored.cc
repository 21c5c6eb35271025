// Everything that was read is put in its place. Slots are given anew, in the order of arrival;
// what is derived is derived again by the same functions that derive it at run time.
//
// Workloads are placed queue by queue, so that what a queue knows of those before is at hand. The
// order decides nothing: slots are known before, and whatever ranks workloads does it by a total
// order.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/prefetch.h"
#include "engine/kin/slices.h"
#include "engine/record/rows.h"
#include "engine/state/forest.h"
#include "engine/state/places.h"
#include "engine/state/records.h"
#include "engine/state/variant_marks.h"

namespace muster {
namespace {

/// So many turns ahead the memory is asked for a record, and for where its name and UID lead.
constexpr std::size_t kRecordsAhead = 8;
constexpr std::size_t kSlotsAhead = 4;
constexpr std::size_t kUidsAhead = 3;

using Arrivals = std::vector<std::pair<std::int64_t, std::uint32_t>>;

/// Sorts by the first of each. They are sequence numbers, mostly dense: then each has a slot of its
/// own, and nothing is compared. O(size).
void SortByArrival(Arrivals& arrivals) {
  constexpr std::size_t kSlotsEach = 4;
  constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  if (arrivals.empty()) return;
  const auto [least, most] = std::minmax_element(arrivals.begin(), arrivals.end());
  const std::int64_t first = least->first;
  const auto slot_of = [first](std::int64_t arrival) {
    return static_cast<std::uint64_t>(arrival) - static_cast<std::uint64_t>(first);
  };
  const std::uint64_t last = slot_of(most->first);
  if (last >= kSlotsEach * arrivals.size()) return std::sort(arrivals.begin(), arrivals.end());
  std::vector<std::uint32_t> slots(last + 1, kNobody);
  for (const auto& [arrival, at] : arrivals) {
    std::uint32_t& slot = slots[slot_of(arrival)];
    if (slot != kNobody) return std::sort(arrivals.begin(), arrivals.end());
    slot = at;
  }
  arrivals.clear();
  for (std::uint64_t slot = 0; slot <= last; ++slot) {
    if (slots[slot] == kNobody) continue;
    arrivals.emplace_back(first + static_cast<std::int64_t>(slot), slots[slot]);
  }
}

}  // namespace

Status Restorer::Finish(const std::function<void(WorkloadRecord&)>& placed) {
  world_.now = engine_.now;
  world_.cycle = engine_.cycle;
  world_.next_sequence = engine_.next_sequence;
  if (reads_.empty() || derive_again_) FindQueuesOfLocalQueues();
  if (derive_again_) world_.forms.Clear();
  GiveSlots();
  ListWorkloads();
  if (Status status = RestoreQueues(); !status.ok()) return status;
  RebuildPlaces(world_);
  RebuildForest(world_);  // before there are holders: each adds what it charges
  if (Status status = PlaceWorkloads(placed); !status.ok()) return status;
  if (forest_stale_) RebuildForest(world_);
  RestoreAccounts();
  const bool whole =
      world_.hand_over.Restore(numbers_.last, std::move(decisions_), std::move(consumers_));
  return whole ? Status::Ok() : DamagedRow("decisions");
}

void Restorer::FindQueuesOfLocalQueues() {
  for (const auto& [key, id] : world_.local_queue_ids) {
    LocalQueueState& queue = world_.local_queue(id);
    const auto cluster_queue = world_.queue_ids.find(queue.spec.cluster_queue);
    if (cluster_queue != world_.queue_ids.end()) queue.queue = cluster_queue->second;
  }
}

void Restorer::GiveSlots() {
  SortByArrival(arrivals_);
  std::uint32_t next = 0;
  for (const auto& [arrival, at] : arrivals_) reads_[at].slot = {next++};
  arrivals_ = {};
}

void Restorer::ListWorkloads() {
  world_.workload_index.Reserve(reads_.size());
  world_.workloads.resize(reads_.size());
  for (std::size_t i = 0; i < reads_.size(); ++i) {
    if (i + kRecordsAhead < reads_.size()) Prefetch(*reads_[i + kRecordsAhead].record);
    if (i + kSlotsAhead < reads_.size()) {
      world_.workload_index.PrefetchFor(reads_[i + kSlotsAhead].record->spec.key);
    }
    WorkloadRecord& workload = *reads_[i].record;
    workload.key.workload = WorkloadId(reads_[i].slot, workload.id().arrival());
    world_.ListWorkload(workload);
    world_.boosts |= workload.boosted;
    if (workload.to_boost) world_.to_boost.insert(workload.id());
    if (const TimeNs due = workload.aside->second_pass; due != kNoTime) {
      world_.second_passes.emplace(due, workload.id());
    }
    world_.workloads[reads_[i].slot.value] = std::move(reads_[i].record);
    world_.NoteUid(workload);
  }
  reads_.clear();
  RestoreJobs(world_);
}

Status Restorer::RestoreQueues() {
  for (const auto& [name, stored] : queues_) {
    ClusterQueueState* queue = world_.FindQueue(name);
    if (queue == nullptr) return DamagedRow("ClusterQueue/" + name);
    queue->generation = stored.generation;
    queue->requoted = stored.requoted;
    queue->turns = stored.turns;
    queue->last_wake = stored.last_wake;
    queue->boosted_at = stored.boosted_at;
    queue->boosted_by = stored.boosted_by;
    queue->wakes_next = stored.wakes_next;
    if (stored.wakes_next) world_.wake_next.push_back(queue->id);
    world_.boosts |= !stored.boosted_by.empty();
    if (stored.old_order) queue->ordered_by_usage = !queue->ordered_by_usage;
    if (stored.marked) {
      const WorkloadRecord* workload = world_.FindWorkload(*stored.marked);
      if (workload == nullptr) return DamagedRow("ClusterQueue/" + name);
      queue->pending.Mark(workload->id(), stored.sticky);
    }
    for (const StoredClass& parked : stored.parked_classes) {
      queue->pending.NoteClass(
          {static_cast<std::uint64_t>(parked.high), static_cast<std::uint64_t>(parked.low)},
          {static_cast<PendingReason>(parked.reason), parked.turn});
      world_.NoteParked(*queue);
    }
  }
  for (const auto& [key, stored] : local_queues_) {
    LocalQueueState* queue = world_.FindLocalQueue(key);
    if (queue == nullptr) return DamagedRow("LocalQueue/" + key.ToString());
    std::map<WorkloadId, ResourceList> pending;
    for (const StoredPenalty& penalty : stored.pending) {
      const WorkloadRecord* workload = world_.FindWorkload(penalty.workload);
      if (workload == nullptr) return DamagedRow("LocalQueue/" + key.ToString());
      pending[workload->id()] = penalty.amounts;
    }
    queue->fair_usage.Restore(stored.consumed, std::move(pending), stored.last_update);
  }
  return Status::Ok();
}

Status Restorer::PlaceWorkloads(const std::function<void(WorkloadRecord&)>& placed) {
  // First for the record, then for the UID that it leads to.
  Cursor ahead;
  Cursor soon;
  const auto send_record = [&] {
    if (const Turn* later = Next(ahead)) Prefetch(*later->workload);
  };
  const auto send_uid = [&] {
    if (const Turn* next = Next(soon)) next->workload->uid().Prefetch();
  };
  for (std::size_t i = 0; i < kRecordsAhead; ++i) send_record();
  for (std::size_t i = 0; i < kUidsAhead; ++i) send_uid();
  Cursor cursor;
  while (const Turn* turn = Next(cursor)) {
    send_record();
    send_uid();
    if (Status status = PlaceWorkload(*turn); !status.ok()) return status;
    placed(*turn->workload);
  }
  return Status::Ok();
}

const Restorer::Turn* Restorer::Next(Cursor& cursor) const {
  for (; cursor.queue < turns_.size(); cursor = {cursor.queue + 1, 0}) {
    const std::vector<Turn>& turns = turns_[cursor.queue];
    if (cursor.at < turns.size()) return &turns[cursor.at++];
  }
  return nullptr;
}

Status Restorer::PlaceWorkload(const Turn& turn) {
  WorkloadRecord& workload = *turn.workload;
  if (derive_again_) Derive(workload);
  NoteSlice(world_, workload);
  NoteVariant(world_, workload);
  world_.EnterRoster(workload, workload.local_queue);
  if (!HoldRestored(world_, workload, charges_, copies_)) forest_stale_ = true;
  if (workload.keeps_room()) {
    if (Status status = RestoreRoom(workload); !status.ok()) return status;
  }
  if (turn.place == QueuePlace::kNone || workload.is_job) return Status::Ok();
  if (!workload.queue.valid()) return DamagedRow(workload.spec.key.ToString());
  EnqueueRestored(workload, turn.place, turn.stored_at);
  return Status::Ok();
}

Status Restorer::RestoreRoom(WorkloadRecord& workload) {
  for (const Key& key : rooms_[&workload]) {
    const WorkloadRecord* victim = world_.FindWorkload(key);
    if (victim == nullptr) return DamagedRow(workload.spec.key.ToString());
    workload.aside.Mutable().room.Mutable().victims.insert(victim->id());
  }
  if (!workload.queue.valid()) return DamagedRow(workload.spec.key.ToString());
  world_.kept_room[workload.queue] = workload.id();
  return Status::Ok();
}

// Since the row was stored a wake may have put the workload into the heap, and its class may have
// been parked after that.
void Restorer::EnqueueRestored(WorkloadRecord& workload, QueuePlace place, std::int64_t stored_at) {
  ClusterQueueState& queue = world_.queue(workload.queue);
  if (place == QueuePlace::kOnHold) {
    const TimeNs until = workload.hold().until;
    if (until != kNoTime) world_.hold_ends.insert({until, workload.id()});
    world_.NoteOnHold(queue);
    return queue.pending.PutOnHold(workload.key);
  }
  const bool alone = place == QueuePlace::kParked && stored_at >= queue.last_wake;
  const auto parked_class = queue.pending.parked_classes().find(workload.form());
  const bool with_class = !alone && parked_class != queue.pending.parked_classes().end() &&
                          parked_class->second.turn > stored_at;
  if (alone || with_class) {
    world_.NoteParked(queue);
    return alone ? queue.pending.Park(workload.key) : queue.pending.ParkWithClass(workload.key);
  }
  workload.key.sticky = queue.pending.IsSticky(workload.id());
  queue.pending.Push(workload.key);
  world_.ExpectHead(queue);
}

// After the workloads: what they are charged is derived from them.
void Restorer::RestoreAccounts() {
  for (const StoredAccount& stored : accounts_) {
    Account& account = world_.accounts.Restore(stored.rule);
    account.rule = stored.rule;
    account.declared_at = stored.declared_at;
  }
  for (StoredBalance& stored : balances_) {
    AccountBalance& balance = world_.accounts.Restore(stored.rule).balances[stored.key];
    balance.at = stored.at;
    balance.total = stored.total;
    balance.parts = std::move(stored.parts);
    for (const StoredCount& count : stored.counts) balance.Restore({count.slot, count.amount});
  }
  if (accounts_.empty() && balances_.empty()) return;
  for (const WorkloadId id : world_.WorkloadsByName()) {  // sums depend on the order
    world_.accounts.ChargeRestored(world_, world_.workload(id));
  }
}

}  // namespace muster
