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
    order.Add(WorkloadId{i}, 1, [&](WorkloadId id) {
      ++asked;
      return id.value == i;
    });
    most = std::max(most, asked);
  }
  EXPECT_LT(most, 300U) << "looked through again and again, and never long";
}

TEST(NameOrder, IsThatOfAMap) {
  std::mt19937 random(11);
  std::map<std::string, WorkloadId> expected;
  std::vector<std::string> names;  // by id
  std::vector<bool> there;         // by id
  NameOrder order;
  for (int step = 0; step < 3000; ++step) {
    const std::string name = "job-" + std::to_string(random() % 200);
    const auto known = expected.find(name);
    if (known != expected.end()) {
      there[known->second.value] = false;
      expected.erase(known);
    } else {
      const WorkloadId id{static_cast<std::uint32_t>(names.size())};
      names.push_back(name);
      there.push_back(true);
      expected[name] = id;
      order.Add(id, expected.size(), [&](WorkloadId each) { return there[each.value]; });
    }
    if (random() % 400 != 0) continue;
    std::vector<WorkloadId> ids;
    for (const auto& [key, id] : expected) ids.push_back(id);
    ASSERT_EQ(order.Ids([&](WorkloadId id) { return there[id.value]; },
                        [&](WorkloadId id) { return names[id.value]; }),
              ids);
  }
}

}  // namespace
}  // namespace muster
