// KeptStatus: a WorkloadStatus in the space that most of them need.
//
// Nearly all workloads have conditions and perhaps an admission, and nothing else: what is rare
// stands behind one pointer.
#ifndef MUSTER_ENGINE_STATE_KEPT_STATUS_H_
#define MUSTER_ENGINE_STATE_KEPT_STATUS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/seldom.h"
#include "engine/model/condition_list.h"
#include "muster/shared_list.h"
#include "muster/workload.h"

namespace muster {

/// An admission or none, in the space of an admission: one that is valid names a ClusterQueue.
class MaybeAdmission {
 public:
  MaybeAdmission() = default;
  MaybeAdmission& operator=(Admission admission) {
    admission_ = std::move(admission);
    return *this;
  }
  explicit operator bool() const { return !admission_.cluster_queue.empty(); }
  /// Precondition: there is one.
  const Admission& operator*() const { return admission_; }
  const Admission* operator->() const { return &admission_; }
  Admission* operator->() { return &admission_; }
  void reset() { admission_ = {}; }

 private:
  Admission admission_;
};

/// Those fields of a WorkloadStatus, under their names.
struct RareStatus {
  SharedList<ReclaimablePods> reclaimable_pods;
  SharedList<AdmissionCheckStatus> admission_checks;
  std::optional<RequeueState> requeue_state;
  std::int64_t past_execution_seconds = 0;
  SharedList<std::string> open_preemption_gates;
  SharedList<std::string> unhealthy_nodes;
  SharedList<EvictionCount> evictions;
  bool operator==(const RareStatus&) const = default;
};

struct KeptStatus {
  MaybeAdmission admission;
  ConditionList conditions;  ///< at most one of each type
  Seldom<RareStatus> rare;
};

/// It is not waiting for a backoff any more, and none was ever counted.
inline void ForgetRequeueState(KeptStatus& status) {
  if (status.rare->requeue_state) status.rare.Mutable().requeue_state.reset();
}

KeptStatus Keep(const WorkloadStatus& status);
WorkloadStatus Whole(const KeptStatus& status);

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_KEPT_STATUS_H_
