// Explain: why a workload waits. Runs its nomination on a mark, with everything recorded, and reads
// off the state which workloads hold what it lacks and which are ahead of it.
#ifndef MUSTER_ENGINE_EXPLAIN_EXPLAIN_H_
#define MUSTER_ENGINE_EXPLAIN_EXPLAIN_H_

#include "engine/policy/policy_table.h"
#include "engine/state/world.h"
#include "muster/views.h"

namespace muster {

/// Tries and takes back: afterwards the world is as before, also when a policy fails. O(a cycle of
/// its tree).
Explanation ExplainWorkload(World& world, PolicyTable& policies, WorkloadRecord& workload);

}  // namespace muster

#endif  // MUSTER_ENGINE_EXPLAIN_EXPLAIN_H_
