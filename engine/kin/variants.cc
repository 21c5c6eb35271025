// See variants.h.
#include "engine/kin/variants.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/concurrent.h"
#include "engine/model/limits.h"

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

bool IsAdmittedNow(const WorkloadRecord& workload) {
  return IsTrue(workload.spec.status, condition::kAdmitted);
}

bool OnSameFlavors(const Admission& a, const Admission& b) {
  return std::equal(a.pod_sets.begin(), a.pod_sets.end(), b.pod_sets.begin(), b.pod_sets.end(),
                    [](const PodSetAssignment& x, const PodSetAssignment& y) {
                      return x.name == y.name && x.flavors == y.flavors;
                    });
}

/// Calls `look` with each workload that may be a sibling of the variant and hold quota.
template <typename Look>
void ForEachSibling(const World& world, const WorkloadRecord& variant, const Look& look) {
  const WorkloadRecord* const job = variant.of_job ? JobOf(world, variant) : nullptr;
  if (job == nullptr) return world.queue(variant.queue).holders.ForEach(look);
  for (const WorkloadId id : world.jobs.find(job->id())->second) look(world.workload(id));
}

}  // namespace

std::optional<std::size_t> PreferenceOf(const ClusterQueueState& queue,
                                        const WorkloadRecord& variant) {
  auto allowed = AllowedFlavors(variant.series().annotations);
  return allowed ? PlaceOf(queue, NextFlavor(*allowed)) : std::nullopt;
}

std::vector<WorkloadId> VariantsOf(const World& world, const WorkloadRecord& job) {
  const auto found = world.jobs.find(job.id());
  if (found == world.jobs.end()) return {};
  std::vector<std::pair<std::size_t, WorkloadId>> ranked;
  for (const WorkloadId id : found->second) {
    std::optional<std::size_t> place;
    if (job.queue.valid()) place = PreferenceOf(world.queue(job.queue), world.workload(id));
    ranked.emplace_back(place.value_or(kMaxVariants), id);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<WorkloadId> variants;
  variants.reserve(ranked.size());
  for (const auto& [place, id] : ranked) variants.push_back(id);
  return variants;
}

const WorkloadRecord* RunningVariant(const World& world, const WorkloadRecord& job) {
  const KeptStatus& status = job.spec.status;
  const bool told = IsTrue(status, condition::kQuotaReserved) && status.admission;
  for (const WorkloadId id : VariantsOf(world, job)) {
    const WorkloadRecord& variant = world.workload(id);
    if (!IsAdmittedNow(variant)) continue;
    if (!told || OnSameFlavors(*variant.spec.status.admission, *status.admission)) return &variant;
  }
  return nullptr;
}

const WorkloadRecord& RunnerOf(const World& world, const WorkloadRecord& workload) {
  const WorkloadRecord* const variant =
      workload.is_job && IsAdmittedNow(workload) ? RunningVariant(world, workload) : nullptr;
  return variant == nullptr ? workload : *variant;
}

const WorkloadRecord* AdmittedSibling(const World& world, const WorkloadRecord& workload,
                                      Preferred than_its) {
  if (!world.any_variants || !IsVariant(workload) || !workload.queue.valid()) return nullptr;
  if (!world.catalog.Gate(kConcurrentAdmissionGate, false)) return nullptr;
  const ClusterQueueState& queue = world.queue(workload.queue);
  const auto own = PreferenceOf(queue, workload);
  if (!own) return nullptr;
  const std::string& parent = workload.series().variant_of->uid;
  const WorkloadRecord* best = nullptr;
  std::size_t best_place = 0;
  ForEachSibling(world, workload, [&](const WorkloadRecord& holder) {
    if (&holder == &workload || !IsVariant(holder) || holder.holds_in != queue.id) return;
    if (holder.series().variant_of->uid != parent) return;
    if (!IsTrue(holder.spec.status, condition::kAdmitted)) return;
    const auto place = PreferenceOf(queue, holder);
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
  if (!last || PreferenceOf(queue, variant) <= last) return std::nullopt;
  return "Target flavor is below LastAcceptableFlavorName";
}

}  // namespace muster
