// A caller never gets more than its share, and always gets it back.
#include "bindings/http/rates.h"

#include <gtest/gtest.h>

#include <random>

namespace muster::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const Rates::Clock::time_point kBegin = Rates::Clock::time_point() + std::chrono::hours(1);

TEST(Rates, TakesAtMostTheBurstAndTheRateOfAnySpan) {
  std::mt19937 chance(1);
  Rates rates({7, 0});
  Rates::Clock::time_point now = kBegin;
  std::size_t taken = 0;
  for (int i = 0; i < 20'000; ++i) {
    now += milliseconds(chance() % 20);
    taken += rates.Ask("a", 0, now) == 0 ? 1 : 0;
    const double passed = std::chrono::duration<double>(now - kBegin + Rates::kBurst).count();
    ASSERT_LE(static_cast<double>(taken), 7 * passed + 1);
  }
  // 200 seconds of asking all the time: it had what it may have.
  EXPECT_GE(static_cast<double>(taken),
            7 * std::chrono::duration<double>(now - kBegin).count() * 0.99);
}

TEST(Rates, WhatWaitsAsLongAsItWasToldIsTaken) {
  std::mt19937 chance(2);
  Rates rates({3, 1000});
  Rates::Clock::time_point now = kBegin;
  for (int i = 0; i < 2000; ++i) {
    now += milliseconds(chance() % 100);
    const std::size_t bytes = chance() % 5000;
    const std::size_t wait = rates.Ask("a", bytes, now);
    if (wait == 0) continue;
    now += seconds(wait);
    ASSERT_EQ(rates.Ask("a", bytes, now), 0U) << "at " << i;
  }
}

TEST(Rates, ALargeBodyIsTakenAndPaidForWhole) {
  Rates rates({0, 100});
  EXPECT_EQ(rates.Ask("a", 1000, kBegin), 0U);
  EXPECT_EQ(rates.Ask("a", 1, kBegin), 8U);  // ten seconds, less the burst
  EXPECT_EQ(rates.Ask("a", 0, kBegin), 0U);  // without a body nothing is paid
  EXPECT_EQ(rates.Ask("a", 1, kBegin + seconds(7)), 1U);
  EXPECT_EQ(rates.Ask("a", 1, kBegin + seconds(8)), 0U);
}

TEST(Rates, ABodyWhoseLengthWasNotToldIsCountedAfterwards) {
  Rates rates({0, 100});
  EXPECT_EQ(rates.Ask("a", 1, kBegin), 0U);
  rates.Count("a", 999, kBegin);
  EXPECT_EQ(rates.Ask("a", 1, kBegin), 8U);
}

TEST(Rates, OneCallerDoesNotPayForAnother) {
  Rates rates({1, 0});
  EXPECT_EQ(rates.Ask("a", 0, kBegin), 0U);
  EXPECT_EQ(rates.Ask("a", 0, kBegin), 0U);
  EXPECT_EQ(rates.Ask("a", 0, kBegin), 1U);
  EXPECT_EQ(rates.Ask("b", 0, kBegin), 0U);
}

TEST(Rates, WithoutLimitsNothingWaits) {
  Rates rates({});
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(rates.Ask("a", 1 << 30, kBegin), 0U);
}

}  // namespace
}  // namespace muster::http
