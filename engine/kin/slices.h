// Slices: a new workload of an elastic job takes the place of the one that runs, and is charged for
// the difference alone (spec: elastic jobs by workload slices).
//
// While the new slice waits the old one goes on; where the new one starts, the old one ends in the
// same step. Both use the same flavors. Without a workload that names another one to replace, every
// function here costs one comparison.
#ifndef MUSTER_ENGINE_KIN_SLICES_H_
#define MUSTER_ENGINE_KIN_SLICES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/state/world.h"

namespace muster {

/// What one podset of a workload that holds quota is charged now.
struct HeldPodSet {
  const PodSetAssignment* assigned = nullptr;  ///< as it was granted
  std::int32_t count = 0;                      ///< pods that remain of it

  /// Null: it asked for nothing of the resource.
  const std::string* FlavorOf(const std::string& resource) const;
  Amount AmountOf(const std::string& resource) const;
};

/// Takes note of a workload that is new here, or has other annotations.
void NoteSlice(World& world, const WorkloadRecord& workload);

/// What it says that it replaces; unset: nothing, or the gate is closed.
std::optional<std::string_view> NamedToReplace(const World& world, const WorkloadRecord& workload);

/// See ReplacedBy.
const WorkloadRecord* FindReplaced(const World& world, const WorkloadRecord& workload);

/// The holder whose place the workload is to take: the one that it names, if that holds quota of
/// the same ClusterQueue. Null: it is a workload like any other. O(1).
inline const WorkloadRecord* ReplacedBy(const World& world, const WorkloadRecord& workload) {
  return world.any_slices ? FindReplaced(world, workload) : nullptr;
}

/// What a slice names to replace, where that has quota no more and waits for it again. Not valid:
/// there is none, or all is to be as Kueue has it. O(1).
WorkloadId FindWaiting(const World& world, const WorkloadRecord& slice);

/// What a holder is charged, podset by podset, in their order.
std::vector<HeldPodSet> HeldByPodSet(const WorkloadRecord& holder);
/// That of the podset of this name; null: there is none.
const HeldPodSet* FindHeld(const std::vector<HeldPodSet>& held, std::string_view pod_set);

/// Of a difference what has to be there beside what is charged already.
UsageList Growth(const UsageList& usage);

}  // namespace muster

#endif  // MUSTER_ENGINE_KIN_SLICES_H_
