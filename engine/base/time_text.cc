// Times as RFC 3339, durations as Go writes them. Whole-number arithmetic: nothing is rounded.
#include "engine/base/time_text.h"

#include <cstddef>

namespace muster {
namespace {

using Wide = __int128;

constexpr DurationNs kMinute = 60 * kSecond;
constexpr DurationNs kHour = 60 * kMinute;
constexpr int kNanoDigits = 9;

std::int64_t FloorDivide(std::int64_t value, std::int64_t unit) {
  return value / unit - (value % unit < 0 ? 1 : 0);
}

struct Date {
  std::int64_t year = 0, month = 0, day = 0;
};

Date CivilFromDays(std::int64_t days) {
  const std::int64_t z = days + 719468;
  const std::int64_t era = (z >= 0 ? z : z - 146096) / 146097;
  const std::int64_t doe = z - era * 146097;
  const std::int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  const std::int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  const std::int64_t mp = (5 * doy + 2) / 153;
  const std::int64_t month = mp < 10 ? mp + 3 : mp - 9;
  return {yoe + era * 400 + (month <= 2 ? 1 : 0), month, doy - (153 * mp + 2) / 5 + 1};
}

std::string Padded(std::int64_t value, std::size_t width) {
  std::string digits = std::to_string(value);
  return digits.size() < width ? std::string(width - digits.size(), '0') + digits : digits;
}

/// ".25" for 250'000'000 of 1'000'000'000, "" for 0.
std::string FractionText(std::int64_t part, std::size_t digits) {
  if (part == 0) return {};
  std::string text = Padded(part, digits);
  text.erase(text.find_last_not_of('0') + 1);
  return "." + text;
}

}  // namespace

std::string FormatTime(TimeNs time) {
  if (time == kNoTime) return {};
  const std::int64_t seconds = FloorDivide(time, kSecond);
  const std::int64_t days = FloorDivide(seconds, 86400);
  const std::int64_t rest = seconds - days * 86400;
  const Date date = CivilFromDays(days);
  return Padded(date.year, 4) + "-" + Padded(date.month, 2) + "-" + Padded(date.day, 2) + "T" +
         Padded(rest / 3600, 2) + ":" + Padded(rest / 60 % 60, 2) + ":" + Padded(rest % 60, 2) +
         FractionText(static_cast<std::int64_t>(Wide{time} - Wide{seconds} * kSecond),
                      kNanoDigits) +
         "Z";
}

std::string FormatDuration(DurationNs duration) {
  if (duration == 0) return "0s";
  const Wide magnitude = duration < 0 ? -Wide{duration} : Wide{duration};
  const auto hours = static_cast<std::int64_t>(magnitude / kHour);
  const auto minutes = static_cast<std::int64_t>(magnitude / kMinute % 60);
  const auto nanos = static_cast<std::int64_t>(magnitude % kMinute);
  std::string text = duration < 0 ? "-" : "";
  if (hours > 0) text += std::to_string(hours) + "h";
  if (minutes > 0) text += std::to_string(minutes) + "m";
  if (nanos > 0) {
    text += std::to_string(nanos / kSecond) + FractionText(nanos % kSecond, kNanoDigits) + "s";
  }
  return text;
}

}  // namespace muster
