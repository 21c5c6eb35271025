// See text.h.
#include "bindings/metrics/text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>

namespace muster::metrics {
namespace {

std::string Number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

}  // namespace

std::string Labels(std::initializer_list<LabelPair> labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    if (!text.empty()) text += ',';
    text.append(name).append("=\"");
    for (const char c : value) {
      if (c == '\\' || c == '"') text += '\\';
      if (c == '\n') {
        text += "\\n";
      } else {
        text += c;
      }
    }
    text += '"';
  }
  return text;
}

void Text::Family(std::string_view name, std::string_view type, std::string_view help) {
  name_ = name;
  text_.append("# HELP ").append(name).append(" ").append(help).append("\n# TYPE ");
  text_.append(name).append(" ").append(type).append("\n");
}

void Text::Add(std::string_view labels, double value) { Line("", labels, "", Number(value)); }

void Text::Add(std::string_view labels, std::int64_t value) {
  Line("", labels, "", std::to_string(value));
}

void Text::Add(std::string_view labels, const Histogram& histogram) {
  std::int64_t below = 0;
  for (std::size_t i = 0; i < histogram.bounds().size(); ++i) {
    below += histogram.counts()[i];
    Line("_bucket", labels, Labels({{"le", Number(histogram.bounds()[i])}}), std::to_string(below));
  }
  const std::string total = std::to_string(histogram.total());
  Line("_bucket", labels, Labels({{"le", "+Inf"}}), total);
  Line("_sum", labels, "", Number(histogram.sum()));
  Line("_count", labels, "", total);
}

void Text::Line(std::string_view suffix, std::string_view labels, std::string_view more,
                std::string_view value) {
  text_.append(name_).append(suffix);
  if (!labels.empty() || !more.empty()) {
    text_.append("{").append(labels);
    if (!labels.empty() && !more.empty()) text_ += ',';
    text_.append(more).append("}");
  }
  text_.append(" ").append(value).append("\n");
}

}  // namespace muster::metrics
