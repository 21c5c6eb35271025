// The order inside a ClusterQueue as its policy wants it: hook queue_order.
//
// Scripted and native answers never mix: a call that fails leaves every queue that the package
// orders to the native order for that cycle, those it has answered for too.
#ifndef MUSTER_ENGINE_POLICY_QUEUE_ORDER_H_
#define MUSTER_ENGINE_POLICY_QUEUE_ORDER_H_

#include <optional>
#include <span>
#include <vector>

#include "engine/policy/policy_calls.h"
#include "engine/state/world.h"
#include "muster/decision.h"

namespace muster {

/// Brings the heaps of `queues` into the order their policies want: a call for each queue over all
/// its workloads that have no keys yet, of which a policy may take many at once (CallEach).
/// Failures are appended to `failures` when given; a package of which one is there already is not
/// asked. O(new x log heap) a queue; O(heap) where its
/// policy reads what changes by itself: at each `every` if that is the time alone, else each time;
/// O(waiting) where a policy failed.
void OrderQueues(World& world, PolicyTable& table, std::span<const QueueId> queues,
                 std::vector<PolicyFailure>* failures);

/// What would be looked at first if `calls` decided what is held back and in which order the rest
/// stands; none: all is held back. Changes nothing. O(heap + on hold).
std::optional<WorkloadId> PreferredHead(const World& world, PolicyCalls& calls,
                                        const ClusterQueueState& queue);

/// Puts the queue into native order and forgets what a policy answered. O(waiting).
void ForgetKeys(World& world, ClusterQueueState& queue);

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_QUEUE_ORDER_H_
