// The order among the jobs of one LocalQueue as its owner wants it: hook queue_order of a package
// that is bound to the LocalQueue.
//
// Others are not concerned: where the order of the ClusterQueue has a job of that LocalQueue in
// front, its owner says which of its jobs of that priority takes the place. So nothing but heads is
// ever exchanged, and nothing comes in front of a higher priority.
#ifndef MUSTER_ENGINE_POLICY_OWN_ORDER_H_
#define MUSTER_ENGINE_POLICY_OWN_ORDER_H_

#include <vector>

#include "engine/policy/policy_table.h"
#include "engine/state/world.h"
#include "muster/decision.h"

namespace muster {

/// Which job stands in front of `queue`, where its own order has `head` there. A preemptor whose
/// victims are leaving keeps its place. A call that fails leaves the place with `head`, and is
/// appended to `failures` when given. O(1) where no order is bound to its LocalQueue, else a call
/// over the jobs of the LocalQueue in the heap, and O(heap).
WorkloadId FirstByOwner(const World& world, PolicyTable& table, const ClusterQueueState& queue,
                        const PendingKey& head, std::vector<PolicyFailure>* failures);

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_OWN_ORDER_H_
