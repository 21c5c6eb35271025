// See variants.h.
#include "engine/kin/variants.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "engine/model/concurrent.h"

namespace muster {
namespace {

/// The place of a flavor among those of the queue, from the most preferred.
std::optional<std::size_t> PlaceOf(const ClusterQueueState& queue, std::string_view flavor) {
  if (queue.spec.resource_groups.empty()) return std::nullopt;
  const std::vector<FlavorQuotas>& flavors = queue.spec.resource_groups.front().flavors;
  const auto found = std::find_if(flavors.begin(), flavors.end(),
                                  [&](const FlavorQuotas& each) { return each.name == flavor; });
  if (found == flavors.end()) return std::nullopt;
  return static_cast<std::size_t>(found - flavors.begin());
}

std::optional<std::size_t> PlaceOf(const ClusterQueueState& queue, const WorkloadRecord& variant) {
  auto allowed = AllowedFlavors(variant.series().annotations);
  return allowed ? PlaceOf(queue, NextFlavor(*allowed)) : std::nullopt;
}

}  // namespace

const WorkloadRecord* AdmittedSibling(const World& world, const WorkloadRecord& workload,
                                      Preferred than_its) {
  if (!world.any_variants || !IsVariant(workload) || !workload.queue.valid()) return nullptr;
  if (!world.catalog.Gate(kConcurrentAdmissionGate, false)) return nullptr;
  const ClusterQueueState& queue = world.queue(workload.queue);
  const auto own = PlaceOf(queue, workload);
  if (!own) return nullptr;
  const std::string& parent = workload.series().variant_of->uid;
  const WorkloadRecord* best = nullptr;
  std::size_t best_place = 0;
  queue.holders.ForEach([&](const WorkloadRecord& holder) {
    if (&holder == &workload || !IsVariant(holder)) return;
    if (holder.series().variant_of->uid != parent) return;
    if (!IsTrue(holder.spec.status, condition::kAdmitted)) return;
    const auto place = PlaceOf(queue, holder);
    if (!place || *place == *own || (*place < *own) != (than_its == Preferred::kMore)) return;
    const bool first = best == nullptr || *place < best_place ||
                       (*place == best_place && holder.spec.key < best->spec.key);
    if (!first) return;
    best = &holder;
    best_place = *place;
  });
  return best;
}

std::optional<std::string> WhyNoMigration(const World& world, const WorkloadRecord& variant) {
  const ClusterQueueState& queue = world.queue(variant.queue);
  const auto& policy = queue.spec.concurrent_admission;
  if (!policy) return std::nullopt;
  // Kueue's scheduler does not read the mode: its controller deactivates the others, but later.
  if (policy->mode == MigrationMode::kRetainFirstAdmission &&
      !world.catalog.engine_config.overcommit_as_kueue) {
    return "The job stays where it was admitted first";
  }
  const auto last = PlaceOf(queue, policy->last_acceptable_flavor);
  if (!last || PlaceOf(queue, variant) <= last) return std::nullopt;
  return "Target flavor is below LastAcceptableFlavorName";
}

}  // namespace muster
