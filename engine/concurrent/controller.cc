// See controller.h.
#include "engine/concurrent/controller.h"

#include <set>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/concurrent/job_pass.h"
#include "engine/kin/variants.h"
#include "engine/state/variant_marks.h"

namespace muster {
namespace {

/// More than any chain of causes within one call has.
constexpr int kMostPasses = 100;

/// Jobs of which something has changed in this call, and what may become one.
std::set<WorkloadId> TakeDue(World& world) {
  std::set<WorkloadId> due = std::exchange(world.jobs_due, {});
  for (const WorkloadId id : world.changes.workloads) {
    const WorkloadRecord& workload = world.workload(id);
    if (workload.is_job || WantsVariants(world, workload)) {
      due.insert(id);
    } else if (workload.of_job) {
      if (const WorkloadRecord* job = JobOf(world, workload)) due.insert(job->id());
    }
  }
  return due;
}

/// The variant of that name that was made for a job; null: it is no such.
const WorkloadRecord* FindVariant(const World& world, const Key& key) {
  const WorkloadRecord* const workload = world.FindWorkload(key);
  return workload != nullptr && workload->of_job ? workload : nullptr;
}

/// Names the job instead of its variant.
void NameJob(const World& world, Key& key) {
  const WorkloadRecord* const variant = FindVariant(world, key);
  const WorkloadRecord* const job = variant == nullptr ? nullptr : JobOf(world, *variant);
  if (job != nullptr) key = job->spec.key;
}

}  // namespace

void LookAtAllJobs(World& world) {
  for (const auto& [job, variants] : world.jobs) world.jobs_due.insert(job);
  if (!MakesVariants(world)) return;
  for (const auto& [name, id] : world.queue_ids) {
    if (!world.queue(id).spec.concurrent_admission) continue;
    const auto naming = world.local_queues_naming.find(name);
    if (naming == world.local_queues_naming.end()) continue;
    for (const LocalQueueId local_queue : naming->second) {
      for (const WorkloadId each : world.WorkloadsOf(world.local_queue(local_queue))) {
        if (WantsVariants(world, world.workload(each))) world.jobs_due.insert(each);
      }
    }
  }
}

bool ReconcileDueJobs(World& world) {
  bool changed = false;
  for (const WorkloadId id : world.InNameOrder(TakeDue(world))) {
    for (int passes = 0; JobPass(world, world.workload(id)).Run(); ++passes) {
      changed = true;
      MUSTER_CHECK(passes < kMostPasses && "I22 jobs settle");
    }
  }
  return changed;
}

void TellOfKnownJobs(const World& world, CycleResult& result) {
  std::erase_if(result.admitted, [&](AdmittedWorkload& each) {
    const WorkloadRecord* const variant = FindVariant(world, each.workload);
    if (variant == nullptr) return false;
    const WorkloadRecord& job = *JobOf(world, *variant);
    if (!IsTrue(variant->spec.status, condition::kAdmitted)) return !variant->holds();
    if (job.evicted || &RunnerOf(world, job) != variant) return true;
    each.workload = job.spec.key;
    each.admitted = true;
    return false;
  });
  std::erase_if(result.preempted, [&](PreemptedWorkload& each) {
    if (each.reason != PreemptionReason::kFlavorMigration) NameJob(world, each.by);
    const bool of_job = FindVariant(world, each.workload) != nullptr;
    NameJob(world, each.workload);
    return of_job && !world.FindWorkload(each.workload)->evicted;
  });
}

}  // namespace muster
