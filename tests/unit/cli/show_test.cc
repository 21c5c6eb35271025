// What people read: schedule, get, describe and explain over one small story.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "bindings/cli/json.h"
#include "bindings/cli/show/age.h"
#include "tests/unit/cli/run_cli.h"
#include "tests/unit/cli/sample.h"

namespace muster::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kNow = "2026-01-01T12:00:00Z";

const std::string& Waiting() {
  static const std::string kText = std::string(kQueues) + kRedJobs;
  return kText;
}

const std::string& Reclaim() {
  static const std::string kText = std::string(kQueues) + kRedJobs + kReclaim;
  return kText;
}

TEST(Schedule, TellsEachCycleThenSumsUp) {
  const Said said = RunCli({"schedule", "-f", "-"}, Reclaim());
  EXPECT_EQ(said.code, kDone);
  EXPECT_EQ(said.err, "");
  EXPECT_EQ(said.out, R"(Cycle 1 at 2026-01-01T12:00:00Z
  DECISION   WORKLOAD        CLUSTERQUEUE   DETAIL
  admitted   lab/job-train   red            main 1 pod: cpu on default
  pending    lab/job-wait    red            not looked at yet

Cycle 2 at 2026-01-01T12:00:00Z
  DECISION    WORKLOAD        CLUSTERQUEUE   DETAIL
  preempted   lab/job-train   red            for lab/job-serve: the owner takes back quota it had lent (InCohortReclamation)
  pending     lab/job-serve   blue           waits for preempted jobs to leave
  parked      lab/job-wait    red            waits for quota: insufficient unused quota for cpu in flavor default, 1 more needed

Summary: 2 cycles, 1 admitted, 1 preempted, 2 waiting (1 parked until something changes)
1 eviction still open: that quota stays charged until the pods are gone

NAME   COHORT   USED               ADMITTED   PENDING   PARKED   ACTIVE
blue   labs     default: cpu 0/4          0         1        0   yes
red    labs     default: cpu 6/4          1         0        1   yes
)");
}

TEST(Schedule, UntilIdleStopsWhenNothingMoves) {
  const Said said = RunCli({"schedule", "-f", "-", "--until-idle", "--now", kNow}, Waiting());
  EXPECT_EQ(said.code, kDone);
  EXPECT_THAT(said.out,
              HasSubstr("Cycle 2 at 2026-01-01T12:00:00Z: none starts, none has to leave\n"));
  EXPECT_THAT(said.out, HasSubstr("Summary: 2 cycles, 1 admitted, 0 preempted, 1 waiting"));
}

TEST(Schedule, CompletedEvictionsMakeRoomAtOnce) {
  const std::string no_scenario = Reclaim().substr(0, Reclaim().rfind("---"));
  const Said said = RunCli(
      {"schedule", "-f", "-", "--until-idle", "--complete-evictions", "--now", kNow, "-o", "json"},
      no_scenario);
  ASSERT_EQ(said.code, kDone) << said.err;
  const Json steps = Json::parse(said.out)["steps"];
  bool served = false;
  for (const Json& step : steps) served = served || step["admitted"].contains("lab/job-serve");
  EXPECT_TRUE(served) << said.out;
  EXPECT_TRUE(steps.back()["admitted"].empty());
}

TEST(Schedule, AMissingReferenceIsAWarningWithItsPlace) {
  const std::string text = std::string(kQueues) + "---\n" +
                           "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\n"
                           "metadata: {name: lost, namespace: lab}\n"
                           "spec: {clusterQueue: green}\n";
  const Said said = RunCli({"schedule", "-f", "-", "--now", kNow}, text);
  EXPECT_EQ(said.code, kDone);
  EXPECT_THAT(said.err, HasSubstr("stdin:47:22: warning: there is no ClusterQueue green"));
}

TEST(Get, ListsQueuesAsTables) {
  const Said said = RunCli({"get", "cq", "-f", "-", "-o", "wide", "--now", kNow}, Waiting());
  EXPECT_EQ(said.code, kDone) << said.err;
  EXPECT_EQ(said.out,
            "NAME   COHORT   USED               ADMITTED   PENDING   PARKED   ACTIVE   "
            "BORROWED   STRATEGY         SHARE   WEIGHT\n"
            "blue   labs     default: cpu 0/4          0         0        0   yes      "
            "-          BestEffortFIFO       0        1\n"
            "red    labs     default: cpu 6/4          1         0        1   yes      "
            "cpu 2      BestEffortFIFO     250        1\n");
}

TEST(Get, WorkloadsSayWhoMayReclaimWhatTheyBorrow) {
  const Said said =
      RunCli({"get", "workloads", "job-train", "-f", "-", "-o", "wide", "--now", kNow}, Waiting());
  EXPECT_EQ(said.out,
            "NAMESPACE   NAME        QUEUE   CLUSTERQUEUE   PRIO   STATE      GPU   "
            "BORROWED   CREATED                RECLAIMABLE BY   DETAIL\n"
            "lab         job-train   red     red               0   Admitted     -   "
            "cpu 2      2026-01-01T12:00:00Z   blue             main 1 pod: cpu on default\n");
}

TEST(Get, EveryKindHasATable) {
  for (const char* kind : {"cohorts", "lq", "wl", "flavors", "ns"}) {
    const Said said = RunCli({"get", kind, "-f", "-"}, Waiting());
    EXPECT_EQ(said.code, kDone) << kind << said.err;
    EXPECT_THAT(said.out, HasSubstr("NAME")) << kind;
  }
}

TEST(Get, YamlCanBeAppliedAgainAndGivesTheSame) {
  const Said first = RunCli({"get", "clusterqueues", "-f", "-", "-o", "yaml"}, kQueues);
  ASSERT_EQ(first.code, kDone) << first.err;
  const Said again = RunCli({"get", "clusterqueues", "-f", "-", "-o", "yaml"},
                            first.out +
                                "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\n"
                                "metadata: {name: default}\n");
  EXPECT_EQ(again.out, first.out) << again.err;
}

TEST(Get, JsonIsAListWithStatus) {
  const Said said = RunCli({"get", "clusterqueues", "-f", "-", "-o", "json"}, Waiting());
  const Json list = Json::parse(said.out);
  EXPECT_EQ(list["kind"], "List");
  const Json red = list["items"][1];
  EXPECT_EQ(red["metadata"]["name"], "red");
  EXPECT_EQ(red["status"]["admittedWorkloads"], 1);
  EXPECT_EQ(red["status"]["pendingWorkloads"], 1);
  EXPECT_EQ(red["status"]["fairSharing"]["weightedShare"], 250);
  EXPECT_EQ(red["status"]["flavorsUsage"][0]["resources"][0]["borrowed"], "2");
  const Said one = RunCli({"get", "cq", "red", "-f", "-", "-o", "json"}, Waiting());
  EXPECT_EQ(Json::parse(one.out)["kind"], "ClusterQueue");
}

TEST(Get, FiltersByNamespace) {
  EXPECT_THAT(RunCli({"get", "wl", "-n", "lab", "-f", "-"}, Waiting()).out, HasSubstr("job-train"));
  const Said other = RunCli({"get", "wl", "-n", "other", "-f", "-"}, Waiting());
  EXPECT_EQ(other.code, kDone);
  EXPECT_EQ(other.out, "");
  EXPECT_EQ(other.err, "no workload in namespace other\n");
}

TEST(Describe, AQueueShowsQuotaBorrowedLentAndAvailable) {
  const Said red = RunCli({"describe", "clusterqueue", "red", "-f", "-"}, Waiting());
  EXPECT_EQ(red.code, kDone) << red.err;
  EXPECT_THAT(red.out, HasSubstr("Name:         red\n"));
  EXPECT_THAT(red.out,
              HasSubstr("  FLAVOR    RESOURCE   NOMINAL   USED   BORROWED   LENT   AVAILABLE   "
                        "BORROWING LIMIT   LENDING LIMIT\n"
                        "  default   cpu              4      6          2      0           2   "
                        "           none            none\n"));
  EXPECT_THAT(red.out, HasSubstr("lab/job-wait"));
  const Said blue = RunCli({"describe", "cq", "blue", "-f", "-"}, Waiting());
  EXPECT_THAT(blue.out, HasSubstr("reclaim Any"));
}

TEST(Describe, AWorkloadShowsPodsetsAndConditions) {
  const Said said =
      RunCli({"describe", "workload", "lab/job-train", "-f", "-", "--now", kNow}, Waiting());
  EXPECT_EQ(said.code, kDone) << said.err;
  EXPECT_THAT(said.out, HasSubstr("May be reclaimed by:  blue\n"));
  EXPECT_THAT(said.out, HasSubstr("cpu on default"));
  EXPECT_THAT(said.out, HasSubstr("QuotaReserved   True"));
}

TEST(Describe, AWorkloadShowsWhatHasHappenedToIt) {
  const Said said =
      RunCli({"describe", "workload", "lab/job-train", "-f", "-", "--now", kNow}, Waiting());
  const std::size_t events = said.out.find("\nEvents\n");
  ASSERT_NE(events, std::string::npos) << said.out;
  const std::string table = said.out.substr(events);
  EXPECT_THAT(table, HasSubstr("TYPE     REASON          AGE   FROM        MESSAGE\n"));
  EXPECT_THAT(table, HasSubstr("Queued in LocalQueue red\n"));
  EXPECT_THAT(table, HasSubstr("Quota reserved in ClusterQueue red; main 1 pod: cpu on default\n"));
  EXPECT_LT(table.find("Submitted"), table.find("QuotaReserved"));
  EXPECT_LT(table.find("QuotaReserved"), table.find("Admitted"));
}

TEST(Describe, AWaitingWorkloadShowsWhatItWillBeChargedFor) {
  const std::string defaults = R"(---
apiVersion: v1
kind: LimitRange
metadata: {name: defaults, namespace: lab}
spec: {limits: [{type: Container, defaultRequest: {memory: 1Gi}}]}
)";
  const Said said = RunCli({"describe", "workload", "lab/job-wait", "-f", "-", "--now", kNow},
                           Waiting() + defaults);
  EXPECT_THAT(said.out, HasSubstr("RECLAIMABLE   EACH REQUESTS"));
  EXPECT_THAT(said.out, HasSubstr("0   cpu 3, memory 1Gi"));
}

TEST(Age, IsCoarserWithAge) {
  constexpr DurationNs kMinute = 60 * kSecond;
  constexpr DurationNs kHour = 60 * kMinute;
  EXPECT_EQ(AgeOf(-kHour), "0s");
  EXPECT_EQ(AgeOf(119 * kSecond), "119s");
  EXPECT_EQ(AgeOf(9 * kMinute + 8 * kSecond), "9m8s");
  EXPECT_EQ(AgeOf(8 * kMinute), "8m");
  EXPECT_EQ(AgeOf(2 * kHour + 59 * kMinute), "179m");
  EXPECT_EQ(AgeOf(3 * kHour + 20 * kMinute), "3h20m");
  EXPECT_EQ(AgeOf(30 * kHour), "30h");
  EXPECT_EQ(AgeOf(76 * kHour), "3d4h");
  EXPECT_EQ(AgeOf(100 * 24 * kHour), "100d");
}

TEST(Describe, AWaitingWorkloadShowsTheConditionThatSaysWhy) {
  const Said said =
      RunCli({"describe", "workload", "lab/job-wait", "-f", "-", "--now", kNow}, Waiting());
  EXPECT_THAT(said.out,
              HasSubstr("  QuotaReserved   False    2026-01-01T12:00:00Z   WaitingForQuota   "));
  EXPECT_THAT(said.out, HasSubstr("  Warning   Pending     0s    scheduler   WaitingForQuota: "));
}

TEST(Explain, SaysTheExactShortageAndWhoHoldsIt) {
  const Said said = RunCli({"explain", "lab/job-wait", "-f", "-"}, Waiting());
  EXPECT_EQ(said.code, kDone) << said.err;
  EXPECT_THAT(said.out,
              HasSubstr("  PODSET   FLAVOR    RESOURCE   REQUESTED   AVAILABLE   SHORT BY   "
                        "EVICTIONS FREE"));
  EXPECT_THAT(said.out,
              HasSubstr("  main     default   cpu                3           2          1"));
  EXPECT_THAT(said.out, HasSubstr("  lab/job-train   red            default   cpu            6"));
  EXPECT_THAT(said.out, HasSubstr("fifo-priority (native)"));
}

TEST(Explain, OfARunningBorrowerSaysWhoMayEvictIt) {
  const Said said = RunCli({"explain", "lab/job-train", "-f", "-"}, Waiting());
  EXPECT_THAT(said.out, HasSubstr("It borrows: a reclaim may evict it\n"));
  EXPECT_THAT(said.out, HasSubstr("  blue              default   cpu                       4   any"
                                  " priority\n"));
}

TEST(Explain, JsonHoldsTheSameFigures) {
  const Said said =
      RunCli({"explain", "lab/job-wait", "-f", "-", "-o", "json", "--last-cycle"}, Waiting());
  ASSERT_EQ(said.code, kDone) << said.err;
  const Json json = Json::parse(said.out);
  EXPECT_EQ(json["workload"], "lab/job-wait");
  EXPECT_EQ(json["flavors"][0]["resources"][0]["shortage"], "1");
  EXPECT_EQ(json["holders"][0]["workload"], "lab/job-train");
  EXPECT_FALSE(json.contains("moreHolders"));
  EXPECT_EQ(json["ahead"]["count"], 0);
  EXPECT_EQ(json["lastCycle"]["workloads"][0]["workload"], "lab/job-wait");
}

/// 25 jobs of red hold 8 of 8 cpu, and one waits.
std::string ManyRunning() {
  std::string text = kQueues;
  for (int i = 0; i < 26; ++i) {
    const std::string name = i < 25 ? "run-" + std::to_string(i) : "wait";
    text +=
        "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: " + name +
        ", namespace: lab, labels: {kueue.x-k8s.io/queue-name: red}}\nspec:\n  template: {spec: "
        "{containers: [{name: c, image: i, resources: {requests: {cpu: 320m}}}]}}\n";
  }
  return text;
}

TEST(Explain, SaysHowManyMoreThereAreThanItLists) {
  const Said said = RunCli({"explain", "lab/job-wait", "-f", "-"}, ManyRunning());
  EXPECT_EQ(said.code, kDone) << said.err;
  EXPECT_THAT(said.out, HasSubstr("  ... and 5 more\n"));
  const Json json =
      Json::parse(RunCli({"explain", "lab/job-wait", "-f", "-", "-o", "json"}, ManyRunning()).out);
  EXPECT_EQ(json["holders"].size(), 20);
  EXPECT_EQ(json["moreHolders"], 5);
  EXPECT_FALSE(json.contains("moreCandidates"));
}

TEST(Explain, AJobIsFoundUnderItsOwnNameAndItsWorkloads) {
  const Said said = RunCli({"explain", "lab/wait", "-f", "-"}, Waiting());
  EXPECT_EQ(said.code, kDone) << said.err;
  EXPECT_EQ(said.out, RunCli({"explain", "lab/job-wait", "-f", "-"}, Waiting()).out);
  for (const char* verb : {"get", "describe"}) {
    const Said shown = RunCli({verb, "workload", "lab/wait", "-f", "-"}, Waiting());
    EXPECT_THAT(shown.out, HasSubstr("job-wait")) << verb << shown.err;
  }
}

TEST(Describe, IsAlsoJsonAndYamlWithTheEventsOfAWorkload) {
  const Said said = RunCli({"describe", "workload", "lab/train", "-f", "-", "-o", "json", "--now",
                            "2026-03-01T12:00:00Z"},
                           Waiting());
  const Json json = Json::parse(said.out);
  EXPECT_EQ(json["metadata"]["name"], "job-train");
  EXPECT_EQ(json["events"][0]["reason"], "Submitted");
  EXPECT_EQ(json["events"][0]["at"], "2026-03-01T12:00:00Z");
  const Said yaml = RunCli({"describe", "cq", "red", "-f", "-", "-o", "yaml"}, Waiting());
  EXPECT_THAT(yaml.out, HasSubstr("kind: ClusterQueue\n"));
}

TEST(Apply, SaysWhatBecameOfEachObject) {
  const Said said = RunCli({"apply", "-f", "-"}, Waiting());
  EXPECT_EQ(said.code, kDone) << said.err;
  EXPECT_THAT(said.out, HasSubstr("ClusterQueue red created\n"));
  EXPECT_THAT(said.out, HasSubstr("Workload lab/job-train created\n"));
}

TEST(Version, NamesWhatItWasBuiltWith) {
  const Json json = Json::parse(RunCli({"version", "-o", "json"}).out);
  for (const char* part : {"muster", "commit", "compiler", "luajit", "yamlcpp"}) {
    EXPECT_NE(json.value(part, ""), "") << part;
  }
  EXPECT_THAT(RunCli({"--version"}).out, HasSubstr("muster:"));
}

}  // namespace
}  // namespace muster::cli
