// Counts that a tree keeps for shapes of pods: as if every leaf were counted at each question,
// whatever nodes, holders and tries have done in between.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/placing/placer.h"
#include "engine/topology/shape_counts.h"
#include "engine/topology/topology_forest.h"
#include "tests/testing/forest_nodes.h"
#include "tests/testing/random_choices.h"

namespace muster {
namespace {

constexpr const char* kNames[] = {"zone", "block", "rack"};
constexpr const char* kKind = "kind";

/// Two flavors that share hosts, one by rack, and whatever may happen to them under marks or not.
class ShapedForest {
 public:
  explicit ShapedForest(std::uint64_t seed)
      : choices_(seed), depth_(2 + Any(3)), count_(4 + Any(90)) {
    Topology hosts{.name = "hosts", .levels = {}};
    for (int l = 0; l + 1 < depth_; ++l) hosts.levels.emplace_back(kNames[l]);
    Topology racks{.name = "racks", .levels = hosts.levels};
    hosts.levels.emplace_back(kHostnameLabel);
    topologies_ = {{"hosts", hosts}, {"racks", racks}};
    for (const auto& [name, topology] :
         std::map<std::string, std::string>{{"a", "hosts"}, {"b", "hosts"}, {"c", "racks"}}) {
      ResourceFlavor& flavor = flavors_[name];
      flavor.name = name;
      flavor.topology_name = topology;
      if (name == "b") flavor.node_labels = {{kKind, "x"}};
    }
    for (int i = 0; i < count_; ++i) nodes_.emplace(NameOf(i), AnyNode(i));
    forest_.Rebuild(flavors_, topologies_, nodes_, {});
  }

  void Step() {
    if (Any(3) > 0) {
      if (Any(3) == 0) {
        const int tried = static_cast<int>(forest_.tried());
        return forest_.TakeBack(static_cast<std::size_t>(Any(tried + 1)));
      }
      if (Any(3) == 0 && !forest_.holders().empty()) return TryHolder();
      return forest_.Try(AnyPods());
    }
    out_.clear();
    forest_.TakeBack(0);
    switch (Any(5)) {
      case 0:
        forest_.Release(HolderAt(Any(kHolders)));
        break;
      case 1:
        forest_.Hold(HolderAt(Any(kHolders)), AnyPods());
        break;
      case 2:
        testing::RemoveNode(forest_, nodes_, NameOf(Any(count_)));
        break;
      default:
        testing::ChangeNode(forest_, nodes_, AnyNode(Any(count_)));
    }
    forest_.Settle(nodes_);
  }

  /// A gang as it is placed from kept counts, and by counting every leaf.
  std::pair<std::string, std::string> PlaceTwice() {
    const TopologyTree& tree = AnyTree();
    const PlaceRequest request = AnyRequest(tree);
    return {Place(tree, request, Placer::Counts::kKept),
            Place(tree, request, Placer::Counts::kOwn)};
  }
  /// The counts of a shape as they are kept, and as a copy of the tree has them.
  std::pair<std::string, std::string> CountTwice() {
    const TopologyTree& tree = AnyTree();
    const PlaceRequest request = AnyRequest(tree);
    const TopologyTree copy = tree;
    return {Shown(tree, request), Shown(copy, request)};
  }
  /// How many counts that differ were seen.
  std::size_t Seen() const { return seen_.size(); }

 private:
  static constexpr int kHolders = 8;

  int Any(int below) { return choices_.Below(below); }
  static std::string NameOf(int i) { return "n" + std::to_string(i); }
  static WorkloadId HolderAt(int i) { return WorkloadId({static_cast<std::uint32_t>(i)}, i); }
  const TopologyTree& AnyTree() {
    return *forest_.Find(std::string(1, static_cast<char>('a' + Any(3))));
  }

  Node AnyNode(int i) {
    Node node;
    node.name = NameOf(i);
    int group = i;
    for (int l = depth_ - 1; l-- > 0;) {
      group /= 3;
      const int at = Any(12) > 0 ? group : Any(5);
      node.labels[kNames[l]] = std::string(kNames[l]) + std::to_string(at);
    }
    node.labels[std::string(kHostnameLabel)] = node.name;
    if (Any(2) == 0) node.labels[kKind] = Any(3) > 0 ? "x" : "y";
    node.allocatable = {{"cpu", Quantity::Units(Any(9))}, {"pods", Quantity::Units(1 + Any(8))}};
    if (Any(3) == 0) node.allocatable["gpu"] = Quantity::Units(Any(5));
    node.ready = Any(8) > 0;
    if (Any(5) == 0) node.taints.push_back({"bad", "", TaintEffect::kNoSchedule});
    return node;
  }

  PodNeeds AnyNeeds() {
    PodNeeds needs;
    needs.names_any = true;
    needs.amounts = {{0, 1}};
    if (Any(5) > 0) {
      needs.amounts.push_back({forest_.numbers().Of("cpu"), 1000 * (1 + Any(3))});
    }
    if (Any(4) == 0) needs.amounts.push_back({forest_.numbers().Of("gpu"), 1});
    std::sort(needs.amounts.begin(), needs.amounts.end(),
              [](const HostAmount& x, const HostAmount& y) { return x.resource < y.resource; });
    return needs;
  }
  Placed AnyPods() {
    PlacedPods pods{Any(2) == 0 ? "a" : "b", true, AnyNeeds(), {}};
    for (int i = 0; i <= Any(6); ++i) pods.pods.emplace_back(NameOf(Any(count_)), 1 + Any(3));
    return std::make_shared<const std::vector<PlacedPods>>(1, std::move(pods));
  }
  void TryHolder() {
    const auto holder = HolderAt(Any(kHolders));
    if (out_.insert(holder).second) forest_.TryWithout(holder);
  }

  PlaceRequest AnyRequest(const TopologyTree& tree) {
    PlaceRequest request;
    const auto depth = static_cast<int>(tree.depth());
    request.count = 1 + Any(Any(3) == 0 ? 60 : 10);
    request.needs = AnyNeeds();
    request.spread = static_cast<Spread>(Any(3));
    request.level = static_cast<std::size_t>(Any(depth));
    int level = static_cast<int>(request.level) + Any(depth - static_cast<int>(request.level));
    for (int size = 1 << Any(4); Any(3) == 0 && size > 0 && level < depth; size /= 2, ++level) {
      request.slices.push_back({static_cast<std::size_t>(level), size});
    }
    request.count = std::max(1, request.count / request.SliceSize()) * request.SliceSize();
    if (request.spread == Spread::kUnconstrained) {
      request.level = request.slices.empty() ? tree.depth() - 1 : 0;
    }
    request.empty = Any(5) == 0;
    if (Any(3) == 0) request.filter.node_selector[kKind] = Any(2) > 0 ? "x" : "y";
    if (Any(4) == 0) request.filter.tolerations.push_back({"bad", TolerationOp::kExists, ""});
    if (Any(4) == 0) request.filter.pods = &picky_;
    return request;
  }

  static std::string Place(const TopologyTree& tree, const PlaceRequest& request,
                           Placer::Counts counts) {
    const PlaceResult result = Placer(tree, counts).Place(request, {});
    std::string text = (result.found ? "found " : "none ") + std::to_string(result.most) + " of " +
                       std::to_string(result.wanted) + " at " + std::to_string(result.level);
    for (const auto* list : {&result.workers, &result.leader, &result.best}) {
      text += " |";
      for (const LeafPods& at : *list) {
        text += " " + std::to_string(at.leaf) + ":" + std::to_string(at.count);
      }
    }
    return text;
  }
  std::string Shown(const TopologyTree& tree, const PlaceRequest& request) {
    const ShapeCounts& counts = tree.CountsFor(request);
    std::size_t domains = 0;
    for (const TopologyTree::Level& each : tree.levels()) domains += each.size();
    constexpr std::size_t kBytes = 4;  // each, and as many for slices
    EXPECT_LE(counts.bytes(), domains * kBytes * (request.slices.empty() ? 1 : 2));
    std::string text = std::to_string(counts.all());
    const std::size_t slice_level =
        request.slices.empty() ? tree.depth() - 1 : request.slices[0].level;
    for (std::size_t l = 0; l < tree.depth(); ++l) {
      text += " |";
      for (std::size_t d = 0; d < tree.levels()[l].size(); ++d) {
        text += " " + std::to_string(counts.PodsAt(l)[d]);
        if (l <= slice_level) text += "/" + std::to_string(counts.SlicesAt(l)[d]);
      }
    }
    seen_.insert(text);
    return text;
  }

  static PodTemplate PickyPods() {
    PodTemplate pods;
    NodeSelectorTerm term;
    term.match_expressions.push_back({kKind, SelectorOp::kExists, {}});
    pods.required_node_affinity.emplace().push_back(std::move(term));
    return pods;
  }

  testing::RandomChoices choices_;
  int depth_;
  int count_;
  PodTemplate picky_ = PickyPods();
  std::map<std::string, Topology> topologies_;
  std::map<std::string, ResourceFlavor> flavors_;
  std::map<std::string, Node> nodes_;
  TopologyForest forest_;
  std::set<WorkloadId> out_;  ///< tried without
  std::set<std::string> seen_;
};

void PlayShapes(int stories, int steps) {
  int found = 0;
  std::size_t seen = 0;
  for (int seed = 1; seed <= stories; ++seed) {
    ShapedForest forest(static_cast<std::uint64_t>(seed));
    for (int step = 0; step < steps; ++step) {
      forest.Step();
      const auto [got, expected] = forest.PlaceTwice();
      ASSERT_EQ(got, expected) << "story " << seed << ", step " << step;
      const auto [kept, counted] = forest.CountTwice();
      ASSERT_EQ(kept, counted) << "story " << seed << ", step " << step;
      found += got.front() == 'f' ? 1 : 0;
    }
    seen += forest.Seen();
  }
  EXPECT_GT(found, stories * steps / 5);
  EXPECT_LT(found, stories * steps * 9 / 10);
  EXPECT_GT(seen, static_cast<std::size_t>(stories) * ShapeCache::kMostShapes);
}

TEST(ShapeCounts, EqualCountsOfEveryLeafAfterChangesTriesAndWhatIsTakenBack) {
  PlayShapes(30, 200);
}
TEST(NightShapeCounts, EqualCountsOfEveryLeafAfterChangesTriesAndWhatIsTakenBack) {
  PlayShapes(300, 500);
}

TEST(LeafLog, TellsWhatCameSinceAndNotWhatItHasDropped) {
  LeafLog log;
  const std::uint64_t begin = log.now();
  for (std::uint32_t leaf = 0; leaf < 4; ++leaf) log.Note(leaf, 4);
  ASSERT_TRUE(log.Since(begin).has_value());
  EXPECT_EQ(log.Since(begin)->size(), 4U);
  EXPECT_EQ(log.Since(begin + 3)->front(), 3U);
  log.Note(9, 4);
  EXPECT_FALSE(log.Since(begin).has_value());
  EXPECT_EQ(log.Since(begin + 2)->size(), 3U);
  EXPECT_TRUE(log.Since(log.now())->empty());
  const std::uint64_t before = log.now();
  log.NoteAll();
  EXPECT_FALSE(log.Since(before).has_value());
  EXPECT_TRUE(log.Since(log.now())->empty());
}

}  // namespace
}  // namespace muster
