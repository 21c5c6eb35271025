// The label that says how long a workload is expected to run: what its owner knows, or what a
// gateway has learnt from the past. Nothing ends a workload that runs longer.
#ifndef MUSTER_ENGINE_MODEL_EXPECTED_RUN_H_
#define MUSTER_ENGINE_MODEL_EXPECTED_RUN_H_

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace muster {

inline constexpr std::string_view kExpectedRunLabel = "muster.dev/expected-run";
inline constexpr std::int32_t kLongestExpectedRun = 2'147'483'647;

/// The seconds that the label's text says; nullopt: it is no whole number from 1 to
/// kLongestExpectedRun.
inline std::optional<std::int32_t> ParseExpectedRun(std::string_view text) {
  std::int32_t seconds = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seconds);
  if (error != std::errc() || stop != end || seconds < 1) return std::nullopt;
  return seconds;
}

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_EXPECTED_RUN_H_
