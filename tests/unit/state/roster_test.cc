// A roster lists what is here, in order, however many came and went.
#include "engine/state/roster.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace muster {
namespace {

TEST(Roster, ListsWhoIsHereUnderRandomComingAndGoing) {
  std::mt19937 random(20261122);
  Roster roster;
  std::set<WorkloadSlot> here;
  const auto is_here = [&](WorkloadSlot id) { return here.contains(id); };
  for (int step = 0; step < 5000; ++step) {
    const WorkloadSlot id{static_cast<std::uint32_t>(random() % 200)};
    if (here.erase(id) > 0) {
      roster.Remove();
    } else {
      here.insert(id);
      roster.Add(id, is_here);
    }
    ASSERT_EQ(roster.size(), here.size());
    if (step % 50 == 0) {
      std::vector<WorkloadSlot> listed;
      roster.ForEach(is_here, [&](WorkloadSlot slot) { listed.push_back(slot); });
      ASSERT_EQ(listed, std::vector<WorkloadSlot>(here.begin(), here.end()));
    }
  }
}

}  // namespace
}  // namespace muster
