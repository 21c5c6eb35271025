// The components of an AppWrapper whose pods no queue would be charged for.
#ifndef MUSTER_BINDINGS_MANIFEST_WRAPPED_PARTS_H_
#define MUSTER_BINDINGS_MANIFEST_WRAPPED_PARTS_H_

#include "bindings/manifest/reporter.h"
#include "bindings/objects/value.h"

namespace muster::manifest {

/// Reports components of a kind or version that looks misspelt, and podSets whose path does. Kueue
/// takes them, and asks no quota for their pods; of those that only may have pods it is a warning.
/// Precondition: the wrapper's fields have the types of its shape.
void CheckWrappedParts(const objects::Value& wrapper, Reporter& reporter);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_WRAPPED_PARTS_H_
