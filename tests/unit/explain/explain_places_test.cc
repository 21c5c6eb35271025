// Gangs that quota would let start and hosts do not: how much each rack has room for, what is
// there, whose eviction frees one, and that no rack is ever large enough.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/explain/explaining.h"

namespace muster {
namespace {

using testing::Cpu;
using ::testing::HasSubstr;
using testing::kNoon;
using testing::MakeFlavor;
using testing::MakeLocalQueue;
using testing::MakeQueue;
using testing::MakeWorkload;
using ::testing::Not;

constexpr const char* kRack = "rack";
constexpr const char* kHost = "kubernetes.io/hostname";

/// Racks of hosts with one cpu each; a queue with quota for more than they have.
class Racks : public Explaining {
 protected:
  Racks() : Explaining({}) {}

  void Build(const std::vector<int>& hosts, std::vector<Object> objects = {}) {
    ResourceFlavor flavor = MakeFlavor("gb200");
    flavor.node_labels = {{"pool", "a"}};
    flavor.topology_name = "dc";
    objects.insert(objects.begin(), {Topology{.name = "dc", .levels = {kRack, kHost}}, flavor});
    for (std::size_t rack = 0; rack < hosts.size(); ++rack) {
      for (int host = 0; host < hosts[rack]; ++host) {
        objects.emplace_back(HostOf("r" + std::to_string(rack), std::to_string(host), "a"));
      }
    }
    Apply(std::move(objects));
  }
  static Node HostOf(const std::string& rack, const std::string& host, const std::string& pool) {
    Node node;
    node.name = rack + "h" + host;
    node.labels = {{"pool", pool}, {kRack, rack}, {kHost, node.name}};
    node.allocatable = {{"cpu", Quantity::Units(1)}, {"pods", Quantity::Units(9)}};
    return node;
  }
  static std::vector<Object> OneQueue(PreemptionRules rules = {}) {
    return {MakeQueue("a", "", {{.flavor = "gb200", .nominal = 100}}, rules), MakeLocalQueue("a")};
  }
  static Workload Gang(const std::string& name, std::int32_t pods, std::int32_t priority = 0) {
    Workload job = MakeWorkload(name, "a", Cpu(1), priority, pods);
    job.pod_sets.at(0).topology.emplace().required = kRack;
    return job;
  }
  void Start(const Workload& job) {
    ASSERT_TRUE(engine_.Submit(std::span(&job, 1), kNoon).ok());
    ASSERT_EQ(engine_.RunCycle(kNoon)->admitted.size(), 1U);
  }
};

TEST_F(Racks, ThoseWithMostRoomAreNamedWithWhatIsShortAndWhatIsThere) {
  Build({6, 5}, OneQueue());
  Start(Gang("x", 4));  // in r1, the smaller
  Start(Gang("y", 3));  // in r0
  const Explanation explanation = OfNew(Gang("w", 5));
  EXPECT_THAT(explanation.verdict,
              HasSubstr("default/w has no place: no rack of flavor gb200 has room for 5 pods: r0 "
                        "has 3, r1 has 1; 2 pods short. r0 is used by default/y."));
  EXPECT_EQ(explanation.cure, "free room for 2 pods more in one rack");
  EXPECT_FALSE(explanation.never);
}

TEST_F(Racks, VictimsAreNamedWithTheRackThatTheyFree) {
  Build({4, 3}, OneQueue(kLowerOrAny));
  Start(Gang("x", 3));
  Start(Gang("y", 2));
  const Explanation explanation = OfNew(Gang("w", 4, 1));
  EXPECT_THAT(explanation.verdict, HasSubstr("r0 has 2, r1 has 0; 2 pods short. Without default/y "
                                             "there is room in r0."));
  EXPECT_EQ(explanation.certificate.proof, SearchProof::kMinimal) << "one has to leave";
}

TEST_F(Racks, ThatNoneIsLargeEnoughIsForEver) {
  Build({6, 5}, OneQueue());
  Start(Gang("x", 4));
  const Explanation explanation = OfNew(Gang("w", 7));
  EXPECT_THAT(explanation.verdict,
              HasSubstr("no rack of flavor gb200 has room for 7 pods, even empty; the largest, r0, "
                        "has 6. It can never start as objects are now."));
  EXPECT_EQ(explanation.cure,
            "ask for at most 6 pods in one rack, ask for a higher level, or add "
            "nodes");
  EXPECT_TRUE(explanation.never);
}

TEST_F(Racks, LevelsThatCannotGoTogetherAreForEver) {
  Build({6, 5}, OneQueue());
  Workload job = Gang("w", 4);
  job.pod_sets.at(0).topology = TopologyRequest();
  job.pod_sets.at(0).topology->preferred = kHost;
  job.pod_sets.at(0).topology->slices = {{kRack, 2}};
  const Explanation explanation = OfNew(job);
  EXPECT_THAT(explanation.verdict,
              HasSubstr("default/w has no place: podset slice topology rack is above the podset "
                        "topology kubernetes.io/hostname. It can never start as objects are now."));
  EXPECT_THAT(explanation.cure, HasSubstr("slices at or below the level"));
  EXPECT_TRUE(explanation.never);
}

TEST_F(Racks, IsNotForEverWhereAnotherFlavorHasOne) {
  ResourceFlavor large = MakeFlavor("large");
  large.node_labels = {{"pool", "b"}};
  large.topology_name = "dc";
  std::vector<Object> objects = {
      large,
      MakeQueue("a", "",
                {{.flavor = "gb200", .nominal = 100}, {.flavor = "large", .nominal = 100}}),
      MakeLocalQueue("a")};
  for (int host = 0; host < 7; ++host) {
    objects.emplace_back(HostOf("big", std::to_string(host), "b"));
  }
  Build({6}, std::move(objects));
  EXPECT_FALSE(OfNew(Gang("w", 7)).never);
}

TEST_F(Racks, WhereSeveralMayShareItTheWholeTopologyIsCounted) {
  Build({2, 2}, OneQueue());
  Start(Gang("x", 2));
  Workload job = Gang("w", 4);
  job.pod_sets.at(0).topology = TopologyRequest();
  job.pod_sets.at(0).topology->preferred = kRack;
  EXPECT_THAT(OfNew(job).verdict, HasSubstr("topology dc has room for 2 of 4 pods in flavor gb200; "
                                            "2 pods short."));
}

TEST_F(Racks, SegmentsAreCountedWhereTheyHaveNoPlace) {
  Build({6, 5}, OneQueue());
  Workload job = Gang("w", 12);
  job.pod_sets.at(0).topology = TopologyRequest();
  job.pod_sets.at(0).topology->segments = {{kRack, 4}};
  const Explanation explanation = OfNew(job);
  EXPECT_THAT(explanation.verdict, HasSubstr("topology dc has room for 2 of 3 segments in flavor "
                                             "gb200, even empty. It can never start"));
  EXPECT_THAT(explanation.cure, HasSubstr("ask for at most 2 segments"));
  EXPECT_TRUE(explanation.never);
}

TEST_F(Racks, WhySegmentsAreOnNoFewerStandsInTheCondition) {
  Build({6, 5, 5}, OneQueue());
  Workload job = Gang("w", 8);
  job.pod_sets.at(0).topology = TopologyRequest();
  job.pod_sets.at(0).topology->segments = {{kRack, 4}};
  Start(job);
  const Explanation explanation = Of("w");
  const auto& conditions = explanation.workload.spec.status.conditions;
  ASSERT_FALSE(conditions.empty());
  EXPECT_EQ(conditions[0].message,
            "Quota reserved in ClusterQueue a; 2 x 4 pods on 2 domains of rack: the best has room "
            "for 1");
}

TEST_F(Racks, SegmentsOutOfOrderFitNoFlavor) {
  Build({6, 5}, OneQueue());
  Workload job = Gang("w", 8);
  job.pod_sets.at(0).topology->required = kHost;
  job.pod_sets.at(0).topology->segments = {{kRack, 4}};
  EXPECT_THAT(OfNew(job).verdict,
              HasSubstr("flavor gb200 has level rack not below kubernetes.io/hostname"));
}

/// Racks whose topology is applied anew without the level of racks.
class LostLevel : public Racks {
 protected:
  void LoseRacks() {
    ASSERT_TRUE(engine_.Delete(ObjectKind::kTopology, {"", "dc"}, kNoon, /*force=*/true).ok());
    Apply({Topology{.name = "dc", .levels = {kHost}}});
  }
  static Workload Segments(std::int32_t pods) {
    Workload job = Gang("w", pods);
    job.pod_sets.at(0).topology = TopologyRequest();
    job.pod_sets.at(0).topology->segments = {{kRack, 3}, {kHost, 1}};
    return job;
  }
};

TEST_F(LostLevel, ThoseWhoseNodesAreMadeWaitForPlacesAfterTheirChecks) {
  ClusterQueue queue = MakeQueue("a", "", {{.flavor = "gb200", .nominal = 100}});
  queue.admission_checks = {{"nodes", {}}};
  Build({6}, {AdmissionCheck{"nodes", "kueue.x-k8s.io/provisioning-request"}, queue,
              MakeLocalQueue("a")});
  Start(Segments(3));
  EXPECT_THAT(Of("w").verdict, HasSubstr("waits for admission checks: nodes is Pending."));
  LoseRacks();
  const CheckUpdate ready{testing::DefaultKey("w"), "nodes", CheckState::kReady, "", {}, {}};
  ASSERT_TRUE(engine_.UpdateCheck(ready, kNoon).ok());
  EXPECT_TRUE(engine_.RunCycle(kNoon + 10 * kSecond)->admitted.empty());
  EXPECT_THAT(Of("w").verdict, HasSubstr("default/w holds quota, its checks are Ready, and it "
                                         "waits for places on nodes."));
  EXPECT_THAT(Of("w").cure, HasSubstr("free room on the nodes"));
}

TEST_F(LostLevel, PodsOfAFailedHostHaveNoOtherPlace) {
  Build({6}, OneQueue());
  Start(Segments(3));
  const auto domains = Of("w").workload.spec.status.admission->pod_sets.at(0).topology->domains;
  LoseRacks();
  ASSERT_TRUE(engine_.Delete(ObjectKind::kNode, {"", domains.at(0).values.back()}, kNoon).ok());
  EXPECT_TRUE(engine_.RunCycle(kNoon + 60 * kSecond)->admitted.empty());
  EXPECT_NE(Of("w").workload.phase, WorkloadPhase::kAdmitted);
}

TEST_F(Racks, AnswersOfThoseWithAPlaceSayNothingOfIt) {
  Build({6}, OneQueue());
  EXPECT_THAT(OfNew(Gang("w", 6)).verdict, Not(HasSubstr("no place")));
}

}  // namespace
}  // namespace muster
