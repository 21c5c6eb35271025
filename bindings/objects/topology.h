// The topology that the annotations of a pod template ask for, and the rules about them.
#ifndef MUSTER_BINDINGS_OBJECTS_TOPOLOGY_H_
#define MUSTER_BINDINGS_OBJECTS_TOPOLOGY_H_

#include <string>

#include "bindings/objects/kind.h"

namespace muster::objects {

/// Fills `set->topology`; answers what cannot be read, empty when all can.
std::string ReadTopology(JobPodSet* set, const Setting& setting);

/// Checks the annotations of one template; `field` is that of its metadata, `count` the number of
/// its pods, negative where there is no bound.
void CheckTopology(const Value& pod_template, const std::string& field, std::int64_t count,
                   const Setting& setting, FieldErrors* errors);

/// The rules about two podsets that are placed together.
void CheckPodSetGroups(const JobPodSets& sets, FieldErrors* errors);

bool IsLabelName(std::string_view text);
bool IsSubdomain(std::string_view text);

}  // namespace muster::objects

#endif  // MUSTER_BINDINGS_OBJECTS_TOPOLOGY_H_
