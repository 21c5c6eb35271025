// Gangs in segments on small trees, against all ways there are to place them.
#include "engine/segments/segment_placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "tests/testing/random_choices.h"
#include "tests/testing/small_tree.h"

namespace muster {
namespace {

using testing::Rooms;
using testing::SmallTree;
using Cost = FewestDomains::Cost;

PlaceRequest Segmented(std::int32_t count, std::vector<LevelSlices> layers) {
  PlaceRequest request;
  request.needs.amounts = {{0, 1}};
  request.count = count;
  request.slices = std::move(layers);
  request.segmented = true;
  return request;
}

PlaceResult Place(const TopologyTree& tree, const PlaceRequest& request) {
  return SegmentPlacement(tree, request, {}).Place();
}

/// What the placement costs, or none where a segment is torn apart.
std::optional<Cost> CostOf(const TopologyTree& tree, const PlaceRequest& request,
                           const std::vector<LeafPods>& pods) {
  Cost cost{};
  for (std::size_t layer = 0; layer < request.slices.size(); ++layer) {
    std::map<std::uint32_t, std::int32_t> in;
    for (const LeafPods& each : pods) {
      in[tree.AncestorOf(each.leaf, request.slices[layer].level)] += each.count;
    }
    for (const auto& [domain, count] : in) {
      if (count % request.slices[layer].size != 0) return std::nullopt;
      const std::int64_t segments = count / request.slices[layer].size;
      cost[layer] += 1;
      cost[kMostSegmentLayers + layer] += segments * segments;
    }
  }
  return cost;
}

/// The least of all ways to put the pods on hosts: in one domain of `level`, or anywhere.
class AllWays {
 public:
  AllWays(const SmallTree& small, const PlaceRequest& request) : small_(small), request_(request) {}

  std::optional<Cost> Least(std::optional<std::size_t> level) {
    best_.reset();
    const TopologyTree& tree = small_.tree();
    const std::size_t domains = level ? tree.levels()[*level].size() : 1;
    for (std::uint32_t d = 0; d < domains; ++d) {
      // Domains of the innermost layer, each with as many pods as whole segments have room there.
      const LevelSlices& inner = request_.slices.back();
      std::map<std::uint32_t, std::pair<std::uint32_t, int>> rooms;
      for (std::uint32_t leaf = 0; leaf < tree.leaves().size(); ++leaf) {
        if (level && tree.AncestorOf(leaf, *level) != d) continue;
        auto& [first, room] = rooms[tree.AncestorOf(leaf, inner.level)];
        first = leaf;
        room += small_.RoomOf(leaf);
      }
      rooms_.clear();
      for (const auto& [domain, room] : rooms) rooms_.push_back(room);
      given_.clear();
      Try(0, request_.count);
    }
    return best_;
  }

 private:
  void Try(std::size_t at, int rest) {
    if (rest == 0) {
      const auto cost = CostOf(small_.tree(), request_, given_);
      if (cost && (!best_ || *cost < *best_)) best_ = cost;
      return;
    }
    if (at == rooms_.size()) return;
    const int size = request_.slices.back().size;
    for (int pods = 0; pods <= std::min(rest, rooms_[at].second); pods += size) {
      if (pods > 0) given_.push_back({rooms_[at].first, pods});
      Try(at + 1, rest - pods);
      if (pods > 0) given_.pop_back();
    }
  }

  const SmallTree& small_;
  const PlaceRequest& request_;
  std::vector<std::pair<std::uint32_t, int>> rooms_;  ///< a leaf of each, and its pods
  std::vector<LeafPods> given_;
  std::optional<Cost> best_;
};

PlaceRequest AnyRequest(testing::RandomChoices& choices) {
  std::vector<LevelSlices> layers;
  for (std::size_t level = 0; level < 4; ++level) {
    if (layers.size() < kMostSegmentLayers && choices.Below(2) == 0) layers.push_back({level, 1});
  }
  if (layers.empty()) layers.push_back({2, 1});
  std::int32_t size = 1 + choices.Below(3);
  for (std::size_t i = layers.size(); i-- > 0;) {
    layers[i].size = size;
    size *= 1 + choices.Below(2);
  }
  const std::int32_t outermost = layers.front().size;
  PlaceRequest request =
      Segmented(outermost * (1 + choices.Below(std::max(1, 8 / outermost))), std::move(layers));
  constexpr std::array kSpreads = {Spread::kRequired, Spread::kPreferred, Spread::kUnconstrained};
  request.spread = kSpreads[static_cast<std::size_t>(choices.Below(3))];
  request.level =
      static_cast<std::size_t>(choices.Below(static_cast<int>(request.slices[0].level) + 1));
  return request;
}

std::optional<Cost> LeastOf(const SmallTree& small, const PlaceRequest& request) {
  AllWays ways(small, request);
  if (request.spread == Spread::kUnconstrained) return ways.Least(std::nullopt);
  for (std::size_t level = request.level + 1; level-- > 0;) {
    if (const auto least = ways.Least(level)) return least;
    if (request.spread == Spread::kRequired) return std::nullopt;
  }
  return ways.Least(std::nullopt);
}

void CompareWithAllWays(int trees) {
  int found = 0;
  int several = 0;
  for (int seed = 1; seed <= trees; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::RandomChoices choices(static_cast<std::uint64_t>(seed));
    const SmallTree small(testing::AnyRooms(choices));
    const TopologyTree& tree = small.tree();
    for (int i = 0; i < 6; ++i) {
      const PlaceRequest request = AnyRequest(choices);
      const std::optional<Cost> least = LeastOf(small, request);
      const PlaceResult result = Place(tree, request);
      ASSERT_EQ(result.found, least.has_value());
      ASSERT_EQ(SegmentPlacement(tree, request, {}).HasRoom(), result.found);
      if (!least) {
        EXPECT_LT(result.most, result.wanted);
        continue;
      }
      ++found;
      std::int32_t placed = 0;
      for (const LeafPods& each : result.workers) {
        ASSERT_LE(each.count, small.RoomOf(each.leaf));
        placed += each.count;
      }
      ASSERT_EQ(placed, request.count);
      ASSERT_EQ(CostOf(tree, request, result.workers), least);
      for (std::size_t layer = 0; layer < result.proof.size(); ++layer) {
        ASSERT_EQ(result.proof[layer].domains, (*least)[layer]);
      }
      ASSERT_LT(result.proof[0].fewer, result.proof[0].segments);
      several += result.proof[0].domains > 1 ? 1 : 0;
    }
  }
  EXPECT_GT(found, trees);
  EXPECT_GT(several, trees / 4);
}

TEST(SegmentPlacement, TakesTheFewestAndMostEvenDomainsOfAllWays) { CompareWithAllWays(1500); }
TEST(NightSegmentPlacement, TakesTheFewestAndMostEvenDomainsOfAllWays) {
  CompareWithAllWays(200'000);
}

// ---- examples ----------------------------------------------------------------------------------

/// Two blocks of four racks of eighteen hosts.
SmallTree Racks(int rooms_in_last = 18) {
  const std::vector<int> whole(18, 1);
  std::vector<std::vector<std::vector<int>>> blocks(2, std::vector<std::vector<int>>(4, whole));
  blocks[1][3].assign(18, 0);
  std::fill_n(blocks[1][3].begin(), rooms_in_last, 1);
  return SmallTree(Rooms{blocks});
}

TEST(SegmentPlacement, NinetySixAreTwoOfFortyEightAndSixOfSixteen) {
  const SmallTree small = Racks();
  const PlaceResult result = Place(small.tree(), Segmented(96, {{1, 48}, {2, 16}}));
  ASSERT_TRUE(result.found);
  EXPECT_EQ(ProofText(small.tree(), result.proof),
            "2 x 48 pods on 2 domains of block: the best has room for 1; 6 x 16 pods on 6 domains "
            "of rack: the best 5 have room for 5");
  std::map<std::uint32_t, int> racks;
  for (const LeafPods& each : result.workers) racks[small.tree().AncestorOf(each.leaf, 2)] += 1;
  EXPECT_EQ(racks,
            (std::map<std::uint32_t, int>{{0, 16}, {1, 16}, {2, 16}, {4, 16}, {5, 16}, {6, 16}}));
}

TEST(SegmentPlacement, TheRackWithLeastRoomThatSufficesIsTaken) {
  const SmallTree small = Racks(16);
  const PlaceResult result = Place(small.tree(), Segmented(16, {{2, 16}}));
  ASSERT_TRUE(result.found);
  EXPECT_EQ(small.tree().AncestorOf(result.workers.front().leaf, 2), 7U);
}

TEST(SegmentPlacement, FiveSegmentsOnTwoRacksAreThreeAndTwo) {
  const SmallTree small(Rooms{{{{4, 4}, {2, 2}, {4, 4}}}});
  const PlaceResult result = Place(small.tree(), Segmented(10, {{2, 2}}));
  ASSERT_TRUE(result.found);
  EXPECT_EQ(result.workers, (std::vector<LeafPods>{{0, 3}, {1, 3}, {2, 2}, {3, 2}}));
  EXPECT_EQ(ProofText(small.tree(), result.proof),
            "5 x 2 pods on 2 domains of rack: the best has room for 4");
}

TEST(SegmentPlacement, TheLastSegmentIsShortWherePodsHaveEnded) {
  const SmallTree small = Racks();
  PlaceRequest request = Segmented(30, {{2, 16}});
  const PlaceResult result = Place(small.tree(), request);
  ASSERT_TRUE(result.found);
  std::map<std::uint32_t, int> racks;
  for (const LeafPods& each : result.workers) racks[small.tree().AncestorOf(each.leaf, 2)] += 1;
  EXPECT_EQ(racks, (std::map<std::uint32_t, int>{{0, 16}, {1, 14}}));
}

TEST(SegmentPlacement, EarlierPodsetsAndOtherDomainsAreLeftAlone) {
  const SmallTree small(Rooms{{{{4}, {4}}, {{4}, {4}}}});
  PlaceRequest request = Segmented(4, {{2, 4}});
  request.only_level = 1;
  request.only_domain = 1;
  const AssumedPods assumed = {{2, {{0, 1}}}};
  const PlaceResult result = SegmentPlacement(small.tree(), request, assumed).Place();
  EXPECT_EQ(result.workers, (std::vector<LeafPods>{{3, 4}}));
}

std::int64_t PodsOf(const PlaceResult& result) {
  std::int64_t pods = 0;
  for (const LeafPods& each : result.workers) pods += each.count;
  return pods;
}

TEST(SegmentPlacement, AsManyPodsAsCanBeAskedForHaveAPlace) {
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  const SmallTree small(Rooms{{{{kMost}, {kMost}}}});
  const std::vector<std::vector<LevelSlices>> asked = {{{2, 1}}, {{2, 2}}, {{2, 2}, {3, 1}}};
  for (const std::vector<LevelSlices>& layers : asked) {
    const PlaceResult result = Place(small.tree(), Segmented(kMost, layers));
    ASSERT_TRUE(result.found);
    EXPECT_EQ(PodsOf(result), kMost);
    const std::int64_t size = layers.back().size;
    EXPECT_EQ(result.proof.back().segments, size == 1 && layers.size() == 1 ? kMost
                                            : size == 1 ? std::int64_t{kMost} + 1
                                                        : std::int64_t{kMost} / 2 + 1);
  }
}

TEST(SegmentPlacement, WithTooManyWaysEachLayerIsLookedAtAlone) {
  const SmallTree small(Rooms{{{{20000}, {10000}}, {{20000}}}});
  const PlaceResult result = Place(small.tree(), Segmented(48000, {{1, 2}, {2, 1}}));
  ASSERT_TRUE(result.found);
  EXPECT_EQ(PodsOf(result), 48000);
  EXPECT_EQ(ProofText(small.tree(), result.proof),
            "24000 x 2 pods on 2 domains of block: the best has room for 15000; 48000 x 1 pods on "
            "3 domains of rack: the best 2 have room for 40000");
  const PlaceResult spread = Place(small.tree(), Segmented(32000, {{1, 2}, {2, 1}}));
  EXPECT_EQ(ProofText(small.tree(), spread.proof),
            "16000 x 2 pods on 2 domains of block: the best has room for 15000; 32000 x 1 pods on "
            "2 domains of rack: the best has room for 20000");
}

TEST(SegmentPlacement, WhatWasLookedAtAloneClaimsNoFewest) {
  const SmallTree small(Rooms{{{{20000}, {10000}}, {{20000}}}});
  std::vector<SegmentsProof> proof = {{2, 1, 40000, 3, 40000, true}};
  EXPECT_EQ(ProofText(small.tree(), proof),
            "40000 x 1 pods on 3 domains of rack: no fewer on the fewest of the level above");
  proof[0].exact = false;
  EXPECT_EQ(ProofText(small.tree(), proof),
            "40000 x 1 pods on 3 domains of rack: fewer were not looked for, as there are too many "
            "ways");
}

TEST(SegmentPlacement, SaysHowManySegmentsHaveRoom) {
  const SmallTree small = Racks();
  const PlaceResult few = Place(small.tree(), Segmented(144, {{1, 48}, {2, 16}}));
  EXPECT_FALSE(few.found);
  EXPECT_EQ(few.most, 2);
  EXPECT_EQ(few.wanted, 3);
  PlaceRequest request = Segmented(80, {{2, 16}});
  request.spread = Spread::kRequired;
  request.level = 1;
  const PlaceResult one = Place(small.tree(), request);
  EXPECT_FALSE(one.found);
  EXPECT_EQ(one.best, (std::vector<LeafPods>{{0, 4}, {1, 4}}));
}

}  // namespace
}  // namespace muster
