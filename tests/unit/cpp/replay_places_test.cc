// Places that a Lua package chose are chosen again when the history is repeated, and not when
// another package, or none, is asked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bindings/cpp/replay.h"
#include "muster/muster.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

using testing::Cpu;
using ::testing::ElementsAre;
using testing::kNoon;
using ::testing::Pair;

std::shared_ptr<Policy> PackageNamed(const std::string& name) {
  const auto policy = LoadPolicy((testing::SourceDir() / "policies" / name).string());
  EXPECT_TRUE(policy.ok()) << policy.status().message();
  return policy.ok() ? *policy : nullptr;
}

Node HostIn(const std::string& zone, int i) {
  Node node;
  node.name = zone + std::to_string(i);
  node.labels = {{"pool", "x"}, {"power-zone", zone}, {"kubernetes.io/hostname", node.name}};
  node.allocatable = {{"cpu", Quantity::Units(8)}, {"pods", Quantity::Units(20)}};
  return node;
}

/// Six replicas of one service on four hosts in two zones, one cycle each.
std::map<std::string, int> PlaceReplicas(Engine& engine) {
  const Topology topology{.name = "hosts", .levels = {"kubernetes.io/hostname"}};
  ResourceFlavor flavor = testing::MakeFlavor("tree");
  flavor.node_labels = {{"pool", "x"}};
  flavor.topology_name = topology.name;
  std::vector<Object> objects = {testing::MakeNamespace(),
                                 topology,
                                 flavor,
                                 testing::MakeQueue("q", "", {{"tree", "cpu", 32}}),
                                 testing::MakeLocalQueue("q"),
                                 HostIn("a", 0),
                                 HostIn("a", 1),
                                 HostIn("b", 0),
                                 HostIn("b", 1)};
  EXPECT_TRUE(engine.Apply(objects, kNoon).ok());
  EXPECT_TRUE(engine.ActivatePolicy(PackageNamed("spread-zones"), kNoon).ok());
  std::map<std::string, int> pods;
  for (int i = 0; i < 6; ++i) {
    Workload replica = testing::MakeWorkload("web-" + std::to_string(i), "q", Cpu(1));
    replica.labels["app"] = "web";
    EXPECT_TRUE(engine.Submit({&replica, 1}, kNoon).ok());
    const Result<CycleResult> cycle = engine.RunCycle(kNoon + i * kSecond);
    EXPECT_TRUE(cycle.ok() && cycle->admitted.size() == 1 && cycle->policy_failures.empty());
    if (!cycle.ok() || cycle->admitted.empty()) return pods;
    const auto& domains = cycle->admitted[0].admission.pod_sets[0].topology->domains;
    for (const TopologyDomain& each : domains) pods[each.values.back().substr(0, 1)] += each.count;
  }
  return pods;
}

Status Repeat(const std::vector<Commit>& commits, const std::string& package, std::string* state) {
  Replayer replayer(
      [&](std::string_view) -> Result<std::shared_ptr<Policy>> { return PackageNamed(package); });
  for (const Commit& commit : commits) {
    const Status status = replayer.Redo(commit);
    if (!status.ok()) return status;
  }
  *state = *replayer.engine().StateHash();
  return Status::Ok();
}

TEST(ReplayOfPlaces, ComesToThoseThatThePackageChose) {
  testing::MemoryJournal journal;
  Engine engine(&journal);
  EXPECT_THAT(PlaceReplicas(engine), ElementsAre(Pair("a", 3), Pair("b", 3)));
  std::string state;
  const Status same = Repeat(journal.commits(), "spread-zones", &state);
  EXPECT_TRUE(same.ok()) << same.message();
  EXPECT_EQ(state, *engine.StateHash());
  EXPECT_FALSE(Repeat(journal.commits(), "cpu-off-accelerators", &state).ok())
      << "it would have placed them otherwise";
}

}  // namespace
}  // namespace muster
