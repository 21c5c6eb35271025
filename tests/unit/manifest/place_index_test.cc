// From an engine's path to the line that a person has to change.
#include "bindings/manifest/place_index.h"

#include <gmock/gmock.h>

#include "tests/unit/manifest/parse_text.h"

namespace muster::manifest {
namespace {

using ::testing::ElementsAre;

std::string PlaceIn(const Manifests& manifests, std::string_view field, std::size_t object = 0) {
  const Place place = manifests.PlaceOf(object, field);
  return std::to_string(place.line) + ":" + std::to_string(place.column);
}

constexpr std::string_view kQueue = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team-a}
spec:
  cohortName: shared
  resourceGroups:
  - coveredResources: [cpu, memory]
    flavors:
    - name: default-flavor
      resources:
      - {name: cpu, nominalQuota: 5}
    - name: spot
)";

TEST(PlaceOf, FindsScalarsListsAndMappings) {
  const Manifests queue = ParseText(kQueue);
  EXPECT_EQ(queue.PlaceOf(0, "spec").file, "f.yaml");
  EXPECT_EQ(PlaceIn(queue, ""), "1:1");
  EXPECT_EQ(PlaceIn(queue, "metadata.name"), "3:18");
  EXPECT_EQ(PlaceIn(queue, "spec"), "4:1");
  EXPECT_EQ(PlaceIn(queue, "spec.cohortName"), "5:15");
  EXPECT_EQ(PlaceIn(queue, "spec.resourceGroups"), "6:3");
  EXPECT_EQ(PlaceIn(queue, "spec.resourceGroups[0]"), "7:5");
  EXPECT_EQ(PlaceIn(queue, "spec.resourceGroups[0].coveredResources[1]"), "7:29");
  EXPECT_EQ(PlaceIn(queue, "spec.resourceGroups[0].flavors[1].name"), "12:13");
  EXPECT_EQ(PlaceIn(queue, "spec.resourceGroups[0].flavors[0].resources[0].nominalQuota"), "11:35");
}

TEST(PlaceOf, FallsBackToTheNearestParent) {
  const Manifests queue = ParseText(kQueue);
  EXPECT_EQ(PlaceIn(queue, "spec.preemption.withinClusterQueue"), "4:1");
  EXPECT_EQ(PlaceIn(queue, "spec.resourceGroups[0].flavors[1].resources[0]"), "12:7");
  EXPECT_EQ(PlaceIn(queue, "spec.resourceGroups[7].flavors"), "6:3");
  EXPECT_EQ(PlaceIn(queue, "spec.resourceGroups[x"), "6:3");
  EXPECT_EQ(PlaceIn(queue, "nonsense"), "1:1");
  EXPECT_EQ(PlaceIn(queue, "spec.cohortName.deeper[3]"), "5:15");
  EXPECT_EQ(PlaceIn(queue, "spec", 5), "0:0");
}

TEST(PlaceOf, KeysMayContainDotsAndBrackets) {
  const Manifests flavor = ParseText(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: f}\n"
      "spec:\n  nodeLabels:\n    example.com: a\n    example.com/zone: b\n");
  EXPECT_EQ(PlaceIn(flavor, "spec.nodeLabels.example.com/zone"), "7:23");
  EXPECT_EQ(PlaceIn(flavor, "spec.nodeLabels[example.com]"), "6:18");
  EXPECT_EQ(PlaceIn(flavor, "spec.nodeLabels[\"example.com/zone\"]"), "7:23");
  EXPECT_EQ(PlaceIn(flavor, "spec.nodeLabels['example.com/zone']"), "7:23");
  EXPECT_EQ(PlaceIn(flavor, "spec.nodeLabels[\"missing\"]"), "5:3");
}

TEST(PlaceOf, TranslatesToV1beta1) {
  const Manifests manifests = ParseText(R"(apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: q}
spec:
  cohort: shared
  admissionChecks: [prov, budget]
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: Workload
metadata: {name: w}
spec: {priorityClassName: prod}
)");
  EXPECT_EQ(PlaceIn(manifests, "spec.cohortName"), "5:11");
  EXPECT_EQ(PlaceIn(manifests, "spec.admissionChecksStrategy.admissionChecks[1].name"), "6:27");
  EXPECT_EQ(PlaceIn(manifests, "spec.priorityClassRef.name", 1), "11:27");
}

TEST(PlaceOf, TranslatesToTheJobAWorkloadWasMadeFrom) {
  const Manifests job = ParseText(R"(apiVersion: batch/v1
kind: Job
metadata:
  name: train
  labels:
    kueue.x-k8s.io/queue-name: research
    kueue.x-k8s.io/max-exec-time-seconds: "60"
  annotations: {kueue.x-k8s.io/job-min-parallelism: "4"}
spec:
  parallelism: 16
  template:
    spec:
      containers:
      - name: main
        resources: {requests: {cpu: 1}}
)");
  EXPECT_EQ(PlaceIn(job, "spec.queueName"), "6:32");
  EXPECT_EQ(PlaceIn(job, "spec.maximumExecutionTimeSeconds"), "7:43");
  EXPECT_EQ(PlaceIn(job, "spec.podSets[0].count"), "10:16");
  EXPECT_EQ(PlaceIn(job, "spec.podSets[0].minCount"), "8:53");
  EXPECT_EQ(PlaceIn(job, "spec.podSets[0].template.spec.containers[0].resources.requests.cpu"),
            "15:37");
  EXPECT_EQ(PlaceIn(job, "spec.podSets[0].name"), "9:1");
  EXPECT_EQ(PlaceIn(job, "spec.priorityClassRef.name"), "5:3");
}

TEST(Locate, TurnsProblemsIntoDiagnostics) {
  const Manifests queue = ParseText(kQueue);
  const std::vector<Problem> problems = {
      {0, "spec.cohortName", "there is no Cohort \"shared\"", "add it"},
      {0, "spec.resourceGroups[0].flavors[1]", "has no quota", ""}};
  std::vector<std::string> messages;
  for (const Diagnostic& diagnostic : Locate(queue, problems, Severity::kWarning)) {
    messages.push_back(diagnostic.ToString());
  }
  EXPECT_THAT(messages, ElementsAre("f.yaml:5:15: warning: there is no Cohort \"shared\"; add it",
                                    "f.yaml:12:7: warning: has no quota"));
}

TEST(PlaceOf, IndicesAreThoseOfTheObjectsThatWereKept) {
  const Manifests manifests = ParseText(
      "{apiVersion: v1, kind: Namespace, metadata: {name: a, x: 1}}\n---\n"
      "{apiVersion: v1, kind: Namespace, metadata: {name: b}}\n");
  ASSERT_EQ(manifests.objects.size(), 1U);
  EXPECT_EQ(manifests.PlaceOf(0, "metadata.name").line, 3);
}

}  // namespace
}  // namespace muster::manifest
