// Kept room (EngineConfiguration.preemptorHold): what a workload had others evicted for - the quota
// that they free, and the idle quota that it counted on - is kept until the workload is looked at
// again or leaves.
//
// Without it another one may take what the first victim freed while the second still stops -
// often the first victim itself - and the preemptor has to begin again, for ever. In a cycle the
// room is charged to the preemptor's queue under the cycle's marks, as if it ran there already.
// It is kept against other queues, never against the preemptor's own: while a head of that queue,
// whichever it is, is nominated and processed, the room is set aside for it. So nothing that comes
// first in the queue can wait for ever for what is kept behind it. Off, nothing here does
// anything.
#ifndef MUSTER_ENGINE_LIFE_KEPT_ROOM_H_
#define MUSTER_ENGINE_LIFE_KEPT_ROOM_H_

#include <memory>
#include <span>
#include <vector>

#include "engine/assign/assignment.h"
#include "engine/capacity/capacity.h"
#include "engine/preempt/preemption_search.h"
#include "engine/state/world.h"

namespace muster {

/// Keeps for `preemptor` what it needs, as far as `victims`, all evicting, do not hold it still;
/// nothing else is kept for its queue any more.
void KeepRoom(World& world, WorkloadRecord& preemptor, const Assignment& assignment,
              const std::vector<Victim>& victims);
/// It is admitted: what was kept for it, it holds.
void TakeUpRoom(World& world, WorkloadRecord& preemptor);
/// Keeps nothing for it any more: others of the tree look again.
void ForgetRoom(World& world, WorkloadRecord& preemptor);
/// The same for the workload of this queue that room is kept for.
void ForgetRoomOf(World& world, QueueId queue);
/// `victim` holds nothing any more: what it freed is what is kept now.
void ForgetVictim(World& world, const WorkloadRecord& victim);

/// Charges what is kept to the trees of this cycle, ascending; they must be marked. O(kept room).
void ChargeKeptRoom(World& world, std::span<const std::uint32_t> trees);
/// Whether room is kept for any of this tree. O(kept room).
bool KeepsRoomIn(const World& world, std::uint32_t tree);
/// Takes the queue's room out of its tree until the mark ends. Null when there is none.
std::unique_ptr<CapacityMark> SetRoomAside(World& world, QueueId queue);
/// Takes the queue's room out of its tree for its head, and returns it.
std::vector<Usage> TakeRoom(World& world, QueueId queue);
/// The workload that room is kept for in this queue; null: there is none.
const WorkloadRecord* KeeperOf(const World& world, QueueId queue);

}  // namespace muster

#endif  // MUSTER_ENGINE_LIFE_KEPT_ROOM_H_
