// What Muster's bindings say while they work: a ledger opened, a policy taken into use or back, a
// policy that failed. Decisions are not logged; they are in the ledger and in what calls return.
//
// One log a process, behind spdlog: safe to use from several threads. Until one is chosen, it
// writes warnings and errors to stderr; the environment variable MUSTER_LOG (debug, info, warning,
// error, off) chooses before the first message.
#ifndef MUSTER_LOG_H_
#define MUSTER_LOG_H_

#include <functional>
#include <string_view>

namespace muster {

enum class LogLevel { kDebug, kInfo, kWarning, kError, kOff };

/// Takes one message, without a line end. Called with a lock held: it must not log, and not throw.
using LogSink = std::function<void(LogLevel, std::string_view message)>;

/// Messages below `least` are dropped from now on.
void SetLogLevel(LogLevel least);

/// Messages go to `sink` instead of stderr from now on; an empty sink restores stderr.
void SetLogSink(LogSink sink);

/// Writes one message. A dropped one costs a comparison.
void Log(LogLevel level, std::string_view message);

}  // namespace muster

#endif  // MUSTER_LOG_H_
