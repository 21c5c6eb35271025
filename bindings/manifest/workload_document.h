// The document of kind Workload that an object of a job kind is read as.
#ifndef MUSTER_BINDINGS_MANIFEST_WORKLOAD_DOCUMENT_H_
#define MUSTER_BINDINGS_MANIFEST_WORKLOAD_DOCUMENT_H_

#include "bindings/objects/value.h"
#include "bindings/objects/workload.h"

namespace muster::manifest {

/// `workload` of `object`, with the metadata that it has from there. Its parts keep the places of
/// the object's.
objects::Value WorkloadDocument(objects::JobWorkload workload, const objects::Value& object);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_WORKLOAD_DOCUMENT_H_
