// Workloads: podsets, priority, status, in both versions of the API.
#include <gmock/gmock.h>

#include "tests/unit/manifest/parse_text.h"

namespace muster::manifest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr std::string_view kWorkload = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata:
  name: train
  namespace: team-a
  uid: u-1
  creationTimestamp: '2026-01-01T11:46:06Z'
  labels: {team: a}
  annotations: {example.com/note: "5"}
spec:
  queueName: research
  priority: 7
  priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: prod}
  active: false
  maximumExecutionTimeSeconds: 3600
  preemptionGates: [{name: gate}]
  podSets:
  - name: driver
    template: {spec: {containers: [{name: c, image: i}]}}
  - name: worker
    count: 8
    minCount: 4
    topologyRequest:
      required: cloud/block
      podSetGroupName: group
      podSetSliceRequiredTopology: cloud/rack
      podSetSliceSize: 2
      podIndexLabel: index
    template:
      metadata: {labels: {app: x}}
      spec:
        restartPolicy: Never
        serviceAccountName: sa
        containers:
        - name: main
          image: i
          ports: [{containerPort: 80}]
          resources:
            requests: {cpu: 500m, nvidia.com/gpu: 2}
            limits: {memory: 1Gi}
            claims: [{name: x}]
        initContainers:
        - {name: side, restartPolicy: Always, resources: {requests: {cpu: 100m}}}
        - {name: init}
        resources: {requests: {cpu: 4}, limits: {cpu: 8}}
        overhead: {}
        runtimeClassName: kata
        priorityClassName: high
        nodeSelector: {zone: a}
        affinity:
          podAffinity: {}
          nodeAffinity:
            preferredDuringSchedulingIgnoredDuringExecution: []
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
              - matchExpressions: [{key: gpu, operator: Gt, values: ["1"]}]
              - matchFields: [{key: metadata.name, operator: In, values: [n1]}]
        tolerations: [{key: spot, operator: Exists}]
)";

TEST(DecodeWorkload, ReadsMetadataAndSpec) {
  const auto workload = ParseOne<Workload>(kWorkload);
  EXPECT_EQ(workload.key, (Key{"team-a", "train"}));
  EXPECT_EQ(workload.uid, "u-1");
  EXPECT_EQ(workload.created, ParseTime("2026-01-01T11:46:06Z"));
  EXPECT_THAT(workload.labels, ElementsAre(Pair("team", "a")));
  EXPECT_THAT(workload.annotations, ElementsAre(Pair("example.com/note", "5")));
  EXPECT_EQ(workload.queue, "research");
  EXPECT_EQ(workload.priority, 7);
  EXPECT_EQ(workload.priority_source, PriorityClassSource::kWorkloadPriorityClass);
  EXPECT_EQ(workload.priority_class, "prod");
  EXPECT_FALSE(workload.active);
  EXPECT_EQ(workload.max_execution_seconds, 3600);
  EXPECT_THAT(workload.preemption_gates, ElementsAre("gate"));
  EXPECT_EQ(workload.status, WorkloadStatus());
}

TEST(DecodeWorkload, ReadsPodSets) {
  const auto workload = ParseOne<Workload>(kWorkload);
  ASSERT_EQ(workload.pod_sets.size(), 2U);
  EXPECT_EQ(workload.pod_sets[0].count, 1);
  EXPECT_EQ(workload.pod_sets[0].topology, std::nullopt);
  const PodSet& worker = workload.pod_sets[1];
  EXPECT_EQ(worker.name, "worker");
  EXPECT_EQ(worker.count, 8);
  EXPECT_EQ(worker.min_count, 4);
  EXPECT_EQ(worker.topology,
            (TopologyRequest{"cloud/block", "", false, {{"cloud/rack", 2}}, "group"}));
}

TEST(DecodeWorkload, ReadsTheSchedulingPartOfPods) {
  const PodTemplate pods = ParseOne<Workload>(kWorkload).pod_sets[1].pods;
  EXPECT_THAT(pods.containers,
              ElementsAre(Container{"main",
                                    {{"cpu", Q("500m")}, {"nvidia.com/gpu", Q("2")}},
                                    {{"memory", Q("1Gi")}},
                                    false}));
  EXPECT_THAT(pods.init_containers, ElementsAre(Container{"side", {{"cpu", Q("100m")}}, {}, true},
                                                Container{"init", {}, {}, false}));
  EXPECT_EQ(pods.pod_requests, (ResourceList{{"cpu", Q("4")}}));
  EXPECT_EQ(pods.pod_limits, (ResourceList{{"cpu", Q("8")}}));
  EXPECT_EQ(pods.overhead, ResourceList());
  EXPECT_EQ(pods.runtime_class, "kata");
  EXPECT_EQ(pods.priority_class, "high");
  EXPECT_THAT(pods.node_selector, ElementsAre(Pair("zone", "a")));
  ASSERT_TRUE(pods.required_node_affinity);
  EXPECT_THAT(*pods.required_node_affinity,
              ElementsAre(NodeSelectorTerm{{{"gpu", SelectorOp::kGt, {"1"}}}, {}},
                          NodeSelectorTerm{{}, {{"metadata.name", SelectorOp::kIn, {"n1"}}}}));
  EXPECT_THAT(pods.tolerations,
              ElementsAre(Toleration{"spot", TolerationOp::kExists, "", TaintEffect::kNone}));
}

TEST(DecodeWorkload, V1beta1NamesThePriorityClassDifferently) {
  const auto workload = ParseOne<Workload>(R"(
apiVersion: kueue.x-k8s.io/v1beta1
kind: Workload
metadata: {name: w, namespace: n}
spec:
  priority: 3
  priorityClassName: high
  priorityClassSource: scheduling.k8s.io/priorityclass
status: {accumulatedPastExexcutionTimeSeconds: 12}
)");
  EXPECT_EQ(workload.priority_source, PriorityClassSource::kPodPriorityClass);
  EXPECT_EQ(workload.priority_class, "high");
  EXPECT_EQ(workload.status.past_execution_seconds, 12);
}

TEST(DecodeWorkload, APriorityClassOfV1beta1WithoutSourceIsThatOfPods) {
  const auto source = [](std::string_view spec) {
    return ParseOne<Workload>(
               "apiVersion: kueue.x-k8s.io/v1beta1\nkind: Workload\n"
               "metadata: {name: w}\nspec: " +
               std::string(spec))
        .priority_source;
  };
  EXPECT_EQ(source("{priorityClassName: high}"), PriorityClassSource::kPodPriorityClass);
  EXPECT_EQ(source("{priorityClassSource: kueue.x-k8s.io/workloadpriorityclass}"),
            PriorityClassSource::kNone);
}

TEST(DecodeWorkload, SliceLayersAreListedOutermostFirst) {
  const auto workload = ParseOne<Workload>(R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: w}
spec:
  podSets:
  - topologyRequest:
      unconstrained: true
      podsetSliceRequiredTopologyConstraints:
      - {topology: block, size: 8}
      - {topology: rack, size: 4}
    template: {}
)");
  EXPECT_EQ(workload.pod_sets[0].name, "main");
  EXPECT_EQ(workload.pod_sets[0].topology,
            (TopologyRequest{"", "", true, {{"block", 8}, {"rack", 4}}, ""}));
}

constexpr std::string_view kStatus = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: w, namespace: n}
spec: {podSets: [{name: main, count: 3, template: {}}]}
status:
  conditions:
  - {type: QuotaReserved, status: "True", reason: QuotaReserved, message: m,
     lastTransitionTime: "2026-01-01T12:00:00.9Z", observedGeneration: 1}
  - {type: Admitted, status: Unknown}
  admission:
    clusterQueue: cq
    podSetAssignments:
    - flavors: {cpu: default}
      resourceUsage: {cpu: 3}
  requeueState: {count: 2, requeueAt: "2026-01-01T12:05:00Z"}
  reclaimablePods: [{name: main, count: 1}]
  admissionChecks:
  - name: prov
    state: Retry
    message: later
    lastTransitionTime: "2026-01-01T12:00:00Z"
    retryCount: 1
    requeueAfterSeconds: 60
    podSetUpdates:
    - {name: main, labels: {a: b}, annotations: {c: d}, nodeSelector: {e: f},
       tolerations: [{operator: Exists}]}
  accumulatedPastExecutionTimeSeconds: 99
  preemptionGates:
  - {name: g1, position: Open, lastTransitionTime: "2026-01-01T12:00:00Z"}
  - {name: g2, position: Closed}
  unhealthyNodes: [{name: n1}]
  schedulingStats: {evictions: []}
  resourceRequests: []
)";

TEST(DecodeStatus, ReadsWhatTheWorkloadHolds) {
  const WorkloadStatus status = ParseOne<Workload>(kStatus).status;
  const TimeNs noon = *ParseTime("2026-01-01T12:00:00Z");
  EXPECT_THAT(status.conditions,
              ElementsAre(Condition{"QuotaReserved", true, "QuotaReserved", "m", noon},
                          Condition{"Admitted", false, "", "", kNoTime}));
  ASSERT_TRUE(status.admission);
  EXPECT_EQ(status.admission->cluster_queue, "cq");
  EXPECT_THAT(status.admission->pod_sets,
              ElementsAre(PodSetAssignment{
                  "main", 3, {{"cpu", "default"}}, {{"cpu", Q("3")}}, std::nullopt}))
      << "an assignment without count stands for all pods";
  EXPECT_EQ(status.requeue_state, (RequeueState{2, noon + 300 * kSecond}));
  EXPECT_THAT(status.reclaimable_pods, ElementsAre(ReclaimablePods{"main", 1}));
  EXPECT_THAT(
      status.admission_checks,
      ElementsAre(AdmissionCheckStatus{"prov",
                                       CheckState::kRetry,
                                       "later",
                                       noon,
                                       1,
                                       60,
                                       {{"main",
                                         {{"a", "b"}},
                                         {{"c", "d"}},
                                         {{"e", "f"}},
                                         {{"", TolerationOp::kExists, "", TaintEffect::kNone}}}}}));
  EXPECT_EQ(status.past_execution_seconds, 99);
  EXPECT_THAT(status.open_preemption_gates, ElementsAre("g1"));
  EXPECT_THAT(status.unhealthy_nodes, ElementsAre("n1"));
}

std::string WithTopology(std::string_view assignment) {
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: w}\nstatus:\n"
         "  admission:\n    clusterQueue: cq\n    podSetAssignments:\n    - topologyAssignment: " +
         std::string(assignment) + "\n";
}

TEST(DecodeStatus, BothSpellingsOfATopologyAssignmentMeanTheSame) {
  const auto old_spelling = ParseOne<Workload>(WithTopology(
      "{levels: [block, host], domains: [{values: [b1, x-1-y], count: 2}, {values: [b1, x-2-y], "
      "count: 1}, {values: [b2, h9], count: 4}]}"));
  const auto new_spelling = ParseOne<Workload>(WithTopology(
      "{levels: [block, host], slices: [{domainCount: 2, valuesPerLevel: [{universal: b1}, "
      "{individual: {prefix: x-, suffix: -y, roots: ['1', '2']}}], podCounts: {individual: [2, "
      "1]}}, {domainCount: 1, valuesPerLevel: [{universal: b2}, {universal: h9}], podCounts: "
      "{universal: 4}}]}"));
  EXPECT_EQ(old_spelling, new_spelling);
  const auto& topology = *new_spelling.status.admission->pod_sets[0].topology;
  EXPECT_THAT(topology.domains,
              ElementsAre(TopologyDomain{{"b1", "x-1-y"}, 2}, TopologyDomain{{"b1", "x-2-y"}, 1},
                          TopologyDomain{{"b2", "h9"}, 4}));
}

TEST(DecodeWorkload, WarnsOfAnnotationsThatDoNothingHere) {
  const Manifests manifests = ParseText(R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata:
  name: more
  namespace: lab
  annotations:
    example.com/note: any
    kueue.x-k8s.io/admission-gated-by: example.com/budget
    kueue.x-k8s.io/prebuilt-workload-name: less
spec:
  queueName: lab
  podSets: [{name: main, template: {spec: {containers: [{name: c}]}}}]
)");
  EXPECT_FALSE(manifests.HasErrors());
  EXPECT_THAT(Messages(manifests),
              ElementsAre("f.yaml:9:5: warning: the annotation "
                          "\"kueue.x-k8s.io/prebuilt-workload-name\" has no effect; "
                          "remove it; a Job becomes a Workload of its own, or write that Workload "
                          "instead"));
}

TEST(DecodeWorkload, TheMarksOfSlicesAreRead) {
  const auto workload = ParseOne<Workload>(R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata:
  name: train-2
  namespace: lab
  annotations:
    kueue.x-k8s.io/elastic-job: "true"
    kueue.x-k8s.io/workload-slice-name: train-1
    kueue.x-k8s.io/workload-slice-replacement-for: lab/train-1
spec:
  queueName: lab
  podSets: [{name: main, template: {spec: {containers: [{name: c}]}}}]
)");
  EXPECT_EQ(workload.annotations.size(), 3U);
  EXPECT_FALSE(workload.variant_of);
}

TEST(DecodeWorkload, AnOwnerThatIsAWorkloadMakesItAVariant) {
  const auto workload = ParseOne<Workload>(R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata:
  name: train-spot
  namespace: lab
  annotations: {kueue.x-k8s.io/workload-allowed-resource-flavors: spot}
  ownerReferences:
  - {apiVersion: batch/v1, kind: Job, name: other, uid: "1"}
  - {apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, name: train, uid: "7", controller: true}
spec:
  queueName: lab
  podSets: [{name: main, template: {spec: {containers: [{name: c}]}}}]
)");
  EXPECT_EQ(workload.variant_of, (ParentWorkload{"train", "7"}));
}

TEST(DecodeWorkload, AnOwnerThatIsAWorkloadNeedsItsUid) {
  const Manifests manifests = ParseText(R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata:
  name: train-spot
  ownerReferences: [{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, name: train}]
spec: {podSets: [{name: main, template: {spec: {containers: [{name: c}]}}}]}
)");
  EXPECT_TRUE(manifests.HasErrors());
  EXPECT_THAT(Messages(manifests), ElementsAre(HasSubstr("uid")));
}

}  // namespace
}  // namespace muster::manifest
