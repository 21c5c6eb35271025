// Times and durations as text.
#include <gtest/gtest.h>

#include <limits>

#include "bindings/manifest/manifest.h"
#include "engine/base/time_text.h"

namespace muster::manifest {
namespace {

constexpr TimeNs kNoon2026 = 1767268800 * kSecond;  // 2026-01-01T12:00:00Z

TEST(Time, ReadsRfc3339) {
  EXPECT_EQ(ParseTime("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(ParseTime("2026-01-01T12:00:00Z"), kNoon2026);
  EXPECT_EQ(ParseTime("2026-01-01T13:30:00+01:30"), kNoon2026);
  EXPECT_EQ(ParseTime("2026-01-01T04:00:00-08:00"), kNoon2026);
  EXPECT_EQ(ParseTime("2026-01-01T12:00:00.25Z"), kNoon2026 + 250 * kMillisecond);
  EXPECT_EQ(ParseTime("2026-01-01T12:00:00.0000000019Z"), kNoon2026 + 1);
  EXPECT_EQ(ParseTime("1969-12-31T23:59:59.5Z"), -kSecond / 2);
  EXPECT_EQ(ParseTime("2024-02-29T00:00:00Z"), 1709164800 * kSecond);
}

TEST(Time, RefusesWhatNoClockShows) {
  for (const char* text :
       {"", "2026-01-01", "2026-01-01T12:00:00", "2026-01-01 12:00:00Z", "2026-1-1T12:00:00Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2025-02-29T00:00:00Z",
        "2026-01-32T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T12:60:00Z",
        "2026-01-01T12:00:60Z", "2026-01-01T12:00:00.Z", "2026-01-01T12:00:00+0100",
        "2026-01-01T12:00:00+25:00", "2026-01-01T12:00:00Zz", "9999-01-01T00:00:00Z"}) {
    EXPECT_EQ(ParseTime(text), std::nullopt) << text;
  }
}

TEST(Time, FormatIsReadBackExactly) {
  EXPECT_EQ(FormatTime(kNoon2026), "2026-01-01T12:00:00Z");
  EXPECT_EQ(FormatTime(kNoon2026 + 250 * kMillisecond), "2026-01-01T12:00:00.25Z");
  EXPECT_EQ(FormatTime(kNoTime), "");
  for (const TimeNs time :
       {TimeNs{0}, TimeNs{-1}, kNoon2026 + 1, TimeNs{951782400} * kSecond,
        std::numeric_limits<TimeNs>::max(), std::numeric_limits<TimeNs>::min() + 1}) {
    EXPECT_EQ(ParseTime(FormatTime(time)), time) << FormatTime(time);
  }
}

TEST(Duration, ReadsGoNotationAndDays) {
  EXPECT_EQ(ParseDuration("0"), 0);
  EXPECT_EQ(ParseDuration("0s"), 0);
  EXPECT_EQ(ParseDuration("600s"), 600 * kSecond);
  EXPECT_EQ(ParseDuration("1h30m"), 5400 * kSecond);
  EXPECT_EQ(ParseDuration("1.5h"), 5400 * kSecond);
  EXPECT_EQ(ParseDuration(".5s"), 500 * kMillisecond);
  EXPECT_EQ(ParseDuration("250ms"), 250 * kMillisecond);
  EXPECT_EQ(ParseDuration("3us"), 3000);
  EXPECT_EQ(ParseDuration("3\u00B5s"), 3000);
  EXPECT_EQ(ParseDuration("7ns"), 7);
  EXPECT_EQ(ParseDuration("7d"), 7 * 86400 * kSecond);
  EXPECT_EQ(ParseDuration("-1m"), -60 * kSecond);
  EXPECT_EQ(ParseDuration("+1m"), 60 * kSecond);
}

TEST(Duration, RefusesWhatHasNoUnitOrDoesNotFit) {
  for (const char* text : {"", "-", "30", "s", "1x", "1h30", "1.5d", "1 h", ".s", "300000000h",
                           "99999999999999999999s", "1h-30m"}) {
    EXPECT_EQ(ParseDuration(text), std::nullopt) << text;
  }
}

TEST(Duration, FormatIsReadBackExactly) {
  EXPECT_EQ(FormatDuration(0), "0s");
  EXPECT_EQ(FormatDuration(5400 * kSecond), "1h30m");
  EXPECT_EQ(FormatDuration(250 * kMillisecond), "0.25s");
  for (const DurationNs duration :
       {DurationNs{1}, DurationNs{-90} * kSecond, DurationNs{90061} * kSecond + 7,
        std::numeric_limits<DurationNs>::max()}) {
    EXPECT_EQ(ParseDuration(FormatDuration(duration)), duration) << FormatDuration(duration);
  }
}

}  // namespace
}  // namespace muster::manifest
