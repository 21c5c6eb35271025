// Copies share their elements; a change makes its own.
#include "muster/shared_list.h"

#include <gtest/gtest.h>

#include <utility>

namespace muster {
namespace {

TEST(SharedList, CopiesShareElementsUntilOneIsChanged) {
  SharedList<int> first = {1, 2, 3};
  SharedList<int> second = first;
  EXPECT_EQ(std::as_const(first).data(), std::as_const(second).data());
  second[1] = 7;
  EXPECT_EQ(first, (SharedList<int>{1, 2, 3}));
  EXPECT_EQ(second, (SharedList<int>{1, 7, 3}));
}

TEST(SharedList, AnOnlyOwnerChangesItsElementsInPlace) {
  SharedList<int> list = {1};
  const int* before = std::as_const(list).data();
  list[0] = 2;
  EXPECT_EQ(std::as_const(list).data(), before);
}

TEST(SharedList, IsEmptyInOneWayOnly) {
  SharedList<int> cleared = {1};
  cleared.clear();
  SharedList<int> grown;
  grown.push_back(1);
  grown.Mutable().clear();
  EXPECT_EQ(cleared, SharedList<int>());
  EXPECT_EQ(grown, SharedList<int>());
  for (const int element : grown) FAIL() << element;
}

TEST(SharedList, EqualElementsMakeEqualLists) {
  EXPECT_EQ((SharedList<int>{1, 2}), (SharedList<int>{1, 2}));
  EXPECT_FALSE((SharedList<int>{1, 2}) == (SharedList<int>{1, 3}));
  EXPECT_FALSE((SharedList<int>{1, 2}) == (SharedList<int>{1}));
}

}  // namespace
}  // namespace muster
