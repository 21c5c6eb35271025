// The order of names against a map, under random arrivals and departures.
#include "engine/state/name_order.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace muster {
namespace {

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
      order.Add(id);
      expected[name] = id;
    }
    if (random() % 10 != 0) continue;
    std::vector<WorkloadId> ids;
    for (const auto& [key, id] : expected) ids.push_back(id);
    ASSERT_EQ(order.Ids([&](WorkloadId id) { return there[id.value]; },
                        [&](WorkloadId id) { return names[id.value]; }),
              ids);
  }
}

}  // namespace
}  // namespace muster
