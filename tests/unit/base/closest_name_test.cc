// The closest name: what is near is offered, what is not is listed.
#include "engine/base/closest_name.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

TEST(ClosestName, IsOneLetterOrTwoAway) {
  const std::vector<std::string> known = {"aging", "fair-tree", "small-first"};
  EXPECT_EQ(ClosestName("smal-first", known), "small-first");
  EXPECT_EQ(ClosestName("samll-first", known), "small-first");
  EXPECT_EQ(ClosestName("agng", known), "aging");
  EXPECT_EQ(ClosestName("round-robin", known), "");
  EXPECT_EQ(ClosestName("", known), "");
  EXPECT_EQ(ClosestName("x", {"y"}), "") << "nothing is left of it";
}

TEST(ClosestName, OfTwoAsNearIsTheFirst) { EXPECT_EQ(ClosestName("cat", {"bat", "hat"}), "bat"); }

TEST(ClosestName, ListsWhatThereIsWhereNothingIsNear) {
  EXPECT_EQ(ClosestNameHint("cpus", {"cpu"}), "did you mean 'cpu'?");
  EXPECT_EQ(ClosestNameHint("gpu", {"ephemeral", "memory"}), "there are ephemeral, memory");
  EXPECT_EQ(ClosestNameHint("gpu", {}), "there are none");
  const std::vector<std::string> many(25, "something-else");
  EXPECT_TRUE(ClosestNameHint("gpu", many).ends_with(" and 5 more"));
}

}  // namespace
}  // namespace muster
