// Days and weeks are counted from the epoch, which was a Thursday: weeks begin four days later.
#include "engine/state/account_balance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace muster {
namespace {

constexpr std::int64_t kParts = 64;
constexpr DurationNs kDay = 24 * 3600 * kSecond;

std::int64_t FloorDiv(TimeNs time, DurationNs span) {
  return time / span - (time % span < 0 ? 1 : 0);
}

/// Where the calendar's period that `time` is in began.
TimeNs PeriodStart(const AccountRule& rule, TimeNs time) {
  if (rule.over == AccountOver::kCalendarDay) return FloorDiv(time, kDay) * kDay;
  return FloorDiv(time - 4 * kDay, 7 * kDay) * 7 * kDay + 4 * kDay;
}

double Hours(TimeNs from, TimeNs to) { return static_cast<double>(to - from) / kNsPerHour; }

DurationNs PartOf(const AccountRule& rule) { return std::max<DurationNs>(1, rule.span / kParts); }

/// Charges `rate` from balance.at to `now`, part by part; parts that are out of the window go.
void SettleWindow(const AccountRule& rule, TimeNs now, double rate, AccountBalance& balance) {
  const DurationNs part = PartOf(rule);
  if (balance.parts.empty()) balance.parts.push_back(0);
  std::int64_t running = FloorDiv(balance.at, part);
  const std::int64_t last = FloorDiv(now, part);
  TimeNs from = balance.at;
  if (last - running >= kParts) {
    running = last - kParts + 1;
    from = running * part;
    balance.parts.assign(1, 0);
  }
  for (; running < last; ++running) {
    const TimeNs end = (running + 1) * part;
    balance.parts.back() += rate * Hours(from, end);
    balance.parts.push_back(0);
    from = end;
  }
  balance.parts.back() += rate * Hours(from, now);
  const auto size = static_cast<std::int64_t>(balance.parts.size());
  if (size > kParts) balance.parts.erase(balance.parts.begin(), balance.parts.end() - kParts);
}

}  // namespace

TimeNs PeriodEndBefore(const AccountRule& rule, TimeNs now) {
  switch (rule.over) {
    case AccountOver::kHalfLife:
    case AccountOver::kWindow:
      return rule.span <= 0 ? kNoTime : FloorDiv(now, rule.span) * rule.span;
    case AccountOver::kCalendarDay:
    case AccountOver::kWeek:
      return PeriodStart(rule, now);
    case AccountOver::kNothing:
      break;
  }
  return kNoTime;
}

double InNaturalUnits(const AccountRule& rule, Amount amount) {
  const auto value = static_cast<double>(amount);
  return rule.resource == "cpu" ? value / 1000.0 : value;
}

void AccountBalance::Settle(const AccountRule& rule, TimeNs now) {
  if (now == at) return;
  const double charged = InNaturalUnits(rule, rate);
  switch (rule.over) {
    case AccountOver::kHalfLife: {
      const double halvings = static_cast<double>(now - at) / static_cast<double>(rule.span);
      const double hours = static_cast<double>(rule.span) / kNsPerHour;
      total = total * std::exp2(-halvings) +
              charged * hours / std::log(2.0) * -std::expm1(-halvings * std::log(2.0));
      break;
    }
    case AccountOver::kWindow:
      SettleWindow(rule, now, charged, *this);
      break;
    case AccountOver::kCalendarDay:
    case AccountOver::kWeek: {
      const TimeNs start = PeriodStart(rule, now);
      if (start > at) total = 0;
      total += charged * Hours(std::max(start, at), now);
      break;
    }
    case AccountOver::kNothing:
      total += charged * Hours(at, now);
      break;
  }
  at = now;
}

void AccountBalance::Add(const AccountRule& rule, double amount) {
  if (rule.over != AccountOver::kWindow) {
    total += amount;
    return;
  }
  if (parts.empty()) parts.push_back(0);
  parts.back() += amount;
}

double AccountBalance::ValueAt(const AccountRule& rule, TimeNs now) const {
  if (rule.of == AccountOf::kLastAdmission) return total;
  AccountBalance then = *this;
  then.Settle(rule, now);
  if (rule.over != AccountOver::kWindow) return then.total;
  return std::accumulate(then.parts.begin(), then.parts.end(), 0.0);
}

}  // namespace muster
