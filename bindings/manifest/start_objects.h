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
  /// "StatefulSet web": the object is a pod that this one makes, and the patch is to the pod. Of a
  /// Deployment it is any one that waits, for their names are chosen later. Else empty.
  std::string of;
};

/// Finds in `sources` the objects behind the workload, one or the pods of a group, and writes into
/// them what admission gave. NotFound: no such workload, or no object of it. FailedPrecondition: it
/// holds no quota, flavors contradict the object, or it is started by more pods than can be written
/// out.
Result<std::vector<StartedObject>> StartObjects(const Engine& engine, const Key& workload,
                                                std::span<const Source> sources);
/// The same of objects that were read before.
Result<std::vector<StartedObject>> StartObjects(const Engine& engine, const Key& workload,
                                                JobObjects read);

/// What in the object contradicts the admission of its workload, which has quota, so that it can
/// never start; empty: nothing.
std::string StartConflict(const Engine& engine, const WorkloadView& view, JobObject job);

/// {"workload": "NAMESPACE/NAME", "objects": [{"patch": ..., "object": ..., "podOf": ...}]}, the
/// last only of pods that another object makes.
objects::Value AnswerOf(const Key& workload, std::span<const StartedObject> started);
/// The same as text.
std::string ToJson(const Key& workload, std::span<const StartedObject> started);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_START_OBJECTS_H_
