// See known_fits.h.
#include "engine/assign/known_fits.h"

#include <algorithm>
#include <utility>

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

bool KnownFits::FitsAgain(const QuotaTree& tree, NodeIndex node, const Known& known) {
  return std::all_of(known.fits.begin(), known.fits.end(), [&](const Fit& fit) {
    const Column column = tree.ColumnOf(fit.pair);
    return fit.amount <= tree.Potential(node, column) &&
           fit.amount <= std::max<Amount>(0, tree.Available(node, column)) &&
           tree.LevelOf(node, column, fit.amount).level == fit.level;
  });
}

void KnownFits::Begin(const World& world) {
  const std::size_t most = std::max(kMost, 2 * world.queues.size());
  if (epoch_ != world.catalog_epoch || known_.size() > most) {
    latest_.clear();
    known_.clear();
    epoch_ = world.catalog_epoch;
  }
  latest_.resize(world.queues.size());
}

const Assignment* KnownFits::Find(const World& world, const ClusterQueueState& queue,
                                  const WorkloadRecord& workload) {
  if (!world.capacity.FollowsFromQuota()) return nullptr;
  const QuotaTree& tree = world.tree_of(queue);
  const Known*& latest = latest_[queue.id.value];
  if (latest != nullptr && latest->form == workload.form() &&
      FitsAgain(tree, queue.node, *latest)) {
    return &latest->assignment;
  }
  const auto [begin, end] = known_.equal_range({workload.form(), queue.offer});
  const auto fit = std::find_if(
      begin, end, [&](const auto& entry) { return FitsAgain(tree, queue.node, entry.second); });
  if (fit == end) return nullptr;
  latest = &fit->second;
  return &latest->assignment;
}

void KnownFits::Remember(const World& world, const ClusterQueueState& queue,
                         const WorkloadRecord& workload, const Assignment& assignment) {
  if (!world.capacity.FollowsFromQuota() || !CanBeTakenOver(queue, workload, assignment)) return;
  const Asked asked{workload.form(), queue.offer};
  if (known_.count(asked) >= kMostVariants) return;
  Known known;
  known.form = workload.form();
  for (const PodSetAssignmentPlan& pod_set : assignment.pod_sets) {
    for (const AssignedFlavor& flavor : pod_set.flavors) {
      known.fits.push_back({flavor.pair, flavor.level, flavor.amount});
    }
  }
  known.assignment = assignment;
  known.assignment.granted = GrantedBy(world.names, workload, assignment);
  known.assignment.charge = ChargeOf(assignment);
  latest_[queue.id.value] = &known_.emplace(asked, std::move(known))->second;
}

}  // namespace muster
