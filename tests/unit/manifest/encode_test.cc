// Every kind is read back as it was written, from YAML and from JSON.
#include "bindings/manifest/encode.h"

#include <gmock/gmock.h>

#include <set>

#include "bindings/manifest/weight.h"
#include "tests/unit/manifest/parse_text.h"

namespace muster::manifest {
namespace {

std::vector<ResourceGroup> Groups() {
  return {{{"cpu", "nvidia.com/gpu"},
           {{"default",
             {{"cpu", Q("1500m"), Q("0"), std::nullopt},
              {"nvidia.com/gpu", Q("8"), std::nullopt, Q("2")}}}}}};
}

Workload FullWorkload() {
  const TimeNs noon = *ParseTime("2026-01-01T12:00:00Z");
  Workload workload;
  workload.key = {"team-a", "train"};
  workload.uid = "00017";
  workload.created = noon + 5;
  workload.labels = {{"team", "a"}, {"number", "3"}};
  workload.annotations = {{"note", "a: b\n# c"}};
  workload.queue = "research";
  workload.priority = -7;
  workload.priority_source = PriorityClassSource::kPodPriorityClass;
  workload.priority_class = "high";
  workload.active = false;
  workload.max_execution_seconds = 60;
  workload.preemption_gates = {"g1"};
  PodSet worker;
  worker.name = "worker";
  worker.count = 4;
  worker.min_count = 2;
  worker.topology = TopologyRequest{"block", "rack", true, {{"rack", 2}, {"host", 1}}, "g"};
  worker.pods.containers = {{"main", {{"cpu", Q("1")}}, {{"memory", Q("1Gi")}}, false}, {}};
  worker.pods.init_containers = {{"side", {}, {}, true}};
  worker.pods.pod_requests = {{"cpu", Q("3")}};
  worker.pods.pod_limits = {{"cpu", Q("4")}};
  worker.pods.overhead = ResourceList{};
  worker.pods.runtime_class = "kata";
  worker.pods.priority_class = "high";
  worker.pods.node_selector = {{"zone", "1"}};
  worker.pods.required_node_affinity = {
      {{{"gpu", SelectorOp::kExists, {}}}, {{"metadata.name", SelectorOp::kIn, {"n"}}}}};
  worker.pods.tolerations = {{"", TolerationOp::kExists, "", TaintEffect::kNone},
                             {"a", TolerationOp::kEqual, "b", TaintEffect::kNoExecute}};
  PodSet driver;
  driver.name = "driver";
  driver.topology = TopologyRequest{"", "", false, {{"rack", 4}}, ""};
  driver.pods.required_node_affinity.emplace();
  workload.pod_sets = {worker, driver};
  workload.status.admission =
      Admission{"cq",
                {{"worker",
                  4,
                  {{"cpu", "default"}},
                  {{"cpu", Q("4")}},
                  TopologyAssignment{{"block", "host"}, {{{"b", "h1"}, 3}, {{"b", "h2"}, 1}}}},
                 {"driver", 1, {}, {}, TopologyAssignment{{"host"}, {{{"h1"}, 1}}}}}};
  workload.status.conditions = {{"QuotaReserved", true, "QuotaReserved", "m", noon},
                                {"Evicted", false, "", "", kNoTime}};
  workload.status.reclaimable_pods = {{"worker", 1}};
  workload.status.admission_checks = {{"prov",
                                       CheckState::kRetry,
                                       "later",
                                       noon,
                                       2,
                                       60,
                                       {{"worker",
                                         {{"a", "b"}},
                                         {{"c", "d"}},
                                         {{"e", "f"}},
                                         {{"x", TolerationOp::kExists, "", TaintEffect::kNone}}}}},
                                      {"budget", CheckState::kReady, "", kNoTime, 0, {}, {}}};
  workload.status.requeue_state = RequeueState{3, noon};
  workload.status.past_execution_seconds = 99;
  workload.status.open_preemption_gates = {"g1"};
  workload.status.unhealthy_nodes = {"n1"};
  return workload;
}

ClusterQueue FullClusterQueue() {
  ClusterQueue queue;
  queue.name = "team-a";
  queue.cohort = "shared";
  queue.resource_groups = Groups();
  queue.queueing_strategy = QueueingStrategy::kStrictFifo;
  queue.namespace_selector =
      LabelSelector{{{"dep", "eng"}}, {{"x", SelectorOp::kNotIn, {"y", "1"}}}};
  queue.flavor_fungibility = {FungibilityPolicy::kTryNextFlavor, FungibilityPolicy::kTryNextFlavor,
                              FungibilityPreference::kPreemptionOverBorrowing};
  queue.preemption = {PreemptionPolicy::kLowerPriority, PreemptionPolicy::kAny,
                      PreemptionPolicy::kLowerPriority, -5};
  queue.fair_weight = 0.3;
  queue.admission_mode = AdmissionMode::kNoFairSharing;
  queue.admission_checks = {{"prov", {"default"}}, {"budget", {}}};
  queue.stop_policy = StopPolicy::kHold;
  return queue;
}

Configuration FullConfiguration() {
  Configuration config;
  config.fair_sharing = FairSharingConfig{{PreemptionStrategy::kLessThanInitialShare}};
  config.admission_fair_sharing =
      AdmissionFairSharingConfig{90 * kSecond, kSecond / 4, {{"cpu", 0.1}, {"memory", 0}}};
  config.wait_for_pods_ready =
      WaitForPodsReadyConfig{kSecond, 2 * kSecond, true, RequeuingTimestamp::kCreation, 1, 2, 3};
  config.exclude_resource_prefixes = {"example.com/"};
  config.transformations = {{"a", TransformationStrategy::kReplace, {{"b", Q("500m")}}, "cpu"},
                            {"c", TransformationStrategy::kRetain, {}, ""}};
  config.quota_check = QuotaCheckStrategy::kIgnoreUndeclared;
  config.feature_gates = {{"PartialAdmission", false}, {"PriorityBoost", true}};
  return config;
}

/// At least one full and one bare object of every kind.
std::vector<Object> Samples() {
  LocalQueue local_queue{
      {"team-a", "research"},
      {{"tier", "1"}},
      "team-a",
      StopPolicy::kHoldAndDrain,
      123456789.0,
      FairSharingHistory{{{"cpu", Q("8.242641")}}, *ParseTime("2026-01-01T12:00:00Z")}};
  LocalQueue seeded = local_queue;
  seeded.history = FairSharingHistory{};
  ClusterQueue bare_queue;
  bare_queue.name = "bare";
  ClusterQueue open_queue = bare_queue;
  open_queue.namespace_selector = LabelSelector{};
  Workload bare_workload;
  bare_workload.key = {"default", "w"};
  Workload held = bare_workload;
  held.status.admission = Admission{"", {}};
  Configuration plain;
  plain.fair_sharing.emplace();
  plain.wait_for_pods_ready.emplace();
  return {
      ResourceFlavor{"spot",
                     {{"zone", "1"}},
                     {{"spot", "true", TaintEffect::kPreferNoSchedule}},
                     {{"spot", TolerationOp::kExists, "", TaintEffect::kNoSchedule}},
                     "racks"},
      ResourceFlavor{"bare", {}, {}, {}, ""},
      FullClusterQueue(),
      bare_queue,
      open_queue,
      Cohort{"ml", "org", Groups(), 2.5},
      Cohort{"bare", "", {}, 1.0},
      Cohort{"zero", "", {}, 0.0},
      local_queue,
      seeded,
      WorkloadPriorityClass{"prod", 1000, "for: prod"},
      PriorityClass{"p", -1, true},
      Namespace{"team-a", {{"dep", "eng"}, {"kubernetes.io/metadata.name", "team-a"}}},
      LimitRange{{"n", "limits"},
                 {{LimitRangeType::kPod,
                   {{"cpu", Q("1")}},
                   {{"cpu", Q("2")}},
                   {{"cpu", Q("100m")}},
                   {{"cpu", Q("4")}},
                   {{"cpu", Q("2")}}}}},
      RuntimeClass{"kata", {{"cpu", Q("250m")}}},
      RuntimeClass{"bare", {}},
      AdmissionCheck{"prov", "controller", true},
      AdmissionCheck{"off", "", false},
      Topology{"t", {"block", "kubernetes.io/hostname"}},
      Node{"n1",
           {{"zone", "a"}},
           {{"gpu", "", TaintEffect::kNoSchedule}},
           {{"cpu", Q("8")}},
           false,
           true},
      Node{"n2", {}, {}, {}, true, false},
      Pod{{"n", "p"}, "n1", {{"cpu", Q("1500m")}}},
      Pod{{"n", "q"}, "", {}},
      FullConfiguration(),
      plain,
      Configuration(),
      EngineConfiguration{4, true, true, true, 7, 5},
      EngineConfiguration(),
      PolicyBinding{"research", "checkpoint-aware", {"victim"}, {"cq"}, {"ml"}, {{"grace", "10m"}}},
      FullWorkload(),
      bare_workload,
      held,
  };
}

TEST(Encode, EveryObjectIsReadBackFromYaml) {
  for (const Object& object : Samples()) {
    const std::string text = ToYaml(object);
    const Manifests manifests = ParseText(text);
    EXPECT_THAT(Messages(manifests), ::testing::IsEmpty()) << text;
    ASSERT_EQ(manifests.objects.size(), 1U) << text;
    EXPECT_TRUE(manifests.objects[0] == object) << text << "read back as\n"
                                                << ToYaml(manifests.objects[0]);
  }
}

TEST(Encode, EveryObjectIsReadBackFromJson) {
  for (const Object& object : Samples()) {
    const std::string text = ToJson(object);
    EXPECT_EQ(text.find('\n'), std::string::npos);
    const Manifests manifests = ParseText(text);
    ASSERT_EQ(manifests.objects.size(), 1U) << text;
    EXPECT_TRUE(manifests.objects[0] == object) << text;
  }
}

TEST(Encode, TheSamplesCoverEveryKind) {
  std::set<ObjectKind> kinds;
  for (const Object& object : Samples()) kinds.insert(KindOf(object));
  EXPECT_EQ(kinds.size(), kObjectKinds);
}

TEST(Encode, WritesWhatAPersonWouldWrite) {
  ClusterQueue queue;
  queue.name = "team-a";
  queue.cohort = "shared";
  queue.resource_groups = {{{"cpu"}, {{"default", {{"cpu", Q("10"), Q("500m"), std::nullopt}}}}}};
  queue.namespace_selector = LabelSelector{};
  EXPECT_EQ(ToYaml(queue), R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  name: team-a
spec:
  cohortName: shared
  resourceGroups:
  - coveredResources:
    - cpu
    flavors:
    - name: default
      resources:
      - name: cpu
        nominalQuota: "10"
        borrowingLimit: 500m
  namespaceSelector: {}
)");
}

TEST(Weight, IsExactBothWays) {
  for (const char* text :
       {"0", "1", "0.3", "500m", "2.5", "123456789", "1n", "987654321.123456789"}) {
    const double weight = WeightOf(Q(text));
    EXPECT_EQ(WeightOf(QuantityOf(weight)), weight) << text;
  }
}

}  // namespace
}  // namespace muster::manifest
