// A plain scalar is used only where no YAML reader can take it for something else; everything else
// is quoted as JSON, which YAML understands.
#include "bindings/lab/yaml_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace muster::lab {
namespace {

constexpr std::size_t kMaxColumns = 100;

bool IsPlain(const std::string& text) {
  constexpr std::array<std::string_view, 10> kTaken = {"true", "false", "null", "yes", "no",
                                                       "on",   "off",   "y",    "n",   "nan"};
  if (text.empty() || std::isalpha(static_cast<unsigned char>(text.front())) == 0) return false;
  const auto harmless = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '/';
  };
  if (!std::all_of(text.begin(), text.end(), harmless)) return false;
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(kTaken.begin(), kTaken.end(), lower) == kTaken.end();
}

std::string Quoted(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string Scalar(const Json& json) {
  if (!json.is_string()) return Quoted(json);
  const std::string& text = json.get_ref<const std::string&>();
  return IsPlain(text) ? text : Quoted(json);
}

bool IsFlat(const Json& json) {
  return std::none_of(json.begin(), json.end(),
                      [](const Json& child) { return child.is_structured() && !child.empty(); });
}

/// True when `json` is written on the line it starts in, `column` being where that is.
bool FitsInLine(const Json& json, std::size_t column) {
  if (!json.is_structured() || json.empty()) return true;
  return IsFlat(json) && column + FlowYaml(json).size() <= kMaxColumns;
}

void AppendBlock(const Json& json, std::size_t indent, bool indent_first, std::string* out) {
  const std::string blanks(indent, ' ');
  bool first = true;
  const auto begin_line = [&](const std::string& head) {
    if (!first || indent_first) *out += blanks;
    first = false;
    *out += head;
  };
  for (const auto& [key, child] : json.items()) {
    const bool item = json.is_array();
    const std::string head = item ? "-" : Scalar(Json(key)) + ":";
    begin_line(head);
    if (FitsInLine(child, indent + head.size() + 1)) {
      *out += ' ' + FlowYaml(child) + '\n';
    } else if (item) {
      *out += ' ';
      AppendBlock(child, indent + 2, false, out);
    } else {
      *out += '\n';
      AppendBlock(child, child.is_array() ? indent : indent + 2, true, out);
    }
  }
}

}  // namespace

std::string FlowYaml(const Json& json) {
  if (!json.is_structured()) return Scalar(json);
  std::string text(1, json.is_array() ? '[' : '{');
  for (const auto& [key, child] : json.items()) {
    if (text.size() > 1) text += ", ";
    if (json.is_object()) text += Scalar(Json(key)) + ": ";
    text += FlowYaml(child);
  }
  return text + (json.is_array() ? ']' : '}');
}

std::string BlockYaml(const Json& json, std::size_t indent) {
  if (!json.is_structured() || json.empty()) {
    return std::string(indent, ' ') + FlowYaml(json) + '\n';
  }
  std::string text;
  AppendBlock(json, indent, true, &text);
  return text;
}

}  // namespace muster::lab
