// What an unquoted scalar means. Kubernetes reads YAML 1.1 booleans (yes, on) and C-like integers.
#include <algorithm>
#include <array>
#include <cstddef>

#include "bindings/manifest/yaml_node.h"
#include "engine/base/ascii.h"

namespace muster::manifest {
namespace {

constexpr std::array<std::string_view, 9> kTrue = {"true", "True", "TRUE", "yes", "Yes",
                                                   "YES",  "on",   "On",   "ON"};
constexpr std::array<std::string_view, 9> kFalse = {"false", "False", "FALSE", "no", "No",
                                                    "NO",    "off",   "Off",   "OFF"};
constexpr std::array<std::string_view, 5> kNulls = {"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 11> kSpecialFloats = {
    ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF", ".nan", ".NaN"};

template <std::size_t N>
bool IsOneOf(const std::array<std::string_view, N>& words, std::string_view text) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool AllOf(std::string_view text, std::string_view alphabet) {
  return !text.empty() && text.find_first_not_of(alphabet) == std::string_view::npos;
}

bool IsInt(std::string_view digits) {
  if (digits.starts_with("0x")) return AllOf(digits.substr(2), "0123456789abcdefABCDEF_");
  if (digits.starts_with("0b")) return AllOf(digits.substr(2), "01_");
  if (digits.starts_with("0o")) return AllOf(digits.substr(2), "01234567_");
  return !digits.empty() && IsDigit(digits.front()) && AllOf(digits, "0123456789_");
}

bool IsFloat(std::string_view text) {
  std::size_t i = 0;
  const auto skip_digits = [&] {
    const std::size_t start = i;
    while (i < text.size() && IsDigit(text[i])) ++i;
    return i - start;
  };
  std::size_t digits = skip_digits();
  if (i < text.size() && text[i] == '.') {
    ++i;
    digits += skip_digits();
  }
  if (digits == 0) return false;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (skip_digits() == 0) return false;
  }
  return i == text.size();
}

}  // namespace

PlainType PlainTypeOf(std::string_view text) {
  if (IsOneOf(kNulls, text)) return PlainType::kNull;
  if (IsOneOf(kTrue, text) || IsOneOf(kFalse, text)) return PlainType::kBool;
  if (IsOneOf(kSpecialFloats, text)) return PlainType::kFloat;
  const std::string_view digits =
      text.front() == '-' || text.front() == '+' ? text.substr(1) : text;
  if (IsInt(digits)) return PlainType::kInt;
  if (IsFloat(digits)) return PlainType::kFloat;
  return PlainType::kText;
}

bool PlainBool(std::string_view text) { return IsOneOf(kTrue, text); }

}  // namespace muster::manifest
