// The pods of a group that an engine knows: their names and roles, which the group's workload keeps
// in an annotation, so that pods that come later, fail or are replaced find their places.
#ifndef MUSTER_BINDINGS_MANIFEST_GROUP_PODS_H_
#define MUSTER_BINDINGS_MANIFEST_GROUP_PODS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "bindings/objects/pod_group.h"
#include "bindings/objects/workload.h"
#include "muster/workload.h"

namespace muster::manifest {

/// Which pods of a group say that they are not retried: their names, with commas between.
inline constexpr std::string_view kPodGroupNotRetriableAnnotation =
    "muster.dev/pod-group-not-retriable";

/// The role of each pod that fills a place, by its name.
using PodRoles = std::map<std::string, std::string>;

/// "NAME=ROLE", with commas between; and back.
std::string TextOf(const PodRoles& roles);

/// Whether it was made of the pods of a group, by this version.
bool IsPodGroup(const Workload& workload);

/// Which pods the group of `workload` has; empty where that is not known, as of groups that were
/// submitted to an earlier version and of workloads that are no group.
PodRoles PodsOfGroup(const Workload& workload);

/// Whether that names the pod, without reading all of them.
bool HasPod(const Workload& workload, std::string_view pod);

/// The pods that its marks name as not retriable.
std::set<std::string> NotRetriablePodsOf(const Workload& workload);

/// Adds those of `known` to them, as far as they are among `members`.
void KeepNotRetriable(const Workload& known, const PodRoles& members, LabelMap* annotations);

/// Whether it has fewer pods than its total.
bool WaitsForPods(const Workload& workload);

/// What the workload of a group must remember of its pods, of which it has `total`; those that are
/// `not_retriable` may be others, too.
void MarkPods(const objects::PodGroupView& view, std::int64_t total,
              const std::set<std::string>& not_retriable, objects::JobWorkload* workload);

/// Its total, by its text while it waits, else by its podsets.
std::int64_t TotalOfGroup(const Workload& workload);

/// `workload` has some of the pods of the group `known`: it becomes that group, without those that
/// are `lost` and with its own in their places. It waits while it has fewer than its total. Answers
/// what is wrong, empty for nothing. A pod of `workload` replaces one of its name.
std::string JoinGroup(const Workload& known, std::span<const std::string> lost, Workload* workload);

/// A pod that is given and has none of the roles of `known`, while that has other `members` or
/// quota.
const std::string* StrangerAmong(const PodRoles& given, const PodRoles& members,
                                 const Workload& known);

/// `known`, which waits for its pods, without those that are lost; unset where it has none of them.
std::optional<Workload> WithoutPods(const Workload& known, std::span<const std::string> lost);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_GROUP_PODS_H_
