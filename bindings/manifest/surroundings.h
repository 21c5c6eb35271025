// What an engine has around jobs that decides which of them are queued, and where: its
// Configuration, Namespaces and default queues (managed_jobs.h).
#ifndef MUSTER_BINDINGS_MANIFEST_SURROUNDINGS_H_
#define MUSTER_BINDINGS_MANIFEST_SURROUNDINGS_H_

#include "bindings/manifest/manifest.h"
#include "muster/engine.h"

namespace muster::manifest {

/// Reads the texts again with what `engine` has around them, where that makes a difference; else
/// O(LocalQueues of the namespaces in which an object names no queue).
void ReadInSurroundings(const Engine& engine, Manifests* read);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_SURROUNDINGS_H_
