// What describe shows of nodes and topologies, and of where a workload's pods stand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/cli/racks.h"
#include "tests/unit/cli/run_cli.h"

namespace muster::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kRacks = RacksOf({"gb200"}, "nvidia.com/gpu", 128) + R"(---
apiVersion: v1
kind: Pod
metadata: {name: daemon, namespace: ml}
spec: {nodeName: r1h1, containers: [{name: a, image: i, resources: {requests: {nvidia.com/gpu: 1}}}]}
)";

std::string NodeOf(const std::string& rack, const std::string& host, bool cordoned) {
  return HostOf(rack + host, rack, "gb200", "nvidia.com/gpu: 4", cordoned);
}

/// Two racks of two hosts, the second with a pod that is not Muster's and a cordoned host; a job
/// of three pods with two devices each, which has to stay in one rack.
std::string Cluster() {
  return kRacks + NodeOf("r0", "h0", false) + NodeOf("r0", "h1", false) +
         NodeOf("r1", "h1", false) + NodeOf("r1", "h2", true) + R"(---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: gang, namespace: ml}
spec:
  queueName: q
  podSets:
  - name: main
    count: 3
    topologyRequest: {required: rack}
    template:
      spec:
        restartPolicy: Never
        containers: [{name: a, image: i, resources: {requests: {nvidia.com/gpu: 2}}}]
)";
}

TEST(DescribeTopology, ShowsWhatIsFreeInEachDomainAndASignForEachHost) {
  const Said said = RunCli({"describe", "topology", "dc", "-f", "-"}, Cluster());
  EXPECT_EQ(said.code, kDone);
  EXPECT_THAT(said.out, HasSubstr("b        3 of 4               5 of 12"));
  EXPECT_THAT(said.out, HasSubstr("  r0          2                2 of 8   #+\n"));
  EXPECT_THAT(said.out, HasSubstr("  r1     1 of 2                3 of 4   +x\n"));
}

TEST(DescribeTopology, SaysTheLargestGangOfWholeNodesThatHasAPlaceInEachLevel) {
  EXPECT_THAT(RunCli({"describe", "topology", "dc", "-f", "-"}, Cluster()).out,
              HasSubstr("  Most nodes that no workload is on, in one block: 1 of b\n"
                        "  Most nodes that no workload is on, in one rack: 1 of b/r1\n"));
}

TEST(DescribeTopology, ASumThatIsCountedNoFurtherIsNoFigure) {
  std::string nodes = NodeOf("r0", "h0", false) + NodeOf("r1", "h1", false);
  for (int i = 0; i < 2; ++i) {
    const std::string four = "nvidia.com/gpu: 4,";
    nodes.replace(nodes.find(four), four.size(), "nvidia.com/gpu: 8E,");
  }
  const std::string out = RunCli({"describe", "topology", "dc", "-f", "-"}, kRacks + nodes).out;
  EXPECT_THAT(out, HasSubstr("1 used of 9E or more"));
  EXPECT_THAT(out, HasSubstr("8E of 8E"));
  EXPECT_THAT(out, Not(HasSubstr("775807")));
}

TEST(DescribeTopology, WithoutNodesSaysSo) {
  EXPECT_THAT(RunCli({"describe", "topology", "dc", "-f", "-"}, kRacks).out,
              HasSubstr("No node has a label for each level."));
}

TEST(ExplainWorkload, WithoutNodesSaysWhichToApply) {
  std::string no_nodes = Cluster();
  for (std::size_t at; (at = no_nodes.find("pool: gb200, kubernetes")) != std::string::npos;) {
    no_nodes.replace(at, std::string("pool: gb200").size(), "pool: other");
  }
  const std::string out = RunCli({"explain", "ml/gang", "-f", "-"}, no_nodes).out;
  EXPECT_THAT(out, HasSubstr("ml/gang has no place: no Node of flavor gb200 that has the labels of "
                             "topology dc is ready and not cordoned."));
  EXPECT_THAT(out, HasSubstr("What would help: apply the Nodes of flavor gb200 with these labels, "
                             "or uncordon them."));
}

TEST(DescribeNode, ShowsItsRoomAndThePodsPlacedThere) {
  const std::string out = RunCli({"describe", "node", "r0h1", "-f", "-"}, Cluster()).out;
  EXPECT_THAT(out, HasSubstr("nvidia.com/gpu             4      2      2"));
  EXPECT_THAT(out, HasSubstr("pods                      10      1      9"));
  EXPECT_THAT(out, HasSubstr("ml/gang    main        1"));
}

TEST(DescribeNode, CountsPodsThatAreNotMusters) {
  const std::string out = RunCli({"describe", "node", "r1h1", "-f", "-"}, Cluster()).out;
  EXPECT_THAT(out, HasSubstr("nvidia.com/gpu             4      1      3"));
  EXPECT_THAT(out, Not(HasSubstr("Pods placed here")));
  EXPECT_THAT(RunCli({"describe", "node", "r1h2", "-f", "-"}, Cluster()).out,
              HasSubstr("yes, but cordoned"));
}

TEST(DescribeWorkload, ShowsWhereItsPodsStand) {
  EXPECT_THAT(RunCli({"describe", "wl", "ml/gang", "-f", "-"}, Cluster()).out,
              HasSubstr("main     b/r0        3   r0h0 2, r0h1 1"));
}

}  // namespace
}  // namespace muster::cli
