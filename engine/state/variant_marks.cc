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

bool MakesVariantsByGate(const World& world) {
  return !world.catalog.engine_config.overcommit_as_kueue && IsOn(world);
}

bool WantsVariants(const World& world, const WorkloadRecord& workload) {
  return workload.queue.valid() && !IsVariant(workload) && MakesVariants(world) &&
         TakesVariantsOnly(world, world.queue(workload.queue)) && !HasParentLabel(workload);
}

const WorkloadRecord* JobOf(const World& world, const WorkloadRecord& variant) {
  if (!IsVariant(variant)) return nullptr;
  const ParentWorkload& parent = *variant.series().variant_of;
  const WorkloadRecord* const job = world.FindWorkload(Key{variant.spec.key.ns, parent.name});
  const bool is_it = job != nullptr && job->is_job && job->uid() == std::string_view(parent.uid);
  return is_it ? job : nullptr;
}

void JoinJob(World& world, const WorkloadRecord& job, WorkloadRecord& variant) {
  variant.of_job = true;
  world.jobs[job.id()].insert(variant.id());
}

void RestoreJobs(World& world) {
  for (const auto& workload : world.workloads) {
    if (workload != nullptr && workload->is_job) world.jobs[workload->id()];
  }
  if (world.jobs.empty()) return;
  for (const auto& workload : world.workloads) {
    if (workload == nullptr) continue;
    if (const WorkloadRecord* job = JobOf(world, *workload)) JoinJob(world, *job, *workload);
  }
}

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
  if (workload.is_job) return true;
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
