// Kept room (EngineConfiguration.preemptorHold): what a workload had others evicted for is kept for
// it - the quota that they free, and the idle quota that it counted on - until it is looked at
// again or leaves.
//
// Without it somebody else may take what the first victim freed while the second still stops -
// often the first victim itself - and the preemptor has to begin again, for ever. In a cycle the
// room is charged to the preemptor's queue under the cycle's marks, as if it ran there already; it
// is set aside while the preemptor itself is nominated and processed. Off, nothing here does
// anything.
#ifndef MUSTER_ENGINE_CYCLE_KEPT_ROOM_H_
#define MUSTER_ENGINE_CYCLE_KEPT_ROOM_H_

#include <memory>
#include <span>
#include <vector>

#include "engine/assign/assignment.h"
#include "engine/preempt/preemption_search.h"
#include "engine/quota/quota_tree.h"
#include "engine/state/world.h"

namespace muster {

/// Keeps for `preemptor` what it needs, as far as `victims`, all evicting, do not hold it still.
void KeepRoom(World& world, WorkloadRecord& preemptor, const Assignment& assignment,
              const std::vector<Victim>& victims);
/// Keeps nothing for it any more.
void ForgetRoom(World& world, WorkloadRecord& preemptor);
/// `victim` holds nothing any more: what it freed is what is kept now.
void ForgetVictim(World& world, const WorkloadRecord& victim);

/// Charges what is kept to the trees of this cycle, ascending; they must be marked. O(kept room).
void ChargeKeptRoom(World& world, std::span<const std::uint32_t> trees);
/// Whether room is kept for anybody of this tree. O(kept room).
bool KeepsRoomIn(const World& world, std::uint32_t tree);
/// Takes the workload's own room out of its tree: until the mark ends, or for good without one.
/// Null when there is none.
std::unique_ptr<UsageMark> SetRoomAside(World& world, const WorkloadRecord& workload);
void UseRoom(World& world, const WorkloadRecord& workload);

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_KEPT_ROOM_H_
