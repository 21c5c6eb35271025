// See variant_marks.h.
#include "engine/state/variant_marks.h"

#include "engine/model/concurrent.h"

namespace muster {
namespace {

bool HasParentLabel(const WorkloadRecord& workload) {
  const SharedMap<LabelMap>& labels = workload.series().labels;
  if (labels.empty()) return false;
  const auto label = labels.find(kVariantsParentLabel);
  return label != labels.end() && label->second == "true";
}

bool IsOn(const World& world) { return world.catalog.Gate(kConcurrentAdmissionGate, false); }

}  // namespace

void NoteVariant(World& world, const WorkloadRecord& workload) {
  if (world.any_variants) return;
  world.any_variants = IsVariant(workload) || HasParentLabel(workload) ||
                       AllowedFlavors(workload.series().annotations).has_value();
}

bool TakesVariantsOnly(const World& world, const ClusterQueueState& queue) {
  return queue.spec.concurrent_admission.has_value() && IsOn(world);
}

bool IsStoodFor(const World& world, const WorkloadRecord& workload) {
  if (IsVariant(workload)) return false;
  if (world.any_variants && HasParentLabel(workload) && IsOn(world)) return true;
  return workload.queue.valid() && TakesVariantsOnly(world, world.queue(workload.queue));
}

bool IsCharged(const World& world, const WorkloadRecord& workload, const ClusterQueueState& queue) {
  return IsVariant(workload) || !world.catalog.engine_config.overcommit_as_kueue ||
         !TakesVariantsOnly(world, queue);
}

std::optional<std::string_view> AllowedFlavors(const World& world, const WorkloadRecord& workload) {
  const SharedMap<LabelMap>& annotations = workload.series().annotations;
  return annotations.empty() || !IsOn(world) ? std::nullopt : AllowedFlavors(annotations);
}

}  // namespace muster
