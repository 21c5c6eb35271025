// What manifests may say, Kueue decides by, and no decision here reads.
#ifndef MUSTER_ENGINE_VALIDITY_UNREAD_FIELDS_H_
#define MUSTER_ENGINE_VALIDITY_UNREAD_FIELDS_H_

#include <cstddef>
#include <vector>

#include "muster/object.h"
#include "muster/status.h"

namespace muster {

/// Appends a problem for every part of `object` that would be accepted and ignored: feature gates
/// against what is built, switches without effect. `index` becomes Problem::object. O(gates).
void FindUnread(const Object& object, std::size_t index, std::vector<Problem>& out);

}  // namespace muster

#endif  // MUSTER_ENGINE_VALIDITY_UNREAD_FIELDS_H_
