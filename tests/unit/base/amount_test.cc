// Laws of saturating arithmetic, on the corners and on every pair of them.
#include "engine/base/amount.h"

#include <gtest/gtest.h>

#include <vector>

namespace muster {
namespace {

constexpr Amount kLargest = kUnlimited - 1;  // the largest limited amount
const std::vector<Amount> kCorners = {kMinAmount, kMinAmount + 1, -1000,        -1,      0,
                                      1,          1000,           kLargest - 1, kLargest};

__extension__ typedef __int128 Wide;

Amount Cut(Wide value) {
  if (value > Wide{kUnlimited}) return kUnlimited;
  if (value < Wide{kMinAmount}) return kMinAmount;
  return static_cast<Amount>(value);
}

TEST(Amount, AdditionEqualsWideAdditionCutToRange) {
  for (const Amount a : kCorners) {
    for (const Amount b : kCorners) EXPECT_EQ(Add(a, b), Cut(Wide{a} + b)) << a << " + " << b;
  }
}

TEST(Amount, SubtractionEqualsWideSubtractionCutToRange) {
  for (const Amount a : kCorners) {
    for (const Amount b : kCorners) EXPECT_EQ(Sub(a, b), Cut(Wide{a} - b)) << a << " - " << b;
  }
}

TEST(Amount, MultiplicationEqualsWideMultiplicationCutToRange) {
  for (const Amount a : kCorners) {
    for (const Amount b : kCorners) EXPECT_EQ(Mul(a, b), Cut(Wide{a} * b)) << a << " * " << b;
  }
}

TEST(Amount, AdditionCommutes) {
  for (const Amount a : kCorners) {
    for (const Amount b : kCorners) EXPECT_EQ(Add(a, b), Add(b, a));
    EXPECT_EQ(Add(a, kUnlimited), Add(kUnlimited, a));
  }
}

TEST(Amount, UnlimitedAbsorbsEverySum) {
  for (const Amount a : kCorners) EXPECT_EQ(Add(a, kUnlimited), kUnlimited) << a;
  EXPECT_EQ(Add(kUnlimited, kUnlimited), kUnlimited);
}

TEST(Amount, UnlimitedMinusAnythingLimitedStaysUnlimited) {
  for (const Amount a : kCorners) EXPECT_EQ(Sub(kUnlimited, a), kUnlimited) << a;
}

TEST(Amount, AnythingLimitedMinusUnlimitedIsTheMinimum) {
  for (const Amount a : kCorners) EXPECT_EQ(Sub(a, kUnlimited), kMinAmount) << a;
}

TEST(Amount, UnlimitedMinusUnlimitedIsNothing) { EXPECT_EQ(Sub(kUnlimited, kUnlimited), 0); }

TEST(Amount, QuotaOfCpuIsUnlimitedFromTheLargestWholeMilliCoresOn) {
  constexpr std::int64_t kMaxCores = std::numeric_limits<std::int64_t>::max() / 1000;
  EXPECT_EQ(QuotaAmount("cpu", Quantity::Units(kMaxCores)), kMaxCores * 1000);
  EXPECT_EQ(QuotaAmount("cpu", Quantity::Units(kMaxCores + 1)), kUnlimited);
  EXPECT_EQ(QuotaAmount("memory", Quantity::Units(kMaxCores + 1)), kMaxCores + 1);
}

TEST(Amount, QuotaOfOtherResourcesIsUnlimitedAtTheLargestInteger) {
  EXPECT_EQ(QuotaAmount("memory", Quantity::Units(kLargest)), kLargest);
  EXPECT_EQ(QuotaAmount("memory", Quantity::Units(kUnlimited)), kUnlimited);
  EXPECT_EQ(QuotaAmount("memory", *Quantity::Parse("9E")), 9'000'000'000'000'000'000);
  EXPECT_EQ(QuotaAmount("memory", *Quantity::Parse("10E")), kUnlimited);
}

}  // namespace
}  // namespace muster
