// Lifecycle: from reservation to eviction and end, and what a stopped queue or a deactivated
// workload calls for. All functions keep queues, quota and conditions in step.
#ifndef MUSTER_ENGINE_LIFE_LIFECYCLE_H_
#define MUSTER_ENGINE_LIFE_LIFECYCLE_H_

#include <string>
#include <string_view>
#include <vector>

#include "engine/assign/assignment.h"
#include "engine/preempt/preemption_search.h"
#include "engine/state/world.h"

namespace muster {

/// Reserves the assigned quota for a pending workload; it is admitted at once when no admission
/// check is open. The workload leaves its queue. `charged`: its tree says so already.
void Admit(World& world, WorkloadRecord& workload, const Assignment& assignment, bool charged);

/// A job is admitted as the variant of it that is: its status tells so. It is charged nothing.
void AdmitAs(World& world, WorkloadRecord& job, const WorkloadRecord& variant);

/// Orders an eviction; quota stays charged until CompleteEviction. What checks, gates and nodes
/// said is void. False when one is ordered already.
bool OrderEviction(World& world, WorkloadRecord& workload, std::string_view reason,
                   std::string_view message);
/// Says why a workload waits; another reason than before is an event.
void SetPending(World& world, WorkloadRecord& workload, PendingReason reason, const Text& message);
/// Orders the eviction of a preemption victim.
bool Preempt(World& world, const Victim& victim, const WorkloadRecord& preemptor);

/// Deactivates a workload by itself: active=false for `cause`. Its quota is free at once.
void Deactivate(World& world, WorkloadRecord& workload, std::string_view cause,
                const std::string& message);

/// The pods are gone: quota is released, the workload queues again or waits for its cause to pass,
/// and its tree is woken.
void CompleteEviction(World& world, WorkloadRecord& workload);

/// The job ended, for `reason` with `message` where those are not empty. Wakes the tree of what it
/// held.
void FinishWorkload(World& world, WorkloadRecord& workload, bool failed, const Text& reason = {},
                    const Text& message = {});
/// The same for whatever `reason`, of which the accounts do not speak.
void EndWorkload(World& world, WorkloadRecord& workload, Text reason, Text message);

/// The pods of an admitted workload are all ready, or no longer. Again is no change.
void MarkReady(World& world, WorkloadRecord& workload, bool ready);
/// Nothing is known of the workload any more, for `reason`. One that has not ended is cancelled:
/// what it holds is released, and its tree is woken. One that has ended leaves nothing to wake for.
void ForgetWorkload(World& world, WorkloadRecord& workload, std::string_view reason);
/// Forgets the oldest of those that finished, beyond the number that is kept. O(log n) each.
void ForgetOldFinished(World& world);
/// Nothing else of it changes than whether it may run, as by an update.
void SetActive(World& world, WorkloadRecord& workload, bool active);
/// New mutable fields of a workload: those of WorkloadUpdate. Always an update, even
/// without a change.
void UpdateWorkload(World& world, WorkloadRecord& workload, const Workload& changed);
/// Its run has saved what it did until `at`. Precondition: `at` is of this run. One that is older
/// than what is known changes nothing.
void NoteCheckpoint(World& world, WorkloadRecord& workload, TimeNs at);
/// Wakes the trees of workloads that finished while their eviction was open.
void WakeForFinished(World& world);
/// An admission is complete: the entry penalty of the workload, if it has one, becomes usage of its
/// LocalQueue (admission fair sharing).
void SettleFairUsage(World& world, WorkloadRecord& workload);
/// Its entry penalty is void: it left before it was admitted, or its LocalQueue.
void DropPenalty(World& world, WorkloadRecord& workload);
/// Samples the usage of every LocalQueue whose interval has passed (admission fair sharing).
void SampleFairUsage(World& world);

/// Whether the lifecycle controller may find something to do on the workload before it or a queue
/// changes again.
bool MayBeUnsettled(const World& world, const WorkloadRecord& workload);
/// Takes note, after a change of the workload, whether it may be unsettled. O(log unsettled).
void NoteUnsettled(World& world, const WorkloadRecord& workload);
/// Those noted, in the order of their names.
std::vector<WorkloadId> UnsettledByName(const World& world);

/// Why a workload is forgotten, as its event says.
namespace forgotten {
inline constexpr std::string_view kByRequest = "ByRequest";
inline constexpr std::string_view kAfterFinished = "AfterFinished";
inline constexpr std::string_view kAfterDeactivation = "AfterDeactivatedByKueue";
inline constexpr std::string_view kBeyondLimit = "BeyondKeepFinished";
}  // namespace forgotten

/// The reason of a pending workload that was evicted follows its queue and its equivalence class;
/// whether it changed.
bool RefreshReason(World& world, WorkloadRecord& workload);
/// ReconcileLifecycle for this one alone.
void SettleOne(World& world, WorkloadRecord& workload);
/// Evictions called for by inactive workloads and stopped queues, conditions and reasons of those
/// that were evicted; until nothing changes. Looks at those noted. O(unsettled log unsettled) a
/// round.
void ReconcileLifecycle(World& world);

}  // namespace muster

#endif  // MUSTER_ENGINE_LIFE_LIFECYCLE_H_
