// What a slice asks for beside the workload that it replaces. Its podsets and those are paired by
// position here; what is charged in the end is paired by name (FlavorAssigner::Record).
#include "engine/assign/slice_demand.h"

#include <algorithm>

#include "engine/assign/flavor_assigner.h"
#include "engine/base/amount.h"

namespace muster {

FlavorAssigner::Demand FlavorAssigner::BesideReplaced(const Members& members, Demand demand) const {
  for (ResourceAmount& request : demand) {
    const std::string& resource = world_.names.ResourceName(request.resource);
    for (const std::size_t member : members) {
      if (member >= replaced_.size()) continue;
      request.amount = Sub(request.amount, replaced_[member].AmountOf(resource));
    }
  }
  return demand;
}

std::optional<std::string> FlavorAssigner::OtherThanReplaced(const Members& members,
                                                             const ResourceGroupState& group,
                                                             const Demand& demand,
                                                             const FlavorOption& option) const {
  const std::string& name = world_.names.FlavorName(option.id);
  for (const ResourceAmount& request : demand) {
    const bool covered = std::find(group.resources.begin(), group.resources.end(),
                                   request.resource) != group.resources.end();
    if (!covered) continue;
    const std::string& resource = world_.names.ResourceName(request.resource);
    for (const std::size_t member : members) {
      const std::string* const before =
          member < replaced_.size() ? replaced_[member].FlavorOf(resource) : nullptr;
      if (before != nullptr && *before == name) continue;
      return "could not assign " + name + " flavor since the original workload is assigned: " +
             (before == nullptr ? "none" : *before);
    }
  }
  return std::nullopt;
}

void AddTo(UsageList& usage, FlavorResourceId pair, Amount amount) {
  const auto it = std::lower_bound(usage.begin(), usage.end(), pair,
                                   [](const Usage& u, FlavorResourceId fr) { return u.fr < fr; });
  if (it != usage.end() && it->fr == pair) {
    it->amount = Add(it->amount, amount);
  } else {
    usage.insert(it, Usage{pair, amount});
  }
}

UsageList SliceDemand(const Assignment& assignment, const WorkloadRecord& replaced) {
  const std::vector<HeldPodSet> held = HeldByPodSet(replaced);
  UsageList demand;
  for (std::size_t i = 0; i < assignment.pod_sets.size(); ++i) {
    const std::int32_t count = assignment.pod_sets[i].count;
    const std::int32_t before = i < held.size() ? held[i].count : 0;
    for (const AssignedFlavor& flavor : assignment.pod_sets[i].flavors) {
      const Amount per_pod = count == 0 ? 0 : flavor.amount / count;
      AddTo(demand, flavor.pair, Mul(per_pod, count - before));
    }
  }
  return demand;
}

SharedList<Usage> SliceCharge(const Assignment& assignment) {
  UsageList charge;
  for (const PodSetAssignmentPlan& pod_set : assignment.pod_sets) {
    for (const AssignedFlavor& flavor : pod_set.flavors) {
      AddTo(charge, flavor.pair, flavor.amount);
    }
  }
  return charge.vector();
}

}  // namespace muster
