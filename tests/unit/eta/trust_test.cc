// Estimates that are wrong in a known way, and what they become.
#include "bindings/eta/trust.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace muster::eta {
namespace {

constexpr Waits kSaid = {1000 * kSecond, 2000 * kSecond, 3000 * kSecond,
                         4000 * kSecond, 5000 * kSecond, 6000 * kSecond};

TEST(AtLevel, CountsFromBelowAndIsAlwaysAValue) {
  const std::vector<DurationNs> values = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(AtLevel(values, 500), 5);
  EXPECT_EQ(AtLevel(values, 900), 9);
  EXPECT_EQ(AtLevel(values, 100), 1);
  EXPECT_EQ(AtLevel(values, 1), 1);
  EXPECT_EQ(AtLevel(values, 999), 9);
  EXPECT_EQ(AtLevel(std::vector<DurationNs>{7}, 50), 7);
}

TEST(Trust, ChangesNothingUntilEnoughIsLearnt) {
  Trust trust;
  for (int i = 0; i < 29; ++i) trust.Learn(kSaid, 9000 * kSecond);
  EXPECT_FALSE(trust.Speaks());
  EXPECT_EQ(trust.Mend(kSaid), kSaid);
  trust.Learn(kSaid, 9000 * kSecond);
  EXPECT_TRUE(trust.Speaks());
  EXPECT_NE(trust.Mend(kSaid), kSaid);
}

TEST(Trust, MendedLevelsHoldAsOftenAsTheySay) {
  // Waits are spread evenly from 0 to 20000 s, far from what is said.
  Trust trust;
  const auto waited = [](std::int64_t i) { return i * 7919 % 20'000 * kSecond; };
  for (std::int64_t i = 0; i < 400; ++i) trust.Learn(kSaid, waited(i));
  const Waits mended = trust.Mend(kSaid);
  for (std::size_t level = 0; level < kLevels.size(); ++level) {
    std::int64_t held = 0;
    for (std::int64_t i = 400; i < 1400; ++i) held += waited(i) <= mended[level] ? 1 : 0;
    EXPECT_NEAR(static_cast<double>(held), static_cast<double>(kLevels[level]), 30) << level;
  }
  EXPECT_TRUE(std::is_sorted(mended.begin(), mended.end()));
}

TEST(Trust, ForgetsAnswersThatAreOld) {
  Trust trust;
  for (int i = 0; i < 1000; ++i) trust.Learn(kSaid, 90'000 * kSecond);
  for (int i = 0; i < 400; ++i) trust.Learn(kSaid, 3000 * kSecond);
  EXPECT_NEAR(static_cast<double>(trust.Mend(kSaid)[kP50] / kSecond), 3000, 10);
}

TEST(Score, CountsWhatHeldAndHowWideItWas) {
  const std::vector<Answered> answers = {{kSaid, 500 * kSecond},
                                         {kSaid, 1500 * kSecond},
                                         {kSaid, 3000 * kSecond},
                                         {kSaid, 4500 * kSecond},
                                         {kSaid, 7000 * kSecond}};
  const Score score = ScoreOf(answers);
  EXPECT_EQ(score.answers, 5U);
  EXPECT_EQ(score.in50, 1U);
  EXPECT_EQ(score.in90, 3U);
  EXPECT_EQ(score.before50, 3U);
  EXPECT_EQ(score.before90, 4U);
  EXPECT_EQ(score.width50, 2000 * kSecond);
  EXPECT_EQ(score.width90, 5000 * kSecond);
  EXPECT_EQ(score.bias, 0);
}

TEST(Score, OfNoAnswersIsNothing) { EXPECT_EQ(ScoreOf({}).answers, 0U); }

}  // namespace
}  // namespace muster::eta
