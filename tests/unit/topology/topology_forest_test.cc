// Trees under nodes and pods outside that come, go and change: as if built from nothing, after each
// change.
#include "engine/topology/topology_forest.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/placing/placer.h"
#include "tests/testing/forest_nodes.h"
#include "tests/testing/random_choices.h"

namespace muster {
namespace {

constexpr const char* kBlock = "block";
constexpr const char* kRack = "rack";

/// Two flavors that share hosts, one whose leaves are racks, and whatever may happen to them.
class ChangingForest {
 public:
  ChangingForest(std::uint64_t seed, int nodes) : choices_(seed), count_(nodes) {
    const std::string host(kHostnameLabel);
    topologies_["hosts"] = {.name = "hosts", .levels = {kBlock, kRack, host}};
    topologies_["racks"] = {.name = "racks", .levels = {kBlock, kRack}};
    AddFlavor("all", "hosts", {{"pool", "a"}});
    AddFlavor("some", "hosts", {{"pool", "a"}, {"kind", "x"}});
    AddFlavor("by-rack", "racks", {{"pool", "a"}});
    forest_.Rebuild(flavors_, topologies_, nodes_, pods_);
  }

  void Step() {
    switch (Any(8)) {
      case 0:
        testing::RemoveNode(forest_, nodes_, Name("n", Any(count_)));
        break;
      case 1:
        ChangePod(Name("p", Any(count_)));
        break;
      case 2:
        RemovePod({"", Name("p", Any(count_))});
        break;
      case 3:
        Hold();
        break;
      case 4:
        forest_.Release(HolderAt(Any(kHolders)));
        break;
      default:
        testing::ChangeNode(forest_, nodes_, AnyNode(Any(count_)));
    }
    forest_.Settle(nodes_);
  }

  bool IsAsBuilt() const { return forest_.AddsUp() && forest_.IsAsBuilt(nodes_, pods_); }

  /// Where some gang goes, in these trees and in new ones.
  std::pair<std::string, std::string> PlaceInBoth() {
    TopologyForest again;
    again.Rebuild(flavors_, topologies_, nodes_, pods_);
    for (const auto& [holder, placed] : forest_.holders()) again.Hold(holder, placed);
    const std::string flavor = Any(2) == 0 ? "all" : Any(2) == 0 ? "some" : "by-rack";
    PlaceRequest request;
    request.count = 1 + Any(12);
    request.spread = static_cast<Spread>(Any(3));
    const std::size_t depth = flavor == "by-rack" ? 2 : 3;
    request.level = static_cast<std::size_t>(Any(static_cast<int>(depth)));
    if (request.spread == Spread::kUnconstrained) request.level = depth - 1;
    if (Any(3) == 0) {
      request.slices = {{depth - 1, 2}};
      request.count *= 2;
    }
    request.leader = Any(4) == 0;
    request.balanced = Any(3) == 0;
    request.empty = Any(5) == 0;
    const Amount cpu = 1000 * (1 + Any(2));
    request.needs = Needs(forest_, cpu);
    request.leader_needs = request.needs;
    const std::string got = Place(forest_, flavor, request);
    request.needs = Needs(again, cpu);
    request.leader_needs = request.needs;
    return {got, Place(again, flavor, request)};
  }

 private:
  static constexpr int kHolders = 6;

  int Any(int below) { return choices_.Below(below); }
  static std::string Name(const char* prefix, int i) { return prefix + std::to_string(i); }
  static WorkloadId HolderAt(int i) { return WorkloadId({static_cast<std::uint32_t>(i)}, i); }

  void AddFlavor(const std::string& name, const std::string& topology, LabelMap labels) {
    ResourceFlavor& flavor = flavors_[name];
    flavor.name = name;
    flavor.topology_name = topology;
    flavor.node_labels = std::move(labels);
  }

  static PodNeeds Needs(TopologyForest& forest, Amount cpu) {
    PodNeeds needs;
    needs.names_any = true;
    needs.amounts = {{0, 1}, {forest.numbers().Of("cpu"), cpu}};
    return needs;
  }

  static std::string Place(const TopologyForest& forest, const std::string& flavor,
                           const PlaceRequest& request) {
    const TopologyTree& tree = *forest.Find(flavor);
    Placer placer(tree);
    const PlaceResult result = placer.Place(request, {});
    std::string text = (result.found ? "found " : "none ") + std::to_string(result.most);
    for (const auto* list : {&result.workers, &result.leader}) {
      text += " |";
      for (const LeafPods& at : *list) {
        text += " " + tree.KeyOf(at.leaf) + ":" + std::to_string(at.count);
      }
    }
    for (const LeafPods& at : result.best) {
      text += " " + tree.levels()[result.level].values[at.leaf] + "=" + std::to_string(at.count);
    }
    return text;
  }

  Node AnyNode(int i) {
    Node node;
    node.name = Name("n", i);
    node.labels = {{"pool", Any(12) > 0 ? "a" : "b"},
                   {kBlock, Name("b", Any(9) > 0 ? i % 3 : Any(4))},
                   {kRack, Name("r", Any(9) > 0 ? i % 5 : Any(6))},
                   {std::string(kHostnameLabel), Any(40) > 0 ? node.name : Name("n", Any(count_))}};
    if (Any(2) == 0) node.labels["kind"] = "x";
    if (Any(15) == 0) node.labels.erase(kRack);
    node.allocatable = {{"cpu", Quantity::Units(1 + Any(4))}, {"pods", Quantity::Units(4)}};
    if (Any(25) == 0) node.allocatable[Name("device", Any(4))] = Quantity::Units(1);
    node.ready = Any(5) > 0;
    node.unschedulable = Any(9) == 0;
    if (Any(6) == 0) node.taints.push_back({"bad", "", TaintEffect::kNoSchedule});
    return node;
  }
  void ChangePod(const std::string& name) {
    Pod pod{{"", name}, Any(8) > 0 ? Name("n", Any(count_)) : "", {}};
    pod.requests = {{"cpu", Quantity::Milli(500 * Any(3))}};
    const auto [at, is_new] = pods_.try_emplace(pod.key, pod);
    std::optional<Pod> before;
    if (!is_new) before = std::exchange(at->second, std::move(pod));
    forest_.ChangePod(before ? &*before : nullptr, at->second, nodes_);
  }
  void RemovePod(const Key& key) {
    const auto at = pods_.find(key);
    if (at == pods_.end()) return;
    forest_.RemovePod(at->second, nodes_);
    pods_.erase(at);
  }
  void Hold() {
    PlacedPods pods{"all", true, Needs(forest_, 1000), {}};
    for (int i = 0; i <= Any(3); ++i) pods.pods.emplace_back(Name("n", Any(count_)), 1 + Any(2));
    forest_.Hold(HolderAt(Any(kHolders)),
                 std::make_shared<const std::vector<PlacedPods>>(1, std::move(pods)));
  }

  testing::RandomChoices choices_;
  int count_;
  std::map<std::string, Topology> topologies_;
  std::map<std::string, ResourceFlavor> flavors_;
  std::map<std::string, Node> nodes_;
  std::map<Key, Pod> pods_;
  TopologyForest forest_;
};

void Play(int stories, int steps) {
  int found = 0;
  for (int seed = 1; seed <= stories; ++seed) {
    ChangingForest forest(static_cast<std::uint64_t>(seed), 3 + seed % 60);
    for (int step = 0; step < steps; ++step) {
      forest.Step();
      ASSERT_TRUE(forest.IsAsBuilt()) << "story " << seed << ", step " << step;
      const auto [got, expected] = forest.PlaceInBoth();
      ASSERT_EQ(got, expected) << "story " << seed << ", step " << step;
      found += got.front() == 'f' ? 1 : 0;
    }
  }
  EXPECT_GT(found, stories * steps / 10);
}

TEST(TopologyForest, CountsAResourceThatComesWithAHostOfWhichThereAreTwo) {
  const std::string host(kHostnameLabel);
  const std::map<std::string, Topology> topologies = {
      {"t", {.name = "t", .levels = {kRack, host}}}};
  std::map<std::string, ResourceFlavor> flavors;
  flavors["f"].name = "f";
  flavors["f"].topology_name = "t";
  std::map<std::string, Node> nodes;
  nodes["a"].name = "a";
  nodes["a"].labels = {{kRack, "r1"}, {host, "h"}};
  TopologyForest forest;
  forest.Rebuild(flavors, topologies, nodes, {});
  Node& second = nodes["b"];
  second.name = "b";
  second.labels = {{kRack, "r2"}, {host, "h"}};
  second.allocatable = {{"device", Quantity::Units(3)}, {"pods", Quantity::Units(9)}};
  forest.ChangeNode(nullptr, second);
  forest.Settle(nodes);
  const TopologyTree& tree = *forest.Find("f");
  const std::uint32_t device = forest.numbers().Of("device");
  ASSERT_LT(device, tree.resources());
  EXPECT_EQ(tree.AloneOf(*tree.LeafFor(second))[device], 3);
}

TEST(TopologyForest, ChangedTreesEqualThoseBuiltFromNothing) { Play(60, 100); }
TEST(NightTopologyForest, ChangedTreesEqualThoseBuiltFromNothing) { Play(600, 300); }

}  // namespace
}  // namespace muster
