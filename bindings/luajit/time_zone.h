// The rules of a time zone as a TZif file has them (RFC 8536, version 2 or later), and the files of
// the system. What a package was loaded with is part of it: nothing here is asked when it decides.
#ifndef MUSTER_BINDINGS_LUAJIT_TIME_ZONE_H_
#define MUSTER_BINDINGS_LUAJIT_TIME_ZONE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::luajit {

/// Where a package keeps the zones it declares: "zones/Europe/Zurich".
inline constexpr std::string_view kZoneFolder = "zones/";

class TimeZone {
 public:
  /// Nullopt when the bytes are no such file. Leap seconds are not counted.
  static std::optional<TimeZone> Parse(std::string_view bytes);

  /// Seconds east of Greenwich at `time`, in seconds since the epoch. O(log transitions).
  std::int32_t OffsetAt(std::int64_t time) const;

 private:
  /// A day of each year on which the rule for what is behind the last transition changes.
  struct Day {
    enum class Kind { kJulian, kZeroBased, kWeekday };
    Kind kind = Kind::kJulian;
    int day = 0;  ///< of the year; of kWeekday: 0 is Sunday
    int month = 0, week = 0;
    std::int32_t time = 7200;  ///< seconds behind midnight, as clocks show them before
  };
  struct Rule {
    std::int32_t standard = 0;
    std::int32_t summer = 0;
    bool has_summer = false;
    Day begin, end;
  };
  class RuleReader;
  static std::int64_t Begins(const Day& day, std::int64_t year);

  std::int32_t first_ = 0;  ///< before all transitions
  std::vector<std::int64_t> transitions_;
  std::vector<std::int32_t> offsets_;  ///< from each transition on
  std::optional<Rule> rule_;           ///< behind the last
};

/// Whether this may be the name of a zone: no way out of the folder of the system's zones.
bool IsZoneName(std::string_view name);

/// The system's file for a zone; nullopt when it has none.
std::optional<std::string> ReadSystemZone(std::string_view name);

/// Names of all zones of the system, sorted.
std::vector<std::string> SystemZones();

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_TIME_ZONE_H_
