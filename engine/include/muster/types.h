// Basic vocabulary of the engine: time, amounts, object names.
//
// Time is an argument everywhere: the engine never reads a clock. All times are signed 64-bit
// nanoseconds since the Unix epoch; conditions are compared at one-second resolution, as Kueue
// stores them.
#ifndef MUSTER_TYPES_H_
#define MUSTER_TYPES_H_

#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <string>

namespace muster {

using TimeNs = std::int64_t;      ///< nanoseconds since the Unix epoch, UTC
using DurationNs = std::int64_t;  ///< nanoseconds

inline constexpr TimeNs kNoTime = std::numeric_limits<TimeNs>::min();  ///< "not set"
inline constexpr DurationNs kMillisecond = 1'000'000;
inline constexpr DurationNs kSecond = 1'000'000'000;

/// `t` cut down to whole seconds: the resolution at which condition times are stored.
constexpr TimeNs CutToSecond(TimeNs t) {
  const TimeNs rest = t % kSecond;
  return t - (rest < 0 ? rest + kSecond : rest);
}

/// Quantity of one resource in the engine's base unit: milli-cores for `cpu`, whole units (bytes,
/// devices, pods) for everything else. Arithmetic on amounts saturates (see engine/base/amount.h).
using Amount = std::int64_t;
inline constexpr Amount kUnlimited = std::numeric_limits<Amount>::max();

/// Name of a namespaced object. Ordered and compared by namespace, then name.
struct Key {
  std::string ns;
  std::string name;
  auto operator<=>(const Key&) const = default;
  /// "namespace/name", the form users read and write.
  std::string ToString() const { return ns + "/" + name; }
};

/// Labels, node labels, node selectors: sorted, so iteration order is deterministic.
using LabelMap = std::map<std::string, std::string, std::less<>>;

}  // namespace muster

#endif  // MUSTER_TYPES_H_
