// Pod groups: pods that are queued together, under the name of their group.
#ifndef MUSTER_BINDINGS_OBJECTS_POD_GROUP_H_
#define MUSTER_BINDINGS_OBJECTS_POD_GROUP_H_

#include <set>
#include <string>
#include <vector>

#include "bindings/objects/workload.h"

namespace muster::objects {

/// What is to be done about a group whose workload does not exist.
struct PodGroupView {
  std::vector<const Value*> finalize;  ///< failed ones, which are to be let go
  std::vector<const Value*> excess;    ///< more than the group has room for, to be deleted
  JobWorkloads workload;               ///< none while pods are missing
};

/// `pods`: all members, by name; not empty.
PodGroupView ViewPodGroup(const std::vector<const Value*>& pods, const Setting& setting);

/// What the statuses of the members say together.
JobStatus PodGroupStatus(const std::vector<const Value*>& pods, const Setting& setting);
bool IsPodGroupSuspended(const std::vector<const Value*>& pods);

}  // namespace muster::objects

#endif  // MUSTER_BINDINGS_OBJECTS_POD_GROUP_H_
