// See rest.h. Between cycles in which nothing is decided and no head leaves, only flavor walks
// differ; with preemptorHold also what waits where.
#include "engine/cycle/rest.h"

#include <algorithm>

#include "engine/state/variant_marks.h"

namespace muster {
namespace {

bool HasHead(const World& world) {
  return std::any_of(world.with_heads.begin(), world.with_heads.end(), [&](QueueId id) {
    const auto& queue = world.queues[id.value];
    return queue != nullptr && queue->active && queue->pending.heap_size() > 0;
  });
}

std::int64_t Waiting(const World& world) {
  std::int64_t waiting = 0;
  for (const QueueId id : world.with_heads) {
    const auto& queue = world.queues[id.value];
    if (queue != nullptr) waiting += static_cast<std::int64_t>(queue->pending.heap_size());
  }
  return waiting;
}

void AddTo(Hasher128& state, const WorkloadRecord& workload) {
  const FlavorProgress& progress = workload.progress();
  state.Add(static_cast<std::uint64_t>(workload.id().arrival())).Add(progress.tried.size());
  state.Add(static_cast<std::uint64_t>(progress.order));
  for (const FlavorProgress::Tried& tried : progress.tried) {
    state.Add(tried.pod_set).Add(tried.resource.value);
    state.Add(static_cast<std::uint64_t>(tried.flavor_index));
  }
}

/// Room that is kept and given up puts workloads back into their heaps: which is in which counts.
void AddHeapsAndRoom(Hasher128& state, const World& world) {
  for (const auto& [name, id] : world.queue_ids) {
    const ClusterQueueState& queue = world.queue(id);
    for (const PendingKey* key : queue.pending.Ordered(world.UsageOrder(queue))) {
      AddTo(state, world.workload(key->workload));
    }
    state.Add(queue.pending.marked() ? static_cast<std::uint64_t>(queue.pending.marked()->arrival())
                                     : ~std::uint64_t{0});
  }
  for (const auto& [queue, keeper] : world.kept_room) {
    state.Add(queue.value).Add(static_cast<std::uint64_t>(keeper.arrival()));
    for (const Usage& wanted : world.workload(keeper).room().wanted) {
      state.Add(wanted.fr.value).Add(static_cast<std::uint64_t>(wanted.amount));
    }
  }
  for (const QueueId id : world.wake_trees) state.Add(id.value);
}

Hash128 StateOf(const World& world, const std::vector<Entry>& entries) {
  Hasher128 state;
  for (const Entry& entry : entries) AddTo(state, world.workload(entry.workload));
  if (world.catalog.engine_config.preemptor_hold) AddHeapsAndRoom(state, world);
  return state.Value();
}

}  // namespace

bool WalksOn(const World& world, const WorkloadRecord& workload, const Entry& entry) {
  if (!entry.nominated) return false;
  const FlavorProgress& before = workload.progress();
  const FlavorProgress& after = entry.assignment().progress;
  const bool goes_on = !entry.starts_over && after.HasUntriedFlavors();
  if (!goes_on && !before.HasUntriedFlavors()) return false;
  // What was stored in the cycle before is never out of date.
  const bool same =
      goes_on && before.cycle + 1 == world.cycle && before.order == after.order &&
      std::equal(before.tried.begin(), before.tried.end(), after.tried.begin(), after.tried.end());
  return !same;
}

bool NothingToLookAt(const World& world, const PolicyTable& policies) {
  if (HasHead(world)) return false;  // mostly, where a cycle is needed
  const bool wakes = !world.wake_trees.empty() || !world.wake_queues.empty() ||
                     !world.wake_next.empty() || world.wake_all;
  const bool due = (!world.deadlines.empty() && world.deadlines.begin()->first <= world.now) ||
                   !world.second_passes.empty() || !world.timed_out.empty();
  const bool asks = policies.Defines(Hook::kHold) || policies.Defines(Hook::kBoost) ||
                    world.boosts || !world.to_boost.empty() || !world.with_on_hold.empty();
  const bool jobs = !world.jobs.empty() || !world.jobs_due.empty() || MakesVariants(world);
  return !wakes && !due && !asks && !jobs && world.kept_room.empty();
}

bool Rest::After(const World& world, const PolicyTable& policies, const std::vector<Entry>& entries,
                 const CycleResult& result, Movement movement) {
  if (!result.DecidedNothing()) {
    Disturb();
  } else if (!resting_) {
    resting_ = ComesToRest(world, policies, entries, result, movement);
  }
  return resting_;
}

bool Rest::ComesToRest(const World& world, const PolicyTable& policies,
                       const std::vector<Entry>& entries, const CycleResult& result,
                       Movement movement) {
  const bool wakes = !world.wake_trees.empty() || !world.wake_queues.empty() || world.wake_all;
  const bool other_policy =
      !result.rolled_back.empty() || policies.generations().WillGoBack(result.policy_failures);
  const bool others = wakes || other_policy || movement.left || entries.empty();
  if (others && !wakes && !HasHead(world)) return true;
  // Without wakes heaps only shrink: cycles in which heads leave come to an end by themselves.
  const bool holds = world.catalog.engine_config.preemptor_hold;
  if (other_policy || (others && !holds)) {
    still_ = 0;
    return false;
  }
  ++still_;
  // A policy that goes by the number of the cycle never comes back: each has had its turn then.
  if (policies.ReadsCycle()) return still_ > Waiting(world);
  if (!others && !movement.walked_on && world.kept_room.empty()) return true;
  return ComesBack(StateOf(world, entries));
}

bool Rest::ComesBack(const Hash128& state) {
  if (still_ > 1 && state == kept_) return true;
  if (still_ == 1 || still_ >= 2 * kept_at_) {
    kept_at_ = still_;
    kept_ = state;
  }
  return false;
}

}  // namespace muster
