// Steps of a scenario, one by one, as the conformance cases define them.
#include "bindings/lab/scenario/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

namespace muster::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Cluster(const std::string& extra = "") {
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: default}\n"
         "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: cq}\n"
         "spec:\n  namespaceSelector: {}\n" +
         extra +
         "  resourceGroups:\n  - coveredResources: [cpu]\n    flavors:\n    - name: default\n"
         "      resources: [{name: cpu, nominalQuota: 2}]\n"
         "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\n"
         "metadata: {name: lq, namespace: ns}\nspec: {clusterQueue: cq}\n";
}

std::string Job(const std::string& name, int cpu, int priority = 0) {
  return "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\n"
         "metadata: {name: " +
         name +
         ", namespace: ns}\n"
         "spec:\n  queueName: lq\n  priority: " +
         std::to_string(priority) +
         "\n  podSets:\n  - name: main\n    template: {spec: {containers: [{name: c, resources: "
         "{requests: {cpu: " +
         std::to_string(cpu) + "}}}]}}\n";
}

std::string Scenario(const std::string& steps) {
  return "---\napiVersion: muster.dev/v1\nkind: Scenario\nnow: '2026-01-01T12:00:00Z'\nsteps:\n" +
         steps;
}

struct Played {
  Engine engine;
  Result<ScenarioOutcome> outcome = Status(StatusCode::kInternal, "not played");
};

Played Play(const std::string& text) {
  const manifest::Source source{"case.yaml", text};
  const manifest::Manifests manifests = manifest::Parse(std::span(&source, 1));
  for (const manifest::Diagnostic& diagnostic : manifests.diagnostics) {
    ADD_FAILURE() << diagnostic.ToString();
  }
  Played played;
  played.outcome = RunScenario(played.engine, manifests, 0);
  return played;
}

std::vector<std::string> Admitted(const CycleOutcome& cycle) {
  std::vector<std::string> names;
  for (const AdmittedWorkload& each : cycle.result.admitted) names.push_back(each.workload.name);
  return names;
}

std::vector<std::string> Pending(const CycleOutcome& cycle) {
  std::vector<std::string> names;
  for (const PendingWorkload& each : cycle.pending) names.push_back(each.workload.name);
  return names;
}

TEST(ScenarioRunner, WithoutAScenarioOneCycleRunsAtTheGivenTime) {
  const Played played = Play(Cluster() + Job("a", 1) + Job("b", 1));
  ASSERT_TRUE(played.outcome.ok());
  ASSERT_EQ(played.outcome->cycles.size(), 1U);
  EXPECT_EQ(played.outcome->cycles[0].result.at, 0);
  EXPECT_THAT(Admitted(played.outcome->cycles[0]), ElementsAre("a"));
  EXPECT_THAT(Pending(played.outcome->cycles[0]), ElementsAre("b"));
}

TEST(ScenarioRunner, EveryCycleIsAnEntryThatKnowsItsStep) {
  const Played played = Play(Cluster() + Scenario("- cycle: 2\n- advance: 30s\n- cycle: 1\n"));
  ASSERT_TRUE(played.outcome.ok());
  const std::vector<CycleOutcome>& cycles = played.outcome->cycles;
  ASSERT_EQ(cycles.size(), 3U);
  EXPECT_EQ(cycles[1].step, 0U);
  EXPECT_EQ(cycles[2].step, 2U);
  EXPECT_EQ(cycles[2].result.at - cycles[1].result.at, 30 * kSecond);
}

TEST(ScenarioRunner, TheClockDoesNotGoBeyondWhatItCanTell) {
  const Played played =
      Play(Cluster() + Scenario("- advance: 2000000h\n- cycle: 1\n- advance: 2000000h\n"));
  ASSERT_FALSE(played.outcome.ok());
  EXPECT_THAT(played.outcome.status().message(),
              HasSubstr("the clock cannot go beyond 2262-04-11T23:47:16"));
}

TEST(ScenarioRunner, SubmittedWorkloadsDoNotExistBefore) {
  const Played played =
      Play(Cluster() + Job("a", 1) + Scenario("- cycle: 1\n- submit: [ns/a]\n- cycle: 1\n"));
  ASSERT_TRUE(played.outcome.ok());
  EXPECT_THAT(Admitted(played.outcome->cycles[0]), IsEmpty());
  EXPECT_THAT(Pending(played.outcome->cycles[0]), IsEmpty());
  EXPECT_THAT(Admitted(played.outcome->cycles[1]), ElementsAre("a"));
}

TEST(ScenarioRunner, FinishFreesWhatIsHeldAndLeavesOthersAlone) {
  const Played played = Play(Cluster() + Job("a", 2) + Job("b", 2) +
                             Scenario("- cycle: 1\n- finish: [ns/a, ns/b]\n- cycle: 1\n"));
  ASSERT_TRUE(played.outcome.ok());
  EXPECT_THAT(Admitted(played.outcome->cycles[1]), ElementsAre("b"));
}

TEST(ScenarioRunner, EvictedCompletesWhatWasOrdered) {
  const Played played =
      Play(Cluster("  preemption: {withinClusterQueue: LowerPriority}\n") + Job("low", 2) +
           Job("high", 2, 9) +
           Scenario("- cycle: 1\n- submit: [ns/high]\n- cycle: 2\n- evicted: true\n- cycle: 1\n"));
  ASSERT_TRUE(played.outcome.ok());
  const std::vector<CycleOutcome>& cycles = played.outcome->cycles;
  ASSERT_EQ(cycles[1].result.preempted.size(), 1U);
  EXPECT_THAT(Admitted(cycles[2]), IsEmpty());
  EXPECT_THAT(Admitted(cycles[3]), ElementsAre("high"));
  EXPECT_THAT(Pending(cycles[3]), ElementsAre("low"));
}

TEST(ScenarioRunner, ApplyReplacesSpecsAndUpdatesWorkloads) {
  const std::string hold = Cluster("  stopPolicy: Hold\n");
  const std::string queue =
      "- apply:\n  - {apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: "
      "cq}, "
      "spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: "
      "default, resources: [{name: cpu, nominalQuota: 2}]}]}]}}\n";
  const std::string raise =
      "- apply:\n  - {apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: b, "
      "namespace: ns}, spec: {priority: 5}}\n";
  const Played played = Play(hold + Job("a", 2) + Job("b", 2) +
                             Scenario("- cycle: 1\n" + raise + queue + "- cycle: 1\n"));
  ASSERT_TRUE(played.outcome.ok());
  EXPECT_THAT(Admitted(played.outcome->cycles[0]), IsEmpty());
  EXPECT_THAT(Admitted(played.outcome->cycles[1]), ElementsAre("b"));
}

TEST(ScenarioRunner, APriorityChangeDoesNotReactivate) {
  const auto update = [](const std::string& spec) {
    return "- apply:\n  - {apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: a, "
           "namespace: ns}, spec: {" +
           spec + "}}\n";
  };
  const Played played = Play(Cluster() + Job("a", 1) +
                             Scenario(update("active: false") + update("priority: 5") +
                                      "- cycle: 1\n" + update("active: true") + "- cycle: 1\n"));
  ASSERT_TRUE(played.outcome.ok());
  EXPECT_THAT(Admitted(played.outcome->cycles[0]), IsEmpty());
  EXPECT_THAT(Admitted(played.outcome->cycles[1]), ElementsAre("a"));
}

TEST(ScenarioRunner, TheLastCycleIsTracedOnRequest) {
  const manifest::Source source{"case.yaml",
                                Cluster() + Job("a", 1) + Job("b", 1) + Scenario("- cycle: 2\n")};
  const manifest::Manifests manifests = manifest::Parse(std::span(&source, 1));
  Engine engine;
  const Result<ScenarioOutcome> outcome = RunScenario(engine, manifests, 0, /*trace_last=*/true);
  ASSERT_TRUE(outcome.ok());
  ASSERT_EQ(outcome->last_trace.workloads.size(), 1U);
  EXPECT_EQ(outcome->last_trace.workloads[0].workload.name, "b");
}

TEST(ScenarioRunner, AHookRunsAfterEveryStepAndCanStopTheStory) {
  const manifest::Source source{"case.yaml", Cluster() + Scenario("- cycle: 1\n- advance: 1s\n")};
  const manifest::Manifests manifests = manifest::Parse(std::span(&source, 1));
  Engine engine;
  int calls = 0;
  const auto count = [&calls](Engine&) {
    return ++calls < 2 ? Status::Ok() : Status(StatusCode::kUnavailable, "enough");
  };
  const Result<ScenarioOutcome> outcome = RunScenario(engine, manifests, 0, false, count);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(outcome.status().code(), StatusCode::kUnavailable);
  EXPECT_THAT(outcome.status().message(), HasSubstr("case.yaml:26:3: enough"));
}

TEST(ScenarioRunner, AMissingNamespaceIsCreatedAndAMissingQueueLeavesTheJobUnqueued) {
  std::string lost = Job("lost", 1);
  lost.replace(lost.find("queueName: lq"), 13, "queueName: none");
  const Played played = Play(Cluster() + Job("a", 1) + lost);
  ASSERT_TRUE(played.outcome.ok());
  EXPECT_THAT(Admitted(played.outcome->cycles[0]), ElementsAre("a"));
  EXPECT_THAT(Pending(played.outcome->cycles[0]), IsEmpty());
}

}  // namespace
}  // namespace muster::lab
