// Pod groups: pods that are queued together, under the name of their group.
#ifndef MUSTER_BINDINGS_OBJECTS_POD_GROUP_H_
#define MUSTER_BINDINGS_OBJECTS_POD_GROUP_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/objects/workload.h"

namespace muster::objects {

/// What is to be done about a group whose workload does not exist.
struct PodGroupView {
  std::vector<const Value*> finalize;  ///< failed ones, which are to be let go
  std::vector<const Value*> excess;    ///< more than the group has room for, to be deleted
  JobWorkloads workload;               ///< none while pods are missing
  bool waits = false;                  ///< only pods are missing
  std::vector<std::pair<std::string, std::string>> members;  ///< that count: name and role
};

/// `pods`: all members, by name; not empty. With `with_missing` a group that waits has the workload
/// of the pods that are there, or of those that failed where no other is.
PodGroupView ViewPodGroup(const std::vector<const Value*>& pods, const Setting& setting,
                          bool with_missing = false);

/// The first member that has none of the roles of the group's workload: with fast admission a group
/// asks quota for that of its first pod alone. Empty: there is none.
std::string_view StrangerIn(const PodGroupView& group);

/// How many pods its group has, by the pod; 0 where it says no number.
std::int64_t GroupTotalOf(const Value& pod);

/// Whether it fills a place of its group: it has not failed, and does not leave before it had a
/// node.
bool FillsPlace(const Value& pod);

/// Whether the pod may hold a place on a node: it is on one, has not ended and is not overdue.
bool PodRuns(const Value& pod, const Setting& setting);

/// What the statuses of the members say together, if these are all of them.
JobStatus PodGroupStatus(const std::vector<const Value*>& pods, const Setting& setting);
bool IsPodGroupSuspended(const std::vector<const Value*>& pods);

}  // namespace muster::objects

#endif  // MUSTER_BINDINGS_OBJECTS_POD_GROUP_H_
