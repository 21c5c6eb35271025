// The library itself: versions, names, the log.
#include <array>

#include "bindings/c/handles.h"
#include "muster/log.h"

namespace {

constexpr std::uint32_t kAbi = 5;

constexpr std::array kDecisionNames = {"",      "start",  "start-again", "reserve", "make-room",
                                       "evict", "expire", "refuse",      "withdraw"};
constexpr std::array kCodeNames = {"MUSTER_OK",          "MUSTER_INVALID_ARGUMENT",
                                   "MUSTER_NOT_FOUND",   "MUSTER_FAILED_PRECONDITION",
                                   "MUSTER_UNAVAILABLE", "MUSTER_DATA_LOSS",
                                   "MUSTER_INTERNAL"};

template <typename Names>
const char* NameIn(const Names& names, std::int32_t index) {
  const auto i = static_cast<std::size_t>(index);
  return index >= 0 && i < names.size() ? names[i] : "";
}

}  // namespace

uint32_t muster_abi_version(void) { return kAbi; }
const char* muster_version(void) { return MUSTER_VERSION; }
int64_t muster_now(void) { return muster::WallClock(); }
const char* muster_decision_kind(int32_t kind) { return NameIn(kDecisionNames, kind); }
const char* muster_code_name(muster_code code) { return NameIn(kCodeNames, code); }

void muster_set_log_level(int32_t least) {
  if (least < MUSTER_DEBUG || least > MUSTER_OFF) return;
  muster::SetLogLevel(static_cast<muster::LogLevel>(least));
}

void muster_set_log_sink(muster_log_sink sink, void* context) {
  if (sink == nullptr) return muster::SetLogSink({});
  muster::SetLogSink([sink, context](muster::LogLevel level, std::string_view message) {
    const std::string ended(message);
    sink(context, static_cast<std::int32_t>(level), ended.c_str(), ended.size());
  });
}
