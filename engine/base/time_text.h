// Times and durations as people read them.
#ifndef MUSTER_ENGINE_BASE_TIME_TEXT_H_
#define MUSTER_ENGINE_BASE_TIME_TEXT_H_

#include <string>

#include "muster/types.h"

namespace muster {

/// RFC 3339 in UTC: "2026-01-01T12:00:00Z", with as many decimals as needed; "" for kNoTime.
std::string FormatTime(TimeNs time);

/// "1h30m", "0.25s", "0s"; manifest::ParseDuration reads it back exactly.
std::string FormatDuration(DurationNs duration);

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_TIME_TEXT_H_
