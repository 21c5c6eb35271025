// From the engine's memory to what is stored of it.
#include "engine/record/stored_state.h"

#include <algorithm>
#include <tuple>

namespace muster {

WrittenWorkload ToStored(const World& world, const WorkloadRecord& workload) {
  WrittenWorkload stored{.arrival = workload.id().arrival(), .spec = workload};
  stored.place = static_cast<std::int32_t>(workload.is_job ? QueuePlace::kByVariants
                                                           : PlaceOf(world, workload));
  if (workload.queued()) stored.stored_at = world.queue(workload.queue).turns;
  stored.reason = static_cast<std::int32_t>(workload.reason);
  stored.message = workload.message();
  stored.pending_since = workload.pending_since();
  stored.progress.resize(static_cast<std::size_t>(workload.progress().pod_sets));
  for (const FlavorProgress::Tried& tried : workload.progress().tried) {
    stored.progress[tried.pod_set].tried.push_back(
        {world.names.ResourceName(tried.resource), tried.flavor_index});
  }
  stored.progress_cycle = workload.progress().cycle;
  stored.progress_generation = workload.progress().generation;
  stored.progress_order = workload.progress().order;
  stored.reserved_at = workload.reserved_at;
  stored.evicted = workload.evicted;
  stored.finished_while_evicting = workload.finished_while_evicting;
  if (workload.boosted) stored.boost = workload.key.boost;
  stored.to_boost = workload.to_boost;
  stored.checkpointed = workload.checkpointed();
  stored.second_pass = workload.aside->second_pass;
  // They count towards the next pass, and say nothing when none is due.
  if (stored.second_pass != kNoTime) stored.passes = workload.aside->passes;
  for (const Usage& usage : workload.room().wanted) {
    stored.room.push_back({world.names.FlavorName(world.names.FlavorOf(usage.fr)),
                           world.names.ResourceName(world.names.ResourceOf(usage.fr)),
                           usage.amount});
  }
  // By name: ids of pairs and workloads differ between processes.
  std::sort(stored.room.begin(), stored.room.end(), [](const auto& a, const auto& b) {
    return std::tie(a.flavor, a.resource) < std::tie(b.flavor, b.resource);
  });
  for (const WorkloadId victim : workload.room().victims) {
    stored.room_from.push_back(world.workload(victim).spec.key);
  }
  std::sort(stored.room_from.begin(), stored.room_from.end());
  if (const PolicyHold& hold = workload.hold(); !hold.policy.empty()) {
    stored.hold.push_back({hold.policy, hold.reason, hold.until});
  }
  return stored;
}

StoredClusterQueue ToStored(const World& world, const ClusterQueueState& queue) {
  StoredClusterQueue stored;
  stored.generation = queue.generation;
  stored.requoted = queue.requoted;
  stored.turns = queue.turns;
  stored.last_wake = queue.last_wake;
  stored.old_order = queue.HasOldOrder();
  stored.boosted_at = queue.boosted_at;
  stored.boosted_by = queue.boosted_by;
  stored.wakes_next = queue.wakes_next;
  if (const auto marked = queue.pending.marked()) {
    stored.marked = world.workload(*marked).spec.key;
    stored.sticky = queue.pending.IsSticky(*marked);
  }
  for (const auto& [form, parked] : queue.pending.parked_classes()) {
    stored.parked_classes.push_back({static_cast<std::int64_t>(form.high),
                                     static_cast<std::int64_t>(form.low),
                                     static_cast<std::int32_t>(parked.reason), parked.turn});
  }
  return stored;
}

StoredLocalQueue ToStored(const World& world, const LocalQueueState& queue) {
  StoredLocalQueue stored;
  stored.consumed = queue.fair_usage.consumed();
  stored.last_update = queue.fair_usage.last_update();
  for (const auto& [workload, amounts] : queue.fair_usage.pending()) {
    stored.pending.push_back({world.workload(workload).spec.key, amounts});
  }
  return stored;
}

StoredBalance ToStored(const AccountRule& rule, const std::string& key,
                       const AccountBalance& balance) {
  StoredBalance stored{rule, key, balance.at, balance.total, balance.parts, {}};
  for (const AccountBalance::Count& count : balance.counts) {
    stored.counts.push_back({count.slot, count.amount});
  }
  return stored;
}

}  // namespace muster
