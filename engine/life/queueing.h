// Queueing: which workload waits where. Heap or parked, in and out, and what wakes the parked.
#ifndef MUSTER_ENGINE_LIFE_QUEUEING_H_
#define MUSTER_ENGINE_LIFE_QUEUEING_H_

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "engine/life/requeue_reason.h"
#include "engine/state/world.h"

namespace muster {

/// The gates that keep it out of its queue, as its annotation has them; empty: none does. O(1).
std::string_view AdmissionGatesOf(const World& world, const WorkloadRecord& workload);
/// Its reason is AdmissionGated while there are any, and no longer.
void NoteAdmissionGates(World& world, WorkloadRecord& workload);
/// Not finished, active, no quota, no admission gates, and its LocalQueue and ClusterQueue exist
/// and take workloads.
bool MayQueue(const World& world, const WorkloadRecord& workload);

/// Requeued is not False, and a backoff, if any, is over.
bool BackoffExpired(const World& world, const WorkloadRecord& workload);

/// Queues a new or changed workload: to the heap, or parked while its backoff runs. One that is
/// parked stays so unless `changed` in what might let it start; with `check_class`, one whose
/// equivalence class was found unable to start is parked with it. O(log n).
void Enqueue(World& world, WorkloadRecord& workload, bool changed, bool check_class);

/// Takes it out of its queue, with its marker and its flavor progress.
void Dequeue(World& world, WorkloadRecord& workload);

/// Takes it out of the heap, or what it is on hold for is another thing now: it waits, behind
/// none and in front of none, until LetGo. O(log n).
void PutOnHold(World& world, WorkloadRecord& workload, PolicyHold hold);
/// No policy holds it back any more: it queues as if it came now, in its old place. O(log n).
void LetGo(World& world, WorkloadRecord& workload);

/// Puts a head that was neither admitted nor evicted back: to the heap, or parked. A class of
/// equivalent workloads that cannot start is parked together: `policies_had_say` in what it found
/// makes those equal that the policies cannot tell apart; else the native rules alone count.
/// Whether it is in front of its queue as before, of the same rank and with the same marker.
bool RequeueHead(World& world, WorkloadRecord& workload, RequeueReason reason,
                 bool policies_had_say);

/// Why those equal to this one were found unable to start; none: they were not.
std::optional<PendingReason> ReasonOfClass(const ClusterQueueState& queue,
                                           const WorkloadRecord& workload);

/// Asks for the tree of `queue` to be woken once the call is done, as in Kueue, whose controllers
/// see a change before its consequences. Invalid ids are ignored.
inline void WakeTreeOf(World& world, QueueId queue) {
  if (queue.valid()) world.wake_trees.push_back(queue);
}
/// Wakes the tree of a queue before the next call, not at the end of this one.
void WakeTreeNext(World& world, QueueId queue);
/// What was to wake next does now, with the next FlushWakes. Kueue gathers such events for a
/// second, in which it goes on with its cycles: where its outcomes are wanted to the letter,
/// nothing wakes before `time_passed` or another call than a cycle.
enum class NextCall { kCycle, kOther };
void TakeWakesDue(World& world, NextCall next, bool time_passed);
/// Whether anything is parked in `queue`, alone or with its class. O(1).
bool HasParked(const ClusterQueueState& queue);
/// The same for what became of a workload, which reaches its tree through its LocalQueue as that
/// is now: without one, and while it is stopped, nothing is woken.
void WakeThroughLocalQueue(World& world, const WorkloadRecord& workload);
/// Does what was asked: un-parks what may be tried again. O(parked in the woken trees + queues in
/// which something is parked).
void FlushWakes(World& world);

/// Recomputes priority, timestamp and UID of the workload's key; keeps its place in the queue. A
/// policy that gives boosts is asked about it again.
void RefreshKey(World& world, WorkloadRecord& workload);
/// The same for all whose last eviction counts, whenever the rule for its timestamp may be another.
void RefreshKeysOfEvicted(World& world);

}  // namespace muster

#endif  // MUSTER_ENGINE_LIFE_QUEUEING_H_
