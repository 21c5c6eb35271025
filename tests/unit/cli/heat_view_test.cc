// The heat map of a terminal, and the plan of moves, as people see them.
#include "bindings/cli/show/heat_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/testing/paths.h"
#include "tests/unit/cli/racks.h"
#include "tests/unit/cli/run_cli.h"

namespace muster::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

places::Room RoomOf(std::int64_t used, bool usable = true) {
  places::Room room{1, usable ? 1 : 0, usable && used == 0 ? 1 : 0, {}, {}};
  room.allocatable = {{"cpu", Quantity::Units(100)}};
  room.used = {{"cpu", Quantity::Units(used)}};
  return room;
}

void AddTo(const places::Room& room, places::Room* sum) {
  sum->nodes += room.nodes;
  sum->usable += room.usable;
  sum->untouched += room.untouched;
  sum->allocatable["cpu"] = sum->allocatable["cpu"] + room.allocatable.at("cpu");
  sum->used["cpu"] = sum->used["cpu"] + room.used.at("cpu");
}

/// Blocks of racks of hosts; host number h of each rack has h percent in use.
Heat MakeHeat(int blocks, int racks, int hosts) {
  Heat heat;
  heat.topology = {"dc", {"block", "rack", "host"}};
  heat.resources = {"cpu"};
  for (int b = 0; b < blocks; ++b) {
    places::Place block;
    block.values = {"b" + std::to_string(b)};
    std::vector<places::Place> below;
    for (int r = 0; r < racks; ++r) {
      places::Place& rack = below.emplace_back();
      rack.values = {block.values[0], "r" + std::to_string(r)};
      for (int h = 0; h < hosts; ++h) {
        rack.leaves.push_back(RoomOf(h));
        rack.leaf_names.push_back("h" + std::to_string(h));
        AddTo(rack.leaves.back(), &rack.room);
        AddTo(rack.leaves.back(), &block.room);
      }
    }
    heat.domains.push_back(block);
    heat.domains.insert(heat.domains.end(), below.begin(), below.end());
  }
  heat.largest = places::LargestOf(heat.domains, heat.topology);
  return heat;
}

TEST(HeatLines, HaveASignForEachDegreeOfUse) {
  Heat heat = MakeHeat(1, 1, 0);
  for (const std::int64_t used : {0, 1, 33, 34, 66, 67, 99, 100}) {
    heat.domains[1].leaves.push_back(RoomOf(used));
  }
  heat.domains[1].leaves.push_back(RoomOf(0, /*usable=*/false));
  const std::vector<std::string> lines = HeatLines({heat}, 80, 0, Paint());
  ASSERT_THAT(lines, SizeIs(4));
  EXPECT_EQ(lines[0], "Places of dc, a sign for each host");
  EXPECT_THAT(lines[1], HasSubstr("  . free, : to a third used"));
  EXPECT_EQ(lines[2], "  b0/r0 0/0 .::++**#x");
}

TEST(HeatLines, ArePaintedByRunsOfOneTone) {
  const Heat heat = MakeHeat(1, 1, 3);
  EXPECT_EQ(HeatLines({heat}, 80, 0, Paint(true))[2],
            "  b0/r0 1/3 \033[2m.\033[0m\033[32m::\033[0m");
}

TEST(HeatLines, BreakWhereTheTerminalIsNarrow) {
  EXPECT_THAT(HeatLines({MakeHeat(1, 1, 30)}, 24, 0, Paint()),
              ElementsAre("Places of dc, a sign fo~", "  . free, : to a third ~",
                          "  b0/r0 1/30 .::::::::::", "             :::::::::::",
                          "             ::::::::", "  Most nodes that no wo~"));
}

TEST(HeatLines, AreOfAHigherLevelWhereThereAreTooMany) {
  const std::vector<std::string> all = HeatLines({MakeHeat(4, 20, 3)}, 80, 0, Paint());
  EXPECT_THAT(all, SizeIs(83));
  const std::vector<std::string> few = HeatLines({MakeHeat(4, 20, 3)}, 80, 12, Paint());
  ASSERT_THAT(few, SizeIs(7));
  EXPECT_THAT(few[0], HasSubstr("a sign for each rack"));
  EXPECT_EQ(few[2], "  b0 20/60 " + std::string(20, ':'));
}

TEST(HeatLines, CountWhatIsLeftOutEvenSo) {
  const std::vector<std::string> lines = HeatLines({MakeHeat(30, 2, 2)}, 80, 9, Paint());
  EXPECT_THAT(lines, SizeIs(9));
  EXPECT_THAT(lines, ::testing::Contains("  ... and 25 lines more"));
  EXPECT_THAT(HeatLines({MakeHeat(1, 1, 1), MakeHeat(1, 1, 1)}, 80, 4, Paint()), SizeIs(4));
}

TEST(HeatLines, OfATopologyOfOneLevelAreOne) {
  Heat heat;
  heat.topology = {"flat", {"host"}};
  heat.resources = {"cpu"};
  for (int h = 0; h < 3; ++h) {
    heat.domains.push_back({{"h" + std::to_string(h)}, RoomOf(50 * h), {}, {}});
  }
  EXPECT_EQ(HeatLines({heat}, 80, 0, Paint())[2], "  all  .+#");
}

TEST(HeatJson, HasEachHostOnceWithItsUse) {
  const Json json = HeatJson({MakeHeat(1, 1, 2)});
  EXPECT_EQ(json["topologies"][0]["domains"][1]["below"].dump(),
            R"([{"name":"h0","used":0},{"name":"h1","used":1}])");
  EXPECT_EQ(json["topologies"][0]["largestGangs"][1].dump(),
            R"({"level":"rack","nodes":1,"domain":"b0/r0"})");
  EXPECT_EQ(HeatJson({}).dump(), R"({"topologies":[]})");
}

// ---- the plan of moves -------------------------------------------------------------------------

std::string JobOf(const std::string& name, const std::string& host) {
  return "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: " + name +
         ", namespace: ml, creationTimestamp: \"2026-01-01T08:00:00Z\"}\n" + R"(spec:
  queueName: q
  podSets:
  - name: main
    count: 1
    topologyRequest: {unconstrained: true}
    template:
      spec:
        restartPolicy: Never
        containers: [{name: a, image: i, resources: {requests: {cpu: 2}}}]
status:
  admission:
    clusterQueue: ml
    podSetAssignments:
    - name: main
      count: 1
      flavors: {cpu: hosts}
      resourceUsage: {cpu: 2}
      topologyAssignment:
        levels: [kubernetes.io/hostname]
        slices: [{domainCount: 1, valuesPerLevel: [{universal: )" +
         host + R"(}], podCounts: {universal: 1}}]
  conditions:
  - {type: QuotaReserved, status: "True", reason: QuotaReserved, message: "", lastTransitionTime: "2026-01-01T08:00:00Z"}
  - {type: Admitted, status: "True", reason: Admitted, message: "", lastTransitionTime: "2026-01-01T08:00:00Z"}
)";
}

/// Two racks of two hosts, and in each rack a job that takes half of a host.
std::string SplitRacks() {
  std::string cluster = RacksOf({"hosts"}, "cpu", 100);
  for (const std::string rack : {"r0", "r1"}) {
    for (const char* host : {"h0", "h1"}) cluster += HostOf(rack + host, rack, "hosts", "cpu: 4");
  }
  return cluster + JobOf("one", "r0h0") + JobOf("two", "r1h0");
}

TEST(Defrag, PrintsThePlanWithItsCostAndTheCommandsThatWouldDoIt) {
  const Said said = RunCli({"defrag", "-f", "-", "--now", "2026-01-01T12:00:00Z"}, SplitRacks());
  EXPECT_EQ(said.code, kDone) << said.err;
  EXPECT_THAT(said.out,
              AllOf(HasSubstr("in one rack of dc: 1 in b/r0; with these moves 2 in b/r0.\n"),
                    HasSubstr("  ml/one     ml             2 cpu      4h          2.0   b/r1 1\n"),
                    HasSubstr("lost in all: 2.0 node hours"), HasSubstr("Nothing was done."),
                    HasSubstr("1. cordon r0h0, r0h1, and"),
                    HasSubstr("2. muster evict ml/one --reason Defragmentation\n")));
}

TEST(Defrag, SaysWhenNoJobHasToMoveAndWhenNoneCan) {
  EXPECT_THAT(RunCli({"defrag", "-f", "-", "--nodes", "1"}, SplitRacks()).out,
              HasSubstr("That is enough; no job has to move."));
  EXPECT_THAT(
      RunCli({"defrag", "-f", "-", "--nodes", "3"}, SplitRacks()).out,
      HasSubstr("No moves were found that make place for 3, and every set of jobs, for each "
                "rack that is emptied, was thought of."));
}

TEST(Defrag, NamesALevelThatIsNotThere) {
  const Said said = RunCli({"defrag", "-f", "-", "--level", "hall"}, SplitRacks());
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.err, HasSubstr("topology dc has no level 'hall' above its lowest; it has block, "
                                  "rack"));
}

TEST(Defrag, AsksWhichOfSeveralTopologies) {
  const std::string other =
      "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Topology\nmetadata: {name: other}\n"
      "spec: {levels: [{nodeLabel: block}, {nodeLabel: rack}]}\n";
  const Said said = RunCli({"defrag", "-f", "-"}, SplitRacks() + other);
  EXPECT_EQ(said.code, kWrongUse);
  EXPECT_THAT(said.err, HasSubstr("name one of the topologies dc, other"));
}

TEST(Top, DrawsTheMapOfALedger) {
  const testing::TemporaryDirectory folder;
  const std::string db = (folder.path() / "racks.ledger").string();
  ASSERT_EQ(RunCli({"apply", "-f", "-", "--db", db}, SplitRacks()).code, kDone);
  const Said said = RunCli({"top", "--once", "--db", db});
  EXPECT_THAT(said.out, HasSubstr("  b/r0 1/2 +.\n  b/r1 1/2 +.\n"
                                  "  Most nodes that no workload is on, in one block: 2 in b, "
                                  "rack: 1 in b/r0\n"));
}

}  // namespace
}  // namespace muster::cli
