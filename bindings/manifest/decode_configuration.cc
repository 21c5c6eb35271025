// Kueue's Configuration: what changes decisions is read strictly, the rest of it is about Kueue's
// own process and accepted unread.
#include <algorithm>

#include "bindings/manifest/closest.h"
#include "bindings/manifest/decode.h"
#include "bindings/manifest/feature_gates.h"
#include "bindings/manifest/kubernetes_fields.h"
#include "bindings/manifest/quote.h"

namespace muster::manifest {

static bool Read(const Value& value, ResourceTransformation* out) {
  Fields fields(value);
  fields.Require("input", &out->input, "example.com/device");
  fields.Get("strategy", &out->strategy);
  fields.Get("outputs", &out->outputs);
  fields.Get("multiplyBy", &out->multiply_by);
  return true;
}

namespace {

constexpr DurationNs kOldPodsReadyTimeout = 300 * kSecond;  ///< default of v1beta1

/// `enable` of v1beta1; in v1beta2 the presence of the field says it.
bool IsEnabled(Fields& fields) {
  bool enable = !fields.decoding().v1beta1;
  if (fields.decoding().v1beta1) fields.Get("enable", &enable);
  return enable;
}

void ReadFairSharing(const Value& value, std::optional<FairSharingConfig>* out) {
  Fields fields(value);
  FairSharingConfig config;
  std::vector<PreemptionStrategy> strategies;
  fields.Get("preemptionStrategies", &strategies);
  if (!strategies.empty()) config.preemption_strategies = std::move(strategies);
  if (IsEnabled(fields)) *out = config;
}

void ReadAdmissionFairSharing(const Value& value, std::optional<AdmissionFairSharingConfig>* out) {
  Fields fields(value);
  AdmissionFairSharingConfig& config = out->emplace();
  if (!fields.Find("usageHalfLifeTime")) fields.ReportMissing("usageHalfLifeTime", "168h");
  fields.GetDuration("usageHalfLifeTime", &config.usage_half_life);
  DurationNs interval = 0;
  fields.GetDuration("usageSamplingInterval", &interval);
  if (interval > 0) config.usage_sampling_interval = interval;
  fields.Get("resourceWeights", &config.resource_weights);
}

void ReadWaitForPodsReady(const Value& value, std::optional<WaitForPodsReadyConfig>* out) {
  Fields fields(value);
  WaitForPodsReadyConfig config;
  if (fields.decoding().v1beta1) {
    config.timeout = kOldPodsReadyTimeout;
    config.block_admission = true;
  }
  fields.GetDuration("timeout", &config.timeout);
  DurationNs recovery = 0;
  if (fields.GetDuration("recoveryTimeout", &recovery)) config.recovery_timeout = recovery;
  fields.Get("blockAdmission", &config.block_admission);
  if (const auto requeuing = fields.Find("requeuingStrategy")) {
    Fields strategy(*requeuing);
    strategy.Get("timestamp", &config.requeuing_timestamp);
    strategy.Get("backoffLimitCount", &config.backoff_limit_count);
    strategy.Get("backoffBaseSeconds", &config.backoff_base_seconds);
    strategy.Get("backoffMaxSeconds", &config.backoff_max_seconds);
  }
  fields.Accept({"maxTimeoutOnWorkload"});
  if (IsEnabled(fields)) *out = config;
}

void ReadResources(const Value& value, Configuration* config) {
  Fields fields(value);
  fields.Get("excludeResourcePrefixes", &config->exclude_resource_prefixes);
  fields.Get("transformations", &config->transformations);
  if (!fields.decoding().v1beta1) fields.Get("quotaCheckStrategy", &config->quota_check);
  if (const auto mappings = fields.Find("deviceClassMappings")) {
    fields.decoding().reporter.Warning(mappings->at(), "\"deviceClassMappings\" has no effect",
                                       "request devices by resource name");
  }
}

void ReadFeatureGates(const Value& value, Configuration* config) {
  Read(value, &config->feature_gates);
  for (const YamlEntry& entry : value.node().entries) {
    const std::string& name = entry.key->text;
    if (std::find(kFeatureGates.begin(), kFeatureGates.end(), name) != kFeatureGates.end()) {
      continue;
    }
    value.decoding().reporter.Error(entry.key->at, "unknown feature gate " + Quoted(name),
                                    ProposeName(name, kFeatureGates));
  }
}

}  // namespace

std::optional<Object> DecodeConfiguration(const Value& document) {
  Fields fields(document);
  ReadSingletonMetadata(fields);
  Configuration config;
  if (const auto value = fields.Find("fairSharing")) {
    ReadFairSharing(*value, &config.fair_sharing);
  }
  if (const auto value = fields.Find("admissionFairSharing")) {
    ReadAdmissionFairSharing(*value, &config.admission_fair_sharing);
  }
  if (const auto value = fields.Find("waitForPodsReady")) {
    ReadWaitForPodsReady(*value, &config.wait_for_pods_ready);
  }
  if (const auto value = fields.Find("resources")) ReadResources(*value, &config);
  if (const auto value = fields.Find("featureGates")) ReadFeatureGates(*value, &config);
  fields.Accept(kConfigurationFields);
  return config;
}

}  // namespace muster::manifest
