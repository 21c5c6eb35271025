// How an engine calls the workload of an object, which may have been submitted under another name:
// before it had a uid, or by Kueue.
#ifndef MUSTER_BINDINGS_MANIFEST_KNOWN_JOBS_H_
#define MUSTER_BINDINGS_MANIFEST_KNOWN_JOBS_H_

#include <cstdint>
#include <optional>

#include "bindings/manifest/job_objects.h"
#include "muster/engine.h"

namespace muster::manifest {

/// Which workload stands for a replica, or for the whole StatefulSet, by its name; unset: none.
/// That of a set that was imported, and is written without its uid, is found among `names`,
/// where they are not null.
std::optional<WorkloadView> KnownReplica(const Engine& engine, const ScaledObject& object,
                                         std::int64_t replica, NamesByUid* names);

/// How the engine calls the workload of `job`: as without a uid where it was submitted so.
Key NameIn(const Engine& engine, const JobObject& job);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_KNOWN_JOBS_H_
