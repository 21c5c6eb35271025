// The sum of an account, against the integral it stands for.
#include "engine/state/account_balance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::kNoon;

constexpr DurationNs kHour = 3600 * kSecond;
constexpr DurationNs kDay = 24 * kHour;

AccountRule Rule(AccountOver over, DurationNs span = 0) {
  AccountRule rule;
  rule.resource = "gpu";
  rule.over = over;
  rule.span = span;
  return rule;
}

AccountBalance Charged(Amount rate) {
  AccountBalance balance;
  balance.at = kNoon;
  balance.rate = rate;
  return balance;
}

TEST(AccountBalance, DecaysByHalfInEachHalfLife) {
  const AccountRule rule = Rule(AccountOver::kHalfLife, kDay);
  AccountBalance balance = Charged(0);
  balance.Add(rule, 100);
  EXPECT_DOUBLE_EQ(balance.ValueAt(rule, kNoon + kDay), 50);
  EXPECT_DOUBLE_EQ(balance.ValueAt(rule, kNoon + 3 * kDay), 12.5);
}

AccountRule Counting(DurationNs window) {
  AccountRule rule = Rule(AccountOver::kWindow, window);
  rule.of = AccountOf::kEvicted;
  return rule;
}

/// What is counted at `now` of one event at each of `times`.
double CountedOf(const AccountRule& rule, const std::vector<TimeNs>& times, TimeNs now) {
  AccountBalance balance;
  balance.at = times.front();
  for (const TimeNs time : times) {
    balance.Settle(rule, time);
    balance.Add(rule, Amount{1}, time);
  }
  return balance.ValueAt(rule, now);
}

TEST(AccountBalance, CountsAWindowToTheSecond) {
  const AccountRule rule = Counting(kHour);
  for (const TimeNs now : {kNoon, kNoon + kSecond, kNoon + kHour - kSecond, kNoon + kHour}) {
    EXPECT_EQ(CountedOf(rule, {kNoon}, now), 1) << (now - kNoon) / kSecond;
  }
  EXPECT_EQ(CountedOf(rule, {kNoon}, kNoon + kHour + kSecond), 0);
  EXPECT_EQ(CountedOf(rule, {kNoon, kNoon + 7 * kSecond}, kNoon + kHour + kSecond), 1);
}

TEST(AccountBalance, NeverMissesWhatIsInAWindowOfAnyLength) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 500; ++round) {
    const DurationNs window = static_cast<DurationNs>(60 + random() % 1'000'000) * kSecond;
    const DurationNs slot = ((window / kSecond + 4095) / 4096) * kSecond;
    std::vector<TimeNs> times;
    TimeNs now = kNoon;
    for (int i = 0; i < 30; ++i) {
      now += static_cast<DurationNs>(random() % static_cast<std::uint64_t>(window / 5));
      times.push_back(now);
    }
    const auto younger = [&](DurationNs age) {
      return static_cast<double>(std::count_if(times.begin(), times.end(),
                                               [&](TimeNs time) { return now - time <= age; }));
    };
    const double counted = CountedOf(Counting(window), times, now);
    EXPECT_GE(counted, younger(window));
    EXPECT_LE(counted, younger(window + 2 * slot));
  }
}

TEST(AccountBalance, CountsWhatIsTooMuchAsTheMost) {
  const AccountRule rule = Counting(kHour);
  AccountBalance balance;
  balance.at = kNoon;
  constexpr Amount kMuch = Amount{4} << 60;
  for (int i = 0; i < 4; ++i) {
    balance.Settle(rule, kNoon + i * kHour / 2);
    balance.Add(rule, kMuch, kNoon + i * kHour / 2);
  }
  const TimeNs last = kNoon + 3 * kHour / 2;
  EXPECT_EQ(balance.ValueAt(rule, last + 3 * kHour / 4), static_cast<double>(kMuch));
  EXPECT_EQ(balance.ValueAt(rule, last + 2 * kHour), 0);
}

TEST(AccountBalance, GrowsTowardsTheRateTimesTheMeanLife) {
  const AccountRule rule = Rule(AccountOver::kHalfLife, kDay);
  const AccountBalance balance = Charged(8);
  const double limit = 8 * 24 / std::log(2.0);
  EXPECT_NEAR(balance.ValueAt(rule, kNoon + kDay), limit / 2, 1e-9);
  EXPECT_NEAR(balance.ValueAt(rule, kNoon + 100 * kDay), limit, 1e-9);
  EXPECT_NEAR(balance.ValueAt(rule, kNoon + kSecond), 8.0 / 3600, 1e-6) << "as good as undecayed";
}

TEST(AccountBalance, IsTheSameWhereverItIsSettled) {
  for (const AccountOver over :
       {AccountOver::kHalfLife, AccountOver::kWindow, AccountOver::kCalendarDay, AccountOver::kWeek,
        AccountOver::kNothing}) {
    const AccountRule rule = Rule(over, 2 * kDay);
    AccountBalance whole = Charged(3);
    AccountBalance pieces = Charged(3);
    whole.Add(rule, 7);
    pieces.Add(rule, 7);
    for (TimeNs t = kNoon; t < kNoon + 5 * kDay; t += 7 * kHour + 13) pieces.Settle(rule, t);
    const TimeNs end = kNoon + 5 * kDay;
    EXPECT_NEAR(pieces.ValueAt(rule, end), whole.ValueAt(rule, end), 1e-9)
        << static_cast<int>(over);
  }
}

TEST(AccountBalance, AWindowForgetsWhatIsOlderThanItsSpan) {
  const AccountRule rule = Rule(AccountOver::kWindow, 64 * kHour);  // parts of an hour, from noon
  AccountBalance balance = Charged(2);
  EXPECT_DOUBLE_EQ(balance.ValueAt(rule, kNoon + 10 * kHour), 20);
  EXPECT_DOUBLE_EQ(balance.ValueAt(rule, kNoon + 200 * kHour), 2 * 63)
      << "63 hours that are whole and the running one, which has just begun";
  balance.Settle(rule, kNoon + 200 * kHour);
  balance.rate = 0;
  EXPECT_DOUBLE_EQ(balance.ValueAt(rule, kNoon + 230 * kHour), 2 * 33);
  EXPECT_DOUBLE_EQ(balance.ValueAt(rule, kNoon + 300 * kHour), 0);
  EXPECT_LE(balance.parts.size(), 64u);
}

// What each of `changes` charges from its time on, over the last `span` before `now`.
double Integral(const std::vector<std::pair<TimeNs, Amount>>& changes, DurationNs span,
                TimeNs now) {
  double sum = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const TimeNs from = std::max(changes[i].first, now - span);
    const TimeNs to = i + 1 < changes.size() ? std::min(changes[i + 1].first, now) : now;
    if (to > from) {
      sum += static_cast<double>(changes[i].second) * static_cast<double>(to - from) / kNsPerHour;
    }
  }
  return sum;
}

TEST(AccountBalance, AWindowHoldsAtLeast63AndAtMost64OfIts64Parts) {
  const DurationNs span = kDay;
  const AccountRule rule = Rule(AccountOver::kWindow, span);
  std::mt19937 random(20260101);
  for (int story = 0; story < 50; ++story) {
    AccountBalance balance = Charged(0);
    std::vector<std::pair<TimeNs, Amount>> changes = {{kNoon, 0}};
    TimeNs now = kNoon;
    for (int step = 0; step < 60; ++step) {
      now += static_cast<DurationNs>(random() % 7'200) * kSecond + 1;
      balance.Settle(rule, now);
      balance.rate = static_cast<Amount>(random() % 9);
      changes.emplace_back(now, balance.rate);
      const TimeNs later = now + static_cast<DurationNs>(random() % 90'000) * kSecond;
      const double held = balance.ValueAt(rule, later);
      EXPECT_LE(held, Integral(changes, span, later) + 1e-9) << "story " << story;
      EXPECT_GE(held, Integral(changes, span - span / 64, later) - 1e-9) << "story " << story;
    }
  }
}

TEST(AccountBalance, ADayBeginsAtMidnightAndAWeekOnMonday) {
  const AccountRule day = Rule(AccountOver::kCalendarDay);
  const AccountRule week = Rule(AccountOver::kWeek);
  const AccountBalance balance = Charged(1);  // since noon of Thursday, 2026-01-01
  EXPECT_DOUBLE_EQ(balance.ValueAt(day, kNoon + 11 * kHour), 11);
  EXPECT_DOUBLE_EQ(balance.ValueAt(day, kNoon + 13 * kHour), 1) << "an hour of Friday";
  EXPECT_DOUBLE_EQ(balance.ValueAt(week, kNoon + 13 * kHour), 13);
  EXPECT_DOUBLE_EQ(balance.ValueAt(week, kNoon + 85 * kHour), 1) << "an hour of Monday";
}

TEST(AccountBalance, CpuCountsInCores) {
  AccountRule rule = Rule(AccountOver::kNothing);
  rule.resource = "cpu";
  EXPECT_DOUBLE_EQ(Charged(1500).ValueAt(rule, kNoon + 2 * kHour), 3);
}

}  // namespace
}  // namespace muster
