// Copies of a map share their entries until one of them is changed.
#include "muster/shared_map.h"

#include <gtest/gtest.h>

#include "muster/types.h"

namespace muster {
namespace {

using Labels = SharedMap<LabelMap>;

TEST(SharedMap, CopiesShareEntriesUntilOneIsChanged) {
  const Labels first = {{"team", "a"}};
  Labels second = first;
  EXPECT_EQ(&first.map(), &second.map());
  second["team"] = "b";
  second["tier"] = "gold";
  EXPECT_EQ(first, (Labels{{"team", "a"}}));
  EXPECT_EQ(second, (Labels{{"team", "b"}, {"tier", "gold"}}));
}

TEST(SharedMap, AnOnlyOwnerChangesItsEntriesInPlace) {
  Labels labels = {{"team", "a"}};
  const LabelMap* before = &labels.map();
  labels["team"] = "b";
  EXPECT_EQ(&labels.map(), before);
}

TEST(SharedMap, IsEmptyInOneWayOnly) {
  Labels cleared = {{"team", "a"}};
  cleared.clear();
  Labels emptied = {{"team", "a"}};
  emptied.Mutable().clear();
  EXPECT_TRUE(cleared.empty());
  EXPECT_TRUE(emptied.empty());
  EXPECT_EQ(cleared, emptied);
  EXPECT_EQ(cleared, Labels());
  EXPECT_EQ(Labels().find("team"), Labels().end());
}

}  // namespace
}  // namespace muster
