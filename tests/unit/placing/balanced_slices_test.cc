// Balanced placement of gangs in slices of several layers: every slice is whole, and there is a
// place whenever there is one without balance.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "engine/placing/placer.h"
#include "tests/testing/random_choices.h"
#include "tests/testing/small_tree.h"

namespace muster {
namespace {

PlaceRequest AnyLayers(testing::RandomChoices& choices) {
  PlaceRequest request;
  request.needs.amounts = {{0, 1}};
  request.spread = Spread::kPreferred;
  request.level = static_cast<std::size_t>(choices.Below(3));
  std::int32_t size = 4;
  const auto first = static_cast<int>(request.level) + choices.Below(2);
  for (int level = first; level < 4 && size > 0; ++level) {
    if (!request.slices.empty() && choices.Below(4) == 0) continue;
    request.slices.push_back({static_cast<std::size_t>(level), size});
    size /= 2;
  }
  request.count = 4 * (1 + choices.Below(4));
  return request;
}

void ExpectWhole(const TopologyTree& tree, const PlaceRequest& request,
                 const std::vector<LeafPods>& pods) {
  for (const LevelSlices& layer : request.slices) {
    std::map<std::uint32_t, std::int32_t> in;
    for (const LeafPods& each : pods) in[tree.AncestorOf(each.leaf, layer.level)] += each.count;
    for (const auto& [domain, count] : in) EXPECT_EQ(count % layer.size, 0);
  }
}

TEST(BalancedPlacement, KeepsSlicesOfEveryLayerWhole) {
  int found = 0;
  int differ = 0;
  int inner = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::RandomChoices choices(seed);
    const testing::SmallTree small(testing::AnyRooms(choices));
    for (int i = 0; i < 5; ++i) {
      PlaceRequest request = AnyLayers(choices);
      const PlaceResult plain = Placer(small.tree()).Place(request, {});
      request.balanced = true;
      const PlaceResult result = Placer(small.tree()).Place(request, {});
      ASSERT_EQ(result.found, plain.found);
      if (!result.found) continue;
      ++found;
      std::int32_t placed = 0;
      for (const LeafPods& each : result.workers) {
        ASSERT_LE(each.count, small.RoomOf(each.leaf));
        placed += each.count;
      }
      ASSERT_EQ(placed, request.count);
      ExpectWhole(small.tree(), request, result.workers);
      differ += result.workers == plain.workers ? 0 : 1;
      inner += result.workers != plain.workers && request.slices.size() > 1 ? 1 : 0;
    }
  }
  EXPECT_GT(found, 2000);
  EXPECT_GT(differ, 100);
  EXPECT_GT(inner, 50);
}

}  // namespace
}  // namespace muster
