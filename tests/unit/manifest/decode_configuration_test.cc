// Kueue's Configuration, EngineConfiguration and PolicyBinding.
#include <gmock/gmock.h>

#include "tests/unit/manifest/parse_text.h"

namespace muster::manifest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr DurationNs kMinute = 60 * kSecond;

Configuration Config(std::string_view version, std::string_view fields) {
  return ParseOne<Configuration>("apiVersion: config.kueue.x-k8s.io/" + std::string(version) +
                                 "\nkind: Configuration\n" + std::string(fields));
}

TEST(DecodeConfiguration, AbsentPartsAreOff) { EXPECT_EQ(Config("v1beta2", ""), Configuration()); }

TEST(DecodeConfiguration, WhatIsAboutKueuesProcessIsWarnedOfInOneLine) {
  const Manifests manifests = ParseText(R"(
apiVersion: config.kueue.x-k8s.io/v1beta1
kind: Configuration
namespace: kueue-system
health: {healthProbeBindAddress: ":8081"}
metrics: {bindAddress: ":8443"}
webhook: {port: 9443}
manager: {}
leaderElection: {leaderElect: true}
controller: {groupKindConcurrency: {Job.batch: 5}}
clientConnection: {qps: 50, burst: 100}
internalCertManagement: {enable: true}
manageJobsWithoutQueueName: false
)");
  ASSERT_EQ(manifests.objects.size(), 1U);
  EXPECT_EQ(std::get<Configuration>(manifests.objects[0]), Configuration());
  EXPECT_THAT(Messages(manifests),
              ElementsAre("f.yaml:4:12: warning: no effect here, for Kueue's own process only: "
                          "namespace, webhook, leaderElection, metrics, health, controller, "
                          "manager, internalCertManagement, clientConnection; remove what is not "
                          "needed"));
}

TEST(DecodeConfiguration, ReadsWhichObjectsAreManaged) {
  const Configuration read = Config("v1beta2", R"(
manageJobsWithoutQueueName: true
managedJobsNamespaceSelector: {matchLabels: {team: a}}
integrations: {frameworks: [batch/job, pod]}
)");
  EXPECT_TRUE(read.manage_without_queue);
  EXPECT_EQ(read.managed_namespaces->match_labels.at("team"), "a");
  EXPECT_EQ(*read.frameworks, (std::vector<std::string>{"batch/job", "pod"}));
  EXPECT_EQ(*Config("v1beta2", "integrations: {frameworks: []}").frameworks,
            std::vector<std::string>{"batch/job"});
  EXPECT_THAT(Messages(ParseText("apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
                                 "integrations: {frameworks: [pod, pod]}\n")),
              ElementsAre(HasSubstr("is named twice")));
}

TEST(DecodeConfiguration, ReadsHowLongWorkloadsAreKept) {
  const Configuration read = Config("v1beta2", R"(
objectRetentionPolicies: {workloads: {afterFinished: 1h, afterDeactivatedByKueue: 0s}}
)");
  EXPECT_EQ(read.retain_finished, 60 * kMinute);
  EXPECT_EQ(read.retain_deactivated, 0);
  EXPECT_EQ(Config("v1beta2", "objectRetentionPolicies: {}"), Configuration());
}

TEST(DecodeConfiguration, WhatKueueDecidesByAndNothingHereDoesIsRefusedWhereItIsApplied) {
  constexpr std::string_view kFields[] = {
      "multiKueue: {gcInterval: 1m}", "integrations: {frameworks: [batch/job, a.com/job]}",
      "integrations: {labelKeysToCopy: [team]}", "resources: {deviceClassMappings: []}",
      "waitForPodsReady: {maxTimeoutOnWorkload: 1h}"};
  for (const std::string_view field : kFields) {
    const std::string text = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n" +
                             std::string(field) + "\n";
    ParseOptions strict;
    strict.refuse_unread = true;
    EXPECT_TRUE(ParseText(text, strict).HasErrors()) << field;
    const Manifests played = ParseText(text);
    EXPECT_FALSE(played.HasErrors()) << field;
    EXPECT_THAT(Messages(played), ElementsAre(HasSubstr("warning: "))) << field;
  }
}

TEST(DecodeConfiguration, FairSharingIsOnWhenItIsThere) {
  EXPECT_EQ(Config("v1beta2", "fairSharing: {}").fair_sharing, FairSharingConfig());
  EXPECT_EQ(
      Config("v1beta2", "fairSharing: {preemptionStrategies: [LessThanInitialShare]}").fair_sharing,
      (FairSharingConfig{{PreemptionStrategy::kLessThanInitialShare}}));
}

TEST(DecodeConfiguration, V1beta1EnablesByAField) {
  EXPECT_EQ(Config("v1beta1", "fairSharing: {}").fair_sharing, std::nullopt);
  EXPECT_EQ(Config("v1beta1", "fairSharing: {enable: true}").fair_sharing, FairSharingConfig());
  EXPECT_EQ(Config("v1beta1", "waitForPodsReady: {timeout: 1m}").wait_for_pods_ready, std::nullopt);
}

TEST(DecodeConfiguration, WaitForPodsReadyHasTheDefaultsOfItsVersion) {
  EXPECT_EQ(Config("v1beta2", "waitForPodsReady: {}").wait_for_pods_ready,
            WaitForPodsReadyConfig());
  const auto old = Config("v1beta1", "waitForPodsReady: {enable: true}").wait_for_pods_ready;
  ASSERT_TRUE(old);
  EXPECT_EQ(old->timeout, 5 * kMinute);
  EXPECT_TRUE(old->block_admission);
}

TEST(DecodeConfiguration, ReadsWaitForPodsReady) {
  const auto read = Config("v1beta2", R"(
waitForPodsReady:
  timeout: 10m
  recoveryTimeout: 3m
  blockAdmission: true
  requeuingStrategy:
    {timestamp: Creation, backoffLimitCount: 5, backoffBaseSeconds: 1, backoffMaxSeconds: 9}
)");
  EXPECT_EQ(read.wait_for_pods_ready,
            (WaitForPodsReadyConfig{10 * kMinute, 3 * kMinute, true, RequeuingTimestamp::kCreation,
                                    1, 9, 5}));
}

TEST(DecodeConfiguration, ReadsAdmissionFairSharing) {
  const auto read = Config("v1beta2", R"(
admissionFairSharing:
  usageHalfLifeTime: 168h
  usageSamplingInterval: 0s
  resourceWeights: {cpu: 2, memory: 0.5}
)");
  ASSERT_TRUE(read.admission_fair_sharing);
  EXPECT_EQ(read.admission_fair_sharing->usage_half_life, 168 * 60 * kMinute);
  EXPECT_EQ(read.admission_fair_sharing->usage_sampling_interval, 5 * kMinute) << "0 means default";
  EXPECT_THAT(read.admission_fair_sharing->resource_weights,
              ElementsAre(Pair("cpu", 2.0), Pair("memory", 0.5)));
}

TEST(DecodeConfiguration, ReadsResources) {
  const auto read = Config("v1beta2", R"(
resources:
  excludeResourcePrefixes: [example.com/]
  quotaCheckStrategy: IgnoreUndeclared
  transformations:
  - {input: nvidia.com/mig-1g.5gb, strategy: Replace, outputs: {gpu-memory: 5Gi}, multiplyBy: cpu}
  - {input: x}
)");
  EXPECT_THAT(read.exclude_resource_prefixes, ElementsAre("example.com/"));
  EXPECT_EQ(read.quota_check, QuotaCheckStrategy::kIgnoreUndeclared);
  EXPECT_THAT(read.transformations,
              ElementsAre(ResourceTransformation{"nvidia.com/mig-1g.5gb",
                                                 TransformationStrategy::kReplace,
                                                 {{"gpu-memory", Q("5Gi")}},
                                                 "cpu"},
                          ResourceTransformation{"x", TransformationStrategy::kRetain, {}, ""}));
}

TEST(DecodeConfiguration, V1beta1HasNoQuotaCheckStrategy) {
  EXPECT_THAT(Messages(ParseText("apiVersion: config.kueue.x-k8s.io/v1beta1\nkind: Configuration\n"
                                 "resources: {quotaCheckStrategy: IgnoreUndeclared}\n")),
              ElementsAre(HasSubstr("unknown field \"quotaCheckStrategy\"")));
}

TEST(DecodeConfiguration, DeviceClassesAreAWarning) {
  const Manifests manifests = ParseText(
      "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
      "resources: {deviceClassMappings: []}\n");
  EXPECT_FALSE(manifests.HasErrors());
  EXPECT_THAT(Messages(manifests), ElementsAre(HasSubstr("warning: \"deviceClassMappings\"")));
}

TEST(DecodeConfiguration, KeepsFeatureGates) {
  EXPECT_THAT(Config("v1beta2", "featureGates: {PartialAdmission: false, PriorityBoost: true}")
                  .feature_gates,
              ElementsAre(Pair("PartialAdmission", false), Pair("PriorityBoost", true)));
}

TEST(DecodeEngineConfiguration, ASwitchStandsInOnePlace) {
  EXPECT_THAT(Messages(ParseText("apiVersion: muster.dev/v1\nkind: EngineConfiguration\n"
                                 "headsPerCycle: 3\nspec: {headsPerCycle: 4}\n")),
              ElementsAre("f.yaml:4:8: \"headsPerCycle\" is given twice; keep the one below spec"));
}

TEST(DecodeEngineConfiguration, ReadsSwitchesWithAndWithoutSpec) {
  const EngineConfiguration expected{4, true, true, true, 7, 5};
  constexpr std::string_view kSwitches =
      "headsPerCycle: 4, stickyCure: true, preemptorHold: true, durability: relaxed, "
      "rollbackAfter: 7, keepFinished: 5";
  const std::string head = "{apiVersion: muster.dev/v1, kind: EngineConfiguration, ";
  EXPECT_EQ(ParseOne<EngineConfiguration>(head + std::string(kSwitches) + "}"), expected);
  EXPECT_EQ(ParseOne<EngineConfiguration>(head + "spec: {" + std::string(kSwitches) + "}}"),
            expected);
  EXPECT_EQ(ParseOne<EngineConfiguration>(head + "metadata: {name: default}}"),
            EngineConfiguration());
}

TEST(DecodePolicyBinding, ReadsWhoUsesWhat) {
  const auto binding = ParseOne<PolicyBinding>(R"(
apiVersion: muster.dev/v1
kind: PolicyBinding
metadata: {name: research}
spec:
  policy: checkpoint-aware
  hooks: [victim, queue_order]
  clusterQueues: [team-research]
  cohorts: [ml]
  params: {grace: 10m, limit: 3, label: "3"}
)");
  EXPECT_EQ(binding.policy, "checkpoint-aware");
  EXPECT_THAT(binding.hooks, ElementsAre("victim", "queue_order"));
  EXPECT_THAT(binding.cluster_queues, ElementsAre("team-research"));
  EXPECT_THAT(binding.cohorts, ElementsAre("ml"));
  EXPECT_THAT(binding.params,
              ElementsAre(Pair("grace", "10m"), Pair("label", "3"), Pair("limit", "3")));
}

TEST(DecodePolicyBinding, ListsAndMapsOfParametersAreTextsForThePackage) {
  const auto binding = ParseOne<PolicyBinding>(R"(
apiVersion: muster.dev/v1
kind: PolicyBinding
metadata: {name: research}
spec:
  policy: lottery
  params:
    names: [x, 10m, "a\"b"]
    none: []
    tickets: {b: 1, a: 3}
    until: 2026-12-01
)");
  EXPECT_THAT(binding.params,
              ElementsAre(Pair("names", R"(["x","10m","a\"b"])"), Pair("none", "[]"),
                          Pair("tickets", R"({"a":"3","b":"1"})"), Pair("until", "2026-12-01")));
}

TEST(DecodePolicyBinding, AParameterInsideAnotherHasItsPlace) {
  const Manifests manifests = ParseText(R"(
apiVersion: muster.dev/v1
kind: PolicyBinding
metadata: {name: research}
spec:
  policy: lottery
  params: {names: [[x]], tickets: {a: {b: 1}}}
)");
  EXPECT_THAT(Messages(manifests),
              ElementsAre(HasSubstr(":7:20: an item of \"names\" must be a number or a text"),
                          HasSubstr(":7:36: \"a\" must be a number or a text")));
}

}  // namespace
}  // namespace muster::manifest
