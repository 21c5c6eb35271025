// Variants among the entries of a cycle: a job moves to a flavor that it prefers.
#include <string>

#include "engine/cycle/process.h"
#include "engine/kin/variants.h"

namespace muster {

void EntryProcessor::Migrate(Entry& entry, const WorkloadRecord& sibling) {
  tentative_.push_back(world_.queue(entry.queue).tree);
  const WorkloadRecord& variant = world_.workload(entry.workload);
  if (auto why = WhyNoMigration(world_, variant)) {
    const auto& policy = world_.queue(entry.queue).spec.concurrent_admission;
    entry.starts_over = policy->mode == MigrationMode::kRetainFirstAdmission;  // no other flavor
    return Settle(entry, Outcome::kNotNominated, RequeueReason::kGeneric,
                  PendingReason::kPendingEvaluation, *why);
  }
  entry.starts_over = true;
  entry.migrates = sibling.id();
  Settle(entry, Outcome::kMigrating, RequeueReason::kPendingPreemption,
         PendingReason::kWaitingForPreemptedWorkloads,
         "Pending the migration of " + sibling.spec.key.ToString());
}

}  // namespace muster
