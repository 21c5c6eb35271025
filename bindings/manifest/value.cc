// Scalars and maps, as strictly as the Kubernetes API reads them: a number is no text and a quoted
// number is no number. Every complaint shows the text that would be right.
#include "bindings/manifest/value.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "bindings/manifest/closest.h"
#include "bindings/manifest/names.h"
#include "bindings/manifest/quantity_hint.h"
#include "bindings/manifest/quote.h"
#include "engine/model/limits.h"

namespace muster::manifest {
namespace {

std::string Describe(const YamlNode& node) {
  switch (node.kind) {
    case NodeKind::kNull:
      return "nothing";
    case NodeKind::kMap:
      return "a mapping";
    case NodeKind::kList:
      return "a list";
    case NodeKind::kScalar:
      break;
  }
  if (node.quoted) return "the text " + Quoted(node.text());
  switch (PlainTypeOf(node.text())) {
    case PlainType::kBool:
      return "the truth value " + node.text();
    case PlainType::kInt:
    case PlainType::kFloat:
      return "the number " + Quoted(node.text());
    default:
      return "the text " + Quoted(node.text());
  }
}

/// The scalar; a number as JSON writes it, so that every notation of it reads alike.
std::string NumberText(const YamlNode& node) {
  std::optional<std::string> number;
  if (!node.quoted) number = JsonNumber(node.text());
  return number ? *std::move(number) : std::string(node.text());
}

bool IsPlain(const YamlNode& node, PlainType type) {
  return node.kind == NodeKind::kScalar && !node.quoted && PlainTypeOf(node.text()) == type;
}

/// Decimal digits with an optional sign; nullopt for other notations (YAML 1.1 takes a leading zero
/// for octal) and for overflow.
template <typename T>
std::optional<T> ParseWhole(std::string_view text) {
  if (text.starts_with("+")) text.remove_prefix(1);
  const std::string_view digits = text.substr(text.starts_with("-") ? 1 : 0);
  if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

template <typename T>
bool ReadWhole(const Value& value, T* out) {
  const YamlNode& node = value.node();
  if (node.kind == NodeKind::kScalar && node.quoted && ParseWhole<T>(node.text())) {
    value.Error("must be a whole number, not the text " + Quoted(node.text()),
                "write " + node.text() + " without quotes");
    return false;
  }
  if (!IsPlain(node, PlainType::kInt)) {
    value.Error("must be a whole number, not " + Describe(node), "write a number such as 3");
    return false;
  }
  const std::optional<T> number = ParseWhole<T>(node.text());
  if (!number) {
    const std::string bound = node.text().starts_with("-")
                                  ? "least " + std::to_string(std::numeric_limits<T>::min())
                                  : "most " + std::to_string(std::numeric_limits<T>::max());
    value.Error("cannot be " + Quoted(node.text()), "write a decimal number of at " + bound);
    return false;
  }
  *out = *number;
  return true;
}

template <typename Map>
bool ReadMap(const Value& value, Map* out) {
  if (!value.ExpectMap()) return false;
  bool ok = true;
  out->clear();
  for (const YamlEntry& entry : value.node().entries()) {
    typename Map::mapped_type element{};
    ok = Read(Value(entry, value.decoding()), &element) && ok;
    out->emplace(entry.key->text(), std::move(element));
  }
  return ok;
}

}  // namespace

std::string Value::Subject() const { return (is_item_ ? "an item of " : "") + Quoted(name_); }

void Value::Error(const std::string& what, std::string cure) const {
  decoding_->reporter.Error(at(), Subject() + " " + what, std::move(cure));
}

bool Value::ExpectList() const {
  if (node_->kind == NodeKind::kList) return true;
  Error("must be a list, not " + Describe(*node_), "begin each item on its own line with \"- \"");
  return false;
}

bool Value::ExpectMap() const {
  if (node_->kind == NodeKind::kMap) return true;
  Error("must be a mapping, not " + Describe(*node_), node_->kind == NodeKind::kList
                                                          ? "remove the \"- \" before its fields"
                                                          : "write its fields below it, indented");
  return false;
}

bool Value::ExpectScalar(std::string_view expected, const std::string& cure) const {
  if (node_->kind == NodeKind::kScalar) return true;
  Error("must be " + std::string(expected) + ", not " + Describe(*node_), cure);
  return false;
}

bool Read(const Value& value, std::string* out) {
  const YamlNode& node = value.node();
  const bool is_null = node.kind == NodeKind::kNull;
  if (!value.ExpectScalar("a text", is_null ? "write \"\" for an empty one" : "write a text")) {
    return false;
  }
  if (!node.quoted && PlainTypeOf(node.text()) != PlainType::kText) {
    value.Error("must be a text, not " + Describe(node),
                "write \"" + node.text() + "\" with quotes");
    return false;
  }
  *out = node.text();
  return true;
}

bool Read(const Value& value, muster::Text* out) {
  std::string text;
  if (!Read(value, &text)) return false;
  *out = text;
  return true;
}

bool Read(const Value& value, bool* out) {
  const YamlNode& node = value.node();
  if (!IsPlain(node, PlainType::kBool)) {
    const bool quoted = node.quoted && PlainTypeOf(node.text()) == PlainType::kBool;
    value.Error("must be true or false, not " + Describe(node),
                quoted ? "write " + std::string(PlainBool(node.text()) ? "true" : "false") +
                             " without quotes"
                       : "write true or false");
    return false;
  }
  *out = PlainBool(node.text());
  return true;
}

bool Read(const Value& value, std::int32_t* out) { return ReadWhole(value, out); }
bool Read(const Value& value, std::int64_t* out) { return ReadWhole(value, out); }

bool Read(const Value& value, double* out) {
  const YamlNode& node = value.node();
  const bool numeric = IsPlain(node, PlainType::kInt) || IsPlain(node, PlainType::kFloat);
  const std::string text = NumberText(node);
  if (IsPlain(node, PlainType::kFloat) && !JsonNumber(node.text())) return false;  // reported
  double number = 0;
  const char* const end = text.data() + text.size();
  if (!numeric || std::from_chars(text.data(), end, number).ptr != end || !std::isfinite(number)) {
    value.Error("must be a number, not " + Describe(node), "write a number such as 0.5");
    return false;
  }
  *out = number;
  return true;
}

bool Read(const Value& value, Quantity* out) {
  const YamlNode& node = value.node();
  constexpr std::string_view kCure = "write for example 2, 500m or 10Gi";
  if (!value.ExpectScalar("a quantity", std::string(kCure))) return false;
  const std::optional<Quantity> quantity = Quantity::Parse(NumberText(node));
  if (!quantity) {
    const std::string hint = ProposeQuantity(node.text());
    value.Error("must be a quantity, not " + Quoted(node.text()),
                hint.empty() ? std::string(kCure) : "write " + hint);
    return false;
  }
  *out = *quantity;
  return true;
}

bool ReadTime(const Value& value, TimeNs* out) {
  constexpr std::string_view kCure = "write for example \"2026-01-01T12:00:00Z\"";
  if (!value.ExpectScalar("a time", std::string(kCure))) return false;
  const std::optional<TimeNs> time = ParseTime(value.node().text());
  if (!time) {
    const std::string_view text = value.node().text();
    value.Error("must be a time, not " + Quoted(text), TimeCure(text, kCure));
    return false;
  }
  *out = *time;
  return true;
}

bool ReadDuration(const Value& value, DurationNs* out) {
  constexpr std::string_view kCure = "write for example 30s, 5m or 1h30m";
  if (!value.ExpectScalar("a duration", std::string(kCure))) return false;
  const std::string text(value.node().text());
  const std::optional<DurationNs> duration = ParseDuration(text);
  if (!duration) {
    const bool has_seconds = ParseDuration(text + "s").has_value();
    value.Error("must be a duration, not " + Quoted(text),
                has_seconds ? "write its unit, for example " + text + "s" : std::string(kCure));
    return false;
  }
  if (*duration < 0) {
    value.Error("cannot be negative, as " + Quoted(text) + " is", std::string(kCure));
    return false;
  }
  *out = *duration;
  return true;
}

bool ReadDnsName(const Value& value, bool dots, std::string* out) {
  if (!Read(value, out)) return false;
  if (dots ? IsDnsSubdomain(*out) : IsDnsLabel(*out)) return true;
  const std::size_t longest = dots ? kMaxNameLength : kMaxShortNameLength;
  const std::string hint = ProposeDnsName(*out, dots);
  if (out->size() > longest) {
    value.Error(
        "has " + std::to_string(out->size()) + " characters, more than " + std::to_string(longest),
        "shorten it");
    return false;
  }
  if (IsLooseName(*out, dots)) {
    value.decoding().reporter.Warning(
        value.at(), "Kubernetes would refuse the name " + Quoted(*out), "write " + hint);
    return true;
  }
  value.Error("must be lower-case letters, digits" +
                  std::string(dots ? ", '-' and '.'" : " and '-'") +
                  " with a letter or digit at both ends, not " + Quoted(*out),
              hint.empty() ? "write for example team-a" : "write " + hint);
  return false;
}

bool ReadDnsName(const Value& value, bool dots, muster::Text* out) {
  std::string name;
  const bool ok = ReadDnsName(value, dots, &name);
  *out = name;
  return ok;
}

bool Read(const Value& value, LabelMap* out) { return ReadMap(value, out); }
bool Read(const Value& value, ResourceList* out) { return ReadMap(value, out); }
bool Read(const Value& value, std::map<std::string, double, std::less<>>* out) {
  return ReadMap(value, out);
}
bool Read(const Value& value, std::map<std::string, bool, std::less<>>* out) {
  return ReadMap(value, out);
}

std::optional<std::size_t> ReadWord(const Value& value, std::span<const std::string_view> names) {
  std::vector<std::string_view> offered;
  for (const std::string_view name : names) {
    if (!name.empty()) offered.push_back(name);
  }
  if (!value.ExpectScalar("a word", "write one of " + Enumerate(offered))) return std::nullopt;
  const std::string_view word = value.node().text();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == word) return i;
  }
  value.Error("cannot be " + Quoted(word), (offered.size() == 1 ? "write " : "write one of ") +
                                               Enumerate(ByCloseness(word, offered)));
  return std::nullopt;
}

}  // namespace muster::manifest
