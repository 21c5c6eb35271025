// See admitted_usage.h.
#include "engine/state/admitted_usage.h"

#include <algorithm>
#include <utility>

#include "engine/base/amount.h"
#include "engine/base/check.h"
#include "engine/state/world.h"

namespace muster {

AdmittedUsage::Total& AdmittedUsage::Of(ResourceId resource) {
  for (Total& total : totals_) {
    if (total.resource == resource) return total;
  }
  return totals_.emplace_back(Total{resource, 0, 0});
}

void AdmittedUsage::Add(const FlavorResources& names, std::span<const Usage> usage) {
  for (const Usage& each : usage) {
    Total& total = Of(names.ResourceOf(each.fr));
    total.amount += each.amount;
    ++total.count;
  }
}

void AdmittedUsage::Remove(const FlavorResources& names, std::span<const Usage> usage) {
  for (const Usage& each : usage) {
    Total& total = Of(names.ResourceOf(each.fr));
    MUSTER_CHECK(total.count > 0 && "I19 admitted usage");
    total.amount -= each.amount;
    --total.count;
  }
  std::erase_if(totals_, [](const Total& total) { return total.count == 0; });
}

ResourceList AdmittedUsage::List(const FlavorResources& names) const {
  ResourceList list;
  for (const Total& total : totals_) {
    const std::string& resource = names.ResourceName(total.resource);
    list[resource] = QuantityOf(resource, total.amount);
  }
  return list;
}

void SyncAdmitted(World& world, WorkloadRecord& workload) {
  const bool admitted = workload.holds() && IsTrue(workload.spec.status, condition::kAdmitted);
  if (admitted != workload.counted_admitted) {
    workload.counted_admitted = admitted;
    // One that holds nothing any more was taken out when it was released.
    world.queue(workload.holds_in).admitted_holders += admitted ? 1 : -1;
  }
  if (!world.catalog.config.admission_fair_sharing) return;
  const bool counts = admitted && workload.roster.valid();
  if (counts == workload.counted) return;
  if (!counts) return DropAdmitted(world, workload);
  workload.counted = true;
  world.local_queue(workload.roster).admitted.Add(world.names, std::as_const(workload).usage);
}

void DropAdmitted(World& world, WorkloadRecord& workload) {
  if (!workload.counted) return;
  workload.counted = false;
  world.local_queue(workload.roster).admitted.Remove(world.names, std::as_const(workload).usage);
}

void DropAdmittedHolder(World& world, WorkloadRecord& workload) {
  if (!workload.counted_admitted) return;
  workload.counted_admitted = false;
  --world.queue(workload.holds_in).admitted_holders;
}

void RecountAdmitted(World& world) {
  for (const auto& queue : world.local_queues) {
    if (queue != nullptr) queue->admitted.Clear();
  }
  for (const auto& workload : world.workloads) {
    if (workload == nullptr) continue;
    workload->counted = false;
    SyncAdmitted(world, *workload);
  }
}

}  // namespace muster
