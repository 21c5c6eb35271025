// The objects of an admitted workload as they may run, and as patches to what waits.
#ifndef MUSTER_BINDINGS_MANIFEST_START_OBJECTS_H_
#define MUSTER_BINDINGS_MANIFEST_START_OBJECTS_H_

#include <span>
#include <string>
#include <vector>

#include "bindings/manifest/job_objects.h"
#include "bindings/manifest/manifest.h"
#include "bindings/objects/value.h"

namespace muster::manifest {

struct StartedObject {
  objects::Value object;
  objects::Value patch;  ///< a JSON merge patch to the object as it waits
};

/// Finds in `sources` the objects behind the workload, one or the pods of a group, and writes into
/// them what admission gave. NotFound: no such workload, or no object of it. FailedPrecondition: it
/// holds no quota, its object is started by its pods, or flavors contradict the object.
Result<std::vector<StartedObject>> StartObjects(const Engine& engine, const Key& workload,
                                                std::span<const Source> sources);
/// The same of objects that were read before.
Result<std::vector<StartedObject>> StartObjects(const Engine& engine, const Key& workload,
                                                JobObjects read);

/// {"workload": "NAMESPACE/NAME", "objects": [{"patch": ..., "object": ...}]}
std::string ToJson(const Key& workload, std::span<const StartedObject> started);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_START_OBJECTS_H_
