// RequeueReason: why a head goes back to its queue.
#ifndef MUSTER_ENGINE_LIFE_REQUEUE_REASON_H_
#define MUSTER_ENGINE_LIFE_REQUEUE_REASON_H_

#include <cstdint>

namespace muster {

/// Decides between heap and parking.
enum class RequeueReason : std::uint8_t {
  kGeneric,  ///< never nominated for a reason of its own
  kFailedAfterNomination,
  kNamespaceMismatch,
  kPreemptionGated,
  kPendingPreemption,
  kNoFit,
  kPreemptionNoCandidates,
  kOnHold,
};

}  // namespace muster

#endif  // MUSTER_ENGINE_LIFE_REQUEUE_REASON_H_
