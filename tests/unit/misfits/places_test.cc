// Advice on gangs that hosts have no place for, even empty ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/testing/paths.h"
#include "tests/unit/cli/racks.h"
#include "tests/unit/cli/run_cli.h"

namespace muster::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A queue with these flavors, in order, each of a topology.
std::string QueueOf(const std::vector<std::string>& flavors) {
  return RacksOf(flavors, "nvidia.com/gpu", 128);
}
const std::string kPlacedQueue = QueueOf({"gb200"});

/// Two racks of two hosts with so many devices each.
std::string Hosts(const std::string& flavor = "gb200", int gpus = 4) {
  std::string nodes;
  for (const char* rack : {"r0", "r1"}) {
    for (const char* host : {"h0", "h1"}) {
      const std::string name = flavor + "-" + rack + host;
      nodes += HostOf(name, rack, flavor, "nvidia.com/gpu: " + std::to_string(gpus));
    }
  }
  return nodes;
}

std::string Gang(const std::string& name, int pods, const std::string& asks,
                 const std::string& gpus = "2") {
  return "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: " + name +
         ", namespace: ml}\nspec:\n  queueName: q\n  podSets:\n  - name: main\n    count: " +
         std::to_string(pods) + "\n    topologyRequest: {" + asks +
         "}\n    template:\n      spec:\n        restartPolicy: Never\n        containers: "
         "[{name: a, image: i, resources: {requests: {nvidia.com/gpu: " +
         gpus + "}}}]\n";
}

Said Validate(const std::string& more) {
  return RunCli({"validate", "-f", "-"}, kPlacedQueue + more);
}

TEST(LintPlaces, AGangThatNoDomainHoldsEmptyIsWarnedOfWithItsPlace) {
  const std::string all = Hosts() + Gang("large", 5, "required: rack");
  const Said said = Validate(all);
  EXPECT_EQ(said.code, kDone);
  EXPECT_THAT(said.err,
              HasSubstr("warning: ml/large has no place: no rack of flavor gb200 has room for 5 "
                        "pods, even empty; the largest, r0, has 4: it will never start; ask for at "
                        "most 4 pods in one rack, ask for a higher level, or add nodes"));
  const Said explained = RunCli({"explain", "ml/large", "-f", "-"}, kPlacedQueue + all);
  EXPECT_THAT(explained.out, HasSubstr("even empty; the largest, r0, has 4. It can never start"))
      << "explain says the same";
}

TEST(LintPlaces, AGangThatADomainHoldsEmptyIsNotWarnedOf) {
  for (const std::string& gang :
       {Gang("fits", 4, "required: rack"), Gang("wider", 5, "required: block"),
        Gang("prefers", 8, "preferred: rack"), Gang("anywhere", 8, "unconstrained: true")}) {
    EXPECT_THAT(Validate(Hosts() + gang).err, Not(HasSubstr("never start"))) << gang;
  }
}

TEST(LintPlaces, WhatOthersUseKeepsNobodyOutForGood) {
  const muster::testing::TemporaryDirectory directory;
  const std::string ledger = (directory.path() / "l.ledger").string();
  const std::vector<std::string> apply = {"apply", "-f", "-", "--db", ledger};
  ASSERT_EQ(RunCli(apply, kPlacedQueue + Hosts() + Gang("first", 8, "preferred: block")).code,
            kDone);
  ASSERT_EQ(RunCli({"schedule", "--db", ledger}).code, kDone);
  const Said second =
      RunCli({"submit", "-f", "-", "--db", ledger}, Gang("second", 4, "required: rack"));
  EXPECT_THAT(second.err, Not(HasSubstr("never start")));
  const Said third =
      RunCli({"submit", "-f", "-", "--db", ledger}, Gang("third", 5, "required: rack"));
  EXPECT_EQ(third.code, kDone);
  EXPECT_THAT(third.err, HasSubstr("ml/third has no place"));
  const Said fourth = RunCli(apply, Gang("fourth", 5, "required: rack"));
  EXPECT_THAT(fourth.err, HasSubstr("ml/fourth has no place"));
}

TEST(LintPlaces, WhatIsTooMuchForAllHostsTogetherIsWarnedOfToo) {
  EXPECT_THAT(Validate(Hosts() + Gang("nine", 9, "preferred: rack")).err,
              HasSubstr("ml/nine has no place: topology dc has room for 8 of 9 pods in flavor "
                        "gb200, even empty: it will never start"));
  EXPECT_THAT(Validate(Hosts() + Gang("fat", 1, "unconstrained: true", "5")).err,
              HasSubstr("topology dc has room for 0 of 1 pod in flavor gb200, even empty: it will "
                        "never start; ask for less in each pod, or add larger nodes"));
}

TEST(LintPlaces, LevelsThatContradictEachOtherAreWarnedOf) {
  EXPECT_THAT(Validate(Hosts() + Gang("upside-down", 4,
                                      "required: rack, podSetSliceRequiredTopology: block, "
                                      "podSetSliceSize: 2"))
                  .err,
              HasSubstr("ml/upside-down has no place: podset slice topology block is above the "
                        "podset topology rack: it will never start; ask for slices at or below "
                        "the level of the podset, inner ones below outer ones"));
}

TEST(LintPlaces, LevelsThatContradictEachOtherInOneFlavorOnlyAreNotWarnedOf) {
  std::string flavors = QueueOf({"gb200", "gb300"});
  flavors.replace(flavors.find("topologyName: dc"), 16, "topologyName: up");
  flavors +=
      "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Topology\nmetadata: {name: up}\n"
      "spec: {levels: [{nodeLabel: rack}, {nodeLabel: block}, "
      "{nodeLabel: kubernetes.io/hostname}]}\n";
  const std::string cluster = flavors + Hosts() + Hosts("gb300", 8);
  const std::string asks = "required: block, podSetSliceRequiredTopology: rack, podSetSliceSize: 2";
  const Said four = RunCli({"validate", "-f", "-"}, cluster + Gang("four", 4, asks));
  EXPECT_EQ(four.code, kDone) << four.err;
  EXPECT_THAT(four.err, Not(HasSubstr("never start")));
  const Said many = RunCli({"validate", "-f", "-"}, cluster + Gang("many", 40, asks));
  EXPECT_THAT(many.err, HasSubstr("no block of flavor gb300 has room for 20 slices"));
}

TEST(LintPlaces, WithoutNodesNothingIsKnownOfThem) {
  EXPECT_THAT(Validate(Gang("large", 5, "required: rack")).err, Not(HasSubstr("never start")));
}

TEST(LintPlaces, NodesOfAnotherFileCount) {
  const muster::testing::TemporaryDirectory directory;
  const std::string nodes = directory.Write("nodes.yaml", Hosts()).string();
  const Said said = RunCli({"validate", "-f", "-", "--nodes", nodes},
                           kPlacedQueue + Gang("large", 5, "required: rack"));
  EXPECT_EQ(said.code, kDone);
  EXPECT_THAT(said.err, HasSubstr("ml/large has no place"));
}

TEST(LintPlaces, AFlavorThatHoldsItIsEnough) {
  const std::string cluster = QueueOf({"gb200", "gb300"}) + Hosts() + Hosts("gb300", 8);
  const Said six = RunCli({"validate", "-f", "-"}, cluster + Gang("six", 6, "required: rack"));
  EXPECT_EQ(six.code, kDone) << six.err;
  EXPECT_THAT(six.err, Not(HasSubstr("never start")));
  const Said ten = RunCli({"validate", "-f", "-"}, cluster + Gang("ten", 10, "required: rack"));
  EXPECT_THAT(ten.err, HasSubstr("no rack of flavor gb300 has room for 10 pods"))
      << "of several, the one with most room is named";
}

}  // namespace
}  // namespace muster::cli
