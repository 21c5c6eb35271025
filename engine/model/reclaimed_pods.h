// ReclaimedPods: how many pods of a podset need their quota no longer.
#ifndef MUSTER_ENGINE_MODEL_RECLAIMED_PODS_H_
#define MUSTER_ENGINE_MODEL_RECLAIMED_PODS_H_

#include <cstdint>
#include <string_view>

#include "muster/workload.h"

namespace muster {

/// As the status of the workload says, be it more than the podset has. O(podsets).
inline std::int32_t ReclaimedPods(const SharedList<ReclaimablePods>& reclaimable,
                                  std::string_view pod_set) {
  for (const ReclaimablePods& pods : reclaimable) {
    if (pods.pod_set == pod_set) return pods.count;
  }
  return 0;
}

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_RECLAIMED_PODS_H_
