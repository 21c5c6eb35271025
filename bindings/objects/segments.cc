#include "bindings/objects/segments.h"

#include <algorithm>
#include <limits>

#include "bindings/objects/topology.h"
#include "bindings/objects/value.h"

namespace muster::objects {
namespace {

std::string_view Trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::optional<std::vector<std::pair<std::string, std::int32_t>>> SegmentsIn(std::string_view text) {
  std::vector<std::pair<std::string, std::int32_t>> segments;
  for (;;) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view one = text.substr(0, end);
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const std::string_view level = Trimmed(one.substr(0, equals));
    const auto size = WholeNumber(Trimmed(one.substr(equals + 1)));
    const bool counts = size && *size >= 1 && *size <= std::numeric_limits<std::int32_t>::max();
    if (!counts || !IsLabelName(level)) return std::nullopt;
    segments.emplace_back(level, static_cast<std::int32_t>(*size));
    if (end == text.size()) return segments;
    text.remove_prefix(end + 1);
  }
}

}  // namespace muster::objects
