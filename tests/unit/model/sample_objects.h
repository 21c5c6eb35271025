// One object of every kind with every field away from its default: what a codec must carry.
#ifndef MUSTER_TESTS_UNIT_MODEL_SAMPLE_OBJECTS_H_
#define MUSTER_TESTS_UNIT_MODEL_SAMPLE_OBJECTS_H_

#include <vector>

#include "muster/object.h"

namespace muster {

inline Quantity SampleQuantity(const char* text) { return *Quantity::Parse(text); }

inline PodTemplate SamplePods() {
  const auto q = SampleQuantity;
  PodTemplate pods;
  pods.metadata = {{{{"tier", "gold"}}, {{"example.com/note", "n"}}}};
  pods.containers = {
      {"main", {{"cpu", q("1500m")}, {"memory", q("1Gi")}}, {{"cpu", q("2")}}, false}};
  pods.init_containers = {{"proxy", {{"cpu", q("1n")}}, {}, true}};
  pods.pod_requests = {{"cpu", q("0.1")}};
  pods.pod_limits = {{"memory", q("8Ei")}};
  pods.overhead = ResourceList{{"cpu", q("-3")}};
  pods.runtime_class = "kata";
  pods.priority_class = "low";
  pods.node_selector = {{"zone", "a"}, {"arch", "arm"}};
  pods.required_node_affinity = {
      {{{"zone", SelectorOp::kNotIn, {"b", "c"}}}, {{"metadata.name", SelectorOp::kIn, {"n1"}}}}};
  pods.tolerations = {{"spot", TolerationOp::kExists, "v", TaintEffect::kNoExecute}};
  return pods;
}

inline Workload SampleWorkload() {
  const auto q = SampleQuantity;
  Workload w;
  w.key = {"team-a", "job-1"};
  w.uid = "0000000042";
  w.created = 1'767'268'800'123'456'789;
  w.labels = {{"team", "a"}};
  w.annotations = {{"note", "text with \"quotes\" and \n lines"}};
  w.queue = "jobs";
  PodSet& p = w.pod_sets.emplace_back();
  p.name = "main";
  p.count = 16;
  p.min_count = 8;
  p.topology = TopologyRequest{"rack", "block", true, {{"rack", 4}, {"host", 2}}, "group", {}};
  p.topology->segments = {{"rack", 8}};
  p.pods = SamplePods();
  w.priority = -7;
  w.priority_source = PriorityClassSource::kPodPriorityClass;
  w.priority_class = "high";
  w.active = false;
  w.max_execution_seconds = 3600;
  w.preemption_gates = {"gate"};
  w.variant_of = ParentWorkload{"job", "0000000041"};
  WorkloadStatus& s = w.status;
  s.admission.emplace();
  s.admission->cluster_queue = "cq";
  s.admission->pod_sets = {{"main",
                            12,
                            {{"cpu", "spot"}},
                            {{"cpu", q("18")}},
                            TopologyAssignment{{"rack"}, {{{"r1"}, 12}}}}};
  s.conditions = {{"QuotaReserved", true, "QuotaReserved", "message", 1'767'268'800'000'000'000}};
  s.reclaimable_pods = {{"main", 4}};
  s.admission_checks = {{"prov",
                         CheckState::kRetry,
                         "later",
                         5,
                         2,
                         60,
                         {{"main",
                           {{"l", "1"}},
                           {{"a", "2"}},
                           {{"n", "3"}},
                           {{"t", TolerationOp::kEqual, "v", TaintEffect::kNoSchedule}}}}}};
  s.requeue_state = RequeueState{3, 1'767'268'860'000'000'000};
  s.past_execution_seconds = 17;
  s.open_preemption_gates = {"gate"};
  s.unhealthy_nodes = {"n9"};
  return w;
}

inline std::vector<Object> SampleConfigurations() {
  const auto q = SampleQuantity;
  Configuration config;
  config.fair_sharing = FairSharingConfig{{PreemptionStrategy::kLessThanInitialShare}};
  config.admission_fair_sharing = AdmissionFairSharingConfig{kSecond, 2 * kSecond, {{"cpu", 0.5}}};
  config.wait_for_pods_ready =
      WaitForPodsReadyConfig{kSecond, 2 * kSecond, true, RequeuingTimestamp::kCreation, 1, 2, 3};
  config.exclude_resource_prefixes = {"example.com/"};
  config.transformations = {
      {"gpu", TransformationStrategy::kReplace, {{"credits", q("2")}}, "cpu"}};
  config.quota_check = QuotaCheckStrategy::kIgnoreUndeclared;
  config.feature_gates = {{"PartialAdmission", false}};
  return {config, EngineConfiguration{4, true, true, true, 9, 5, true},
          PolicyBinding{"b", "small-first", {"victim"}, {"cq"}, {"org"}, {{"grace", "5m"}}}};
}

/// In the order of ObjectKind.
inline std::vector<Object> SampleObjects() {
  const auto q = SampleQuantity;
  const std::vector<Taint> taints = {{"spot", "y", TaintEffect::kPreferNoSchedule}};
  const ResourceGroup group = {{"cpu"}, {{"spot", {{"cpu", q("8"), q("4"), q("2500m")}}}}};
  const LabelSelector selector = {{{"team", "a"}}, {{"env", SelectorOp::kDoesNotExist, {}}}};
  const PreemptionRules preemption = {PreemptionPolicy::kLowerPriority, PreemptionPolicy::kAny,
                                      PreemptionPolicy::kLowerPriority, 100};
  std::vector<Object> objects = {
      ResourceFlavor{"spot",
                     {{"type", "spot"}},
                     taints,
                     {{"spot", TolerationOp::kExists, "", TaintEffect::kNoExecute}},
                     "topo"},
      ClusterQueue{"cq",
                   "org",
                   {group},
                   QueueingStrategy::kStrictFifo,
                   selector,
                   {FungibilityPolicy::kTryNextFlavor, FungibilityPolicy::kMayStopSearch,
                    FungibilityPreference::kPreemptionOverBorrowing},
                   preemption,
                   2.5,
                   AdmissionMode::kUsageBased,
                   {{"prov", {"spot"}}},
                   StopPolicy::kHoldAndDrain,
                   1'767'268'800'000'000'000,
                   Presence::kWritten,
                   Presence::kWritten,
                   Presence::kWritten,
                   ConcurrentAdmission{MigrationMode::kRetainFirstAdmission, "spot"}},
      Cohort{"org", "root", {group}, 0.25},
      LocalQueue{{"team-a", "jobs"},
                 {{"l", "v"}},
                 "cq",
                 StopPolicy::kHold,
                 3,
                 FairSharingHistory{{{"cpu", q("7m")}}, 12}},
      WorkloadPriorityClass{"high", 100, "urgent"},
      PriorityClass{"pod-high", -5, true},
      Namespace{"team-a", {{"team", "a"}}},
      LimitRange{{"team-a", "limits"},
                 {{LimitRangeType::kPod,
                   {{"cpu", q("1")}},
                   {{"cpu", q("2")}},
                   {{"cpu", q("3")}},
                   {{"cpu", q("4")}},
                   {{"cpu", q("5")}}}}},
      RuntimeClass{"kata", {{"cpu", q("100m")}}},
      AdmissionCheck{"prov", "kueue.x-k8s.io/provisioning", false},
      Topology{"topo", {"rack", "kubernetes.io/hostname"}},
      Node{"n1", {{"zone", "a"}}, taints, {{"cpu", q("64")}}, false, true},
      Pod{{"kube-system", "dns"}, "n1", {{"cpu", q("100m")}}}};
  for (const Object& object : SampleConfigurations()) objects.push_back(object);
  objects.push_back(SampleWorkload());
  return objects;
}

}  // namespace muster

#endif  // MUSTER_TESTS_UNIT_MODEL_SAMPLE_OBJECTS_H_
