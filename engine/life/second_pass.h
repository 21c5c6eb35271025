// Second pass: a workload that holds quota and is to be given places once more. Either its checks
// had to make the nodes first, or a host that it is on has failed.
//
// It becomes due a second after it was noted, and after each pass that found nothing twice as long
// after the last, at most 30 s.
#ifndef MUSTER_ENGINE_LIFE_SECOND_PASS_H_
#define MUSTER_ENGINE_LIFE_SECOND_PASS_H_

#include <optional>
#include <vector>

#include "engine/state/world.h"

namespace muster {

/// Whether some podset of a holder has no place, because checks make the nodes.
bool AwaitsPlaces(const World& world, const WorkloadRecord& workload);
bool NeedsSecondPass(const World& world, const WorkloadRecord& workload);
/// Whether a pass that was noted before its eviction was ordered still gives it places, while it
/// holds its quota: Kueue looks at the workload as it was when the pass was noted. Only where the
/// engine is to do as Kueue does.
bool IsPassedThoughEvicted(const World& world, const WorkloadRecord& workload);
/// Notes one that needs a pass and is not noted; forgets one that needs none. O(log n).
void SyncSecondPass(World& world, WorkloadRecord& workload);
/// The pass found nothing; there will be another one.
void PassAgain(World& world, WorkloadRecord& workload);
/// Those that are due, in the order in which they are tried. Those that need none any more are
/// forgotten.
std::vector<WorkloadId> DuePasses(World& world);

/// It has these places now: those of its podsets that are new, by podset.
void TakePlaces(World& world, WorkloadRecord& workload,
                const std::vector<std::optional<TopologyAssignment>>& topologies);

}  // namespace muster

#endif  // MUSTER_ENGINE_LIFE_SECOND_PASS_H_
