// Which flavor is better, when to stop looking, and which refusal weighs more.
#ifndef MUSTER_ENGINE_ASSIGN_FLAVOR_PREFERENCE_H_
#define MUSTER_ENGINE_ASSIGN_FLAVOR_PREFERENCE_H_

#include <cstdint>

#include "muster/decision.h"
#include "muster/spec.h"
#include "muster/trace.h"

namespace muster {

/// How well one flavor serves a resource, or a whole group of them.
struct FlavorFit {
  FlavorMode mode = FlavorMode::kNoFit;
  std::int32_t level = 0;  ///< borrowing level
};

/// Whether `a` is strictly better than `b`. A flavor that does not fit beats nothing; one without
/// candidates loses to every viable one; then mode before level, or level before mode under
/// PreemptionOverBorrowing.
bool IsPreferred(FlavorFit a, FlavorFit b, const FlavorFungibility& fungibility);

/// Whether the walk goes on to the next flavor after one that fits like this.
bool ShouldTryNextFlavor(FlavorFit fit, const FlavorFungibility& fungibility);

/// NoMatchingFlavor > ExceedsMaxQuota > WaitingForQuota > TopologyPlacementFailed > anything else.
PendingReason MoreSevere(PendingReason a, PendingReason b);
PendingReason LessSevere(PendingReason a, PendingReason b);

}  // namespace muster

#endif  // MUSTER_ENGINE_ASSIGN_FLAVOR_PREFERENCE_H_
