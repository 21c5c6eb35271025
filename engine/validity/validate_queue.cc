// Rules of ClusterQueue, Cohort and LocalQueue.
#include "engine/model/limits.h"
#include "engine/model/names.h"
#include "engine/validity/validate_kinds.h"
#include "engine/validity/validate_rules.h"

namespace muster {
namespace {

void CheckFungibility(const FieldPath& path, const FlavorFungibility& fungibility,
                      ProblemList& problems) {
  const bool both_try_next = fungibility.when_can_borrow == FungibilityPolicy::kTryNextFlavor &&
                             fungibility.when_can_preempt == FungibilityPolicy::kTryNextFlavor;
  if (fungibility.preference && !both_try_next) {
    problems.Add(path.Child("preference"), "a preference needs both policies to try on",
                 "write whenCanBorrow: TryNextFlavor and whenCanPreempt: TryNextFlavor");
  }
}

void CheckPreemption(const FieldPath& path, const PreemptionRules& rules, ProblemList& problems) {
  if (rules.within_cluster_queue == PreemptionPolicy::kAny) {
    problems.Add(path.Child("withinClusterQueue"), "Any is not a policy within a ClusterQueue",
                 "write Never, LowerPriority or LowerOrNewerEqualPriority");
  }
  if (rules.reclaim_within_cohort == PreemptionPolicy::kLowerOrNewerEqualPriority) {
    problems.Add(path.Child("reclaimWithinCohort"),
                 "LowerOrNewerEqualPriority is not a policy for reclaiming",
                 "write Never, LowerPriority or Any");
  }
  const FieldPath borrow = path.Child("borrowWithinCohort");
  const FieldPath policy = borrow.Child("policy");
  if (rules.borrow_within_cohort != PreemptionPolicy::kNever &&
      rules.borrow_within_cohort != PreemptionPolicy::kLowerPriority) {
    problems.Add(
        policy,
        std::string(EnumName(rules.borrow_within_cohort)) + " is not a policy for borrowing",
        "write Never or LowerPriority");
  }
  if (rules.borrow_within_cohort != PreemptionPolicy::kNever &&
      rules.reclaim_within_cohort == PreemptionPolicy::kNever) {
    problems.AddTolerable(policy, "preempting while borrowing needs reclaimWithinCohort",
                          "write policy: Never, or set reclaimWithinCohort");
  }
}

bool Declares(const ClusterQueue& queue, std::string_view flavor) {
  for (const ResourceGroup& group : queue.resource_groups) {
    for (const FlavorQuotas& quotas : group.flavors) {
      if (quotas.name == flavor) return true;
    }
  }
  return false;
}

void CheckAdmissionChecks(const FieldPath& list, const ClusterQueue& queue, ProblemList& problems) {
  CheckSize(list, queue.admission_checks.size(), kMaxAdmissionChecks, problems);
  UniqueNames unique;
  for (std::size_t i = 0; i < queue.admission_checks.size(); ++i) {
    const AdmissionCheckRule& check = queue.admission_checks[i];
    const FieldPath item = list.At(i);
    CheckName(item.Child("name"), check.name, problems);
    unique.Check(item.Child("name"), check.name, problems);
    const FieldPath flavors = item.Child("onFlavors");
    CheckSize(flavors, check.on_flavors.size(), kMaxCheckFlavors, problems);
    CheckUnique(flavors, check.on_flavors, problems);
    for (std::size_t f = 0; f < check.on_flavors.size(); ++f) {
      if (Declares(queue, check.on_flavors[f])) continue;
      problems.Add(flavors.At(f),
                   "flavor " + Quote(check.on_flavors[f]) + " is not one of this ClusterQueue",
                   "name a flavor of its resourceGroups, or remove it");
    }
  }
}

void CheckConcurrentAdmission(const FieldPath& path, const ClusterQueue& queue,
                              ProblemList& problems) {
  const ConcurrentAdmission& policy = *queue.concurrent_admission;
  if (queue.resource_groups.size() != 1) {
    problems.Add(path,
                 "a queue of variants needs exactly one resource group, and there are " +
                     std::to_string(queue.resource_groups.size()),
                 "write one resource group, or remove the policy");
  } else {
    CheckSize(path, queue.resource_groups.front().flavors.size(), kMaxVariants, problems);
  }
  if (queue.queueing_strategy == QueueingStrategy::kStrictFifo) {
    problems.Add(path, "a queue of variants cannot be StrictFIFO",
                 "write queueingStrategy: BestEffortFIFO");
  }
  if (policy.last_acceptable_flavor.empty()) return;
  const FieldPath migration = path.Child("migration");
  const FieldPath constraints = migration.Child("constraints");
  const FieldPath last = constraints.Child("lastAcceptableFlavorName");
  if (policy.mode != MigrationMode::kTryPreferredFlavors) {
    problems.Add(last, "nothing moves under RetainFirstAdmission",
                 "remove it, or write mode: TryPreferredFlavors");
  }
  if (Declares(queue, policy.last_acceptable_flavor)) return;
  problems.Add(
      last, "flavor " + Quote(policy.last_acceptable_flavor) + " is not one of this ClusterQueue",
      "name a flavor of its resourceGroups, or remove it");
}

}  // namespace

void Check(const ClusterQueue& queue, ProblemList& problems) {
  CheckName(FieldPath("metadata").Child("name"), queue.name, problems);
  const FieldPath spec("spec");
  CheckOptionalName(spec.Child("cohortName"), queue.cohort, problems);
  CheckResourceGroups(queue.resource_groups,
                      {.has_parent = !queue.cohort.empty(), .lending_within_nominal = true},
                      problems);
  if (queue.namespace_selector) {
    CheckSelector(spec.Child("namespaceSelector"), *queue.namespace_selector, problems);
  }
  CheckFungibility(spec.Child("flavorFungibility"), queue.flavor_fungibility, problems);
  CheckPreemption(spec.Child("preemption"), queue.preemption, problems);
  const FieldPath fair_sharing = spec.Child("fairSharing");
  CheckWeight(fair_sharing.Child("weight"), queue.fair_weight, problems);
  const FieldPath strategy = spec.Child("admissionChecksStrategy");
  CheckAdmissionChecks(strategy.Child("admissionChecks"), queue, problems);
  if (queue.concurrent_admission) {
    CheckConcurrentAdmission(spec.Child("concurrentAdmissionPolicy"), queue, problems);
  }
}

void Check(const Cohort& cohort, ProblemList& problems) {
  CheckName(FieldPath("metadata").Child("name"), cohort.name, problems);
  const FieldPath spec("spec");
  CheckOptionalName(spec.Child("parentName"), cohort.parent, problems);
  CheckResourceGroups(cohort.resource_groups,
                      {.has_parent = !cohort.parent.empty(), .lending_within_nominal = false},
                      problems);
  CheckWeight(spec.Child("fairSharing").Child("weight"), cohort.fair_weight, problems);
}

void Check(const LocalQueue& queue, ProblemList& problems) {
  CheckKey(queue.key, problems);
  CheckLabels(FieldPath("metadata").Child("labels"), queue.labels, problems);
  const FieldPath spec("spec");
  CheckName(spec.Child("clusterQueue"), queue.cluster_queue, problems);
  CheckWeight(spec.Child("fairSharing").Child("weight"), queue.fair_weight, problems);
}

}  // namespace muster
