// The order inside a ClusterQueue as its policy wants it: hook queue_order.
//
// A call that fails leaves the queue to the native order for that cycle, all of it.
#ifndef MUSTER_ENGINE_POLICY_QUEUE_ORDER_H_
#define MUSTER_ENGINE_POLICY_QUEUE_ORDER_H_

#include <vector>

#include "engine/policy/policy_calls.h"
#include "engine/state/world.h"
#include "muster/decision.h"

namespace muster {

/// Brings the queue's heap into the order its policy wants: one call over all workloads that have
/// no keys yet. A failure is appended to `failures` when given. O(new + log heap).
void OrderQueue(World& world, PolicyTable& table, ClusterQueueState& queue,
                std::vector<PolicyFailure>* failures);

/// Who would be looked at first if `calls` decided, whatever order the heap is in. Changes nothing.
/// Precondition: somebody is in the heap. O(heap).
WorkloadId PreferredHead(const World& world, PolicyCalls& calls, const ClusterQueueState& queue);

/// Puts the queue into native order and forgets what a policy answered. O(waiting).
void ForgetKeys(World& world, ClusterQueueState& queue);

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_QUEUE_ORDER_H_
