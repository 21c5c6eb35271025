// The fungibility rules.
#include "engine/assign/flavor_preference.h"

namespace muster {
namespace {

int Severity(PendingReason reason) {
  switch (reason) {
    case PendingReason::kNoMatchingFlavor:
      return 5;
    case PendingReason::kExceedsMaxQuota:
      return 4;
    case PendingReason::kWaitingForQuota:
      return 3;
    case PendingReason::kOnHold:
      return 2;
    case PendingReason::kTopologyPlacementFailed:
      return 1;
    default:
      return 0;
  }
}

}  // namespace

bool IsPreferred(FlavorFit a, FlavorFit b, const FlavorFungibility& fungibility) {
  if (a.mode == FlavorMode::kNoFit) return false;
  if (b.mode == FlavorMode::kNoFit) return true;
  if ((a.mode == FlavorMode::kNoCandidates) != (b.mode == FlavorMode::kNoCandidates)) {
    return b.mode == FlavorMode::kNoCandidates;
  }
  const bool level_first =
      fungibility.preference == FungibilityPreference::kPreemptionOverBorrowing;
  if (level_first && a.level != b.level) return a.level < b.level;
  if (a.mode != b.mode) return a.mode > b.mode;
  return a.level < b.level;
}

bool ShouldTryNextFlavor(FlavorFit fit, const FlavorFungibility& fungibility) {
  if (fit.mode == FlavorMode::kNoFit || fit.mode == FlavorMode::kNoCandidates) return true;
  if (fit.mode != FlavorMode::kFit &&
      fungibility.when_can_preempt == FungibilityPolicy::kTryNextFlavor) {
    return true;
  }
  return fit.level > 0 && fungibility.when_can_borrow == FungibilityPolicy::kTryNextFlavor;
}

PendingReason MoreSevere(PendingReason a, PendingReason b) {
  return Severity(b) > Severity(a) ? b : a;
}

PendingReason LessSevere(PendingReason a, PendingReason b) {
  return Severity(b) < Severity(a) ? b : a;
}

}  // namespace muster
