// The one file that knows spdlog.
#include "muster/log.h"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "engine/base/harmless.h"

namespace muster {
namespace {

using Level = spdlog::level::level_enum;

Level ToSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return Level::debug;
    case LogLevel::kInfo:
      return Level::info;
    case LogLevel::kWarning:
      return Level::warn;
    case LogLevel::kError:
      return Level::err;
    case LogLevel::kOff:
      return Level::off;
  }
  return Level::off;
}

LogLevel FromSpdlog(Level level) {
  switch (level) {
    case Level::trace:
    case Level::debug:
      return LogLevel::kDebug;
    case Level::info:
      return LogLevel::kInfo;
    case Level::warn:
      return LogLevel::kWarning;
    default:
      return LogLevel::kError;
  }
}

/// stderr, or what took its place.
class Target : public spdlog::sinks::base_sink<std::mutex> {
 public:
  void Replace(LogSink listener) {
    const std::lock_guard<std::mutex> lock(mutex_);
    listener_ = std::move(listener);
  }

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (listener_) {
      listener_(FromSpdlog(message.level), {message.payload.data(), message.payload.size()});
    } else {
      stderr_.log(message);
    }
  }
  void flush_() override { stderr_.flush(); }
  void set_pattern_(const std::string& pattern) override { stderr_.set_pattern(pattern); }
  void set_formatter_(std::unique_ptr<spdlog::formatter> formatter) override {
    stderr_.set_formatter(std::move(formatter));
  }

 private:
  LogSink listener_;
  spdlog::sinks::stderr_color_sink_st stderr_;
};

/// The level that MUSTER_LOG names; warnings when it names none.
Level LevelOfEnvironment() {
  const char* name = std::getenv("MUSTER_LOG");  // NOLINT(concurrency-mt-unsafe): read once
  if (name == nullptr) return Level::warn;
  const Level level = spdlog::level::from_str(name);
  // An unknown name reads as "off", which must not be got by mistake.
  return level == Level::off && std::string(name) != "off" ? Level::warn : level;
}

struct TheLog {
  TheLog() : logger("muster", target) {
    logger.set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %n: %^%l%$: %v", spdlog::pattern_time_type::utc);
    logger.set_level(LevelOfEnvironment());
    logger.flush_on(Level::warn);
  }
  std::shared_ptr<Target> target = std::make_shared<Target>();
  spdlog::logger logger;
};

TheLog& Instance() {
  static TheLog log;
  return log;
}

}  // namespace

void SetLogLevel(LogLevel least) { Instance().logger.set_level(ToSpdlog(least)); }

void SetLogSink(LogSink sink) { Instance().target->Replace(std::move(sink)); }

void Log(LogLevel level, std::string_view message) {
  spdlog::logger& logger = Instance().logger;
  if (!logger.should_log(ToSpdlog(level))) return;
  const std::string shown = Harmless(std::string(message), "\n\t");
  logger.log(ToSpdlog(level), spdlog::string_view_t(shown.data(), shown.size()));
}

}  // namespace muster
