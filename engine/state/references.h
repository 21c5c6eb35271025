// References between objects: what names something that is not there.
#ifndef MUSTER_ENGINE_STATE_REFERENCES_H_
#define MUSTER_ENGINE_STATE_REFERENCES_H_

#include <span>
#include <string>
#include <vector>

#include "engine/state/world.h"
#include "muster/object.h"
#include "muster/status.h"

namespace muster {

/// One problem for every reference in `objects` to a flavor, ClusterQueue, LocalQueue, priority
/// class, admission check or topology that neither `objects` nor the world contains. Namespaces and
/// cohorts may be missing. O(references * log n).
std::vector<Problem> MissingReferences(const World& world, std::span<const Object> objects);

/// Whether its LocalQueue is all that MissingReferences would look for. O(podsets).
bool RefersToQueueAlone(const Workload& workload);

/// Names of what refers to this object, is in this namespace or holds its quota; empty when it can
/// go. O(objects).
std::vector<std::string> ReferencesTo(const World& world, ObjectKind kind, const Key& key);

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_REFERENCES_H_
