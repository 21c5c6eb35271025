// Days and weeks are counted from the epoch, which was a Thursday: weeks begin four days later.
#include "engine/state/account_balance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>

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

/// The sum over the window at `now`, where no part of it has begun or ended since it was settled:
/// the same as of a copy that is settled, added up in the same order.
std::optional<double> WindowInOnePart(const AccountBalance& balance, const AccountRule& rule,
                                      TimeNs now) {
  const std::vector<double>& parts = balance.parts;
  if (rule.over != AccountOver::kWindow) return std::nullopt;
  if (now == balance.at) return std::accumulate(parts.begin(), parts.end(), 0.0);
  const DurationNs part = PartOf(rule);
  if (parts.empty() || static_cast<std::int64_t>(parts.size()) > kParts ||
      FloorDiv(balance.at, part) != FloorDiv(now, part)) {
    return std::nullopt;
  }
  const double rate = InNaturalUnits(rule, balance.rate);
  return std::accumulate(parts.begin(), parts.end() - 1, 0.0) +
         (parts.back() + rate * Hours(balance.at, now));
}

constexpr std::int64_t kSlots = 4096;

/// Of one slot of an exact window, in whole seconds so that no slot begins within one.
DurationNs WidthOf(const AccountRule& rule) {
  const DurationNs wanted = (rule.span + kSlots - 1) / kSlots;
  return std::max<DurationNs>(1, (wanted + kSecond - 1) / kSecond) * kSecond;
}

/// The oldest slot that counts at `now`: the first in which something younger than the window may
/// have been.
std::int64_t OldestSlot(const AccountRule& rule, TimeNs now) {
  const DurationNs width = WidthOf(rule);
  return FloorDiv(now, width) - (rule.span + width - 1) / width;
}

using CountList = std::vector<AccountBalance::Count>;

CountList::const_iterator FirstFrom(const CountList& counts, std::int64_t oldest) {
  return std::find_if(counts.begin(), counts.end(),
                      [&](const AccountBalance::Count& count) { return count.slot >= oldest; });
}

/// The sum of those from `first` on. O(those before it); a sum that was cut is made anew.
Amount CountedFrom(const AccountBalance& balance, CountList::const_iterator first) {
  const auto plus = [](Amount sum, const AccountBalance::Count& count) {
    return Add(sum, count.amount);
  };
  if (balance.counted == kUnlimited) {
    return std::accumulate(first, balance.counts.end(), Amount{0}, plus);
  }
  return balance.counted - std::accumulate(balance.counts.begin(), first, Amount{0}, plus);
}

bool CountsInSlots(const AccountRule& rule) {
  return rule.over == AccountOver::kWindow && rule.IsExact();
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
      if (rule.IsExact()) {
        const std::int64_t oldest = OldestSlot(rule, now);
        const auto first = FirstFrom(counts, oldest);
        counted = CountedFrom(*this, first);
        counts.erase(counts.begin(), first);
      } else {
        SettleWindow(rule, now, charged, *this);
      }
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

void AccountBalance::Add(const AccountRule& rule, Amount amount, TimeNs now) {
  if (!CountsInSlots(rule)) return Add(rule, InNaturalUnits(rule, amount));
  const std::int64_t slot = FloorDiv(now, WidthOf(rule));
  counted = muster::Add(counted, amount);
  if (counts.empty() || counts.back().slot != slot) counts.push_back({slot, 0});
  counts.back().amount = muster::Add(counts.back().amount, amount);
}

void AccountBalance::Restore(const Count& count) {
  counts.push_back(count);
  counted = muster::Add(counted, count.amount);
}

double AccountBalance::ValueAt(const AccountRule& rule, TimeNs now) const {
  if (rule.of == AccountOf::kLastAdmission) return total;
  if (rule.IsOfNow()) return InNaturalUnits(rule, rate);
  if (CountsInSlots(rule)) {
    return InNaturalUnits(rule, CountedFrom(*this, FirstFrom(counts, OldestSlot(rule, now))));
  }
  if (const auto sum = WindowInOnePart(*this, rule, now)) return *sum;
  AccountBalance then = *this;
  then.Settle(rule, now);
  if (rule.over != AccountOver::kWindow) return then.total;
  return std::accumulate(then.parts.begin(), then.parts.end(), 0.0);
}

}  // namespace muster
