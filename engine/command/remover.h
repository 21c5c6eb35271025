// RemoveObject: takes one applied object out of the world.
#ifndef MUSTER_ENGINE_COMMAND_REMOVER_H_
#define MUSTER_ENGINE_COMMAND_REMOVER_H_

#include "engine/state/world.h"
#include "muster/object.h"

namespace muster {

/// Removes an object that exists; workloads and queues that named it lose their place, trees that
/// it was part of are woken. Not for workloads. O(objects + holders).
void RemoveObject(World& world, ObjectKind kind, const Key& key);

}  // namespace muster

#endif  // MUSTER_ENGINE_COMMAND_REMOVER_H_
