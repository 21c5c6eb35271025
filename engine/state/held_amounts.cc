// See held_amounts.h.
#include "engine/state/held_amounts.h"

#include <algorithm>
#include <map>
#include <string>

#include "engine/base/amount.h"
#include "engine/state/world.h"

namespace muster {

bool operator==(const HeldAmounts& a, const HeldAmounts& b) {
  const std::size_t size = std::max(a.held_.size(), b.held_.size());
  for (std::uint32_t r = 0; r < size; ++r) {
    if (a.Of(ResourceId{r}) != b.Of(ResourceId{r})) return false;
  }
  return true;
}

std::string TooMuchHeld(const FlavorResources& names, ResourceId resource) {
  const std::string& name = names.ResourceName(resource);
  return "All workloads together may hold at most " + QuantityOf(name, kMostHeld).ToString() + " " +
         name + ", which is as much as can be counted; others must end first";
}

ResourceId BeyondCounting(const World& world, std::span<const Usage> usage) {
  return HeldAmounts().AddWithin(world.names, usage, world.held);
}

std::vector<Problem> HoldingTooMuch(const World& world, std::span<const Object> objects) {
  std::vector<Problem> problems;
  std::map<std::string, Amount, std::less<>> sums;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto* workload = std::get_if<Workload>(&objects[i]);
    if (workload == nullptr || !workload->status.admission) continue;
    if (world.FindWorkload(workload->key) != nullptr) continue;  // what it holds stays what it was
    const SharedList<PodSetAssignment>& pod_sets = workload->status.admission->pod_sets;
    for (std::size_t p = 0; p < pod_sets.size(); ++p) {
      for (const auto& [resource, quantity] : pod_sets[p].resource_usage) {
        Amount& sum = sums.try_emplace(resource).first->second;
        const Amount held = world.held.Of(world.names.FindResource(resource));
        const Amount before = Add(held, sum);
        sum = Add(sum, std::max<Amount>(0, quantity.ToAmount(resource)));
        if (before > kMostHeld || Add(held, sum) <= kMostHeld) continue;  // said once, or fine
        problems.push_back({i,
                            "status.admission.podSetAssignments[" + std::to_string(p) +
                                "].resourceUsage[" + resource + "]",
                            quantity.ToString() + " beside " +
                                QuantityOf(resource, before).ToString() +
                                " that workloads hold already: together they may hold at most " +
                                QuantityOf(resource, kMostHeld).ToString() + " " + resource,
                            "write what its pods use, or let others finish first"});
      }
    }
  }
  return problems;
}

}  // namespace muster
