// What get, describe and schedule show of cohorts, of time limits and of what waits in no queue.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bindings/cli/json.h"
#include "tests/unit/cli/run_cli.h"
#include "tests/unit/cli/sample.h"

namespace muster::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// labs has 2 of its own, offers at most 3, and stands below top.
std::string Nested() {
  return std::string(kQueues) + kRedJobs + R"(---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Cohort
metadata: {name: labs}
spec:
  parentName: top
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - name: default
      resources: [{name: cpu, nominalQuota: 2, lendingLimit: 3}]
)";
}

TEST(CohortView, CountsWhatAllBelowHaveAndUse) {
  EXPECT_THAT(RunCli({"get", "cohorts", "-f", "-"}, Nested()).out,
              HasSubstr("labs   top            0               2   default: cpu 9/10\n"));
  const Said said = RunCli({"describe", "cohort", "labs", "-f", "-"}, Nested());
  EXPECT_THAT(said.out,
              HasSubstr("NOMINAL   OF ITS OWN   USED   BORROWED   LENT   OFFERED UPWARD"));
  EXPECT_THAT(said.out,
              HasSubstr("     10            2      9          0      0                3"));
}

TEST(CohortView, JsonHasTheSameFiguresAndCanBeAppliedAgain) {
  const Said said = RunCli({"get", "cohort", "labs", "-f", "-", "-o", "json"}, Nested());
  const Json usage = Json::parse(said.out)["status"]["flavorsUsage"][0]["resources"][0];
  EXPECT_EQ(usage["total"], "9");
  EXPECT_EQ(usage["nominal"], "10");
  EXPECT_EQ(usage["ownNominal"], "2");
  EXPECT_EQ(usage["borrowed"], "0");
  EXPECT_EQ(usage["lent"], "0");
  EXPECT_EQ(usage["offered"], "3");
  EXPECT_EQ(usage["available"], "1");
  EXPECT_EQ(RunCli({"apply", "-f", "-"}, kQueues + ("---\n" + said.out)).code, kDone);
}

constexpr const char* kLimited = R"(---
apiVersion: batch/v1
kind: Job
metadata:
  name: short
  namespace: lab
  labels: {kueue.x-k8s.io/queue-name: red, kueue.x-k8s.io/max-exec-time-seconds: "60"}
spec:
  template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}}
---
apiVersion: muster.dev/v1
kind: Scenario
now: '2026-01-01T12:00:00Z'
steps:
- cycle: 1
- advance: 2m
- cycle: 1
)";

TEST(Schedule, AnEvictionByATimeLimitIsShownAndItsQuotaIsSaidToBeFree) {
  const Said said = RunCli({"schedule", "-f", "-"}, std::string(kQueues) + kLimited);
  EXPECT_THAT(said.out,
              HasSubstr("  evicted    lab/job-short   red            it has run as long as "
                        "it may (DeactivatedDueToMaximumExecutionTimeExceeded); its "
                        "quota is free\n"));
  EXPECT_THAT(said.out, HasSubstr("1 evicted by time limits"));
  EXPECT_THAT(said.out, HasSubstr("1 deactivated workload has pods to stop"));
  EXPECT_THAT(said.out, Not(HasSubstr("stays charged")));
  EXPECT_THAT(said.out, Not(HasSubstr("none has to leave")));
  const Json json = Json::parse(
      RunCli({"schedule", "-f", "-", "-o", "json"}, std::string(kQueues) + kLimited).out);
  EXPECT_EQ(json["steps"][0]["admitted"]["lab/job-short"]["phase"], "Admitted");
  EXPECT_EQ(json["steps"][1]["evicted"]["lab/job-short"]["quotaFree"], true);
}

TEST(Schedule, WhatWaitsForAStoppedLocalQueueIsCounted) {
  std::string stopped = std::string(kQueues) + kRedJobs;
  const std::string red = "spec: {clusterQueue: red}";
  stopped.replace(stopped.find(red), red.size(), "spec: {clusterQueue: red, stopPolicy: Hold}");
  const Said said = RunCli({"schedule", "-f", "-"}, stopped);
  EXPECT_THAT(said.out, HasSubstr("2 workloads wait in no queue: LocalQueue lab/red is stopped\n"));
  EXPECT_THAT(said.out, HasSubstr("PENDING   PARKED   HELD   ACTIVE"));
  EXPECT_THAT(RunCli({"get", "lq", "-f", "-"}, stopped).out, HasSubstr("ADMITTED   HELD   STOP\n"));
  EXPECT_THAT(RunCli({"get", "wl", "-f", "-"}, stopped).out,
              HasSubstr("  LocalQueue lab/red is stopped\n"));
  EXPECT_THAT(RunCli({"get", "cq", "-f", "-"}, kQueues).out, Not(HasSubstr("HELD")));
  for (const char* kind : {"lq", "cq"}) {
    const Said yaml = RunCli({"get", kind, "-f", "-", "-o", "yaml"}, stopped);
    EXPECT_THAT(yaml.out, HasSubstr("heldWorkloads: 2")) << kind;
    EXPECT_EQ(RunCli({"apply", "-f", "-", "--allow-missing"}, yaml.out).code, kDone) << kind;
  }
}

/// One of red that runs with 5 of 8 pods, one of them on quota of blue; `evicted` may be empty.
std::string Fewer(const std::string& evicted) {
  return std::string(kQueues) + R"(---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: fewer, namespace: lab}
spec:
  queueName: red
  podSets:
  - name: main
    count: 8
    minCount: 2
    template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}
status:
  admission:
    clusterQueue: red
    podSetAssignments:
    - {name: main, count: 5, flavors: {cpu: default}, resourceUsage: {cpu: 5}}
  conditions:
  - {type: QuotaReserved, status: 'True', reason: R, lastTransitionTime: '2026-01-01T12:00:00Z'}
  - {type: Admitted, status: 'True', reason: R, lastTransitionTime: '2026-01-01T12:00:00Z'}
)" + evicted;
}

TEST(DescribeWorkload, FewerPodsThanAskedForStandBesideThose) {
  EXPECT_THAT(RunCli({"describe", "wl", "fewer", "-n", "lab", "-f", "-"}, Fewer("")).out,
              HasSubstr("5 of 8"));
}

TEST(ExplainView, OneThatWasToldToLeaveIsNotSaidToBeReclaimable) {
  const std::vector<std::string> words = {"explain", "lab/fewer", "-f", "-"};
  EXPECT_THAT(RunCli(words, Fewer("")).out, HasSubstr("a reclaim may evict it"));
  const Said told = RunCli(words, Fewer("  - {type: Evicted, status: 'True', reason: Preempted, "
                                        "lastTransitionTime: '2026-01-01T12:01:00Z'}\n"));
  EXPECT_THAT(told.out, HasSubstr("was evicted"));
  EXPECT_THAT(told.out, Not(HasSubstr("a reclaim may evict it")));
}

TEST(Schedule, WhatNamesAMissingLocalQueueIsCounted) {
  std::string lost = std::string(kQueues) + kRedJobs;
  const std::string red = "queue-name: red";
  lost.replace(lost.find(red), red.size(), "queue-name: gone");
  EXPECT_THAT(RunCli({"schedule", "-f", "-"}, lost).out,
              HasSubstr("1 workload waits in no queue: LocalQueue lab/gone does not exist\n"));
}

TEST(Schedule, WhatWaitsForAStoppedClusterQueueIsNotCalledUnseen) {
  std::string stopped = std::string(kQueues) + kRedJobs;
  const std::string spec = "metadata: {name: red}\nspec:\n";
  ASSERT_NE(stopped.find(spec), std::string::npos);
  stopped.insert(stopped.find(spec) + spec.size(), "  stopPolicy: Hold\n");
  for (const char* verb : {"get", "schedule"}) {
    std::vector<std::string> words = {verb};
    if (words[0] == "get") words.push_back("wl");
    words.insert(words.end(), {"-f", "-"});
    const Said said = RunCli(words, stopped);
    EXPECT_THAT(said.out, HasSubstr("ClusterQueue red is stopped\n")) << verb;
    EXPECT_THAT(said.out, Not(HasSubstr("not looked at yet"))) << verb;
  }
}

TEST(Schedule, AParkedNewcomerIsNotCalledUnseen) {
  const Said said =
      RunCli({"schedule", "-f", "-", "--until-idle"}, std::string(kQueues) + kRedJobs + R"(---
apiVersion: batch/v1
kind: Job
metadata: {name: wait-too, namespace: lab, labels: {kueue.x-k8s.io/queue-name: red}}
spec:
  template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 3}}}]}}
)");
  const std::string last = said.out.substr(said.out.rfind("\nCycle"));
  EXPECT_THAT(last, HasSubstr("parked     lab/job-wait-too   red            waits for quota, as an "
                              "equal job that was looked at\n"));
  EXPECT_THAT(last, Not(HasSubstr("not looked at yet")));
}

}  // namespace
}  // namespace muster::cli
