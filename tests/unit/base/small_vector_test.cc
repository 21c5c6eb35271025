// SmallVector against std::vector, in place and grown.
#include "engine/base/small_vector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace muster {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Numbers = SmallVector<int, 2>;

TEST(SmallVector, GrowsOutOfItself) {
  Numbers numbers;
  for (int i = 0; i < 5; ++i) numbers.push_back(i);
  EXPECT_THAT(numbers, ElementsAre(0, 1, 2, 3, 4));
  numbers.push_back(numbers[0]);
  EXPECT_EQ(numbers.back(), 0);
}

TEST(SmallVector, InsertsInFrontOfAnElementOrAtTheEnd) {
  Numbers numbers{1, 3};
  numbers.insert(numbers.begin() + 1, 2);
  numbers.insert(numbers.end(), 4);
  numbers.insert(numbers.begin(), 0);
  EXPECT_THAT(numbers, ElementsAre(0, 1, 2, 3, 4));
}

TEST(SmallVector, ACopyIsItsOwn) {
  for (const Numbers& original : {Numbers{1, 2}, Numbers{1, 2, 3}}) {
    Numbers copy = original;
    EXPECT_EQ(copy, original);
    copy[0] = 9;
    EXPECT_NE(copy, original);
    copy = original;
    EXPECT_EQ(copy, original);
  }
}

TEST(SmallVector, MovingLeavesNothingBehind) {
  for (Numbers original : {Numbers{1, 2}, Numbers{1, 2, 3}}) {
    const Numbers expected = original;
    Numbers moved = std::move(original);
    EXPECT_EQ(moved, expected);
    EXPECT_THAT(original, IsEmpty());
    original.push_back(7);
    EXPECT_THAT(original, ElementsAre(7));
    moved = std::move(original);
    EXPECT_THAT(moved, ElementsAre(7));
  }
}

TEST(SmallVector, ShrinksFromItsEnd) {
  Numbers numbers{1, 2, 3};
  numbers.pop_back();
  EXPECT_THAT(numbers, ElementsAre(1, 2));
  EXPECT_EQ(std::as_const(numbers).front(), 1);
  EXPECT_EQ(std::as_const(numbers).back(), 2);
  numbers.pop_back();
  numbers.pop_back();
  EXPECT_THAT(numbers, IsEmpty());
}

TEST(SmallVector, ClearedItTakesNewElements) {
  Numbers numbers{1, 2, 3};
  numbers.clear();
  EXPECT_TRUE(numbers.empty());
  numbers.push_back(4);
  EXPECT_THAT(numbers, ElementsAre(4));
}

}  // namespace
}  // namespace muster
