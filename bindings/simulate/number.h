// Numbers and places of mistakes in logs.
#ifndef MUSTER_BINDINGS_SIMULATE_NUMBER_H_
#define MUSTER_BINDINGS_SIMULATE_NUMBER_H_

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "muster/status.h"
#include "muster/types.h"

namespace muster::simulate {

/// No time in a log lies further from its origin: a century, in seconds.
inline constexpr double kLongestLog = 3.2e9;

/// No size, duration or number of a job in a log is larger: exact as a double, and far from what
/// arithmetic on it could overflow.
inline constexpr double kMostInLog = 1e15;
/// Units of one job; a pod may be a unit.
inline constexpr double kMostUnits = 1e9;

/// `word` as a whole is a number of at most kMostInLog.
inline std::optional<double> NumberIn(std::string_view word) {
  double value = 0;
  // Whole numbers are the rule, and need none of what others do.
  constexpr std::size_t kDigits = 15;  // all of them stay below kMostInLog
  const bool whole =
      !word.empty() && word.size() <= kDigits &&
      std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (whole) {
    std::int64_t number = 0;
    for (const char c : word) number = 10 * number + (c - '0');
    return static_cast<double>(number);
  }
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  if (!(value >= -kMostInLog && value <= kMostInLog)) return std::nullopt;  // nor is NaN
  return value;
}

/// `seconds`, to the nanosecond; what is beyond kLongestLog is cut.
inline DurationNs Seconds(double seconds) {
  const double cut = seconds > kLongestLog ? kLongestLog : seconds < -1 ? -1 : seconds;
  return static_cast<DurationNs>(cut * static_cast<double>(kSecond));
}

inline double InSeconds(DurationNs time) {
  return static_cast<double>(time) / static_cast<double>(kSecond);
}

inline Status MistakeAt(std::string_view file, int line, std::size_t column,
                        const std::string& what, const std::string& cure) {
  return {StatusCode::kInvalidArgument, std::string(file) + ":" + std::to_string(line) + ":" +
                                            std::to_string(column) + ": " + what + "; " + cure};
}

}  // namespace muster::simulate

#endif  // MUSTER_BINDINGS_SIMULATE_NUMBER_H_
