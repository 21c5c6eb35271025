// Reads times in RFC 3339 and durations as Go writes them. Whole-number arithmetic throughout:
// nothing is rounded except digits finer than a nanosecond, which are cut.
#include <array>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "bindings/manifest/manifest.h"
#include "engine/base/ascii.h"

namespace muster::manifest {
namespace {

using Wide = __int128;

constexpr DurationNs kMinute = 60 * kSecond;
constexpr DurationNs kHour = 60 * kMinute;
constexpr DurationNs kDay = 24 * kHour;

bool Fits(Wide value) {
  return value > std::numeric_limits<std::int64_t>::min() &&
         value <= std::numeric_limits<std::int64_t>::max();
}

/// Days from 1970-01-01 of a date in the proleptic Gregorian calendar.
std::int64_t DaysFromCivil(std::int64_t year, std::int64_t month, std::int64_t day) {
  const std::int64_t y = month <= 2 ? year - 1 : year;
  const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
  const std::int64_t year_of_era = y - era * 400;
  const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

std::int64_t DaysInMonth(std::int64_t year, std::int64_t month) {
  constexpr std::array<std::int64_t, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays[static_cast<std::size_t>(month - 1)];
}

/// Reads a text from the front; every step answers whether it could.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool AtEnd() const { return text_.empty(); }
  char Peek() const { return text_.empty() ? '\0' : text_.front(); }
  bool Skip(std::string_view expected) {
    if (!text_.starts_with(expected)) return false;
    text_.remove_prefix(expected.size());
    return true;
  }
  /// Exactly `count` digits.
  bool Digits(int count, std::int64_t* value) {
    *value = 0;
    for (int i = 0; i < count; ++i) {
      if (!IsDigit(Peek())) return false;
      *value = *value * 10 + (text_.front() - '0');
      text_.remove_prefix(1);
    }
    return true;
  }
  /// Any digits; their number is the result. False when they do not fit.
  bool Number(Wide* value, int* digits) {
    *value = 0;
    for (*digits = 0; IsDigit(Peek()); ++*digits) {
      *value = *value * 10 + (text_.front() - '0');
      if (!Fits(*value)) return false;
      text_.remove_prefix(1);
    }
    return true;
  }
  /// ".123" as nanoseconds of a `unit`; 0 when there is no point.
  bool Fraction(std::int64_t unit, Wide* value) {
    *value = 0;
    if (!Skip(".")) return true;
    Wide scale = unit;
    if (!IsDigit(Peek())) return false;
    Wide numerator = 0;
    Wide denominator = 1;
    for (; IsDigit(Peek()); text_.remove_prefix(1)) {
      if (denominator > Wide{1'000'000'000'000'000'000}) continue;
      numerator = numerator * 10 + (text_.front() - '0');
      denominator *= 10;
    }
    *value = numerator * scale / denominator;
    return true;
  }

 private:
  std::string_view text_;
};

/// "Z" or "+01:00" as seconds east of UTC.
bool ScanZone(Scanner& scan, std::int64_t* seconds) {
  *seconds = 0;
  if (scan.Skip("Z")) return true;
  const bool west = scan.Peek() == '-';
  if (!scan.Skip("+") && !scan.Skip("-")) return false;
  std::int64_t hours = 0;
  std::int64_t minutes = 0;
  if (!scan.Digits(2, &hours) || !scan.Skip(":") || !scan.Digits(2, &minutes)) return false;
  if (hours > 23 || minutes > 59) return false;
  *seconds = (hours * 60 + minutes) * (west ? -60 : 60);
  return true;
}

struct Unit {
  std::string_view name;
  DurationNs length;
};
// Longer names first, so that "ms" is not read as "m".
constexpr std::array kDurationUnits = {
    Unit{"ns", 1},         Unit{"us", 1000},         Unit{"\u00B5s", 1000},
    Unit{"\u03BCs", 1000}, Unit{"ms", kMillisecond}, Unit{"s", kSecond},
    Unit{"m", kMinute},    Unit{"h", kHour},         Unit{"d", kDay}};

}  // namespace

namespace {

/// Nanoseconds from 1970 on; unset: it is not written as a time is.
std::optional<Wide> ReadMoment(std::string_view text) {
  Scanner scan(text);
  std::int64_t year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, zone = 0;
  Wide fraction = 0;
  const bool shaped = scan.Digits(4, &year) && scan.Skip("-") && scan.Digits(2, &month) &&
                      scan.Skip("-") && scan.Digits(2, &day) && scan.Skip("T") &&
                      scan.Digits(2, &hour) && scan.Skip(":") && scan.Digits(2, &minute) &&
                      scan.Skip(":") && scan.Digits(2, &second) &&
                      scan.Fraction(kSecond, &fraction) && ScanZone(scan, &zone) && scan.AtEnd();
  if (!shaped || month < 1 || month > 12 || day < 1 || day > DaysInMonth(year, month) ||
      hour > 23 || minute > 59 || second > 59) {
    return std::nullopt;
  }
  const std::int64_t seconds =
      ((DaysFromCivil(year, month, day) * 24 + hour) * 60 + minute) * 60 + second - zone;
  return Wide{seconds} * kSecond + fraction;
}

}  // namespace

std::optional<TimeNs> ParseTime(std::string_view text) {
  const std::optional<Wide> moment = ReadMoment(text);
  if (!moment || !Fits(*moment)) return std::nullopt;
  return static_cast<TimeNs>(*moment);
}

std::string TimeCure(std::string_view text, std::string_view form) {
  return ReadMoment(text) ? "write one " + std::string(kTimeRange) : std::string(form);
}

std::optional<DurationNs> ParseDuration(std::string_view text) {
  Scanner scan(text);
  const bool negative = scan.Peek() == '-';
  if (!scan.Skip("-")) scan.Skip("+");
  if (scan.Skip("0") && scan.AtEnd()) return 0;
  scan = Scanner(text.substr(negative || text.starts_with("+") ? 1 : 0));
  if (scan.AtEnd()) return std::nullopt;
  Wide total = 0;
  while (!scan.AtEnd()) {
    Wide number = 0;
    int digits = 0;
    if (!scan.Number(&number, &digits)) return std::nullopt;
    // The fraction is needed before its unit is known: read it in billionths.
    const bool has_point = scan.Peek() == '.';
    Wide billionths = 0;
    if (!scan.Fraction(kSecond, &billionths)) return std::nullopt;
    if (digits == 0 && !has_point) return std::nullopt;
    const Unit* unit = nullptr;
    for (const Unit& candidate : kDurationUnits) {
      if (unit == nullptr && scan.Skip(candidate.name)) unit = &candidate;
    }
    if (unit == nullptr || (unit->length == kDay && has_point)) return std::nullopt;
    total += number * unit->length + billionths * unit->length / kSecond;
    if (!Fits(total)) return std::nullopt;
  }
  return static_cast<DurationNs>(negative ? -total : total);
}

}  // namespace muster::manifest
