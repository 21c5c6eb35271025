// The engine's placement against a naive one on random trees, and under whatever a policy wants.
#include "tests/oracle/placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/amount.h"
#include "engine/placing/placer.h"
#include "engine/topology/topology_forest.h"
#include "tests/testing/random_choices.h"

namespace muster::testing {
namespace {

constexpr const char* kFlavor = "racks";
constexpr const char* kLevels[] = {"zone", "block", "rack", "host"};

/// One tree of hosts and one gang, for both.
class RandomTree {
 public:
  explicit RandomTree(std::uint64_t seed) : choices_(seed) {
    depth_ = 1 + Any(4);
    Grow({}, 0);
    DrawGang();
  }

  const std::vector<oracle::Host>& hosts() const { return hosts_; }
  const oracle::Gang& gang() const { return gang_; }
  int depth() const { return depth_; }

 private:
  int Any(int n) { return choices_.Below(n); }

  void Grow(oracle::Path path, int level) {
    if (level == depth_) {
      oracle::Host host{path, {{"cpu", Any(9)}, {"pods", 1 + Any(12)}}, Any(12) > 0};
      if (Any(2) > 0) host.free["gpu"] = Any(5);
      hosts_.push_back(std::move(host));
      return;
    }
    const int children = 1 + Any(level + 1 == depth_ ? 5 : 3);
    for (int i = 0; i < children; ++i) {
      oracle::Path child = path;
      child.push_back((path.empty() ? "" : path.back()) + std::to_string(i));
      Grow(std::move(child), level + 1);
    }
  }

  oracle::HostAmounts DrawNeeds() {
    oracle::HostAmounts needs{{"pods", 1}};
    if (Any(8) > 0) needs["cpu"] = 1 + Any(3);
    if (Any(3) == 0) needs["gpu"] = 1 + Any(2);
    return needs;
  }

  void DrawGang() {
    gang_.needs = DrawNeeds();
    if (Any(3) == 0) gang_.leader = DrawNeeds();
    gang_.where = static_cast<oracle::Where>(Any(3));
    gang_.level = Any(depth_);
    const bool required = gang_.where == oracle::Where::kRequired;
    const int least = gang_.where == oracle::Where::kUnconstrained ? 0 : gang_.level;
    gang_.count = 1 + Any(required ? 8 : 16);
    if (Any(2) > 0) return;
    int level = least + Any(depth_ - least);
    int size = 1 << Any(4);
    while (true) {
      gang_.slices.emplace_back(level, size);
      if (gang_.slices.size() == 3 || level + 1 >= depth_ || size == 1 || Any(2) == 0) break;
      level += 1 + Any(depth_ - level - 1);
      size /= 2;
    }
    gang_.count *= gang_.slices.front().second;
    if (gang_.count > 40) gang_.count = gang_.slices.front().second;
  }

  RandomChoices choices_;
  int depth_ = 0;
  std::vector<oracle::Host> hosts_;
  oracle::Gang gang_;
};

PodNeeds NeedsIn(ResourceNumbers& numbers, const oracle::HostAmounts& amounts) {
  PodNeeds needs;
  needs.names_any = true;
  for (const auto& [resource, amount] : amounts) {
    needs.amounts.push_back({numbers.Of(resource), amount});
  }
  std::sort(needs.amounts.begin(), needs.amounts.end(),
            [](const HostAmount& a, const HostAmount& b) { return a.resource < b.resource; });
  return needs;
}

/// Draws a score for each domain; `number` 1 is the same for all.
class DrawnScores : public DomainScorer {
 public:
  DrawnScores(std::uint64_t seed, int number) : choices_(seed), number_(number) {}
  void Score(std::size_t, std::span<const DomainCandidate> candidates,
             std::span<double> scores) override {
    EXPECT_GE(candidates.size(), 2u);
    EXPECT_EQ(candidates.size(), scores.size());
    for (const DomainCandidate& candidate : candidates) EXPECT_GE(candidate.room, 0);
    for (double& score : scores) score = -3.5 + choices_.Below(number_);
    asked_ = true;
  }
  bool asked() const { return asked_; }

 private:
  RandomChoices choices_;
  int number_;
  bool asked_ = false;
};

std::optional<oracle::Placement> PlaceByEngine(const RandomTree& random,
                                               DomainScorer* scorer = nullptr) {
  std::map<std::string, Node> nodes;
  Topology topology{.name = "tree", .levels = {}};
  for (int l = 0; l + 1 < random.depth(); ++l) topology.levels.emplace_back(kLevels[l]);
  topology.levels.emplace_back(kHostnameLabel);
  for (const oracle::Host& host : random.hosts()) {
    Node node;
    node.name = host.path.back();
    for (std::size_t l = 0; l < host.path.size(); ++l) {
      node.labels[topology.levels[l]] = host.path[l];
    }
    if (!host.eligible) node.taints.push_back({"broken", "", TaintEffect::kNoSchedule});
    for (const auto& [resource, amount] : host.free) {
      node.allocatable[resource] = QuantityOf(resource, amount);
    }
    nodes[node.name] = node;
  }
  ResourceFlavor flavor;
  flavor.name = kFlavor;
  flavor.topology_name = topology.name;
  const std::map<std::string, ResourceFlavor> flavors = {{flavor.name, flavor}};
  const std::map<std::string, Topology> topologies = {{topology.name, topology}};
  TopologyForest forest;
  const oracle::Gang& gang = random.gang();
  PlaceRequest request;
  request.count = gang.count;
  request.needs = NeedsIn(forest.numbers(), gang.needs);
  request.leader = gang.leader.has_value();
  if (gang.leader) request.leader_needs = NeedsIn(forest.numbers(), *gang.leader);
  forest.Rebuild(flavors, topologies, nodes, {});
  const TopologyTree& tree = *forest.Find(kFlavor);
  request.spread = static_cast<Spread>(gang.where);
  request.level = static_cast<std::size_t>(gang.level);
  for (const auto& [level, size] : gang.slices) {
    request.slices.push_back({static_cast<std::size_t>(level), size});
  }
  if (request.spread == Spread::kUnconstrained) {
    request.level = request.slices.empty() ? tree.depth() - 1 : 0;
  }
  request.scorer = scorer;
  Placer placer(tree);
  const PlaceResult result = placer.Place(request, {});
  if (!result.found) return std::nullopt;
  oracle::Placement placement;
  for (const LeafPods& pods : result.workers) {
    placement[tree.ValuesOf(pods.leaf)].first = pods.count;
  }
  for (const LeafPods& pods : result.leader) {
    placement[tree.ValuesOf(pods.leaf)].second = pods.count;
  }
  return placement;
}

/// "h1: 3+1, h2: 2"; "nowhere".
std::string Shown(const std::optional<oracle::Placement>& placement) {
  if (!placement) return "nowhere";
  std::string text;
  for (const auto& [path, pods] : *placement) {
    text += (text.empty() ? "" : ", ") + path.back() + ": " + std::to_string(pods.first);
    if (pods.second > 0) text += "+" + std::to_string(pods.second);
  }
  return text;
}

void Compare(std::uint64_t trees) {
  std::uint64_t placed = 0;
  for (std::uint64_t seed = 1; seed <= trees; ++seed) {
    const RandomTree tree(seed);
    const auto expected = oracle::Place(tree.hosts(), tree.gang());
    const auto got = PlaceByEngine(tree);
    ASSERT_EQ(Shown(got), Shown(expected)) << "tree " << seed;
    if (expected) ++placed;
  }
  EXPECT_GT(placed, trees / 4);
  EXPECT_LT(placed, trees * 9 / 10);
}

/// What is wrong with a placement as the request and the hosts have it; empty: nothing.
std::string WhatIsWrong(const RandomTree& tree, const oracle::Placement& placement) {
  const oracle::Gang& gang = tree.gang();
  int workers = 0, leaders = 0;
  std::map<oracle::Path, int> in_level, in_slices;
  for (const oracle::Host& host : tree.hosts()) {
    const auto found = placement.find(host.path);
    if (found == placement.end()) continue;
    const auto [pods, led] = found->second;
    workers += pods;
    leaders += led;
    const auto prefix = [&](int level) {
      return oracle::Path(host.path.begin(), host.path.begin() + level + 1);
    };
    in_level[prefix(gang.level)] += pods + led;
    if (!gang.slices.empty()) in_slices[prefix(gang.slices.front().first)] += pods;
    if (!host.eligible) return "a host that takes no pods has some";
    oracle::HostAmounts used;
    for (const auto& [resource, amount] : gang.needs) used[resource] += amount * pods;
    if (gang.leader) {
      for (const auto& [resource, amount] : *gang.leader) used[resource] += amount * led;
    }
    for (const auto& [resource, amount] : used) {
      const auto has = host.free.find(resource);
      if (amount > (has == host.free.end() ? 0 : has->second))
        return "a host is beyond " + resource;
    }
  }
  if (workers != gang.count || leaders != (gang.leader ? 1 : 0)) return "not all pods have a place";
  if (gang.where == oracle::Where::kRequired && in_level.size() > 1) return "several domains";
  for (const auto& [path, pods] : in_slices) {
    if (pods % gang.slices.front().second != 0) return "a slice is in two domains";
  }
  return {};
}

void CompareUnderScores(std::uint64_t trees) {
  std::uint64_t asked = 0, moved = 0;
  for (std::uint64_t seed = 1; seed <= trees; ++seed) {
    const RandomTree tree(seed);
    const auto native = PlaceByEngine(tree);
    DrawnScores equal(seed, 1), drawn(seed, 4);
    ASSERT_EQ(Shown(PlaceByEngine(tree, &equal)), Shown(native)) << "tree " << seed;
    const auto wanted = PlaceByEngine(tree, &drawn);
    ASSERT_EQ(wanted.has_value(), native.has_value()) << "tree " << seed;
    if (wanted) {
      ASSERT_EQ(WhatIsWrong(tree, *wanted), "") << "tree " << seed << ": " << Shown(wanted);
    }
    asked += drawn.asked() ? 1 : 0;
    moved += Shown(wanted) != Shown(native) ? 1 : 0;
  }
  EXPECT_GT(asked, trees / 4);
  EXPECT_GT(moved, trees / 10);
}

TEST(WantedPlacement, IsTheNativeOneUnderEqualScoresAndWithinItsBoundsUnderAny) {
  CompareUnderScores(4000);
}
TEST(LongWantedPlacement, IsTheNativeOneUnderEqualScoresAndWithinItsBoundsUnderAny) {
  CompareUnderScores(25'000);
}
TEST(NightWantedPlacement, IsTheNativeOneUnderEqualScoresAndWithinItsBoundsUnderAny) {
  CompareUnderScores(100'000);
}

TEST(Placement, EqualsTheNaiveOneOnRandomTrees) { Compare(4000); }
TEST(LongPlacement, EqualsTheNaiveOneOnRandomTrees) { Compare(50'000); }
TEST(NightPlacement, EqualsTheNaiveOneOnRandomTrees) { Compare(200'000); }

}  // namespace
}  // namespace muster::testing
