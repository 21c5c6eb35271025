// What a node that is applied calls for: one that has changed wakes what waits for places, one that
// is as it was does nothing.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

constexpr const char* kHostLabel = "kubernetes.io/hostname";

class NodeChanges : public ::testing::Test {
 protected:
  NodeChanges() {
    ResourceFlavor flavor = testing::MakeFlavor("f");
    flavor.node_labels = {{"pool", "a"}};
    flavor.topology_name = "hosts";
    Workload job = testing::MakeWorkload("w", "q", testing::Cpu(2));
    job.pod_sets.at(0).topology.emplace().required = kHostLabel;
    const std::vector<Object> objects = {testing::MakeNamespace(),
                                         Topology{.name = "hosts", .levels = {kHostLabel}},
                                         flavor,
                                         testing::MakeQueue("q", "", {{"f", "cpu", 9}}),
                                         testing::MakeLocalQueue("q"),
                                         NodeWith(1),
                                         job};
    EXPECT_TRUE(engine_.Apply(objects, testing::kNoon).ok());
    EXPECT_TRUE(engine_.RunCycle(testing::kNoon)->admitted.empty());
  }

  static Node NodeWith(std::int64_t cpu) {
    Node node;
    node.name = "n";
    node.labels = {{"pool", "a"}, {kHostLabel, "n"}};
    node.allocatable = {{"cpu", Quantity::Units(cpu)}, {"pods", Quantity::Units(9)}};
    return node;
  }
  void Apply(const Node& node) {
    EXPECT_TRUE(engine_.Apply(std::vector<Object>{node}, testing::kNoon).ok());
  }
  bool IsParked() const { return engine_.Pending()->at(0).parked; }

  Engine engine_;
};

TEST_F(NodeChanges, ThatAreNoneWakeNothing) {
  ASSERT_TRUE(IsParked());
  const std::string before = *engine_.StateHash();
  Apply(NodeWith(1));
  EXPECT_TRUE(IsParked());
  EXPECT_EQ(*engine_.StateHash(), before);
}

TEST_F(NodeChanges, ThatMakeRoomLetAJobStart) {
  Apply(NodeWith(2));
  EXPECT_FALSE(IsParked());
  EXPECT_EQ(engine_.RunCycle(testing::kNoon)->admitted.size(), 1U);
}

TEST_F(NodeChanges, ThatComeTwiceInACallCountAsTheLast) {
  EXPECT_TRUE(engine_.Apply(std::vector<Object>{NodeWith(5), NodeWith(1)}, testing::kNoon).ok());
  EXPECT_TRUE(engine_.RunCycle(testing::kNoon)->admitted.empty());
  EXPECT_TRUE(engine_.CheckInvariants().ok());
}

TEST_F(NodeChanges, OfPodsOutsideThatAskForEverythingForgetNoUse) {
  Apply(NodeWith(3));
  ASSERT_EQ(engine_.RunCycle(testing::kNoon)->admitted.size(), 1U);  // 1 CPU is left
  constexpr int kPods = 12;
  for (int i = 0; i < kPods; ++i) {
    Pod pod{.key = {"outside", "p" + std::to_string(i)}, .node = "n", .requests = {}};
    pod.requests["cpu"] = Quantity::Units(9'000'000'000'000'000);
    ASSERT_TRUE(engine_.Apply(std::vector<Object>{pod}, testing::kNoon).ok());
    ASSERT_TRUE(engine_.CheckInvariants().ok()) << i;
  }
  for (int i = 0; i < kPods; ++i) {
    const Key key{"outside", "p" + std::to_string(i)};
    ASSERT_TRUE(engine_.Delete(ObjectKind::kPod, key, testing::kNoon).ok());
    ASSERT_TRUE(engine_.CheckInvariants().ok()) << i;
  }
  Workload second = testing::MakeWorkload("second", "q", testing::Cpu(2));
  second.pod_sets.at(0).topology.emplace().required = kHostLabel;
  ASSERT_TRUE(engine_.Submit(std::vector<Workload>{second}, testing::kNoon).ok());
  EXPECT_TRUE(engine_.RunCycle(testing::kNoon)->admitted.empty());
}

// Two hosts, each with room for as many pods as an int32 can count.
TEST(EndlessHosts, HaveRoomTogether) {
  for (const bool balanced : {false, true}) {
    Engine engine;
    constexpr const char* kRackLabel = "rack";
    ResourceFlavor flavor = testing::MakeFlavor("f");
    flavor.node_labels = {{"pool", "a"}};
    flavor.topology_name = "racks";
    Workload job = testing::MakeWorkload("w", "q", testing::Cpu(1));
    job.pod_sets.at(0).count = 4;
    TopologyRequest& topology = job.pod_sets.at(0).topology.emplace();
    (balanced ? topology.preferred : topology.required) = kRackLabel;
    std::vector<Object> objects = {
        testing::MakeNamespace(), Topology{.name = "racks", .levels = {kRackLabel, kHostLabel}},
        flavor, testing::MakeQueue("q", "", {{"f", "cpu", 9}}), testing::MakeLocalQueue("q")};
    for (const char* name : {"a", "b"}) {
      Node node;
      node.name = name;
      node.labels = {{"pool", "a"}, {kRackLabel, "r"}, {kHostLabel, name}};
      node.allocatable = {{"cpu", Quantity::Units(9'000'000'000'000'000)},
                          {"pods", Quantity::Units(9'000'000'000'000'000)}};
      objects.emplace_back(node);
    }
    if (balanced) {
      Configuration configuration;
      configuration.feature_gates["TASBalancedPlacement"] = true;
      objects.emplace_back(configuration);
    }
    objects.emplace_back(job);
    ASSERT_TRUE(engine.Apply(objects, testing::kNoon).ok());
    EXPECT_EQ(engine.RunCycle(testing::kNoon)->admitted.size(), 1U) << balanced;
  }
}

}  // namespace
}  // namespace muster
