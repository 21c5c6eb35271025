// Numbers of decisions and commits on the command line.
#ifndef MUSTER_BINDINGS_CLI_VERBS_DECISION_NUMBER_H_
#define MUSTER_BINDINGS_CLI_VERBS_DECISION_NUMBER_H_

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace muster::cli {

/// A whole number of at least 0.
inline std::optional<std::int64_t> DecisionNumber(std::string_view text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || value < 0) {
    return std::nullopt;
  }
  return value;
}

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_VERBS_DECISION_NUMBER_H_
