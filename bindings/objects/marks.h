// The labels and annotations by which jobs speak to the queues, and those that a start writes.
#ifndef MUSTER_BINDINGS_OBJECTS_MARKS_H_
#define MUSTER_BINDINGS_OBJECTS_MARKS_H_

#include <string>
#include <string_view>

#include "bindings/objects/value.h"

namespace muster::objects::mark {

#define MUSTER_MARK(name, text) inline constexpr std::string_view name = "kueue.x-k8s.io/" text
MUSTER_MARK(kQueue, "queue-name");
MUSTER_MARK(kPriorityClass, "priority-class");
MUSTER_MARK(kMaxExecTime, "max-exec-time-seconds");
MUSTER_MARK(kPrebuilt, "prebuilt-workload-name");
MUSTER_MARK(kManaged, "managed");
MUSTER_MARK(kElastic, "elastic-job");
MUSTER_MARK(kGatedBy, "admission-gated-by");
MUSTER_MARK(kMinParallelism, "job-min-parallelism");
MUSTER_MARK(kSyncCompletions, "job-completions-equal-parallelism");
MUSTER_MARK(kStopping, "stopping");
MUSTER_MARK(kGroupName, "pod-group-name");
MUSTER_MARK(kGroupTotal, "pod-group-total-count");
MUSTER_MARK(kGroupFast, "pod-group-fast-admission");
MUSTER_MARK(kGroupServing, "pod-group-serving");
MUSTER_MARK(kGroupPodIndex, "pod-group-pod-index");
MUSTER_MARK(kGroupPodIndexLabel, "pod-group-pod-index-label");
MUSTER_MARK(kIsGroup, "is-group-workload");
MUSTER_MARK(kRetriable, "retriable-in-group");
MUSTER_MARK(kRoleHash, "role-hash");
MUSTER_MARK(kSuspendingParent, "pod-suspending-parent");
MUSTER_MARK(kPodIndexOffset, "pod-index-offset");
MUSTER_MARK(kComponentIndex, "component-workload-index");
MUSTER_MARK(kRayGeneration, "raycluster-generation");
MUSTER_MARK(kPodSet, "podset");
MUSTER_MARK(kLocalQueue, "local-queue-name");
MUSTER_MARK(kClusterQueue, "cluster-queue-name");
MUSTER_MARK(kWorkload, "workload");
MUSTER_MARK(kSliceName, "workload-slice-name");
MUSTER_MARK(kSliceFor, "workload-slice-replacement-for");
MUSTER_MARK(kRequiredTopology, "podset-required-topology");
MUSTER_MARK(kPreferredTopology, "podset-preferred-topology");
MUSTER_MARK(kUnconstrainedTopology, "podset-unconstrained-topology");
MUSTER_MARK(kSliceTopology, "podset-slice-required-topology");
MUSTER_MARK(kSliceSize, "podset-slice-size");
MUSTER_MARK(kSliceConstraints, "podset-slice-required-topology-constraints");
MUSTER_MARK(kPodSetGroup, "podset-group-name");
// Scheduling gates.
MUSTER_MARK(kAdmissionGate, "admission");
MUSTER_MARK(kTopologyGate, "topology");
// Managers: of an AdmissionCheck, of a job and of a TrainJob's patch.
MUSTER_MARK(kMultiKueue, "multikueue");
MUSTER_MARK(kManager, "manager");
#undef MUSTER_MARK

/// Of a label's value.
inline constexpr std::size_t kLongestLabel = 63;

inline constexpr std::string_view kNamespaceName = "kubernetes.io/metadata.name";

}  // namespace muster::objects::mark

namespace muster::objects {

inline std::string_view NameOf(const Value& object) { return object.At({"metadata", "name"}).text; }
inline std::string NamespaceOf(const Value& object) {
  const Value& ns = object.At({"metadata", "namespace"});
  return ns.IsNull() ? "default" : ns.text;
}
inline std::string_view Label(const Value& object, std::string_view name) {
  return object.At({"metadata", "labels", name}).text;
}
inline std::string_view Annotation(const Value& object, std::string_view name) {
  return object.At({"metadata", "annotations", name}).text;
}
inline bool HasLabel(const Value& object, std::string_view name) {
  return !object.At({"metadata", "labels", name}).IsNull();
}
inline bool HasAnnotation(const Value& object, std::string_view name) {
  return !object.At({"metadata", "annotations", name}).IsNull();
}
inline std::string_view QueueOf(const Value& object) { return Label(object, mark::kQueue); }

}  // namespace muster::objects

#endif  // MUSTER_BINDINGS_OBJECTS_MARKS_H_
