// See slices.h.
#include "engine/kin/slices.h"

#include <algorithm>

#include "engine/base/amount.h"
#include "engine/base/find_named.h"
#include "engine/model/elastic.h"
#include "engine/model/reclaimed_pods.h"

namespace muster {

const std::string* HeldPodSet::FlavorOf(const std::string& resource) const {
  const auto found = assigned->flavors.find(resource);
  return found == assigned->flavors.end() ? nullptr : &found->second;
}

Amount HeldPodSet::AmountOf(const std::string& resource) const {
  const auto total = assigned->resource_usage.find(resource);
  if (total == assigned->resource_usage.end()) return 0;
  const Amount amount = total->second.ToAmount(resource);
  if (assigned->count == count) return amount;
  return assigned->count <= 0 ? 0 : Mul(amount / assigned->count, count);
}

void NoteSlice(World& world, const WorkloadRecord& workload) {
  const SharedMap<LabelMap>& annotations = workload.series().annotations;
  if (annotations.empty() || !annotations.contains(kReplacementForAnnotation)) return;
  world.any_slices = true;
}

std::optional<std::string_view> NamedToReplace(const World& world, const WorkloadRecord& workload) {
  const SharedMap<LabelMap>& annotations = workload.series().annotations;
  if (annotations.empty()) return std::nullopt;
  const auto named = annotations.find(kReplacementForAnnotation);
  if (named == annotations.end() || !world.catalog.Gate(kSlicesGate, true)) return std::nullopt;
  return named->second;
}

const WorkloadRecord* FindReplaced(const World& world, const WorkloadRecord& workload) {
  const auto named = NamedToReplace(world, workload);
  const std::optional<Key> key = named ? ParseSliceKey(*named) : std::nullopt;
  if (!key || key->ns != workload.spec.key.ns) return nullptr;
  const WorkloadRecord* const old = world.FindWorkload(*key);
  const bool pairs =
      old != nullptr && old != &workload && old->holds() && old->holds_in == workload.queue;
  return pairs ? old : nullptr;
}

WorkloadId FindWaiting(const World& world, const WorkloadRecord& slice) {
  if (!world.any_slices || world.catalog.engine_config.overcommit_as_kueue) return {};
  const auto named = NamedToReplace(world, slice);
  const std::optional<Key> key = named ? ParseSliceKey(*named) : std::nullopt;
  if (!key || key->ns != slice.spec.key.ns) return {};
  const WorkloadRecord* const old = world.FindWorkload(*key);
  const bool waits = old != nullptr && old != &slice && !old->holds() &&
                     !IsTrue(old->spec.status, condition::kFinished);
  return waits ? old->id() : WorkloadId{};
}

std::vector<HeldPodSet> HeldByPodSet(const WorkloadRecord& holder) {
  std::vector<HeldPodSet> held;
  if (!holder.spec.status.admission) return held;
  for (const PodSetAssignment& assigned : holder.spec.status.admission->pod_sets) {
    const PodSet* const spec = FindNamed(holder.series().pod_sets, assigned.name);
    const std::int32_t granted = std::max(assigned.count, 0);
    const std::int32_t rest =
        spec == nullptr
            ? granted
            : spec->count -
                  std::min(ReclaimedPods(holder.spec.status.rare->reclaimable_pods, spec->name),
                           spec->count);
    held.push_back({&assigned, std::min(granted, rest)});
  }
  return held;
}

const HeldPodSet* FindHeld(const std::vector<HeldPodSet>& held, std::string_view pod_set) {
  const auto found = std::find_if(held.begin(), held.end(), [&](const HeldPodSet& each) {
    return each.assigned->name == pod_set;
  });
  return found == held.end() ? nullptr : &*found;
}

UsageList Growth(const UsageList& usage) {
  UsageList growth;
  for (const Usage& each : usage) growth.push_back({each.fr, std::max<Amount>(0, each.amount)});
  return growth;
}

}  // namespace muster
