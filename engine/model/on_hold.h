// The annotations by which an inactive workload says why it is so.
#ifndef MUSTER_ENGINE_MODEL_ON_HOLD_H_
#define MUSTER_ENGINE_MODEL_ON_HOLD_H_

#include <string_view>

namespace muster {

/// What the status of its object says while the workload is on hold for it: "ValidationFailed". It
/// asks for quota again when that status changes.
inline constexpr std::string_view kOnHoldAnnotation = "muster.dev/on-hold";

/// Of one for the replicas of a set, which has none of them while the workload is inactive.
inline constexpr std::string_view kOwnerOfReplicasAnnotation = "kueue.x-k8s.io/job-owner-gvk";

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_ON_HOLD_H_
