// convert and import kueue: from other systems into a ledger.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/testing/paths.h"
#include "tests/unit/cli/run_cli.h"

namespace muster::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Convert : public ::testing::Test {
 protected:
  std::string File(const std::string& name, const std::string& text) const {
    return directory_.Write(name, text).string();
  }
  std::string Db() const { return (directory_.path() / "c.ledger").string(); }

  testing::TemporaryDirectory directory_;
};

TEST_F(Convert, AScriptAndAJobKindComeOutAsWorkloadsThatAreReadBack) {
  const std::string script = File("train.sbatch", "#!/bin/sh\n#SBATCH -p q -n 2 -c 3\nsrun x\n");
  const std::string job =
      File("js.yaml",
           "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: js, labels: "
           "{kueue.x-k8s.io/queue-name: q}}\nspec: {replicatedJobs: [{name: w, template: {spec: "
           "{template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}}}]}\n");
  const Said said = RunCli({"convert", "-f", script, "-f", job, "-o", "workload"});
  ASSERT_EQ(said.code, kDone) << said.err;
  const Said json = RunCli({"convert", "-f", script, "-o", "json"});
  EXPECT_EQ(nlohmann::json::parse(json.out)["spec"]["podSets"][0]["count"], 2);
  const Said again = RunCli({"convert", "-f", "-"}, said.out);
  EXPECT_EQ(again.out, said.out);
}

TEST_F(Convert, OneMistakeAndNothingIsConverted) {
  const std::string script = File("train.sbatch", "#!/bin/sh\n#SBATCH -p q --ntask=2\n");
  const Said said = RunCli({"convert", "-f", script});
  EXPECT_EQ(said.code, kNo);
  EXPECT_EQ(said.out, "");
  EXPECT_THAT(said.err, AllOf(HasSubstr("train.sbatch:2:14: unknown option \"--ntask\"; write "
                                        "--ntasks"),
                              HasSubstr("nothing was converted")));
}

// As kubectl prints it: two workloads that run, one beyond the first's priority, three that wait.
constexpr const char* kDump = R"(apiVersion: v1
kind: List
metadata: {resourceVersion: ""}
items:
- apiVersion: kueue.x-k8s.io/v1beta2
  kind: ResourceFlavor
  metadata: {name: spot, uid: f1, generation: 1, creationTimestamp: "2026-03-01T08:00:00Z",
    managedFields: [{manager: kubectl, operation: Update}], finalizers: [kueue.x-k8s.io/resource-in-use]}
  spec: {nodeLabels: {pool: spot}}
- apiVersion: kueue.x-k8s.io/v1beta2
  kind: ResourceFlavor
  metadata: {name: on-demand}
  spec: {nodeLabels: {pool: od}}
- apiVersion: kueue.x-k8s.io/v1beta2
  kind: ClusterQueue
  metadata: {name: cq, uid: c1, generation: 3}
  spec:
    namespaceSelector: {}
    queueingStrategy: BestEffortFIFO
    stopPolicy: None
    flavorFungibility: {whenCanBorrow: MayStopSearch, whenCanPreempt: TryNextFlavor}
    preemption: {borrowWithinCohort: {policy: Never}, reclaimWithinCohort: Never, withinClusterQueue: Never}
    resourceGroups:
    - coveredResources: [cpu]
      flavors:
      - {name: spot, resources: [{name: cpu, nominalQuota: "4"}]}
      - {name: on-demand, resources: [{name: cpu, nominalQuota: "4"}]}
  status:
    admittedWorkloads: 2
    pendingWorkloads: 2
    reservingWorkloads: 2
    conditions: [{type: Active, status: "True", reason: Ready, message: Can admit new workloads,
      observedGeneration: 3, lastTransitionTime: "2026-03-01T08:00:00Z"}]
    flavorsReservation:
    - {name: spot, resources: [{borrowed: "0", name: cpu, total: "4"}]}
    - {name: on-demand, resources: [{borrowed: "0", name: cpu, total: "2"}]}
- apiVersion: kueue.x-k8s.io/v1beta2
  kind: LocalQueue
  metadata: {name: q, namespace: default}
  spec: {clusterQueue: cq, stopPolicy: None}
  status: {admittedWorkloads: 2, pendingWorkloads: 2, reservingWorkloads: 2}
- apiVersion: v1
  kind: Namespace
  metadata: {name: default, labels: {kubernetes.io/metadata.name: default}}
  spec: {finalizers: [kubernetes]}
  status: {phase: Active}
- {apiVersion: batch/v1, kind: Job, metadata: {name: run-1, namespace: default}}
)";

std::string Item(const std::string& name, const std::string& cpu, const std::string& created,
                 const std::string& status) {
  return "- apiVersion: kueue.x-k8s.io/v1beta2\n  kind: Workload\n  metadata: {name: " + name +
         ", namespace: default, uid: " + name +
         ", generation: 1, creationTimestamp: \"2026-03-01T" + created +
         ":00Z\", labels: {kueue.x-k8s.io/job-uid: j}, ownerReferences: [{apiVersion: "
         "batch/v1, kind: Job, name: run, uid: j, controller: true, blockOwnerDeletion: true}]}\n"
         "  spec: {active: true, queueName: q, priority: 0, podSets: [{name: main, count: 1, "
         "template: {metadata: {}, spec: {restartPolicy: Never, containers: [{name: c, image: i, "
         "resources: {requests: {cpu: \"" +
         cpu + "\"}}}]}}}]}\n" + status;
}

std::string Running(const std::string& flavor, const std::string& cpu) {
  return "  status:\n    admission: {clusterQueue: cq, podSetAssignments: [{name: main, count: 1, "
         "flavors: {cpu: " +
         flavor + "}, resourceUsage: {cpu: \"" + cpu +
         "\"}}]}\n"
         "    conditions:\n"
         "    - {type: QuotaReserved, status: \"True\", reason: QuotaReserved, message: m, "
         "observedGeneration: 1, lastTransitionTime: \"2026-03-01T09:00:00Z\"}\n"
         "    - {type: Admitted, status: \"True\", reason: Admitted, message: m, "
         "observedGeneration: 1, lastTransitionTime: \"2026-03-01T09:00:00Z\"}\n";
}

std::string Waiting() {
  return "  status:\n    conditions:\n    - {type: QuotaReserved, status: \"False\", reason: "
         "Pending, message: no quota, observedGeneration: 1, lastTransitionTime: "
         "\"2026-03-01T09:00:00Z\"}\n";
}

std::string Dump() {
  return kDump + Item("late", "4", "08:40", Waiting()) +
         Item("run-1", "4", "08:10", Running("spot", "4")) +
         Item("run-2", "2", "08:20", Running("on-demand", "2")) +
         Item("early", "4", "08:30", Waiting()) +
         Item("done", "1", "08:00",
              "  status: {conditions: [{type: Finished, status: \"True\", reason: Succeeded, "
              "message: m, lastTransitionTime: \"2026-03-01T08:05:00Z\"}]}\n");
}

TEST_F(Convert, AClusterOfKueueGoesOnWhereItStands) {
  const Said said = RunCli(
      {"import", "kueue", "-f", "-", "--db", Db(), "--now", "2026-03-01T10:00:00Z", "-o", "json"},
      Dump());
  ASSERT_EQ(said.code, kDone) << said.err;
  const auto answer = nlohmann::json::parse(said.out);
  EXPECT_EQ(answer["understood"]["Workload"], 5);
  EXPECT_EQ(answer["leftOut"]["Job"], 1);
  EXPECT_EQ(answer["workloads"]["holding"], 2);
  EXPECT_EQ(answer["workloads"]["waiting"], 2);
  EXPECT_EQ(answer["workloads"]["ended"], 1);
  EXPECT_TRUE(answer["differences"].empty()) << answer["differences"];
  EXPECT_TRUE(answer["missingNamespaces"].empty()) << answer["missingNamespaces"];
  // On its recorded flavor: what ends on spot makes room there, for the one that came first.
  ASSERT_EQ(RunCli({"finish", "default/run-1", "--db", Db(), "--now", "2026-03-01T10:01:00Z"}).code,
            kDone);
  const Said cycle =
      RunCli({"schedule", "--db", Db(), "--now", "2026-03-01T10:02:00Z", "-o", "json"});
  ASSERT_EQ(cycle.code, kDone) << cycle.err;
  EXPECT_THAT(cycle.out, AllOf(HasSubstr("default/early"), HasSubstr("spot")));
  const Said late = RunCli({"get", "workloads", "--db", Db(), "-o", "json"});
  EXPECT_THAT(late.out, HasSubstr("late"));
}

TEST_F(Convert, WhereTheWorkloadsComeToAnotherAmountItIsSaid) {
  std::string dump = Dump();
  dump.replace(dump.find("total: \"2\""), 10, "total: \"3\"");
  const Said said = RunCli({"import", "kueue", "-f", "-", "--db", Db()}, dump);
  ASSERT_EQ(said.code, kDone) << said.err;
  EXPECT_THAT(said.out, AllOf(HasSubstr("workloads: 2 hold quota, 2 wait"), HasSubstr("Job 1"),
                              HasSubstr("cq has 2 cpu of on-demand in use, and Kueue says 3\n")));
}

TEST_F(Convert, ANamespaceThatIsNotInTheDumpIsNamed) {
  std::string dump = Dump();
  const std::string there = "metadata: {name: default,";
  dump.replace(dump.find(there), there.size(), "metadata: {name: other,");
  const Said said = RunCli({"import", "kueue", "-f", "-", "--db", Db()}, dump);
  ASSERT_EQ(said.code, kDone) << said.err;
  EXPECT_THAT(said.out, HasSubstr("missing: Namespace default is not in the dump"));
}

TEST_F(Convert, ALedgerThatIsThereIsNotImportedInto) {
  const std::string dump = File("dump.yaml", Dump());
  ASSERT_EQ(RunCli({"import", "kueue", "-f", dump, "--db", Db()}).code, kDone);
  const Said said = RunCli({"import", "kueue", "-f", dump, "--db", Db()});
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.err, HasSubstr("import into a new ledger"));
}

TEST_F(Convert, WhatIsNotUnderstoodIsNamedAndNothingIsImported) {
  std::string dump = Dump();
  dump.replace(dump.find("queueName: q"), 12, "queueNmae: q");
  const Said said = RunCli({"import", "kueue", "-f", "-", "--db", Db()}, dump);
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.err, AllOf(HasSubstr("queueNmae"), HasSubstr("nothing was imported")));
  EXPECT_EQ(RunCli({"get", "workloads", "--db", Db()}).code, kWrongUse) << "no ledger was left";
}

}  // namespace
}  // namespace muster::cli
