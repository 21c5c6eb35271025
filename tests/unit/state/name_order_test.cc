// The order of names against a map, under random arrivals and departures.
#include "engine/state/name_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

namespace muster {
namespace {

TEST(NameOrder, ForgetsThoseThatAreGoneThoughNobodyAsks) {
  NameOrder order;
  std::uint32_t asked = 0;
  std::uint32_t most = 0;
  for (std::uint32_t i = 0; i < 10'000; ++i) {  // one is there at a time
    asked = 0;
    // All in one slot: what is there is told from those before it by its arrival alone.
    order.Add(WorkloadId(WorkloadSlot{0}, i), 1, [&](WorkloadId id) {
      ++asked;
      return id.arrival() == i;
    });
    most = std::max(most, asked);
  }
  EXPECT_LT(most, 300U) << "looked through again and again, and never long";
}

TEST(NameOrder, IsThatOfAMapAlsoWhenSlotsAreUsedAgain) {
  std::mt19937 random(11);
  std::map<std::string, WorkloadId> expected;
  std::vector<std::string> names;     // by slot
  std::vector<std::int64_t> arrived;  // by slot; -1: free
  std::int64_t arrivals = 0;
  const auto is_there = [&](WorkloadId id) { return arrived[id.slot().value] == id.arrival(); };
  NameOrder order;
  for (int step = 0; step < 3000; ++step) {
    const std::string name = "job-" + std::to_string(random() % 200);
    const auto known = expected.find(name);
    if (known != expected.end()) {
      arrived[known->second.slot().value] = -1;
      expected.erase(known);
    } else {
      const auto free = std::find(arrived.begin(), arrived.end(), -1);
      const auto slot = static_cast<std::uint32_t>(free - arrived.begin());
      if (free == arrived.end()) {
        arrived.push_back(-1);
        names.emplace_back();
      }
      const WorkloadId id(WorkloadSlot{slot}, ++arrivals);
      names[slot] = name;
      arrived[slot] = arrivals;
      expected[name] = id;
      order.Add(id, expected.size(), is_there);
    }
    if (random() % 400 != 0) continue;
    std::vector<WorkloadId> ids;
    for (const auto& [key, id] : expected) ids.push_back(id);
    ASSERT_EQ(order.Ids(is_there, [&](WorkloadId id) { return names[id.slot().value]; }), ids);
  }
}

}  // namespace
}  // namespace muster
