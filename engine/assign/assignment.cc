// What follows from an assignment: pairs in need of preemption, reason, message.
#include "engine/assign/assignment.h"

#include <algorithm>

#include "engine/assign/flavor_preference.h"

namespace muster {

std::vector<FlavorResourceId> Assignment::NeedingPreemption() const {
  std::vector<FlavorResourceId> pairs;
  for (const PodSetAssignmentPlan& pod_set : pod_sets) {
    for (const AssignedFlavor& flavor : pod_set.flavors) {
      if (flavor.mode != FlavorMode::kFit) pairs.push_back(flavor.pair);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

PendingReason Assignment::NoFitReason() const {
  PendingReason worst = PendingReason::kNone;
  for (const PodSetAssignmentPlan& pod_set : pod_sets) {
    if (pod_set.failed) worst = MoreSevere(worst, pod_set.reason);
  }
  return worst;
}

std::string Assignment::Message(const WorkloadRecord& workload) const {
  std::string message;
  for (std::size_t i = 0; i < pod_sets.size(); ++i) {
    const PodSetAssignmentPlan& pod_set = pod_sets[i];
    if (pod_set.refusals.empty() || (pod_set.fits && !pod_set.failed)) continue;
    std::vector<std::string> reasons = pod_set.refusals;
    std::sort(reasons.begin(), reasons.end());
    reasons.erase(std::unique(reasons.begin(), reasons.end()), reasons.end());
    if (!message.empty()) message += "; ";
    message += "couldn't assign flavors to pod set " + workload.spec.pod_sets[i].name + ": ";
    for (std::size_t r = 0; r < reasons.size(); ++r) message += (r ? ", " : "") + reasons[r];
  }
  return message;
}

}  // namespace muster
