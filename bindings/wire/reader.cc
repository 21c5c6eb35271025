// What each kind of value may look like, and the words for what it looks like instead.
#include "bindings/wire/reader.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

#include "bindings/manifest/closest.h"
#include "bindings/manifest/encoding.h"
#include "bindings/manifest/manifest.h"
#include "bindings/manifest/quantity_hint.h"
#include "engine/base/shown.h"

namespace muster::wire {
namespace {

std::string_view NameOf(JsonKind kind) {
  switch (kind) {
    case JsonKind::kObject:
      return "an object";
    case JsonKind::kList:
      return "a list";
    case JsonKind::kString:
      return "a text";
    case JsonKind::kNumber:
      return "a number";
    case JsonKind::kTrue:
    case JsonKind::kFalse:
      return "a truth value";
    case JsonKind::kNull:
      return "null";
  }
  return "";
}

/// What a word that is none of `names` may have been meant to be. Only its beginning is looked at:
/// to compare is quadratic in letters.
std::string Proposal(std::string_view word, std::span<const std::string_view> names) {
  return manifest::ProposeName(word.substr(0, kMaxQuoted), names);
}

std::string Quoted(std::string_view text) { return "\"" + Shown(text) + "\""; }

}  // namespace

void Reader::SayAt(std::size_t offset, std::string what, std::string cure) {
  if (++count_ > kMaxMistakes) return;
  const manifest::Position at = manifest::PositionOf(text_, offset);
  mistakes_.push_back({at.line, at.column, path_.ToString(), std::move(what), std::move(cure)});
}

void Reader::Say(Node node, std::string what, std::string cure) {
  SayAt(tree_.offset(node), std::move(what), std::move(cure));
}

void Reader::SayMissing(Node object, std::string_view field, std::string cure) {
  Say(object, "field " + Quoted(field) + " is missing", std::move(cure));
}

void Reader::SayUnknown(Node node, std::string_view tag, std::span<const std::string_view> names) {
  for (Node n = tree_.first(node); n != JsonTree::kNone; n = tree_.next(n)) {
    const std::string_view name = tree_.name(n);
    if (name == tag || std::find(names.begin(), names.end(), name) != names.end()) continue;
    if (count_ > kMaxMistakes) return;
    SayAt(tree_.name_offset(n), "unknown field " + Quoted(name),
          names.empty() ? "there is no other field" : Proposal(name, names));
  }
}

Reader::Node Reader::Find(Node object, std::string_view name) const {
  Node n = tree_.first(object);
  while (n != JsonTree::kNone && tree_.name(n) != name) n = tree_.next(n);
  return n;
}

bool Reader::Expect(Node node, JsonKind kind, std::string_view what) {
  if (tree_.kind(node) == kind) return true;
  const bool null = tree_.kind(node) == JsonKind::kNull;
  Say(node, std::string(NameOf(tree_.kind(node))) + " where " + std::string(what) + " belongs",
      null ? "leave the field out for its default" : "write " + std::string(what));
  return false;
}

std::optional<std::size_t> Reader::ReadTag(Node object, std::string_view field,
                                           std::span<const std::string_view> words) {
  const Node node = Find(object, field);
  if (node == JsonTree::kNone) {
    SayMissing(object, field, "write one of " + manifest::Enumerate(words));
    return std::nullopt;
  }
  path_.Push(field);
  const auto word = ReadWord(node, words);
  path_.Pop();
  return word;
}

std::optional<std::size_t> Reader::ReadWord(Node node, std::span<const std::string_view> words) {
  if (!Expect(node, JsonKind::kString, "a text")) return std::nullopt;
  const auto found = std::find(words.begin(), words.end(), tree_.text(node));
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  Say(node, "unknown word " + Quoted(tree_.text(node)), Proposal(tree_.text(node), words));
  return std::nullopt;
}

void Reader::ReadBool(Node node, bool& value) {
  value = tree_.kind(node) == JsonKind::kTrue;
  if (!value) Expect(node, JsonKind::kFalse, "a truth value");
}

template <typename Whole>
void Reader::ReadWhole(Node node, Whole& value) {
  if (!Expect(node, JsonKind::kNumber, "a whole number")) return;
  const std::string_view digits = tree_.text(node);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size()) {
    Say(node, "the number " + Shown(digits) + " is not whole",
        "write it without point or exponent");
  } else if (error != std::errc()) {
    using Limits = std::numeric_limits<Whole>;
    Say(node, "the number " + Shown(digits) + " is out of range",
        "write one from " + std::to_string(Limits::min()) + " to " + std::to_string(Limits::max()));
  }
}
template void Reader::ReadWhole(Node node, std::int32_t& value);
template void Reader::ReadWhole(Node node, std::int64_t& value);

void Reader::ReadNumber(Node node, double& value) {
  if (!Expect(node, JsonKind::kNumber, "a number")) return;
  const std::string_view digits = tree_.text(node);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc()) return;
  Say(node, "the number " + Shown(digits) + " is out of range", "write one that a double can hold");
}

void Reader::ReadQuantity(Node node, Quantity& value) {
  if (tree_.kind(node) != JsonKind::kNumber && !Expect(node, JsonKind::kString, "a quantity")) {
    return;
  }
  const std::string_view text = tree_.text(node);
  const std::optional<Quantity> parsed = Quantity::Parse(text);
  value = parsed.value_or(Quantity());
  if (parsed) return;
  const std::string near = manifest::ProposeQuantity(text);
  Say(node, Quoted(text) + " is not a quantity",
      near.empty() ? "write it as Kubernetes does, as \"500m\", \"2\" or \"1Gi\""
                   : "write " + Quoted(near));
}

void Reader::ReadTime(Node node, TimeNs& value) {
  if (!Expect(node, JsonKind::kString, "a time")) return;
  const std::optional<TimeNs> parsed = manifest::ParseTime(tree_.text(node));
  value = parsed.value_or(kNoTime);
  if (parsed) return;
  Say(node, Quoted(tree_.text(node)) + " is not a time",
      manifest::TimeCure(tree_.text(node), "write it in RFC 3339, as \"2026-01-01T12:00:00Z\""));
}

void Reader::ReadDuration(Node node, DurationNs& value) {
  if (!Expect(node, JsonKind::kString, "a duration")) return;
  const std::optional<DurationNs> parsed = manifest::ParseDuration(tree_.text(node));
  value = parsed.value_or(0);
  if (parsed) return;
  Say(node, Quoted(tree_.text(node)) + " is not a duration",
      "write it with units, as \"1h30m\" or \"45s\"");
}

}  // namespace muster::wire
