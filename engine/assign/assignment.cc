// What follows from an assignment: pairs in need of preemption, reason, message.
#include "engine/assign/assignment.h"

#include <map>
#include <set>
#include <string>
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

/// A podset that asks for nothing has the flavors of the other one of its group, and so its nodes.
std::map<std::string, std::string, std::less<>> FlavorsOfGroup(const FlavorResources& names,
                                                               const WorkloadRecord& workload,
                                                               const Assignment& assignment,
                                                               std::size_t pod_set) {
  std::map<std::string, std::string, std::less<>> flavors;
  const SharedList<PodSet>& pod_sets = workload.series().pod_sets;
  if (!pod_sets[pod_set].topology || pod_sets[pod_set].topology->pod_set_group.empty()) {
    return flavors;
  }
  for (std::size_t i = 0; i < assignment.pod_sets.size(); ++i) {
    if (!pod_sets[i].topology ||
        pod_sets[i].topology->pod_set_group != pod_sets[pod_set].topology->pod_set_group) {
      continue;
    }
    for (const AssignedFlavor& assigned : assignment.pod_sets[i].flavors) {
      flavors[names.ResourceName(assigned.resource)] = names.FlavorName(assigned.flavor);
    }
  }
  return flavors;
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
    if (pod_set.flavors.empty()) pod_set.flavors = FlavorsOfGroup(names, workload, assignment, i);
    if (assignment.places != nullptr) pod_set.topology = assignment.places->topologies[i];
  }
  return granted;
}

SharedList<Usage> ChargeOf(const Assignment& assignment) {
  return assignment.charge.empty() ? assignment.usage.vector() : assignment.charge;
}

Text MessageOf(const FlavorResources& names, const WorkloadRecord& workload,
               const Assignment& assignment) {
  if (!assignment.why.empty()) return assignment.why;
  return assignment.Message(names, workload);
}

void Assignment::Clear() {
  pod_sets.clear();
  mode = AssignmentMode::kNoFit;
  borrowing_level = 0;
  usage.clear();
  progress = {};
  granted.clear();
  charge.clear();
  why.clear();
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
