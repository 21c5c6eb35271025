// ResourceFlavor, ClusterQueue, Cohort, LocalQueue, in both versions of the API.
#include <gmock/gmock.h>

#include "tests/unit/manifest/parse_text.h"

namespace muster::manifest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(DecodeFlavor, ReadsLabelsTaintsTolerationsTopology) {
  const auto flavor = ParseOne<ResourceFlavor>(R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: spot}
spec:
  nodeLabels: {cloud.example.com/kind: spot, "zone": "1"}
  nodeTaints:
  - {key: spot, value: "true", effect: NoSchedule}
  tolerations:
  - {operator: Exists}
  - {key: spot, value: "true", effect: NoExecute, tolerationSeconds: 30}
  topologyName: racks
)");
  EXPECT_EQ(flavor.name, "spot");
  EXPECT_THAT(flavor.node_labels,
              ElementsAre(Pair("cloud.example.com/kind", "spot"), Pair("zone", "1")));
  EXPECT_THAT(flavor.node_taints, ElementsAre(Taint{"spot", "true", TaintEffect::kNoSchedule}));
  EXPECT_THAT(flavor.tolerations,
              ElementsAre(Toleration{"", TolerationOp::kExists, "", TaintEffect::kNone},
                          Toleration{"spot", TolerationOp::kEqual, "true", TaintEffect::kNoExecute,
                                     std::int64_t{30}}));
  EXPECT_EQ(flavor.topology_name, "racks");
}

TEST(DecodeFlavor, NeedsNoSpec) {
  EXPECT_EQ(ParseOne<ResourceFlavor>(
                "{apiVersion: kueue.x-k8s.io/v1beta1, kind: ResourceFlavor, metadata: {name: x}}")
                .name,
            "x");
}

constexpr std::string_view kQueueV1beta2 = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team-a}
spec:
  cohortName: shared
  queueingStrategy: StrictFIFO
  namespaceSelector:
    matchExpressions: [{key: dep, operator: In, values: [eng]}]
  resourceGroups:
  - coveredResources: [cpu, memory]
    flavors:
    - name: default-flavor
      resources:
      - {name: cpu, nominalQuota: 1.5, borrowingLimit: 500m}
      - {name: memory, nominalQuota: 64Gi, lendingLimit: "0"}
  flavorFungibility: {whenCanBorrow: MayStopSearch, whenCanPreempt: MayStopSearch}
  preemption:
    withinClusterQueue: LowerOrNewerEqualPriority
    reclaimWithinCohort: Any
    borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: -5}
  fairSharing: {weight: 500m}
  admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}
  admissionChecksStrategy: {admissionChecks: [{name: prov}, {name: budget}]}
  stopPolicy: HoldAndDrain
status: {pendingWorkloads: 3, fairSharing: {weightedShare: 7}}
)";

TEST(DecodeClusterQueue, ReadsEveryField) {
  const auto queue = ParseOne<ClusterQueue>(kQueueV1beta2);
  EXPECT_EQ(queue.cohort, "shared");
  EXPECT_EQ(queue.queueing_strategy, QueueingStrategy::kStrictFifo);
  ASSERT_TRUE(queue.namespace_selector);
  EXPECT_THAT(queue.namespace_selector->match_expressions,
              ElementsAre(SelectorRequirement{"dep", SelectorOp::kIn, {"eng"}}));
  ASSERT_EQ(queue.resource_groups.size(), 1U);
  EXPECT_THAT(queue.resource_groups[0].covered_resources, ElementsAre("cpu", "memory"));
  EXPECT_THAT(
      queue.resource_groups[0].flavors,
      ElementsAre(FlavorQuotas{"default-flavor",
                               {{"cpu", Quantity::Milli(1500), Quantity::Milli(500), std::nullopt},
                                {"memory", Q("64Gi"), std::nullopt, Quantity()}}}));
  EXPECT_EQ(queue.flavor_fungibility.when_can_preempt, FungibilityPolicy::kMayStopSearch);
  EXPECT_EQ(queue.preemption.within_cluster_queue, PreemptionPolicy::kLowerOrNewerEqualPriority);
  EXPECT_EQ(queue.preemption.reclaim_within_cohort, PreemptionPolicy::kAny);
  EXPECT_EQ(queue.preemption.borrow_within_cohort, PreemptionPolicy::kLowerPriority);
  EXPECT_EQ(queue.preemption.max_priority_threshold, -5);
  EXPECT_EQ(queue.fair_weight, 0.5);
  EXPECT_EQ(queue.admission_mode, AdmissionMode::kUsageBased);
  EXPECT_THAT(queue.admission_checks,
              ElementsAre(AdmissionCheckRule{"prov", {}}, AdmissionCheckRule{"budget", {}}));
  EXPECT_EQ(queue.stop_policy, StopPolicy::kHoldAndDrain);
}

TEST(DecodeClusterQueue, V1beta1SpellsTheSameQueueDifferently) {
  std::string text(kQueueV1beta2);
  const auto replace = [&](std::string_view from, std::string_view to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("v1beta2", "v1beta1");
  replace("cohortName", "cohort");
  replace("whenCanBorrow: MayStopSearch", "whenCanBorrow: Borrow");
  replace("whenCanPreempt: MayStopSearch", "whenCanPreempt: Preempt");
  replace("admissionChecksStrategy: {admissionChecks: [{name: prov}, {name: budget}]}",
          "admissionChecks: [prov, budget]");
  EXPECT_EQ(ParseOne<ClusterQueue>(text), ParseOne<ClusterQueue>(kQueueV1beta2));
}

TEST(DecodeClusterQueue, DefaultsAreKueues) {
  const auto queue = ParseOne<ClusterQueue>(R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: q, creationTimestamp: null}
spec: {preemption: {}, flavorFungibility: {}, fairSharing: {}, stopPolicy: null}
)");
  ClusterQueue expected;
  expected.name = "q";
  expected.fair_sharing = Presence::kWritten;
  EXPECT_EQ(queue, expected);
}

TEST(DecodeClusterQueue, ASelectorThatIsEmptyIsNotAbsent) {
  const auto queue = ParseOne<ClusterQueue>(R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: q}
spec: {namespaceSelector: {}}
)");
  ASSERT_TRUE(queue.namespace_selector);
  EXPECT_EQ(*queue.namespace_selector, LabelSelector());
}

TEST(DecodeClusterQueue, ReadsConcurrentAdmissionWhoseModeMayBeLeftOut) {
  const auto moving = ParseOne<ClusterQueue>(R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: q}
spec:
  concurrentAdmissionPolicy: {migration: {constraints: {lastAcceptableFlavorName: spot}}}
)");
  EXPECT_EQ(moving.concurrent_admission,
            (ConcurrentAdmission{MigrationMode::kTryPreferredFlavors, "spot"}));
  const auto staying = ParseOne<ClusterQueue>(R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: q}
spec: {concurrentAdmissionPolicy: {migration: {mode: RetainFirstAdmission}}}
)");
  EXPECT_EQ(staying.concurrent_admission,
            (ConcurrentAdmission{MigrationMode::kRetainFirstAdmission, ""}));
}

TEST(DecodeClusterQueue, VariantsThatAreListedAreAWarning) {
  const Manifests manifests = ParseText(R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: q}
spec:
  concurrentAdmissionPolicy:
    explicitVariants: []
)");
  EXPECT_FALSE(manifests.HasErrors());
  EXPECT_THAT(Messages(manifests), ElementsAre(HasSubstr("explicitVariants")));
}

TEST(DecodeCohort, HasItsParentUnderTheNameOfItsFirstVersion) {
  const auto cohort = ParseOne<Cohort>(
      "apiVersion: kueue.x-k8s.io/v1alpha1\nkind: Cohort\nmetadata: {name: a}\nspec: {parent: "
      "b}\n");
  EXPECT_EQ(cohort.parent, "b");
}

TEST(DecodeCohort, ReadsParentQuotaWeightInEveryVersion) {
  for (const char* version : {"v1beta2", "v1beta1", "v1alpha1"}) {
    const auto cohort = ParseOne<Cohort>(
        "apiVersion: kueue.x-k8s.io/" + std::string(version) +
        "\nkind: Cohort\nmetadata: {name: ml}\nspec:\n  parentName: org\n  fairSharing: {weight: "
        "2}\n"
        "  resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, "
        "nominalQuota: 3}]}]}]\n");
    EXPECT_EQ(cohort.parent, "org");
    EXPECT_EQ(cohort.fair_weight, 2.0);
    EXPECT_EQ(cohort.resource_groups.size(), 1U);
  }
}

TEST(DecodeLocalQueue, ReadsQueueAndHistory) {
  const auto queue = ParseOne<LocalQueue>(R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: research, namespace: team-a, labels: {tier: gold}}
spec: {clusterQueue: team-a, stopPolicy: Hold, fairSharing: {weight: "3"}}
status:
  pendingWorkloads: 2
  flavorsUsage: []
  fairSharing:
    weightedShare: 0
    admissionFairSharingStatus:
      consumedResources: {cpu: 10, memory: 1Gi}
      lastUpdate: '2026-01-01T12:00:00Z'
)");
  EXPECT_EQ(queue.key, (Key{"team-a", "research"}));
  EXPECT_THAT(queue.labels, ElementsAre(Pair("tier", "gold")));
  EXPECT_EQ(queue.cluster_queue, "team-a");
  EXPECT_EQ(queue.stop_policy, StopPolicy::kHold);
  EXPECT_EQ(queue.fair_weight, 3.0);
  ASSERT_TRUE(queue.history);
  EXPECT_EQ(queue.history->consumed, (ResourceList{{"cpu", Q("10")}, {"memory", Q("1Gi")}}));
  EXPECT_EQ(queue.history->last_update, ParseTime("2026-01-01T12:00:00Z"));
}

TEST(DecodeLocalQueue, LivesInTheDefaultNamespace) {
  const auto queue = ParseOne<LocalQueue>(
      "{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: q}, "
      "spec: {clusterQueue: cq}}");
  EXPECT_EQ(queue.key, (Key{"default", "q"}));
  EXPECT_FALSE(queue.history);
}

TEST(DecodeNames, CapitalLettersAreAWarning) {
  const Manifests manifests =
      ParseText("{apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: Cohort_A}}");
  EXPECT_EQ(manifests.objects.size(), 1U);
  EXPECT_THAT(Messages(manifests),
              ElementsAre("f.yaml:1:69: warning: Kubernetes would refuse the name \"Cohort_A\"; "
                          "write cohort-a"));
}

}  // namespace
}  // namespace muster::manifest
