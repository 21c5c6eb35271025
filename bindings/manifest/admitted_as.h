// Whether an object is still what its workload was admitted for: only then is it started.
#ifndef MUSTER_BINDINGS_MANIFEST_ADMITTED_AS_H_
#define MUSTER_BINDINGS_MANIFEST_ADMITTED_AS_H_

#include <string>
#include <vector>

#include "bindings/manifest/job_objects.h"
#include "muster/engine.h"

namespace muster::manifest {

/// What an object asks for otherwise than the workload that holds quota for it: `asks for 50 pods
/// in "main", and was admitted with 2`; empty: nothing. Counts, containers and their resources are
/// compared, as Kueue does. What a LimitRange of the namespace may have filled in, and how many
/// workers a Ray cluster has that scales itself, is no difference. O(containers).
std::string DifferenceFrom(const Engine& engine, const WorkloadView& view, const JobObject& job);

/// Whether `asked` asks for no more or less than `known`, by the same comparison.
bool AsksForTheSame(const Engine& engine, const WorkloadView& known, const Workload& asked);

/// The same but for counts.
bool AsksForTheSamePods(const Engine& engine, const WorkloadView& known, const Workload& asked);

/// The same of one pod of a group.
std::string PodDifferenceFrom(const Engine& engine, const WorkloadView& view,
                              const objects::Value& pod);

/// Of the pods of a group those that may start: as many of each role as it was admitted with, less
/// those that are not here. The others are more than it has room for, or of another role.
std::vector<objects::Value> PodsWithPlace(const WorkloadView& view, const JobObject& job);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_ADMITTED_AS_H_
