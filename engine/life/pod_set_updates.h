// What the pods of a workload get at start: from its flavors, and from its admission checks.
#ifndef MUSTER_ENGINE_LIFE_POD_SET_UPDATES_H_
#define MUSTER_ENGINE_LIFE_POD_SET_UPDATES_H_

#include <vector>

#include "engine/state/world.h"
#include "muster/status.h"

namespace muster {

/// One entry per podset of the admission. kInvalidArgument names the first key to which two of the
/// pods' template, their flavors and `checks` give different values, or a podset that is none.
Result<std::vector<PodSetUpdate>> MergePodSetUpdates(
    const World& world, const WorkloadRecord& workload,
    const SharedList<AdmissionCheckStatus>& checks);

}  // namespace muster

#endif  // MUSTER_ENGINE_LIFE_POD_SET_UPDATES_H_
