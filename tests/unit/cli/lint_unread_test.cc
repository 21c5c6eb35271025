// What may be said beside a document whose kind is not known, and of jobs that no flavor places.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/cli/run_cli.h"

namespace muster::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A LocalQueue whose ClusterQueue is not there.
constexpr const char* kLost =
    "apiVersion: v1\nkind: Namespace\nmetadata: {name: lab}\n"
    "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\n"
    "metadata: {name: l, namespace: lab}\nspec: {clusterQueue: rde}\n";

std::string SaidBeside(const std::string& document) {
  return RunCli({"validate", "-f", "-"}, std::string(kLost) + "---\n" + document).err;
}

TEST(LintUnread, AMisspeltKindHidesReferencesToItsNameAlone) {
  const std::string begin = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQue\n";
  for (const char* name : {"red", "x"}) {
    EXPECT_THAT(
        SaidBeside(begin + "metadata: {name: " + name + "}\n"),
        AllOf(HasSubstr("write \"ClusterQueue\""), HasSubstr("there is no ClusterQueue rde")));
  }
  for (const char* rest : {"metadata: {name: rde}\n", "", "metadata: {name: red}\nitems: []\n"}) {
    EXPECT_THAT(SaidBeside(begin + rest), AllOf(HasSubstr("write \"ClusterQueue\""),
                                                Not(HasSubstr("there is no ClusterQueue"))))
        << rest;
  }
}

TEST(LintUnread, AKindOfAnotherGroupIsNotTakenForAMisspeltOne) {
  EXPECT_THAT(
      SaidBeside("apiVersion: flink.apache.org/v1beta1\nkind: FlinkDeployment\n"
                 "metadata: {name: rde}\n"),
      AllOf(HasSubstr("unknown kind \"FlinkDeployment\"; skip it with"),
            HasSubstr("declare it by a JobKind"), HasSubstr("there is no ClusterQueue rde")));
  // A slip in the group leaves the kind what it is meant to be.
  EXPECT_THAT(SaidBeside("apiVersion: kueue.x-k8s.oi/v1beta2\nkind: ClusterQueu\n"
                         "metadata: {name: rde}\n"),
              AllOf(HasSubstr("write \"ClusterQueue\""), Not(HasSubstr("there is no Cluster"))));
}

/// Said by `verb` of a job that asks as `asked` says, in a queue that offers `flavors`.
std::string SaidOfPlaces(const std::string& flavors, const std::string& asked,
                         const std::string& verb = "validate") {
  std::vector<std::string> words = {verb};
  if (verb == "explain") words.emplace_back("lab/huge");
  words.insert(words.end(), {"-f", "-"});
  const Said said = RunCli(
      words,
      "apiVersion: v1\nkind: Namespace\nmetadata: {name: lab}\n"
      "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Topology\nmetadata: {name: racks}\n"
      "spec: {levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}\n"
      "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: placed}\n"
      "spec: {nodeLabels: {pool: placed}, topologyName: racks}\n"
      "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: loose}\n"
      "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: mixed}\n"
      "spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [" +
          flavors +
          "]}]}\n"
          "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\n"
          "metadata: {name: mixed, namespace: lab}\nspec: {clusterQueue: mixed}\n"
          "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\n"
          "metadata: {name: huge, namespace: lab}\nspec: {queueName: mixed, podSets: [{name: main, "
          "count: 1, " +
          asked +
          "template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}]}\n");
  return said.err + said.out;
}

TEST(LintUnread, AJobThatNoFlavorPlacesAsItAsksIsNamedWithTheReason) {
  const std::string loose = "{name: loose, resources: [{name: cpu, nominalQuota: 99}]}";
  const std::string placed = "{name: placed, resources: [{name: cpu, nominalQuota: 99}]}";
  const std::string rack = "topologyRequest: {required: rack}, ";
  EXPECT_THAT(SaidOfPlaces(loose, rack),
              HasSubstr("fits no flavor of ClusterQueue mixed for cpu: flavor loose does not "
                        "support TopologyAwareScheduling: it will never start; ask for no topology "
                        "or for a level that there is"));
  EXPECT_THAT(SaidOfPlaces(loose, rack, "explain"),
              HasSubstr("ask for no topology, or for a level that flavor loose has"));
  EXPECT_THAT(SaidOfPlaces(placed, "topologyRequest: {preferred: row}, "),
              HasSubstr("flavor placed does not contain the requested level row: it will never"));
  EXPECT_THAT(SaidOfPlaces(loose, ""), Not(HasSubstr("never start")));
  EXPECT_THAT(SaidOfPlaces(placed, rack), Not(HasSubstr("never start")));
  EXPECT_THAT(SaidOfPlaces(placed + ", " + loose, rack), Not(HasSubstr("never start")));
  EXPECT_THAT(SaidOfPlaces(placed + ", " + loose, ""), Not(HasSubstr("never start")));
}

}  // namespace
}  // namespace muster::cli
