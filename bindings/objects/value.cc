#include "bindings/objects/value.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace muster::objects {
namespace {

const Value kNothing;

/// The item of a list that digits name; null for none.
const Value* ItemAt(const Value& list, std::string_view digits) {
  const auto index = WholeNumber(digits);
  if (!index || *index < 0 || *index >= static_cast<std::int64_t>(list.items.size())) {
    return nullptr;
  }
  return &list.items[static_cast<std::size_t>(*index)];
}

template <typename Keys>
const Value& Follow(const Value& from, const Keys& keys) {
  const Value* at = &from;
  for (const auto& key : keys) {
    at = at->IsList() ? ItemAt(*at, key) : at->Find(key);
    if (at == nullptr) return kNothing;
  }
  return *at;
}

void AppendQuoted(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

/// The next line of a layout; nothing where all stands in one.
void Break(std::string& out, int indent) {
  if (indent < 0) return;
  out += '\n';
  out.append(static_cast<std::size_t>(indent), ' ');
}

constexpr int kInOneLine = -1;
constexpr int kIndent = 2;

/// `indent` is that of what stands in `value`, or kInOneLine.
void AppendJson(std::string& out, const Value& value, int indent) {
  const int below = indent < 0 ? kInOneLine : indent + kIndent;
  const int above = indent < 0 ? kInOneLine : indent - kIndent;
  switch (value.kind) {
    case ValueKind::kNull:
      out += "null";
      return;
    case ValueKind::kBool:
      out += value.truth ? "true" : "false";
      return;
    case ValueKind::kNumber:
      out += value.text;
      return;
    case ValueKind::kText:
      AppendQuoted(out, value.text);
      return;
    case ValueKind::kList: {
      out += '[';
      for (const Value& item : value.items) {
        if (&item != &value.items.front()) out += ',';
        Break(out, indent);
        AppendJson(out, item, below);
      }
      if (!value.items.empty()) Break(out, above);
      out += ']';
      return;
    }
    case ValueKind::kMap: {
      out += '{';
      for (const auto& entry : value.entries) {
        if (&entry != &value.entries.front()) out += ',';
        Break(out, indent);
        AppendQuoted(out, entry.first);
        out += indent < 0 ? ":" : ": ";
        AppendJson(out, entry.second, below);
      }
      if (!value.entries.empty()) Break(out, above);
      out += '}';
    }
  }
}

std::string Escaped(std::string_view key) {
  std::string out;
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

/// A value that is new, split down to its leaves.
void AddLeaves(const std::string& pointer, const Value& value, std::vector<Change>* out) {
  if (!value.IsMap() || value.entries.empty()) {
    out->push_back({pointer, value});
    return;
  }
  for (const auto& [key, child] : value.entries) {
    AddLeaves(pointer + "/" + Escaped(key), child, out);
  }
}

void RemoveLeaves(const std::string& pointer, const Value& value, std::vector<Change>* out) {
  if (!value.IsMap() || value.entries.empty()) {
    out->push_back({pointer, Value()});
    return;
  }
  for (const auto& [key, child] : value.entries) {
    RemoveLeaves(pointer + "/" + Escaped(key), child, out);
  }
}

void Compare(const std::string& pointer, const Value& before, const Value& after,
             std::vector<Change>* out) {
  if (before == after) return;
  if (before.IsNull()) return AddLeaves(pointer, after, out);
  if (after.IsNull()) return RemoveLeaves(pointer, before, out);
  if (before.IsMap() && after.IsMap()) {
    for (const auto& [key, child] : before.entries) {
      Compare(pointer + "/" + Escaped(key), child, after.At(key), out);
    }
    for (const auto& [key, child] : after.entries) {
      if (!before.Has(key)) Compare(pointer + "/" + Escaped(key), Value(), child, out);
    }
    return;
  }
  if (before.IsList() && after.IsList() && before.items.size() == after.items.size()) {
    for (std::size_t i = 0; i < before.items.size(); ++i) {
      Compare(pointer + "/" + std::to_string(i), before.items[i], after.items[i], out);
    }
    return;
  }
  out->push_back({pointer, after});
}

}  // namespace

Value Value::Of(ValueKind kind) {
  Value value;
  value.kind = kind;
  return value;
}

Value Value::Text(std::string_view text) {
  Value value = Of(ValueKind::kText);
  value.text = text;
  return value;
}

Value Value::Number(std::int64_t number) {
  Value value = Of(ValueKind::kNumber);
  value.text = std::to_string(number);
  return value;
}

Value Value::Bool(bool truth) {
  Value value = Of(ValueKind::kBool);
  value.truth = truth;
  return value;
}

Value Value::Texts(std::initializer_list<std::pair<std::string_view, std::string_view>> pairs) {
  Value value = Map();
  for (const auto& [key, text] : pairs) value.entries.emplace_back(key, Text(text));
  return value;
}

const Value* Value::Find(std::string_view key) const {
  for (const auto& entry : entries) {
    if (entry.first == key) return entry.second.IsNull() ? nullptr : &entry.second;
  }
  return nullptr;
}

Value* Value::Find(std::string_view key) {
  return const_cast<Value*>(std::as_const(*this).Find(key));
}

const Value& Value::At(std::initializer_list<std::string_view> keys) const {
  return Follow(*this, keys);
}

const Value& Value::At(const ValuePath& path) const { return Follow(*this, path); }

Value& Value::Make(std::string_view key) {
  if (IsList()) {
    // A list grows by one item at a time, whatever the index says.
    const auto most = static_cast<std::int64_t>(items.size());
    const std::int64_t index = std::clamp<std::int64_t>(WholeNumber(key).value_or(0), 0, most);
    return index == most ? items.emplace_back() : items[static_cast<std::size_t>(index)];
  }
  if (!IsMap()) *this = Map();
  for (auto& entry : entries) {
    if (entry.first == key) return entry.second;
  }
  return entries.emplace_back(key, Value()).second;
}

Value& Value::Make(std::initializer_list<std::string_view> keys) {
  Value* at = this;
  for (const std::string_view key : keys) at = &at->Make(key);
  return *at;
}

Value& Value::Make(const ValuePath& path) {
  Value* at = this;
  for (const std::string& key : path) at = &at->Make(key);
  return *at;
}

void Value::Default(std::string_view key, Value value) {
  Value& entry = Make(key);
  if (entry.IsNull()) entry = std::move(value);
}

void Value::Remove(std::string_view key) {
  std::erase_if(entries, [key](const auto& entry) { return entry.first == key; });
}

std::optional<std::int64_t> Value::Int() const {
  if (kind != ValueKind::kNumber) return std::nullopt;
  const std::optional<std::int64_t> number = WholeNumber(text);
  if (number) return std::clamp(*number, -kMostInt, kMostInt);
  // Digits too many for 64 bits are a number all the same.
  const std::string_view digits = std::string_view(text).substr(text.starts_with('-') ? 1 : 0);
  const bool is_whole = !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos;
  if (!is_whole) return std::nullopt;
  return text.starts_with('-') ? -kMostInt : kMostInt;
}

std::int64_t Times(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  const bool fits = !__builtin_mul_overflow(a, b, &product);
  const std::int64_t most = (a < 0) == (b < 0) ? kMostInt : -kMostInt;
  return fits ? std::clamp(product, -kMostInt, kMostInt) : most;
}

bool Value::operator==(const Value& other) const {
  if (kind != other.kind) return false;
  switch (kind) {
    case ValueKind::kNull:
      return true;
    case ValueKind::kBool:
      return truth == other.truth;
    case ValueKind::kNumber:
    case ValueKind::kText:
      return text == other.text;
    case ValueKind::kList:
      return items == other.items;
    case ValueKind::kMap:
      break;
  }
  const auto is_in = [](const Value& inner, const Value& outer) {
    return std::all_of(inner.entries.begin(), inner.entries.end(), [&outer](const auto& entry) {
      return entry.second.IsNull() ? !outer.Has(entry.first)
                                   : entry.second == outer.At(entry.first);
    });
  };
  return is_in(*this, other) && is_in(other, *this);
}

std::optional<std::int64_t> WholeNumber(std::string_view text) {
  std::int64_t number = 0;
  if (text.starts_with('+')) text.remove_prefix(text.starts_with("+-") ? 0 : 1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<bool> TruthValue(std::string_view text) {
  constexpr std::array<std::string_view, 6> kTrue = {"1", "t", "T", "true", "TRUE", "True"};
  constexpr std::array<std::string_view, 6> kFalse = {"0", "f", "F", "false", "FALSE", "False"};
  if (std::find(kTrue.begin(), kTrue.end(), text) != kTrue.end()) return true;
  if (std::find(kFalse.begin(), kFalse.end(), text) != kFalse.end()) return false;
  return std::nullopt;
}

void MergePatch(Value& target, const Value& patch) {
  if (!patch.IsMap()) {
    target = patch;
    return;
  }
  if (!target.IsMap()) target = Value::Map();
  for (const auto& [key, child] : patch.entries) {
    if (child.IsNull()) {
      target.Remove(key);
    } else {
      MergePatch(target.Make(key), child);
    }
  }
}

Value MergePatchFor(const Value& before, const Value& after) {
  if (!before.IsMap() || !after.IsMap()) return after;
  Value patch = Value::Map();
  for (const auto& [key, child] : before.entries) {
    if (!child.IsNull() && !after.Has(key)) patch.Set(key, Value());
  }
  for (const auto& [key, child] : after.entries) {
    if (child.IsNull() || child == before.At(key)) continue;
    patch.Set(key, MergePatchFor(before.At(key), child));
  }
  return patch;
}

std::vector<Change> Changes(const Value& before, const Value& after) {
  std::vector<Change> out;
  Compare("", before, after, &out);
  std::sort(out.begin(), out.end(),
            [](const Change& a, const Change& b) { return a.pointer < b.pointer; });
  return out;
}

std::string ToJson(const Value& value) {
  std::string out;
  AppendJson(out, value, kInOneLine);
  return out;
}

std::string ToJsonLines(const Value& value) {
  std::string out;
  AppendJson(out, value, kIndent);
  return out;
}

}  // namespace muster::objects
