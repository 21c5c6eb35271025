// FairUsage: what a LocalQueue has used over time, for admission fair sharing.
//
// consumed decays towards what is admitted now: at each sample
//   consumed = (1 - alpha) * consumed + alpha * admitted,  alpha = 1 - 0.5^(elapsed / halfLife).
// A workload that reserves quota adds alpha(samplingInterval) * requests as a pending penalty,
// which joins consumed when the workload is admitted. Amounts are in natural units (cores, bytes)
// at a resolution of 1e-9; each product is cut down to it by itself, as the reference does.
#ifndef MUSTER_ENGINE_STATE_FAIR_USAGE_H_
#define MUSTER_ENGINE_STATE_FAIR_USAGE_H_

#include <map>
#include <string>
#include <string_view>

#include "engine/base/ids.h"
#include "muster/quantity.h"
#include "muster/spec.h"
#include "muster/types.h"

namespace muster {

/// 1 - 0.5^(elapsed / half_life); 0 when half_life is 0.
double DecayAlpha(DurationNs elapsed, DurationNs half_life);

/// `amount` times `factor` (0..1, taken as its shortest decimal), cut down to 1e-9.
Quantity ScaleDown(Quantity amount, double factor);

class FairUsage {
 public:
  /// Starts from a recorded history; a sample at elapsed time 0 follows, as at every start.
  void Start(const ResourceList& consumed, const AdmissionFairSharingConfig& config, TimeNs now);
  /// Decays and adds what is `admitted` now, when at least the sampling interval has passed; true
  /// when it did.
  bool SampleIfDue(const ResourceList& admitted, const AdmissionFairSharingConfig& config,
                   TimeNs now);

  /// A first reservation of `workload`: charges its penalty as pending; replaces an older one.
  void AddPending(WorkloadId workload, const ResourceList& requests,
                  const AdmissionFairSharingConfig& config);
  /// The workload is admitted: its penalty joins consumed, in one step with a decay up to now.
  void Settle(WorkloadId workload, const ResourceList& admitted,
              const AdmissionFairSharingConfig& config, TimeNs now);
  void DropPending(WorkloadId workload) { pending_.erase(workload); }
  bool HasPending(WorkloadId workload) const { return pending_.contains(workload); }

  /// Sum over resources of weight * (consumed + pending), over the queue's weight; +inf when that
  /// is not positive.
  double Value(const AdmissionFairSharingConfig& config, double queue_weight) const;

  /// Takes over what another process recorded.
  void Restore(ResourceList consumed, std::map<WorkloadId, ResourceList> pending,
               TimeNs last_update);

  const ResourceList& consumed() const { return consumed_; }
  TimeNs last_update() const { return last_update_; }
  const std::map<WorkloadId, ResourceList>& pending() const { return pending_; }

 private:
  DurationNs SinceUpdate(TimeNs now) const;
  void Decay(const ResourceList& admitted, const AdmissionFairSharingConfig& config, TimeNs now);

  ResourceList consumed_;
  std::map<WorkloadId, ResourceList> pending_;
  TimeNs last_update_ = kNoTime;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_FAIR_USAGE_H_
