// The slices of an elastic job, as a reader sees them: one job under the name of the first.
// engine/kin/elastic_job.h says how they come and what they are called.
#ifndef MUSTER_BINDINGS_MANIFEST_SLICES_H_
#define MUSTER_BINDINGS_MANIFEST_SLICES_H_

#include <string>
#include <string_view>
#include <vector>

#include "muster/engine.h"

namespace muster::manifest {

/// The first slice of a job, of which `name` is a later one by its form: "lab/a" of
/// "lab/a-slice-2". Any other name is its own.
std::string FirstSliceOf(std::string_view name);

/// Whether another slice has taken its place.
bool WasReplaced(const WorkloadView& workload);

/// All known slices of the job whose first slice is `job`, which may be forgotten, oldest first;
/// that one alone for a job that is not elastic, none where there is none. O(workloads of its
/// namespace) for an elastic job, and where there is none of that name.
std::vector<WorkloadView> SlicesOf(const Engine& engine, const Key& job);

/// The same among workloads that were read elsewhere.
std::vector<WorkloadView> SlicesAmong(std::vector<WorkloadView> workloads, const Key& job);

/// Whether the job may have slices beside this one.
bool IsElastic(const WorkloadView& workload);

/// What reports about `job` are about, given its slices: with `whole_job` all that have not ended,
/// else the one that runs, as RunningSlice says. The last slice where all have ended.
std::vector<WorkloadView> SlicesMeant(std::vector<WorkloadView> slices, bool whole_job);

/// Those that have not ended: one that runs, or one that waits, or one each.
std::vector<WorkloadView> LiveSlicesOf(const Engine& engine, const Key& job);

/// What a report about `job` is about: of the slices that have not ended the one with quota, else
/// the newest; `job` itself where there is none.
Key RunningSlice(const Engine& engine, const Key& job);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_SLICES_H_
