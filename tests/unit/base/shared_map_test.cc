// Copies of a map share their entries until one of them is changed.
#include "muster/shared_map.h"

#include <gtest/gtest.h>

#include "muster/types.h"

namespace muster {
namespace {

using SharedLabels = SharedMap<LabelMap>;

TEST(SharedMap, CopiesShareEntriesUntilOneIsChanged) {
  const SharedLabels first = {{"team", "a"}};
  SharedLabels second = first;
  EXPECT_EQ(&first.map(), &second.map());
  second["team"] = "b";
  second["tier"] = "gold";
  EXPECT_EQ(first, (SharedLabels{{"team", "a"}}));
  EXPECT_EQ(second, (SharedLabels{{"team", "b"}, {"tier", "gold"}}));
}

TEST(SharedMap, AnOnlyOwnerChangesItsEntriesInPlace) {
  SharedLabels labels = {{"team", "a"}};
  const LabelMap* before = &labels.map();
  labels["team"] = "b";
  EXPECT_EQ(&labels.map(), before);
}

TEST(SharedMap, IsEmptyInOneWayOnly) {
  SharedLabels cleared = {{"team", "a"}};
  cleared.clear();
  SharedLabels emptied = {{"team", "a"}};
  emptied.Mutable().clear();
  EXPECT_TRUE(cleared.empty());
  EXPECT_TRUE(emptied.empty());
  EXPECT_EQ(cleared, emptied);
  EXPECT_EQ(cleared, SharedLabels());
  EXPECT_EQ(SharedLabels().find("team"), SharedLabels().end());
}

}  // namespace
}  // namespace muster
