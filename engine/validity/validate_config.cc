// Rules of Configuration, EngineConfiguration and PolicyBinding.
#include <algorithm>
#include <cmath>

#include "engine/base/closest_name.h"
#include "engine/base/join.h"
#include "engine/model/limits.h"
#include "engine/model/names.h"
#include "engine/validity/validate_kinds.h"
#include "engine/validity/validate_rules.h"

namespace muster {
namespace {

void CheckFairSharing(const FairSharingConfig& config, ProblemList& problems) {
  using enum PreemptionStrategy;
  const auto& strategies = config.preemption_strategies;
  const bool single = strategies.size() == 1;
  const bool both = strategies == std::vector{kLessThanOrEqualToFinalShare, kLessThanInitialShare};
  if (!single && !both && !strategies.empty()) {
    problems.Add(FieldPath("fairSharing").Child("preemptionStrategies"),
                 "this list of strategies is not supported",
                 "write one of the two, or [LessThanOrEqualToFinalShare, LessThanInitialShare]");
  }
}

void CheckAdmissionFairSharing(const AdmissionFairSharingConfig& config, ProblemList& problems) {
  const FieldPath path("admissionFairSharing");
  CheckAtLeast(path.Child("usageHalfLifeTime"), config.usage_half_life, 0, problems);
  CheckAtLeast(path.Child("usageSamplingInterval"), config.usage_sampling_interval, 1, problems);
  const FieldPath weights = path.Child("resourceWeights");
  for (const auto& [resource, weight] : config.resource_weights) {
    if (std::isfinite(weight) && weight >= 0) continue;
    problems.Add(weights.Entry(resource), "a weight must be a number that is not negative",
                 "write 0 or more");
  }
}

void CheckPodsReady(const WaitForPodsReadyConfig& config, ProblemList& problems) {
  const FieldPath path("waitForPodsReady");
  CheckAtLeast(path.Child("timeout"), config.timeout, 0, problems);
  CheckAtLeast(path.Child("recoveryTimeout"), config.recovery_timeout.value_or(0), 0, problems);
  const FieldPath requeuing = path.Child("requeuingStrategy");
  CheckAtLeast(requeuing.Child("backoffBaseSeconds"), config.backoff_base_seconds, 0, problems);
  CheckAtLeast(requeuing.Child("backoffMaxSeconds"), config.backoff_max_seconds, 0, problems);
  CheckAtLeast(requeuing.Child("backoffLimitCount"), config.backoff_limit_count.value_or(0), 0,
               problems);
}

void CheckTransformations(const Configuration& config, ProblemList& problems) {
  const FieldPath resources("resources");
  const FieldPath list = resources.Child("transformations");
  UniqueNames inputs;
  for (std::size_t i = 0; i < config.transformations.size(); ++i) {
    const ResourceTransformation& t = config.transformations[i];
    const FieldPath item = list.At(i);
    CheckQualifiedName(item.Child("input"), t.input, "resource name", problems);
    inputs.Check(item.Child("input"), t.input, problems);
    if (!t.multiply_by.empty()) {
      CheckQualifiedName(item.Child("multiplyBy"), t.multiply_by, "resource name", problems);
    }
    const FieldPath outputs = item.Child("outputs");
    for (const auto& [name, factor] : t.outputs) {
      CheckQualifiedName(outputs.Entry(name), name, "resource name", problems);
    }
  }
}

/// Hooks that compare queues with each other cannot be bound to some of them.
bool SpansQueues(Hook hook) { return hook == Hook::kCycleOrder || hook == Hook::kShare; }

std::vector<std::string> HookNames() {
  return {EnumTable<Hook>::kNames.begin(), EnumTable<Hook>::kNames.end()};
}

std::string HookList() { return Join(EnumTable<Hook>::kNames); }

void CheckHook(const FieldPath& path, const PolicyBinding& binding, std::string_view name,
               ProblemList& problems) {
  const std::optional<Hook> hook = HookFromName(name);
  if (!hook) {
    const std::string near = ClosestName(name, HookNames());
    problems.Add(path, Quote(name) + " is not a hook",
                 near.empty() ? "write one of " + HookList() : "write " + near);
  } else if (SpansQueues(*hook) && !binding.cluster_queues.empty()) {
    problems.Add(path, std::string(name) + " compares queues, so it cannot be bound to single ones",
                 "bind it to cohorts, or to everything");
  }
}

}  // namespace

void Check(const Configuration& config, ProblemList& problems) {
  if (config.fair_sharing) CheckFairSharing(*config.fair_sharing, problems);
  if (config.admission_fair_sharing) {
    CheckAdmissionFairSharing(*config.admission_fair_sharing, problems);
  }
  if (config.wait_for_pods_ready) CheckPodsReady(*config.wait_for_pods_ready, problems);
  CheckTransformations(config, problems);
  const FieldPath retention = FieldPath("objectRetentionPolicies").Child("workloads");
  CheckAtLeast(retention.Child("afterFinished"), config.retain_finished.value_or(0), 0, problems);
  CheckAtLeast(retention.Child("afterDeactivatedByKueue"), config.retain_deactivated.value_or(0), 0,
               problems);
  const FieldPath resources("resources");
  const FieldPath prefixes = resources.Child("excludeResourcePrefixes");
  for (std::size_t i = 0; i < config.exclude_resource_prefixes.size(); ++i) {
    if (config.exclude_resource_prefixes[i].empty()) {
      problems.Add(prefixes.At(i), "an empty prefix would exclude every resource", "remove it");
    }
  }
}

void Check(const EngineConfiguration& config, ProblemList& problems) {
  const FieldPath heads("headsPerCycle");
  CheckAtLeast(heads, config.heads_per_cycle, 1, problems);
  if (config.heads_per_cycle > kMaxHeadsPerCycle) {
    problems.Add(heads, std::to_string(config.heads_per_cycle) + " is too large",
                 "write at most " + std::to_string(kMaxHeadsPerCycle));
  }
  CheckAtLeast(FieldPath("rollbackAfter"), config.rollback_after, 1, problems);
  CheckAtLeast(FieldPath("keepFinished"), config.keep_finished.value_or(0), 0, problems);
}

namespace {

/// A list of references, each to something else.
void CheckNames(const FieldPath& list, const std::vector<std::string>& names,
                ProblemList& problems) {
  CheckUnique(list, names, problems);
  for (std::size_t i = 0; i < names.size(); ++i) CheckName(list.At(i), names[i], problems);
}

/// A LocalQueue's own order: that hook and nothing else, for LocalQueues and nothing else.
void CheckLocalQueues(const FieldPath& spec, const PolicyBinding& binding, ProblemList& problems) {
  const FieldPath list = spec.Child("localQueues");
  CheckUnique(list, binding.local_queues, problems);
  for (std::size_t i = 0; i < binding.local_queues.size(); ++i) {
    const std::string& name = binding.local_queues[i];
    const std::size_t slash = name.find('/');
    if (slash != std::string::npos && slash > 0 && slash + 1 < name.size()) {
      CheckShortName(list.At(i), std::string_view(name).substr(0, slash), problems);
      CheckName(list.At(i), std::string_view(name).substr(slash + 1), problems);
    } else {
      problems.Add(list.At(i), Quote(name) + " is no LocalQueue", "write NAMESPACE/NAME");
    }
  }
  if (binding.local_queues.empty()) return;
  if (binding.hooks != std::vector{std::string(HookName(Hook::kQueueOrder))}) {
    problems.Add(spec.Child("hooks"), "a LocalQueue's owner decides the order of its own jobs only",
                 "write hooks: [queue_order]");
  }
  if (!binding.cluster_queues.empty() || !binding.cohorts.empty()) {
    problems.Add(list, "it binds clusterQueues or cohorts, too", "make two bindings of it");
  }
  if (!binding.then.empty()) {
    problems.Add(spec.Child("then"), "a LocalQueue's own order is that of one package",
                 "remove it");
  }
}

}  // namespace

void Check(const PolicyBinding& binding, ProblemList& problems) {
  CheckName(FieldPath("metadata").Child("name"), binding.name, problems);
  const FieldPath spec("spec");
  CheckName(spec.Child("policy"), binding.policy, problems);
  const FieldPath hooks = spec.Child("hooks");
  CheckUnique(hooks, binding.hooks, problems);
  for (std::size_t i = 0; i < binding.hooks.size(); ++i) {
    CheckHook(hooks.At(i), binding, binding.hooks[i], problems);
  }
  CheckLocalQueues(spec, binding, problems);
  const FieldPath then = spec.Child("then");
  CheckNames(then, binding.then, problems);
  for (std::size_t i = 0; i < binding.then.size(); ++i) {
    if (binding.then[i] != binding.policy) continue;
    problems.Add(then.At(i), "package " + binding.policy + " is compared already, as policy",
                 "remove it");
  }
  CheckNames(spec.Child("clusterQueues"), binding.cluster_queues, problems);
  CheckNames(spec.Child("cohorts"), binding.cohorts, problems);
}

}  // namespace muster
