// Object: anything that can be applied, and the names of the kinds.
#ifndef MUSTER_OBJECT_H_
#define MUSTER_OBJECT_H_

#include <optional>
#include <string_view>
#include <variant>

#include "muster/spec.h"
#include "muster/workload.h"

namespace muster {

using Object =
    std::variant<ResourceFlavor, ClusterQueue, Cohort, LocalQueue, WorkloadPriorityClass,
                 PriorityClass, Namespace, LimitRange, RuntimeClass, AdmissionCheck, Topology, Node,
                 Pod, Configuration, EngineConfiguration, PolicyBinding, Workload>;

/// Same order as the alternatives of Object, so that `static_cast<ObjectKind>(object.index())`
/// holds.
enum class ObjectKind {
  kResourceFlavor,
  kClusterQueue,
  kCohort,
  kLocalQueue,
  kWorkloadPriorityClass,
  kPriorityClass,
  kNamespace,
  kLimitRange,
  kRuntimeClass,
  kAdmissionCheck,
  kTopology,
  kNode,
  kPod,
  kConfiguration,
  kEngineConfiguration,
  kPolicyBinding,
  kWorkload,
};
inline constexpr std::size_t kObjectKinds = std::variant_size_v<Object>;

/// The kind as manifests spell it: "ClusterQueue".
std::string_view KindName(ObjectKind kind);
inline ObjectKind KindOf(const Object& object) { return static_cast<ObjectKind>(object.index()); }
/// Namespace (empty for cluster-wide kinds) and name; singletons are named "default".
Key KeyOf(const Object& object);

}  // namespace muster

#endif  // MUSTER_OBJECT_H_
