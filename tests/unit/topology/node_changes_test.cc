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

}  // namespace
}  // namespace muster
