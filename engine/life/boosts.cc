// See boosts.h. A boost is part of the key and of the form, which stand in queues and indexes: the
// workload is taken out, changed, and put back.
#include "engine/life/boosts.h"

#include "engine/life/lifecycle.h"
#include "engine/life/queueing.h"
#include "engine/state/records.h"

namespace muster {

void SetBoost(World& world, WorkloadRecord& workload, std::optional<std::int32_t> answer,
              bool wake) {
  const std::int64_t before = workload.priority();
  const bool was_boosted = workload.boosted;
  workload.boosted = false;
  const std::int32_t boost = answer ? *answer : BoostOf(world, workload);
  workload.boosted = answer.has_value();
  const bool same = boost == workload.key.boost;
  if (was_boosted != workload.boosted || !same) world.changes.Touch(workload.id());
  if (same) return;
  const bool queued = workload.queued();
  if (queued) world.queue(workload.queue).pending.Erase(workload.key);
  workload.key.boost = boost;
  ResolveRequests(world, workload);
  ResolveKey(world, workload);
  if (queued) {
    Enqueue(world, workload, true, true);
    if (FindCondition(workload.spec.status, condition::kEvicted)) RefreshReason(world, workload);
  }
  if (!workload.holds()) return;
  RefreshHolder(world, workload);
  world.AdvanceGeneration(workload.holds_in);
  if (wake && workload.priority() < before) WakeTreeOf(world, workload.holds_in);
}

void RefreshBoosts(World& world) {
  for (const WorkloadId id : world.WorkloadsByName()) {
    WorkloadRecord& workload = world.workload(id);
    if (!workload.boosted) SetBoost(world, workload, std::nullopt, /*wake=*/false);
  }
}

}  // namespace muster
