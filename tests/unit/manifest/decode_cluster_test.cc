// Cluster-wide classes and what the cluster has.
#include <gmock/gmock.h>

#include "tests/unit/manifest/parse_text.h"

namespace muster::manifest {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(DecodeClasses, PriorityClasses) {
  EXPECT_EQ(
      ParseOne<WorkloadPriorityClass>(
          "{apiVersion: kueue.x-k8s.io/v1beta1, kind: WorkloadPriorityClass, metadata: {name: "
          "prod}, value: -3, description: d}"),
      (WorkloadPriorityClass{"prod", -3, "d"}));
  EXPECT_EQ(
      ParseOne<PriorityClass>(
          "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: p}, value: "
          "5, globalDefault: true, description: d, preemptionPolicy: Never}"),
      (PriorityClass{"p", 5, true}));
}

TEST(DecodeClasses, RuntimeClassCheckAndTopology) {
  EXPECT_EQ(ParseOne<RuntimeClass>(
                "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: kata}, handler: "
                "kata, overhead: {podFixed: {cpu: 250m}}}"),
            (RuntimeClass{"kata", {{"cpu", Q("250m")}}}));
  EXPECT_EQ(ParseOne<Topology>(
                "{apiVersion: kueue.x-k8s.io/v1alpha1, kind: Topology, metadata: {name: t}, spec: "
                "{levels: [{nodeLabel: block}, {nodeLabel: kubernetes.io/hostname}]}}"),
            (Topology{"t", {"block", "kubernetes.io/hostname"}}));
  const std::string check =
      "{apiVersion: kueue.x-k8s.io/v1beta2, kind: AdmissionCheck, metadata: {name: c}, spec: "
      "{controllerName: x, parameters: {kind: K, name: n}}";
  EXPECT_EQ(ParseOne<AdmissionCheck>(check + "}"), (AdmissionCheck{"c", "x", true}));
  EXPECT_EQ(ParseOne<AdmissionCheck>(check +
                                     ", status: {conditions: [{type: Active, status: 'False'}]}}"),
            (AdmissionCheck{"c", "x", false}));
}

TEST(DecodeCluster, NamespacesKnowTheirName) {
  EXPECT_THAT(ParseOne<Namespace>("{apiVersion: v1, kind: Namespace, metadata: {name: team-a, "
                                  "labels: {dep: eng}}, spec: {finalizers: [kubernetes]}}")
                  .labels,
              ElementsAre(Pair("dep", "eng"), Pair("kubernetes.io/metadata.name", "team-a")));
}

TEST(DecodeCluster, Nodes) {
  const std::string head = "apiVersion: v1\nkind: Node\nmetadata: {name: n1, labels: {zone: a}}\n";
  const auto node = ParseOne<Node>(head + R"(
spec:
  podCIDR: 10.0.0.0/24
  unschedulable: true
  taints: [{key: gpu, effect: NoSchedule, timeAdded: '2026-01-01T00:00:00Z'}]
status:
  capacity: {cpu: 9}
  allocatable: {cpu: 8, memory: 32Gi}
  conditions:
  - {type: MemoryPressure, status: "False"}
  - {type: Ready, status: "False", lastHeartbeatTime: '2026-01-01T00:00:00Z'}
  nodeInfo: {kubeletVersion: v1.31.0}
)");
  EXPECT_EQ(node, (Node{"n1",
                        {{"zone", "a"}},
                        {{"gpu", "", TaintEffect::kNoSchedule}},
                        {{"cpu", Q("8")}, {"memory", Q("32Gi")}},
                        false,
                        true}));
  EXPECT_TRUE(ParseOne<Node>(head).ready) << "a hand-written Node has no conditions";
}

std::string PodYaml(std::string_view metadata, std::string_view status) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: n" + std::string(metadata) +
         "}\nspec:\n  nodeName: n1\n  containers:\n"
         "  - {name: a, resources: {requests: {cpu: 500m}}}\n"
         "  - {name: b, resources: {limits: {cpu: 1}}}\n"
         "  initContainers: [{name: i, resources: {requests: {cpu: 1, memory: 1Gi}}}]\n" +
         "status: {phase: " + std::string(status) + "}\n";
}

TEST(DecodeCluster, PodsTakeRoomForTheirContainers) {
  EXPECT_EQ(ParseOne<muster::Pod>(PodYaml("", "Running")),
            (muster::Pod{{"n", "p"}, "n1", {{"cpu", Q("1500m")}, {"memory", Q("1Gi")}}}));
}

TEST(DecodeCluster, PodsThatEndedOrBelongToAWorkloadTakeNone) {
  for (const std::string& text :
       {PodYaml("", "Succeeded"), PodYaml("", "Failed"),
        PodYaml(", labels: {kueue.x-k8s.io/tas: 'true'}", "Running"),
        PodYaml(", annotations: {kueue.x-k8s.io/podset-required-topology: rack}", "Running")}) {
    const Manifests manifests = ParseText(text);
    EXPECT_THAT(manifests.objects, IsEmpty());
    EXPECT_THAT(Messages(manifests), IsEmpty());
  }
}

TEST(DecodeCluster, LimitRanges) {
  const auto range = ParseOne<LimitRange>(R"(
apiVersion: v1
kind: LimitRange
metadata: {name: limits, namespace: n}
spec:
  limits:
  - type: Container
    default: {cpu: 2}
    defaultRequest: {cpu: 1}
    min: {cpu: 100m}
    max: {cpu: 4}
    maxLimitRequestRatio: {cpu: 2}
  - {type: PersistentVolumeClaim, max: {storage: 1Gi}}
  - {type: Pod, max: {cpu: 8}}
)");
  EXPECT_THAT(range.items,
              ElementsAre(LimitRangeItem{LimitRangeType::kContainer,
                                         {{"cpu", Q("1")}},
                                         {{"cpu", Q("2")}},
                                         {{"cpu", Q("100m")}},
                                         {{"cpu", Q("4")}},
                                         {{"cpu", Q("2")}}},
                          LimitRangeItem{LimitRangeType::kPod, {}, {}, {}, {{"cpu", Q("8")}}, {}}));
}

TEST(DecodeCluster, NamespaceQuotasOfSomePodsSayNothing) {
  for (const char* scope : {"scopes: [BestEffort]", "scopes: [NotTerminating, PriorityClass]",
                            "scopeSelector: {matchExpressions: []}"}) {
    const Manifests manifests = ParseText(
        "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {cpu: 1}, " +
        std::string(scope) + "}\n");
    EXPECT_THAT(Messages(manifests), IsEmpty());
    ASSERT_EQ(manifests.namespace_quotas.size(), 1U);
    EXPECT_TRUE(manifests.namespace_quotas[0].hard.empty()) << scope;
  }
}

TEST(DecodeCluster, NamespaceQuotasAreKeptAside) {
  const Manifests manifests = ParseText(R"(
apiVersion: v1
kind: ResourceQuota
metadata: {name: q, namespace: team-a}
spec: {hard: {requests.cpu: 10, pods: "4"}, scopes: [NotTerminating]}
status: {used: {pods: "1"}}
)");
  EXPECT_THAT(Messages(manifests), IsEmpty());
  EXPECT_THAT(manifests.objects, IsEmpty());
  ASSERT_EQ(manifests.namespace_quotas.size(), 1U);
  const NamespaceQuota& quota = manifests.namespace_quotas[0];
  EXPECT_EQ(quota.key, (Key{"team-a", "q"}));
  EXPECT_EQ(quota.hard, (ResourceList{{"pods", Q("4")}, {"requests.cpu", Q("10")}}));
  EXPECT_EQ(quota.place.line, 2);
}

}  // namespace
}  // namespace muster::manifest
