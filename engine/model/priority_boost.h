// The annotation by which a workload gets a boost: a number added to its priority.
#ifndef MUSTER_ENGINE_MODEL_PRIORITY_BOOST_H_
#define MUSTER_ENGINE_MODEL_PRIORITY_BOOST_H_

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace muster {

inline constexpr std::string_view kPriorityBoostAnnotation = "kueue.x-k8s.io/priority-boost";
inline constexpr std::string_view kPriorityBoostGate = "PriorityBoost";

/// The boost that the annotation's text says; nullopt: it is no whole number of 32 bits.
inline std::optional<std::int32_t> ParseBoost(std::string_view text) {
  if (text.starts_with("+") && !text.starts_with("+-")) text.remove_prefix(1);
  std::int32_t boost = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, boost);
  if (error != std::errc() || stop != end) return std::nullopt;
  return boost;
}

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_PRIORITY_BOOST_H_
