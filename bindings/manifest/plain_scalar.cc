// What an unquoted scalar means. Kubernetes reads YAML 1.1 booleans (yes, on) and C-like integers.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>

#include "bindings/manifest/yaml_node.h"
#include "engine/base/ascii.h"

namespace muster::manifest {
namespace {

constexpr std::array<std::string_view, 9> kTrue = {"true", "True", "TRUE", "yes", "Yes",
                                                   "YES",  "on",   "On",   "ON"};
constexpr std::array<std::string_view, 9> kFalse = {"false", "False", "FALSE", "no", "No",
                                                    "NO",    "off",   "Off",   "OFF"};
constexpr std::array<std::string_view, 5> kNulls = {"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 12> kSpecialFloats = {".inf",  ".Inf",  ".INF",  "+.inf",
                                                             "+.Inf", "+.INF", "-.inf", "-.Inf",
                                                             "-.INF", ".nan",  ".NaN",  ".NAN"};

template <std::size_t N>
bool IsOneOf(const std::array<std::string_view, N>& words, std::string_view text) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool AllOf(std::string_view text, std::string_view alphabet) {
  return !text.empty() && text.find_first_not_of(alphabet) == std::string_view::npos;
}

/// Digits of another base than ten, which their beginning tells.
struct Notation {
  int base = 10;
  std::string digits;  ///< without what tells the base, and without underscores
};

Notation NotationOf(std::string_view digits) {
  Notation out;
  std::size_t head = 0;
  if (digits.size() > 1 && digits[0] == '0') {
    const char mark = digits[1];
    out.base = mark == 'x' || mark == 'X' ? 16 : mark == 'b' || mark == 'B' ? 2 : 8;
    head = out.base != 8 || mark == 'o' || mark == 'O' ? 2 : 1;
  }
  out.digits = digits.substr(head);
  std::erase(out.digits, '_');
  return out;
}

std::optional<std::uint64_t> NumberOf(const Notation& notation) {
  std::uint64_t number = 0;
  const char* const end = notation.digits.data() + notation.digits.size();
  const auto read = std::from_chars(notation.digits.data(), end, number, notation.base);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return number;
}

std::string_view WithoutSign(std::string_view text) {
  return text.starts_with('-') || text.starts_with('+') ? text.substr(1) : text;
}

bool IsInt(std::string_view digits) {
  if (digits.empty() || !IsDigit(digits.front())) return false;
  return AllOf(digits, "0123456789_") || NumberOf(NotationOf(digits)).has_value();
}

/// Beyond all doubles, which makes it a text; what is too small for them is 0.
bool IsTooLarge(std::string_view decimal) {
  double number = 0;
  const char* const end = decimal.data() + decimal.size();
  const bool fits = std::from_chars(decimal.data(), end, number).ec == std::errc();
  const std::size_t exponent = decimal.find_first_of("eE");
  return !fits && (exponent == decimal.npos || decimal.find('-', exponent) == decimal.npos);
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
  return i == text.size() && !IsTooLarge(text);
}

}  // namespace

PlainType PlainTypeOf(std::string_view text) {
  // Most texts: no number begins so, nor one of the words above.
  constexpr std::string_view kTextBegins = "abcdeghijklmpqrsuvwxzABCDEGHIJKLMPQRSUVWXZ/";
  if (!text.empty() && kTextBegins.find(text.front()) != std::string_view::npos) {
    return PlainType::kText;
  }
  if (IsOneOf(kNulls, text)) return PlainType::kNull;
  if (IsOneOf(kTrue, text) || IsOneOf(kFalse, text)) return PlainType::kBool;
  if (IsOneOf(kSpecialFloats, text)) return PlainType::kFloat;
  const std::string_view digits = WithoutSign(text);
  if (IsInt(digits)) return PlainType::kInt;
  // Digits may be grouped behind the first of them, but none where a point stands first.
  std::string ungrouped(digits);
  if (text.front() != '.' && text.front() != '_') std::erase(ungrouped, '_');
  return IsFloat(ungrouped) ? PlainType::kFloat : PlainType::kText;
}

std::optional<std::string> JsonNumber(std::string_view text) {
  const PlainType type = PlainTypeOf(text);
  const bool is_number = type == PlainType::kInt || type == PlainType::kFloat;
  if (!is_number || IsOneOf(kSpecialFloats, text)) return std::nullopt;
  const std::string_view digits = WithoutSign(text);
  const std::string sign = text.starts_with('-') ? "-" : "";
  if (type == PlainType::kInt) {
    const Notation notation = NotationOf(digits);
    // What begins with 0 and has an 8 or 9 is decimal, and so are more digits than 64 bits hold.
    if (const auto number = NumberOf(notation); number && notation.base != 10) {
      return sign + std::to_string(*number);
    }
  }
  std::string decimal(digits);
  std::erase(decimal, '_');
  const std::size_t zeros = std::min(decimal.find_first_not_of('0'), decimal.size());
  decimal.erase(0, zeros);
  if (decimal.empty() || !IsDigit(decimal.front())) decimal.insert(0, 1, '0');
  const std::size_t point = decimal.find('.');
  const bool has_fraction =
      point != decimal.npos && point + 1 < decimal.size() && IsDigit(decimal[point + 1]);
  if (point != decimal.npos && !has_fraction) decimal.erase(point, 1);
  return sign + decimal;
}

bool PlainBool(std::string_view text) { return IsOneOf(kTrue, text); }

}  // namespace muster::manifest
