// The annotation that keeps a workload out of its queue: names of gates, with commas between them.
// Others take their gate out of it once they have done what they must; it queues when none is left.
#ifndef MUSTER_ENGINE_MODEL_ADMISSION_GATE_H_
#define MUSTER_ENGINE_MODEL_ADMISSION_GATE_H_

#include <string_view>

namespace muster {

inline constexpr std::string_view kAdmissionGatedByAnnotation = "kueue.x-k8s.io/admission-gated-by";
inline constexpr std::string_view kAdmissionGatedByGate = "AdmissionGatedBy";

/// Of a pod group that has fewer pods than its total: "1 of 2 pods". It is kept out of its queue as
/// by a gate, whatever the feature gate says.
inline constexpr std::string_view kPodGroupWaitsAnnotation = "muster.dev/pod-group-waits";
/// Which pods it has: "NAME=ROLE", with commas between.
inline constexpr std::string_view kPodGroupPodsAnnotation = "muster.dev/pod-group-pods";

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_ADMISSION_GATE_H_
