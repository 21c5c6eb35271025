// FlavorSequence: in which order the flavors of a queue are tried for one workload - as declared,
// or as hook flavor_order of the queue's policy wants it - and which are not tried now at all.
#ifndef MUSTER_ENGINE_FLAVORS_FLAVOR_SEQUENCE_H_
#define MUSTER_ENGINE_FLAVORS_FLAVOR_SEQUENCE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/policy/policy_calls.h"

namespace muster {

struct FlavorSequence {
  /// For each resource group, positions in its declared list; empty: as declared, everywhere.
  std::vector<std::vector<std::int32_t>> groups;
  /// Stands for this order, and what is held back, where flavor progress is kept; 0: as declared.
  std::int64_t order = 0;
  /// Flavors that `package` says are not for this workload now.
  std::vector<FlavorId> held;
  std::string package;

  bool Holds(FlavorId flavor) const {
    return std::find(held.begin(), held.end(), flavor) != held.end();
  }

  std::int32_t At(std::size_t group, std::int32_t position) const {
    return groups.empty() ? position : groups[group][static_cast<std::size_t>(position)];
  }
};

/// The policy that is asked about the flavors of this queue; null: none is. `calls` may be null.
Policy* PolicyOver(const PolicyCalls* calls, const ClusterQueueState& queue);
/// Whether what the policy says about the flavors of this queue may change within a cycle.
bool OrderMayChange(const PolicyCalls& calls, const ClusterQueueState& queue);
/// Adds all flavors of the queue, for a batch about them; how many they are.
std::size_t AddFlavors(PolicyBatch& batch, const WorkloadRecord& workload,
                       const ClusterQueueState& queue);
/// What the policy's keys, one for each of these, come to; ties stay as declared.
FlavorSequence SequenceOf(const World& world, const Policy& policy, const ClusterQueueState& queue,
                          std::span<const double> keys);
/// One call over all flavors of the queue, unless it was made ahead. `calls` may be null.
FlavorSequence AskFlavorOrder(const World& world, PolicyCalls* calls,
                              const WorkloadRecord& workload, const ClusterQueueState& queue);

}  // namespace muster

#endif  // MUSTER_ENGINE_FLAVORS_FLAVOR_SEQUENCE_H_
