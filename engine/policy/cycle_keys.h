// The order of a cycle's entries as policies want it: hook cycle_order, bound to whole trees.
#ifndef MUSTER_ENGINE_POLICY_CYCLE_KEYS_H_
#define MUSTER_ENGINE_POLICY_CYCLE_KEYS_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/policy/policy_calls.h"

namespace muster {

/// An entry as far as its order is concerned.
struct OrderedEntry {
  const WorkloadRecord* workload = nullptr;
  const ClusterQueueState* queue = nullptr;
  std::int32_t borrowing_level = 0;
};

/// Keys compare only inside one group: 0 is the native order, others are a policy each.
struct CycleKeys {
  std::int32_t group = 0;
  std::array<double, MUSTER_MAX_KEYS> keys = {};  ///< larger first; unused ones are 0
};

/// Keys of the entries, in their order: one call for each policy. O(entries x bindings).
std::vector<CycleKeys> AskCycleKeys(PolicyCalls& calls, std::span<const OrderedEntry> entries);

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_CYCLE_KEYS_H_
