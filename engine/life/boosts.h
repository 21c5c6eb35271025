// Boosts: what is added to the priority of a workload that waits or holds quota, while it does.
#ifndef MUSTER_ENGINE_LIFE_BOOSTS_H_
#define MUSTER_ENGINE_LIFE_BOOSTS_H_

#include <cstdint>
#include <optional>

#include "engine/state/world.h"

namespace muster {

/// Gives it the boost that a policy answered; unset: that of the native rule. One that waits with
/// another priority than before is tried again. With `wake`, where a holder has less priority than
/// before its tree is woken: it may be a victim now. O(log n).
void SetBoost(World& world, WorkloadRecord& workload, std::optional<std::int32_t> answer,
              bool wake);

/// Derives the native boosts of all workloads anew, as the feature gate says now. O(workloads).
void RefreshBoosts(World& world);

}  // namespace muster

#endif  // MUSTER_ENGINE_LIFE_BOOSTS_H_
