// Hook domain_order: what its rows say, and what its scores may change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using ::testing::ElementsAre;
using testing::kNoon;
using testing::MakeWorkload;
using ::testing::Pair;
using ::testing::SizeIs;

constexpr const char* kRack = "rack";
constexpr const char* kHost = "kubernetes.io/hostname";

class Scores : public Policy {
 public:
  using Answer = std::function<double(const muster_batch&, const muster_domain&)>;
  explicit Scores(Answer answer) : answer_(std::move(answer)) {
    info_.name = "scores";
    info_.hash = std::string(64, 'a');
    info_.labels = {"zone", "app"};
    HookInfo hook;
    hook.hook = Hook::kDomainOrder;
    hook.reads = {"free", "placed"};
    hook.per = {{AccountBy::kLabel, "app"}};
    info_.hooks.push_back(std::move(hook));
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> answers) override {
    EXPECT_EQ(answers.size(), batch.count);
    EXPECT_GE(batch.count, 2u) << "there is a choice";
    ++calls;
    if (fails) return {false, "policy.lua:3: no", 7};
    for (unsigned i = 0; i < batch.count; ++i) answers[i] = answer_(batch, batch.domains[i]);
    return {};
  }
  int calls = 0;
  bool fails = false;

 private:
  Answer answer_;
  PolicyInfo info_;
};

std::string TextAt(const muster_batch& batch, unsigned int index) {
  return {batch.strings[index].data, batch.strings[index].size};
}

/// Racks r0, r1 and r2 of two hosts with 4 cores each; r2 has GPUs. r0 is in zone a, the others
/// are in zone b.
class DomainOrder : public ::testing::Test {
 protected:
  void SetUp() override {
    Topology topology{.name = "racks", .levels = {kRack, kHost}};
    ResourceFlavor flavor = testing::MakeFlavor("tree");
    flavor.node_labels = {{"pool", "a"}};
    flavor.topology_name = topology.name;
    std::vector<Object> objects = {testing::MakeNamespace(), topology, flavor,
                                   testing::MakeQueue("q", "", {{"tree", "cpu", 24}}),
                                   testing::MakeLocalQueue("q")};
    for (int rack = 0; rack < 3; ++rack) {
      for (int i = 0; i < 2; ++i) {
        Node node;
        node.name = "r" + std::to_string(rack) + "h" + std::to_string(i);
        node.labels = {{"pool", "a"},
                       {kRack, "r" + std::to_string(rack)},
                       {kHost, node.name},
                       {"zone", rack == 0 ? "a" : "b"}};
        node.allocatable = {{"cpu", Quantity::Units(4)}, {"pods", Quantity::Units(9)}};
        if (rack == 2) node.allocatable["nvidia.com/gpu"] = Quantity::Units(8);
        objects.emplace_back(node);
      }
    }
    const Status status = engine_.Apply(objects, kNoon);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  std::shared_ptr<Scores> Activate(Scores::Answer answer) {
    auto policy = std::make_shared<Scores>(std::move(answer));
    EXPECT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
    return policy;
  }
  /// Hosts and pods of a job that has just come.
  std::map<std::string, int> Place(const std::string& name, int pods, TopologyRequest request,
                                   const std::string& app = "") {
    Workload job = MakeWorkload(name, "q", Cpu(1), 0, pods);
    job.pod_sets.at(0).topology = std::move(request);
    if (!app.empty()) job.labels["app"] = app;
    EXPECT_TRUE(engine_.Submit(std::span(&job, 1), kNoon).ok());
    result_ = *engine_.RunCycle(kNoon);
    EXPECT_TRUE(engine_.CheckInvariants().ok());
    std::map<std::string, int> hosts;
    if (result_.admitted.empty()) return hosts;
    for (const TopologyDomain& domain :
         result_.admitted[0].admission.pod_sets[0].topology->domains) {
      hosts[domain.values.back()] = domain.count;
    }
    return hosts;
  }
  static TopologyRequest Required() {
    TopologyRequest request;
    request.required = kRack;
    return request;
  }
  static TopologyRequest Preferred() {
    TopologyRequest request;
    request.preferred = kRack;
    return request;
  }
  static TopologyRequest Anywhere() {
    TopologyRequest request;
    request.unconstrained = true;
    return request;
  }

  Engine engine_;
  CycleResult result_;
};

double LastFirst(const muster_batch& batch, const muster_domain& domain) {
  return TextAt(batch, domain.name)[1];
}

TEST_F(DomainOrder, ChoosesAmongDomainsThatHoldAll) {
  EXPECT_THAT(Place("native", 3, Required()), ElementsAre(Pair("r0h0", 3)));
  const auto policy = Activate(LastFirst);
  EXPECT_THAT(Place("wanted", 3, Required()), ElementsAre(Pair("r2h0", 3)));
  EXPECT_EQ(policy->calls, 2) << "once about racks, once about hosts";
  EXPECT_THAT(Place("full", 8, Required()), ElementsAre(Pair("r1h0", 4), Pair("r1h1", 4)))
      << "r2 is wanted more and has no room for it";
  EXPECT_EQ(policy->calls, 2) << "one rack has room";
}

TEST_F(DomainOrder, TakesSeveralInTheOrderOfScores) {
  Activate(LastFirst);
  EXPECT_THAT(Place("ten", 10, Preferred()),
              ElementsAre(Pair("r1h0", 2), Pair("r2h0", 4), Pair("r2h1", 4)));
}

TEST_F(DomainOrder, GoesBeforePackingWherePodsMayGoAnywhere) {
  EXPECT_THAT(Place("one", 1, Anywhere()), ElementsAre(Pair("r0h0", 1)));
  Activate(LastFirst);
  EXPECT_THAT(Place("two", 1, Anywhere()), ElementsAre(Pair("r2h0", 1)));
  EXPECT_THAT(Place("more", 6, Anywhere()), ElementsAre(Pair("r2h0", 3), Pair("r2h1", 3)))
      << "both are wanted alike";
}

TEST_F(DomainOrder, LeavesTheNativeChoiceWhereScoresAreEqual) {
  Activate([](const muster_batch&, const muster_domain&) { return -7.0; });
  EXPECT_THAT(Place("a", 3, Required()), ElementsAre(Pair("r0h0", 3)));
  EXPECT_THAT(Place("b", 2, Required()), ElementsAre(Pair("r0h1", 2)));
  EXPECT_THAT(Place("c", 1, Anywhere()), ElementsAre(Pair("r0h0", 1)));
}

TEST_F(DomainOrder, SeesWhatEachDomainHasAndWhatIsFree) {
  Place("before", 3, Required(), "web");
  std::map<std::string, muster_domain> racks;
  std::vector<std::string> zones;
  Activate([&](const muster_batch& batch, const muster_domain& domain) {
    if (TextAt(batch, domain.level) != kRack) return 0.0;
    racks[TextAt(batch, domain.name)] = domain;
    zones.push_back(TextAt(batch, domain.label[0]));
    EXPECT_EQ(TextAt(batch, domain.label[1]), "") << "no node has it";
    EXPECT_EQ(TextAt(batch, batch.subject->name), "now");
    EXPECT_EQ(batch.subject->pods, 2);
    return 0.0;
  });
  Place("now", 2, Required(), "web");
  ASSERT_THAT(racks, SizeIs(3));
  EXPECT_THAT(zones, ElementsAre("a", "b", "b"));
  const muster_domain& used = racks["r0"];
  EXPECT_EQ(used.depth, 0);
  EXPECT_EQ(used.hosts, 2);
  EXPECT_EQ(used.room, 5);
  EXPECT_EQ(used.total[0], 8);
  EXPECT_EQ(used.free[0], 5);
  EXPECT_EQ(used.gpus, 0);
  EXPECT_EQ(used.placed[0], 3) << "in zone a";
  EXPECT_EQ(used.placed[1], 0) << "no node has the label";
  EXPECT_EQ(racks["r1"].placed[0], 0);
  EXPECT_EQ(racks["r2"].gpus, 16);
  EXPECT_EQ(racks["r2"].free_gpus, 16);
}

TEST_F(DomainOrder, CountsPodsOfTheSameKeyByZone) {
  Activate([](const muster_batch&, const muster_domain& domain) { return -domain.placed[0]; });
  EXPECT_THAT(Place("web-0", 1, Anywhere(), "web"), ElementsAre(Pair("r0h0", 1)));
  EXPECT_THAT(Place("web-1", 1, Anywhere(), "web"), ElementsAre(Pair("r1h0", 1)));
  EXPECT_THAT(Place("web-2", 1, Anywhere(), "web"), ElementsAre(Pair("r0h0", 1)));
  EXPECT_THAT(Place("other", 1, Anywhere(), "db"), ElementsAre(Pair("r0h0", 1)));
  EXPECT_THAT(Place("alone", 1, Anywhere()), ElementsAre(Pair("r0h0", 1))) << "it is like no other";
  EXPECT_THAT(Place("alone-too", 1, Anywhere()), ElementsAre(Pair("r1h0", 1)));
}

TEST_F(DomainOrder, ThatFailsLeavesThePlaceToTheNativeOrder) {
  const auto policy = Activate(LastFirst);
  policy->fails = true;
  EXPECT_THAT(Place("job", 3, Required()), ElementsAre(Pair("r0h0", 3)));
  ASSERT_THAT(result_.policy_failures, SizeIs(1));
  EXPECT_EQ(result_.policy_failures[0].hook, "domain_order");
  EXPECT_EQ(policy->calls, 1) << "it has no say in that cycle any more";
}

TEST_F(DomainOrder, MayAnswerFinitelyOnly) {
  for (const double answer : {1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0}) {
    EXPECT_FALSE(MayAnswer(Hook::kDomainOrder, answer));
  }
  EXPECT_TRUE(MayAnswer(Hook::kDomainOrder, -0.5));
}

TEST_F(DomainOrder, NeverPutsMoreOnAHostThanItHas) {
  Activate([](const muster_batch&, const muster_domain& domain) { return -domain.room; });
  int placed = 0;
  for (int i = 0; i < 30; ++i) {
    const int pods = 1 + i % 3;
    const auto hosts = Place("w" + std::to_string(i), pods, i % 2 == 0 ? Anywhere() : Preferred());
    for (const auto& [host, count] : hosts) placed += count;
  }
  EXPECT_LE(placed, 24);
  EXPECT_GE(placed, 23);
}

}  // namespace
}  // namespace muster
