// What verbs say of what they did, as an operator reads it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/testing/paths.h"
#include "tests/unit/cli/run_cli.h"
#include "tests/unit/cli/sample.h"

namespace muster::cli {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Answers : public ::testing::Test {
 protected:
  /// Runs a verb on the ledger with `input` as standard input.
  Said Try(std::vector<std::string> args, const std::string& input = "") const {
    args.insert(args.end(), {"--db", Path("cluster.ledger")});
    return RunCli(args, input);
  }
  std::string Do(const std::vector<std::string>& args, const std::string& input = "") const {
    const Said said = Try(args, input);
    EXPECT_EQ(said.code, kDone) << args.front() << ": " << said.err;
    return said.out;
  }
  /// Queues are there, `train` runs on borrowed quota and `wait` waits.
  void Begin() const {
    Do({"apply", "-f", "-"}, kQueues);
    Do({"submit", "-f", "-"}, kRedJobs);
    Do({"schedule", "--until-idle"});
  }
  std::string Path(const std::string& name) const { return (directory_.path() / name).string(); }

  testing::TemporaryDirectory directory_;
};

TEST_F(Answers, AJobOnHoldIsCountedOnceAmongThoseThatWait) {
  const std::string package = Path("policies/keep");
  std::filesystem::create_directories(package);
  std::ofstream(package + "/policy.lua")
      << "return { api = 1, name = 'keep',\n"
         "  hold = function(w, c) if w.name == 'job-wait' then return c.hold('not today') end end "
         "}\n";
  Do({"apply", "-f", "-"}, kQueues);
  Do({"policy", "activate", package, "--untested"});
  Do({"submit", "-f", "-"}, kRedJobs);
  Do({"schedule", "--until-idle"});
  EXPECT_THAT(Do({"get", "wl", "--state", "onhold"}), HasSubstr("job-wait"));
  EXPECT_THAT(Do({"top", "--once"}),
              AllOf(HasSubstr("1 workload waits"), HasSubstr("red  1 run, 1 wait\n")));
}

TEST_F(Answers, AJobThatIsNotThereIsNeverTakenForOneOfAnotherName) {
  Begin();
  const auto unknown = [&](const std::string& name) {
    const Said said = Try({"evict", name, "--reason", "Maintenance"});
    EXPECT_EQ(said.code, kNo);
    return said.err;
  };
  EXPECT_THAT(unknown("lab/tarin"), HasSubstr("'lab/tarin'; write \"lab/job-train\""));
  EXPECT_THAT(unknown("lab/job-wiat"), HasSubstr("write \"lab/job-wait\""));
  EXPECT_THAT(unknown("lab/eval"), EndsWith("; muster get workloads -n lab lists what there is\n"));
  EXPECT_THAT(unknown("nowhere/train"), HasSubstr("there is \"lab/job-train\""));
  EXPECT_THAT(unknown("nowhere/eval"), HasSubstr("namespace nowhere has none"));
}

TEST_F(Answers, ADeactivatedJobIsSaidToBeToldToLeave) {
  Begin();
  EXPECT_EQ(Do({"update", "lab/train", "--active", "false"}),
            "Workload lab/job-train updated\nWorkload lab/job-train evicting\n"
            "1 workload told to leave; muster evicted says when the pods are gone\n");
  EXPECT_EQ(Do({"update", "lab/wait", "--active", "false"}), "Workload lab/job-wait updated\n");
}

TEST_F(Answers, AnEvictionThatIsOrderedIsSaidOnce) {
  Begin();
  EXPECT_EQ(Do({"evict", "lab/train", "--reason", "Maintenance"}),
            "Workload lab/job-train evicting\n");
}

TEST_F(Answers, ADeletedNodeSaysWhichJobsHaveToLeave) {
  const auto node = [](const std::string& name) {
    return "---\napiVersion: v1\nkind: Node\nmetadata: {name: " + name +
           ", labels: {kubernetes.io/os: linux, kubernetes.io/hostname: " + name +
           "}}\nstatus: {allocatable: {cpu: 2, pods: 9}, "
           "conditions: [{type: Ready, status: \"True\"}]}\n";
  };
  Do({"apply", "-f", "-"},
     R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: hosts}
spec: {levels: [{nodeLabel: kubernetes.io/hostname}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: default}
spec: {topologyName: hosts, nodeLabels: {kubernetes.io/os: linux}}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: red}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: default, resources: [{name: cpu, nominalQuota: 8}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: red, namespace: lab}
spec: {clusterQueue: red}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: two, namespace: lab}
spec:
  queueName: red
  podSets:
  - name: main
    count: 2
    template: {spec: {containers: [{name: c, resources: {requests: {cpu: 2}}}], restartPolicy: Never}}
)" + node("a") +
         node("b"));
  Do({"schedule"});
  EXPECT_EQ(Do({"delete", "node", "a"}), "Node a deleted\n") << "another host may take its place";
  EXPECT_EQ(Do({"delete", "node", "b"}),
            "Node b deleted\nWorkload lab/two evicting\n"
            "1 workload told to leave; muster evicted says when the pods are gone\n");
}

TEST_F(Answers, AJobThatHasEndedRan) {
  Begin();
  EXPECT_THAT(Do({"explain", "lab/train"}), HasSubstr("\nIt runs in ClusterQueue red: "));
  Do({"finish", "lab/train"});
  EXPECT_THAT(Do({"explain", "lab/train"}), HasSubstr("\nIt ran in ClusterQueue red: "));
}

TEST_F(Answers, AStoppedLocalQueueShowsInItsList) {
  Begin();
  EXPECT_THAT(Do({"get", "lq"}), Not(HasSubstr("STOP")));
  Do({"stop", "lab/blue"});
  EXPECT_THAT(Do({"get", "lq"}), AllOf(HasSubstr("STOP"), HasSubstr("Hold"), HasSubstr("None")));
}

TEST_F(Answers, AStateThatIsShownCanBeAskedFor) {
  Begin();
  Do({"stop", "lab/red"});
  EXPECT_THAT(Do({"get", "wl", "--state", "held"}),
              AllOf(HasSubstr("job-wait"), HasSubstr("Held"), Not(HasSubstr("job-train"))));
}

TEST_F(Answers, AnEmptyNameDoesNotMeanAllThereAre) {
  Begin();
  for (const char* verb : {"get", "describe"}) {
    const Said said = Try({verb, "wl", ""});
    EXPECT_EQ(said.code, kWrongUse) << verb;
    EXPECT_THAT(said.err, HasSubstr("NAME")) << verb;
    EXPECT_THAT(said.err, HasSubstr("is empty")) << verb;
  }
}

TEST_F(Answers, AKindThatIsReadCannotBeIgnoredUnnoticed) {
  const Said said = Try({"apply", "-f", "-", "--ignore-kinds", "ClusterQueue,Deployment"}, kQueues);
  EXPECT_EQ(said.code, kDone);
  EXPECT_THAT(said.err, AllOf(HasSubstr("--ignore-kinds ClusterQueue: foreign kinds are skipped"),
                              Not(HasSubstr("Deployment"))));
}

TEST_F(Answers, AnExpectationIsNotWorkedOutForAJobThatIsNotThere) {
  Begin();
  const Said said = Try({"eta", "lab/eval"});
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.err, HasSubstr("there is no workload 'lab/eval'"));
}

TEST(Help, TheFirstWordOfSeveralVerbsListsThem) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"ledger", "--help"}, {"help", "ledger"}, {"ledger", "-h"}}) {
    const Said said = RunCli(words);
    EXPECT_EQ(said.code, kDone);
    EXPECT_THAT(said.out, AllOf(StartsWith("muster ledger\n  ledger verify "),
                                HasSubstr("ledger backup "), Not(HasSubstr("token"))));
    EXPECT_EQ(said.err, "");
  }
  EXPECT_EQ(RunCli({"ledger"}).code, kWrongUse);
  EXPECT_EQ(RunCli({"ledgr", "--help"}).code, kWrongUse);
}

}  // namespace
}  // namespace muster::cli
