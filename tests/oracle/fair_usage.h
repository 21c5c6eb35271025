// Admission fair sharing (section 8 of the reference): what a LocalQueue has used, fading with a
// half-life. Penalties that are not settled yet do not exist here: without admission checks a
// workload is admitted, and settled, in the cycle that reserves its quota.
#ifndef MUSTER_TESTS_ORACLE_FAIR_USAGE_H_
#define MUSTER_TESTS_ORACLE_FAIR_USAGE_H_

#include "muster/spec.h"

namespace muster::oracle {

struct FairUsage {
  ResourceList consumed;
  TimeNs last = kNoTime;  ///< of the last sample or settlement

  double Value(const AdmissionFairSharingConfig& config, double weight) const;
  /// Lets what was consumed fade and takes in `used`, what admitted workloads hold now.
  void Sample(const AdmissionFairSharingConfig& config, const ResourceList& used, TimeNs now);
  /// A workload that asks for `requests` was admitted; `used` has it in already.
  void Settle(const AdmissionFairSharingConfig& config, const ResourceList& used,
              const ResourceList& requests, TimeNs now);
};

}  // namespace muster::oracle

#endif  // MUSTER_TESTS_ORACLE_FAIR_USAGE_H_
