// Numbers and places of mistakes in logs.
#ifndef MUSTER_BINDINGS_SIMULATE_NUMBER_H_
#define MUSTER_BINDINGS_SIMULATE_NUMBER_H_

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
  const auto reads = [word](auto& value) {
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, value);
    return error == std::errc() && stop == end;
  };
  std::int64_t whole = 0;  // the rule, and read faster
  double value = 0;
  if (reads(whole)) {
    value = static_cast<double>(whole);
  } else if (!reads(value)) {
    return std::nullopt;
  }
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
