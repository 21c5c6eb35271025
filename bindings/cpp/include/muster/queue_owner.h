// What a team may apply that edits nothing but its own ClusterQueue, or LocalQueue. The engine
// knows no users: the gateway knows the caller, and asks this before it passes the objects on.
#ifndef MUSTER_QUEUE_OWNER_H_
#define MUSTER_QUEUE_OWNER_H_

#include <span>
#include <string_view>
#include <vector>

#include "muster/engine.h"

namespace muster {

/// What keeps the owner of ClusterQueue `queue` from applying `objects`; empty: nothing does. An
/// owner applies PolicyBindings of queue_order, flavor_order, hold and submit to that queue alone,
/// and replaces none that says more. Other hooks decide about the jobs of others, too. A `queue`
/// with a slash is a LocalQueue, "namespace/name": its owner orders its jobs among themselves.
/// O(objects).
Result<std::vector<Problem>> CheckQueueOwner(const Engine& engine, std::span<const Object> objects,
                                             std::string_view queue);

}  // namespace muster

#endif  // MUSTER_QUEUE_OWNER_H_
