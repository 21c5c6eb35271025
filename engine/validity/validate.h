// The rules of the object model that one object can break by itself, or by changing.
//
// A problem names its field as the manifest spells it, "spec.resourceGroups[0].flavors[1].name", an
// entry of a map as "requests[nvidia.com/gpu]". References between objects are not looked at here.
#ifndef MUSTER_ENGINE_VALIDITY_VALIDATE_H_
#define MUSTER_ENGINE_VALIDITY_VALIDATE_H_

#include <cstddef>
#include <vector>

#include "muster/object.h"
#include "muster/status.h"

namespace muster {

enum class Strictness {
  kStrict,   ///< every rule of the API
  kLenient,  ///< without those whose breach still has a plain meaning: limits without a cohort,
             ///< borrowWithinCohort without reclaim, several minCounts, a resource in two groups
};

/// Appends every mistake in `object`; `index` becomes Problem::object. Names may contain capitals
/// and underscores, which Kubernetes would refuse. O(object).
void ValidateObject(const Object& object, std::size_t index, std::vector<Problem>& out,
                    Strictness strictness = Strictness::kStrict);

/// What of a workload is known to be without a mistake: its podsets, or all but its
/// name and status, because its LocalQueue exists and another of its template was looked at.
enum class KnownValid { kNothing, kPodSets, kAllButName };
void ValidateWorkload(const Workload& workload, std::size_t index, KnownValid known,
                      std::vector<Problem>& out, Strictness strictness = Strictness::kStrict);

/// Appends what is wrong with a workload that is new to the engine and was no mistake once: what is
/// stored may have it, so histories and updates do not ask. O(labels).
void ValidateGiven(const Workload& workload, std::size_t index, std::vector<Problem>& out);

/// Appends every immutable field that differs between `before` and `after`, two versions of one
/// object (same kind and key). What holds only while quota is reserved looks at before's status.
void ValidateChange(const Object& before, const Object& after, std::size_t index,
                    std::vector<Problem>& out);

}  // namespace muster

#endif  // MUSTER_ENGINE_VALIDITY_VALIDATE_H_
