// The annotation that keeps a workload out of its queue: names of gates, with commas between them.
// Others take their gate out of it once they have done what they must; it queues when none is left.
#ifndef MUSTER_ENGINE_MODEL_ADMISSION_GATE_H_
#define MUSTER_ENGINE_MODEL_ADMISSION_GATE_H_

#include <string_view>

namespace muster {

inline constexpr std::string_view kAdmissionGatedByAnnotation = "kueue.x-k8s.io/admission-gated-by";
inline constexpr std::string_view kAdmissionGatedByGate = "AdmissionGatedBy";

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_ADMISSION_GATE_H_
