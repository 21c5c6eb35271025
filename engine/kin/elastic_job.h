// An elastic job that is submitted again with other counts: which of its slices that speaks of, and
// whether it makes the next one (spec: elastic jobs by workload slices, its controller's rules).
//
// The first slice has the name of the job's workload, the others that name with "-slice-2",
// "-slice-3", ... behind it; all but the first name the first in an annotation. The newest that has
// not ended is the one that counts. Where no workload is elastic all this costs one comparison.
#ifndef MUSTER_ENGINE_KIN_ELASTIC_JOB_H_
#define MUSTER_ENGINE_KIN_ELASTIC_JOB_H_

#include <optional>
#include <vector>

#include "engine/state/world.h"
#include "muster/workload.h"

namespace muster {

/// Whether it is of a job that grows and shrinks while it runs.
bool IsOfElasticJob(const World& world, const LabelMap& annotations);

/// All slices of the job that are known, oldest first, those that have ended included; the workload
/// alone where its job has no other. O(workloads) where some were submitted since the last call.
std::vector<WorkloadId> SlicesOfJob(const World& world, const WorkloadRecord& slice);

/// What is meant by a slice that was replaced, and by the first, which has the name of the job:
/// the newest that has not ended, else the newest. Any other slice is meant itself.
WorkloadId CurrentSlice(const World& world, const WorkloadRecord& slice);

/// `wanted`, an elastic job's workload that is submitted, as what it is taken for: the slice that
/// counts now, resized, or a new one that is to replace it, because it asks for more pods than that
/// one has quota for. Unset: it is what it says.
std::optional<Workload> AsSlice(const World& world, const Workload& wanted);

/// The slice with quota whose place `slice`, which is submitted, is to take; null: there is none,
/// or one of them is of no elastic job. What the job is but for its counts, the two have in common.
const WorkloadRecord* HolderBeside(const World& world, const Workload& slice);

/// Whether `wanted` differs from `held`, which has quota, in fewer pods of an elastic job alone: it
/// gives them up where it runs.
bool OnlyShrinks(const World& world, const Workload& held, const Workload& wanted);

}  // namespace muster

#endif  // MUSTER_ENGINE_KIN_ELASTIC_JOB_H_
