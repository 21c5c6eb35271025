// Whether the podsets of a workload could be divided among the flavors of a queue at all: a podset
// that found no flavor beside the others may have found one had they been given other flavors.
#ifndef MUSTER_ENGINE_CURE_DIVISION_H_
#define MUSTER_ENGINE_CURE_DIVISION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/state/world.h"
#include "muster/types.h"

namespace muster {

/// Podsets that share a flavor, mostly one.
struct SharedDemand {
  std::vector<std::size_t> pod_sets;
  std::vector<Amount> amounts;  ///< by position in ResourceGroupState::resources
  std::vector<bool> takes;      ///< by flavor: it takes these pods, whatever its quota
};

/// What the queue may have of one flavor; by resource as above.
struct FlavorRoom {
  std::vector<Amount> maximum;    ///< with no other workload running
  std::vector<Amount> available;  ///< now, at least 0
};

/// So much of one flavor is not free.
struct Missing {
  std::size_t flavor = 0;
  std::size_t resource = 0;
  Amount amount = 0;
};

/// One resource group that the workload needs. Groups have no pair of quota in common, so each is
/// divided by itself.
struct Division {
  std::size_t group = 0;              ///< of ClusterQueueState::groups
  std::vector<SharedDemand> demands;  ///< in the order of podsets
  std::vector<FlavorRoom> rooms;      ///< by flavor
  /// No flavors of all podsets keep within the maximum: proven, not merely not found.
  bool impossible = false;
  /// What would have to be free for the flavor walk to find flavors for all, where that is known;
  /// the least that was found.
  std::optional<std::vector<Missing>> missing;

  /// Whether the flavor, were it empty, would hold the demand by itself.
  bool HoldsAlone(const SharedDemand& demand, std::size_t flavor) const;
};

/// `counts` are pods by podset. Tries at most kMostStepsOfDivision flavors per group, and O(podsets
/// x resources) for each.
std::vector<Division> DivisionsOf(const World& world, const WorkloadRecord& workload,
                                  std::span<const std::int32_t> counts);

inline constexpr int kMostStepsOfDivision = 5'000;

}  // namespace muster

#endif  // MUSTER_ENGINE_CURE_DIVISION_H_
