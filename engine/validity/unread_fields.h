// What manifests may say, Kueue decides by, and no decision here reads.
#ifndef MUSTER_ENGINE_VALIDITY_UNREAD_FIELDS_H_
#define MUSTER_ENGINE_VALIDITY_UNREAD_FIELDS_H_

#include <cstddef>
#include <vector>

#include "muster/object.h"
#include "muster/status.h"

namespace muster {

/// Appends a problem for every part of `object` that would be accepted and ignored: requests for a
/// topology and placements, feature gates against what is built, switches without effect. `index`
/// becomes Problem::object. O(podsets).
void FindUnread(const Object& object, std::size_t index, std::vector<Problem>& out);

/// Whether FindUnread would say nothing about `workload`; its podsets are not looked at when
/// `pod_sets_known`.
bool IsAllRead(const Workload& workload, bool pod_sets_known);

}  // namespace muster

#endif  // MUSTER_ENGINE_VALIDITY_UNREAD_FIELDS_H_
