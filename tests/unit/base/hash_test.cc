// Hashes never change: published vectors, and the ones this engine has written down.
#include "engine/base/hash.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace muster {
namespace {

TEST(Fnv1a64, GivesThePublishedValues) {
  EXPECT_EQ(Fnv1a64(""), 0xcbf29ce484222325u);
  EXPECT_EQ(Fnv1a64("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(Fnv1a64("foobar"), 0x85944171f73967e8u);
}

TEST(Hasher128, OrderCounts) {
  EXPECT_NE(Hasher128().Add(1).Add(2).Value(), Hasher128().Add(2).Add(1).Value());
  EXPECT_NE(Hasher128().Add("a").Add("b").Value(), Hasher128().Add("b").Add("a").Value());
}

TEST(Hasher128, BoundariesBetweenTextsCount) {
  EXPECT_NE(Hasher128().Add("ab").Add("c").Value(), Hasher128().Add("a").Add("bc").Value());
  EXPECT_NE(Hasher128().Add("").Value(), Hasher128().Value());
  EXPECT_NE(Hasher128().Add("a").Value(), Hasher128().Add(std::string_view("a\0", 2)).Value());
}

TEST(Hasher128, EqualInputGivesEqualHashAtCompileTimeAndRunTime) {
  constexpr Hash128 kAtCompileTime = Hasher128().Add("cpu").Add(std::uint64_t{7}).Value();
  volatile std::uint64_t seven = 7;
  EXPECT_EQ(Hasher128().Add("cpu").Add(seven).Value(), kAtCompileTime);
}

TEST(Hasher128, ValuesOnRecordStay) {
  const Hash128 hash = Hasher128().Add("muster").Add(std::uint64_t{1}).Value();
  EXPECT_EQ(hash.high, 0x5b48ff159e23bad3u);
  EXPECT_EQ(hash.low, 0x4c0380bf81e10061u);
}

TEST(Hasher128, NoCollisionInEitherHalfAmongManySmallInputs) {
  std::set<std::uint64_t> high;
  std::set<std::uint64_t> low;
  for (std::uint64_t a = 0; a < 200; ++a) {
    for (std::uint64_t b = 0; b < 200; ++b) {
      const Hash128 hash = Hasher128().Add(a).Add(b).Value();
      high.insert(hash.high);
      low.insert(hash.low);
    }
  }
  EXPECT_EQ(high.size(), 200u * 200u);
  EXPECT_EQ(low.size(), 200u * 200u);
}

}  // namespace
}  // namespace muster
