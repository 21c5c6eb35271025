// Kueue's Configuration: what changes decisions is read strictly; what would change them in Kueue
// and does not here is refused; the rest is about Kueue's own process and only warned of.
#include <algorithm>
#include <array>
#include <string_view>

#include "bindings/manifest/closest.h"
#include "bindings/manifest/decode.h"
#include "bindings/manifest/kubernetes_fields.h"
#include "bindings/manifest/quote.h"
#include "engine/model/feature_gates.h"

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
  fields.Unread("maxTimeoutOnWorkload", "no workload brings a timeout of its own",
                "remove it; timeout holds for every workload");
  if (IsEnabled(fields)) *out = config;
}

void ReadResources(const Value& value, Configuration* config) {
  Fields fields(value);
  fields.Get("excludeResourcePrefixes", &config->exclude_resource_prefixes);
  fields.Get("transformations", &config->transformations);
  if (!fields.decoding().v1beta1) fields.Get("quotaCheckStrategy", &config->quota_check);
  fields.Unread("deviceClassMappings", "devices that are claimed are charged to no quota",
                "request devices by resource name");
}

/// integrations.frameworks says which kinds of job Kueue manages; the one kind here is Job.
void ReadIntegrations(const Value& value) {
  Fields fields(value);
  std::vector<std::string> frameworks;
  const auto list = fields.Find("frameworks");
  if (list && Read(*list, &frameworks)) {
    for (std::size_t i = 0; i < frameworks.size(); ++i) {
      if (frameworks[i] == "batch/job") continue;
      fields.decoding().Unread(list->node().items[i]->at,
                               "jobs of the framework " + Quoted(frameworks[i]) + " are not known",
                               "remove it, and write such jobs as Workloads");
    }
  }
  constexpr std::string_view kWhy = "only a Job and a Workload can be queued";
  for (const std::string_view name : {"externalFrameworks", "podOptions", "labelKeysToCopy"}) {
    fields.Unread(name, std::string(kWhy), "remove it");
  }
}

/// Which jobs Kueue manages. Here every job without a queue is refused, in every namespace.
void ReadWhoIsManaged(Fields& fields) {
  bool all = false;
  const auto without_queue = fields.Find("manageJobsWithoutQueueName");
  if (without_queue && Read(*without_queue, &all) && all) {
    fields.Unread("manageJobsWithoutQueueName", "a Job without a queue is refused, not held back",
                  "remove it");
  }
  fields.Unread("managedJobsNamespaceSelector", "a Job without a queue is refused everywhere",
                "remove it; namespaceSelector of a ClusterQueue says which may use it");
  fields.Unread("multiKueue", "no job is sent to another cluster",
                "remove it; its AdmissionCheck can be answered with muster check");
  if (const auto integrations = fields.Find("integrations")) ReadIntegrations(*integrations);
}

void ReadRetention(const Value& value, Configuration* config) {
  Fields fields(value);
  const auto workloads = fields.Find("workloads");
  if (!workloads) return;
  Fields policies(*workloads);
  DurationNs time = 0;
  if (policies.GetDuration("afterFinished", &time)) config->retain_finished = time;
  if (policies.GetDuration("afterDeactivatedByKueue", &time)) config->retain_deactivated = time;
}

/// Says in one line which fields are about the process that Kueue is.
void WarnOfProcess(Fields& fields) {
  std::string names;
  Position first;
  for (const FieldName name : kConfigurationFields) {
    const std::optional<Value> value = fields.Find(name);
    if (!value) continue;
    if (names.empty()) first = value->at();
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  if (names.empty()) return;
  fields.decoding().reporter.Warning(
      first, "no effect here, for Kueue's own process only: " + names, "remove what is not needed");
}

void ReadFeatureGates(const Value& value, Configuration* config) {
  Read(value, &config->feature_gates);
  std::array<std::string_view, kFeatureGates.size()> known;
  std::transform(kFeatureGates.begin(), kFeatureGates.end(), known.begin(),
                 [](const FeatureGate& gate) { return gate.name; });
  for (const YamlEntry& entry : value.node().entries) {
    const std::string& name = entry.key->text;
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    value.decoding().reporter.Error(entry.key->at, "unknown feature gate " + Quoted(name),
                                    ProposeName(name, known));
    config->feature_gates.erase(name);
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
  if (const auto value = fields.Find("objectRetentionPolicies")) ReadRetention(*value, &config);
  if (const auto value = fields.Find("featureGates")) ReadFeatureGates(*value, &config);
  ReadWhoIsManaged(fields);
  WarnOfProcess(fields);
  return config;
}

}  // namespace muster::manifest
