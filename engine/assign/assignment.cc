// What follows from an assignment: pairs in need of preemption, reason, message.
#include "engine/assign/assignment.h"

#include <set>
#include <utility>

#include "engine/assign/flavor_preference.h"
#include "engine/base/amount.h"
#include "engine/base/sort_once.h"
#include "muster/quantity.h"

namespace muster {
namespace {

std::string Words(const FlavorResources& names, const PodSetAssignmentPlan& pod_set,
                  const Refusal& refusal) {
  if (refusal.kind == Refusal::Kind::kMismatch) {
    return pod_set.mismatches[static_cast<std::size_t>(refusal.limit)];
  }
  const std::string& resource = names.ResourceName(refusal.resource);
  if (refusal.kind == Refusal::Kind::kNotCovered) {
    return "resource " + resource + " unavailable in ClusterQueue";
  }
  const std::string where = resource + " in flavor " + names.FlavorName(refusal.flavor);
  if (refusal.kind == Refusal::Kind::kUnused) {
    return "insufficient unused quota for " + where + ", " +
           FormatAmount(resource, refusal.request) + " more needed";
  }
  return "insufficient quota for " + where + ", previously considered podsets requests (" +
         FormatAmount(resource, refusal.assumed) + ") + current podset request (" +
         FormatAmount(resource, refusal.request) + ") > maximum capacity (" +
         FormatAmount(resource, refusal.limit) + ")";
}

}  // namespace

SharedList<PodSetAssignment> GrantedBy(const FlavorResources& names, const WorkloadRecord& workload,
                                       const Assignment& assignment) {
  if (!assignment.granted.empty()) return assignment.granted;
  std::vector<PodSetAssignment> granted;
  for (std::size_t i = 0; i < assignment.pod_sets.size(); ++i) {
    PodSetAssignment& pod_set = granted.emplace_back();
    pod_set.name = workload.series().pod_sets[i].name;
    pod_set.count = assignment.pod_sets[i].count;
    for (const AssignedFlavor& assigned : assignment.pod_sets[i].flavors) {
      const std::string& resource = names.ResourceName(assigned.resource);
      pod_set.flavors[resource] = names.FlavorName(assigned.flavor);
      pod_set.resource_usage[resource] = QuantityOf(resource, assigned.amount);
    }
    if (assignment.places != nullptr) pod_set.topology = assignment.places->topologies[i];
  }
  return granted;
}

SharedList<Usage> ChargeOf(const Assignment& assignment) {
  return assignment.charge.empty() ? assignment.usage.vector() : assignment.charge;
}

void Assignment::Clear() {
  pod_sets.clear();
  mode = AssignmentMode::kNoFit;
  borrowing_level = 0;
  usage.clear();
  progress = {};
  granted.clear();
  charge.clear();
  places.reset();
  unplaced.clear();
}

std::vector<FlavorResourceId> Assignment::NeedingPreemption() const {
  std::vector<FlavorResourceId> pairs;
  for (const PodSetAssignmentPlan& pod_set : pod_sets) {
    for (const AssignedFlavor& flavor : pod_set.flavors) {
      if (flavor.mode != FlavorMode::kFit) pairs.push_back(flavor.pair);
    }
  }
  SortOnce(pairs);
  return pairs;
}

PendingReason Assignment::NoFitReason() const {
  PendingReason worst = PendingReason::kNone;
  for (const PodSetAssignmentPlan& pod_set : pod_sets) {
    if (pod_set.failed || pod_set.unplaced) worst = MoreSevere(worst, pod_set.reason);
  }
  return worst;
}

std::string Assignment::Message(const FlavorResources& names,
                                const WorkloadRecord& workload) const {
  std::string message;
  for (std::size_t i = 0; i < pod_sets.size(); ++i) {
    const PodSetAssignmentPlan& pod_set = pod_sets[i];
    if (pod_set.refusals.empty() || (pod_set.fits && !pod_set.failed)) continue;
    std::set<std::string> reasons;
    for (const Refusal& refusal : pod_set.refusals) reasons.insert(Words(names, pod_set, refusal));
    if (!message.empty()) message += "; ";
    message += "couldn't assign flavors to pod set " + workload.series().pod_sets[i].name + ": ";
    bool first = true;
    for (const std::string& reason : reasons) {
      message += (std::exchange(first, false) ? "" : ", ") + reason;
    }
  }
  if (!unplaced.empty()) message += (message.empty() ? "" : "; ") + unplaced;
  return message;
}

}  // namespace muster
