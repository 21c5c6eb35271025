// Scenarios: steps, the objects inside them, expectations.
#include <gmock/gmock.h>

#include "tests/unit/manifest/parse_text.h"

namespace muster::manifest {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kQueuedWorkload =
    "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: w1, namespace: "
    "default}\n";

Manifests WithSteps(std::string_view steps) {
  return ParseText(std::string(kQueuedWorkload) +
                   "---\napiVersion: muster.dev/v1\nkind: Scenario\n"
                   "now: '2026-01-01T12:00:00Z'\nsteps:\n" +
                   std::string(steps));
}

TEST(DecodeScenario, ReadsEveryVerb) {
  const Manifests manifests = WithSteps(
      "- {cycle: 3}\n- {advance: 1m30s}\n- {submit: [default/w1]}\n- finish: [default/w1]\n"
      "- {evicted: true}\n- {apply: []}\n");
  ASSERT_THAT(Messages(manifests), IsEmpty());
  ASSERT_TRUE(manifests.scenario);
  EXPECT_EQ(manifests.scenario->now, ParseTime("2026-01-01T12:00:00Z"));
  const std::vector<Step>& steps = manifests.scenario->steps;
  ASSERT_EQ(steps.size(), 6U);
  EXPECT_THAT(steps[0].commands, ElementsAre(Command(command::Cycle{})));
  EXPECT_EQ(steps[0].times, 3);
  EXPECT_EQ(steps[0].after, 0);
  EXPECT_THAT(steps[1].commands, ElementsAre(Command(command::Advance{})));
  EXPECT_EQ(steps[1].after, 90 * kSecond);
  EXPECT_THAT(
      steps[2].commands,
      ElementsAre(Command(command::Apply{{manifests.objects[0]}, MissingReference::kAsKueue})));
  EXPECT_THAT(manifests.scenario->arrivals, ElementsAre(Key{"default", "w1"}));
  EXPECT_THAT(steps[3].commands, ElementsAre(Command(command::Finish{{{"default", "w1"}}})));
  EXPECT_THAT(steps[4].commands, ElementsAre(Command(command::Evicted{})));
  EXPECT_THAT(steps[5].commands, IsEmpty());
  EXPECT_EQ(steps[1].place.line, 10);
}

TEST(DecodeScenario, NameAndTimeMayBeAbsent) {
  const Manifests manifests = ParseText(
      "{apiVersion: muster.dev/v1, kind: Scenario, metadata: {name: borrowing}, steps: []}");
  ASSERT_TRUE(manifests.scenario);
  EXPECT_EQ(manifests.scenario->name, "borrowing");
  EXPECT_EQ(manifests.scenario->now, kNoTime);
  EXPECT_EQ(manifests.scenario->place.file, "f.yaml");
}

TEST(DecodeScenario, AStepAppliesObjectsAndUpdatesWorkloads) {
  const Manifests manifests = WithSteps(R"(
- apply:
  - {apiVersion: kueue.x-k8s.io/v1beta1, kind: ClusterQueue, metadata: {name: q}, spec: {cohort: c}}
  - {apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: w1, namespace: default},
     spec: {active: false}}
- apply:
  - {apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: w1, namespace: default},
     spec: {priority: 5}, status: {reclaimablePods: [{name: main, count: 2}]}}
)");
  ASSERT_THAT(Messages(manifests), IsEmpty());
  EXPECT_EQ(manifests.objects.size(), 1U);
  const std::vector<Step>& steps = manifests.scenario->steps;
  ASSERT_EQ(steps[0].commands.size(), 2U);
  const auto& apply = std::get<command::Apply>(steps[0].commands[0]);
  EXPECT_EQ(std::get<ClusterQueue>(apply.objects.at(0)).cohort, "c");
  WorkloadUpdate stop, raise;
  stop.workload = raise.workload = {"default", "w1"};
  stop.active = false;
  EXPECT_EQ(std::get<WorkloadUpdate>(steps[0].commands[1]), stop);
  raise.priority = 5;
  raise.reclaimable_pods = {{"main", 2}};
  EXPECT_THAT(steps[1].commands, ElementsAre(Command(raise)));
}

TEST(DecodeScenario, ExpectationsAreKeptAsJson) {
  const Manifests manifests = WithSteps(R"(
- cycle: 1
  expect:
    at: 2026-01-01T12:00:00Z
    admitted: {default/w1: {clusterQueue: q, podSets: [{name: main, count: 2}]}}
    preempted: {}
    pending: {default/w2: null, default/w3: {parked: true, message: "5"}}
)");
  ASSERT_THAT(Messages(manifests), IsEmpty());
  const Step& step = manifests.scenario->steps[0];
  EXPECT_EQ(step.expect_json,
            R"({"at":"2026-01-01T12:00:00Z","admitted":{"default/w1":{"clusterQueue":"q",)"
            R"("podSets":[{"name":"main","count":2}]}},"preempted":{},)"
            R"("pending":{"default/w2":null,"default/w3":{"parked":true,"message":"5"}}})");
  EXPECT_EQ(step.expect_place.line, 11);
  EXPECT_EQ(step.expect_place.column, 3);
}

TEST(DecodeScenario, IsAbsentWhenItHasAMistake) {
  const Manifests manifests = WithSteps("- {cycle: one}\n");
  EXPECT_TRUE(manifests.HasErrors());
  EXPECT_FALSE(manifests.scenario);
}

TEST(DecodeScenario, WorkloadsOfJobsMayBeNamed) {
  EXPECT_THAT(Messages(ParseText(R"(
apiVersion: batch/v1
kind: Job
metadata: {name: train, labels: {kueue.x-k8s.io/queue-name: q}}
spec: {template: {spec: {containers: [{name: c}]}}}
---
{apiVersion: muster.dev/v1, kind: Scenario, steps: [{submit: [default/job-train]}]}
)")),
              IsEmpty());
}

}  // namespace
}  // namespace muster::manifest
