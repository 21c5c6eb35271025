// A roster lists who is here, in order, however many came and went.
#include "engine/state/roster.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace muster {
namespace {

TEST(Roster, ListsWhoIsHereUnderRandomComingAndGoing) {
  std::mt19937 random(20261122);
  Roster roster;
  std::set<WorkloadId> here;
  const auto is_here = [&](WorkloadId id) { return here.contains(id); };
  for (int step = 0; step < 5000; ++step) {
    const WorkloadId id{static_cast<std::uint32_t>(random() % 200)};
    if (here.erase(id) > 0) {
      roster.Remove();
    } else {
      here.insert(id);
      roster.Add(id, is_here);
    }
    ASSERT_EQ(roster.size(), here.size());
    if (step % 50 == 0) {
      ASSERT_EQ(roster.Ids(is_here), std::vector<WorkloadId>(here.begin(), here.end()));
    }
  }
}

}  // namespace
}  // namespace muster
