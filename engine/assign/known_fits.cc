// See known_fits.h.
#include "engine/assign/known_fits.h"

#include <algorithm>

#include "engine/assign/flavor_preference.h"

namespace muster {
namespace {

/// Whether the walk over the group of this resource took its first flavor and went no further.
bool IsFirstAndLast(const ClusterQueueState& queue, const AssignedFlavor& flavor) {
  const int group = queue.GroupOf(flavor.resource);
  if (group < 0) return false;
  const ResourceGroupState& state = queue.groups[static_cast<std::size_t>(group)];
  return state.flavors.front().id == flavor.flavor && flavor.mode == FlavorMode::kFit &&
         !ShouldTryNextFlavor({flavor.mode, flavor.level}, queue.spec.flavor_fungibility);
}

bool CanBeTakenOver(const ClusterQueueState& queue, const WorkloadRecord& workload,
                    const Assignment& assignment) {
  if (assignment.mode != AssignmentMode::kFit) return false;
  std::size_t flavors = 0;
  for (std::size_t i = 0; i < assignment.pod_sets.size(); ++i) {
    const PodSetAssignmentPlan& pod_set = assignment.pod_sets[i];
    if (pod_set.failed || !pod_set.fits || !pod_set.refusals.empty()) return false;
    if (pod_set.count != workload.pod_sets[i].effective_count) return false;  // partial admission
    flavors += pod_set.flavors.size();
    const bool first =
        std::all_of(pod_set.flavors.begin(), pod_set.flavors.end(),
                    [&](const AssignedFlavor& flavor) { return IsFirstAndLast(queue, flavor); });
    if (!first) return false;
  }
  return flavors == assignment.usage.size();
}

}  // namespace

bool KnownFits::FitsAgain(const QuotaTree& tree, NodeIndex node, const Fit& fit) {
  const Column column = tree.ColumnOf(fit.pair);
  return fit.amount <= tree.Potential(node, column) &&
         fit.amount <= std::max<Amount>(0, tree.Available(node, column)) &&
         tree.LevelOf(node, column, fit.amount).level == fit.level;
}

KnownFits::Slot& KnownFits::SlotOf(const World& world, QueueId queue) {
  if (epoch_ != world.catalog_epoch) {
    epoch_ = world.catalog_epoch;
    slots_.clear();
  }
  if (queue.value >= slots_.size()) slots_.resize(world.queues.size());
  return slots_[queue.value];
}

const Assignment* KnownFits::Find(const World& world, const ClusterQueueState& queue,
                                  const WorkloadRecord& workload) {
  const Slot& slot = SlotOf(world, queue.id);
  if (!slot.used || slot.form != workload.form()) return nullptr;
  const QuotaTree& tree = world.tree_of(queue);
  const bool fits = std::all_of(slot.fits.begin(), slot.fits.end(),
                                [&](const Fit& fit) { return FitsAgain(tree, queue.node, fit); });
  return fits ? &slot.assignment : nullptr;
}

void KnownFits::Remember(const World& world, const ClusterQueueState& queue,
                         const WorkloadRecord& workload, const Assignment& assignment) {
  if (!CanBeTakenOver(queue, workload, assignment)) return;
  Slot& slot = SlotOf(world, queue.id);
  slot.used = true;
  slot.form = workload.form();
  slot.fits.clear();
  for (const PodSetAssignmentPlan& pod_set : assignment.pod_sets) {
    for (const AssignedFlavor& flavor : pod_set.flavors) {
      slot.fits.push_back({flavor.pair, flavor.level, flavor.amount});
    }
  }
  slot.assignment = assignment;
  slot.assignment.granted = GrantedBy(world.names, workload, assignment);
  slot.assignment.charge = ChargeOf(assignment);
}

}  // namespace muster
