// What is a variant, and which queues are for variants (spec: concurrent admission).
//
// A job may stand in its queue as several workloads, one for each flavor: its variants. They name
// the workload that they stand for, their parent, as their owner. All this costs one comparison
// where no workload has such a mark and no queue such a policy.
#ifndef MUSTER_ENGINE_STATE_VARIANT_MARKS_H_
#define MUSTER_ENGINE_STATE_VARIANT_MARKS_H_

#include <optional>
#include <string_view>

#include "engine/state/world.h"

namespace muster {

inline bool IsVariant(const WorkloadRecord& workload) {
  return workload.series().variant_of.has_value();
}

/// Whether the engine makes the variants of jobs itself: the gate is on, and what Kueue does by
/// controllers is not left to others.
bool MakesVariantsByGate(const World& world);
inline bool MakesVariants(const World& world) {
  // Each call asks; a gate that nothing sets is closed.
  return !world.catalog.config.feature_gates.empty() && MakesVariantsByGate(world);
}
/// Whether those of this workload are to be made here, whatever was so far: it is none, and has no
/// label that says that they were made by hand. O(1).
bool WantsVariants(const World& world, const WorkloadRecord& workload);
/// The job that the engine made a variant for; null: it did not. O(1).
const WorkloadRecord* JobOf(const World& world, const WorkloadRecord& variant);
/// The variant is one of the job's now.
void JoinJob(World& world, const WorkloadRecord& job, WorkloadRecord& variant);
/// Lists jobs and their variants when all workloads were read back. O(workloads).
void RestoreJobs(World& world);

/// Takes note of a workload that is new here, or has other marks.
void NoteVariant(World& world, const WorkloadRecord& workload);

/// Whether nothing but variants is queued in it: its policy says so, and the gate is on.
bool TakesVariantsOnly(const World& world, const ClusterQueueState& queue);

/// Whether its variants stand in the queue for it, so that it does not itself. O(1).
bool IsStoodFor(const World& world, const WorkloadRecord& workload);

/// Whether Kueue charges it to this queue: what is no variant it does not, in a queue of variants.
/// Here all are charged, unless Kueue's overcommitment is asked for. O(1).
bool IsCharged(const World& world, const WorkloadRecord& workload, const ClusterQueueState& queue);

/// The flavors that it may have, parted by commas; unset: all.
std::optional<std::string_view> AllowedFlavors(const World& world, const WorkloadRecord& workload);

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_VARIANT_MARKS_H_
