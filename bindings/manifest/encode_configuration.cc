// Kueue's Configuration and Muster's own objects, written back.
#include "bindings/manifest/encode.h"
#include "engine/base/time_text.h"

namespace muster::manifest {

static Encoded Encode(YamlArena& arena, const FairSharingConfig& config) {
  MapWriter out(arena);
  out.Put("preemptionStrategies", config.preemption_strategies);
  return out.node();
}

static Encoded Encode(YamlArena& arena, const AdmissionFairSharingConfig& config) {
  MapWriter out(arena);
  out.Put("usageHalfLifeTime", FormatDuration(config.usage_half_life));
  out.Put("usageSamplingInterval", FormatDuration(config.usage_sampling_interval));
  out.Put("resourceWeights", config.resource_weights);
  return out.node();
}

static Encoded Encode(YamlArena& arena, const WaitForPodsReadyConfig& config) {
  MapWriter out(arena);
  out.Put("timeout", FormatDuration(config.timeout));
  if (config.recovery_timeout) out.Put("recoveryTimeout", FormatDuration(*config.recovery_timeout));
  out.Put("blockAdmission", config.block_admission);
  MapWriter requeuing(arena);
  requeuing.Put("timestamp", config.requeuing_timestamp);
  requeuing.Put("backoffBaseSeconds", config.backoff_base_seconds);
  requeuing.Put("backoffMaxSeconds", config.backoff_max_seconds);
  requeuing.Put("backoffLimitCount", config.backoff_limit_count);
  out.Put("requeuingStrategy", requeuing);
  return out.node();
}

static Encoded Encode(YamlArena& arena, const ResourceTransformation& transformation) {
  MapWriter out(arena);
  out.Put("input", transformation.input);
  out.Put("strategy", transformation.strategy);
  out.Put("outputs", transformation.outputs);
  out.Put("multiplyBy", transformation.multiply_by);
  return out.node();
}

void EncodeObject(MapWriter& out, const Configuration& config) {
  out.Put("fairSharing", config.fair_sharing);
  out.Put("admissionFairSharing", config.admission_fair_sharing);
  out.Put("waitForPodsReady", config.wait_for_pods_ready);
  MapWriter resources(out.arena());
  resources.Put("excludeResourcePrefixes", config.exclude_resource_prefixes);
  resources.Put("transformations", config.transformations);
  resources.PutUnless(QuotaCheckStrategy::kBlockUndeclared, "quotaCheckStrategy",
                      config.quota_check);
  out.Put("resources", resources);
  out.Put("featureGates", config.feature_gates);
  MapWriter workloads(out.arena());
  if (config.retain_finished) {
    workloads.Put("afterFinished", FormatDuration(*config.retain_finished));
  }
  if (config.retain_deactivated) {
    workloads.Put("afterDeactivatedByKueue", FormatDuration(*config.retain_deactivated));
  }
  MapWriter retention(out.arena());
  retention.Put("workloads", workloads);
  out.Put("objectRetentionPolicies", retention);
}

void EncodeObject(MapWriter& out, const EngineConfiguration& config) {
  MapWriter spec(out.arena());
  spec.Put("headsPerCycle", config.heads_per_cycle);
  spec.Put("stickyCure", config.sticky_cure);
  spec.Put("preemptorHold", config.preemptor_hold);
  spec.Put("durability", std::string(config.relaxed_durability ? "relaxed" : "full"));
  spec.Put("rollbackAfter", config.rollback_after);
  spec.Put("keepFinished", config.keep_finished);
  out.Put("spec", spec);
}

void EncodeObject(MapWriter& out, const PolicyBinding& binding) {
  out.Put("metadata", EncodeName(out.arena(), binding.name));
  MapWriter spec(out.arena());
  spec.Put("policy", binding.policy);
  spec.Put("then", binding.then);
  spec.Put("hooks", binding.hooks);
  spec.Put("clusterQueues", binding.cluster_queues);
  spec.Put("cohorts", binding.cohorts);
  spec.Put("localQueues", binding.local_queues);
  spec.Put("params", binding.params);
  out.Put("spec", spec);
}

}  // namespace muster::manifest
