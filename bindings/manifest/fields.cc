// Strictness in one place: the destructor knows every name that was asked for.
#include "bindings/manifest/fields.h"

#include <algorithm>

#include "bindings/manifest/closest.h"
#include "bindings/manifest/limits.h"
#include "bindings/manifest/quote.h"

namespace muster::manifest {
namespace {

constexpr std::size_t kUsualFields = 16;

template <typename T>
bool Contains(const std::vector<T>& values, const T& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

Fields::Fields(const Value& value) : value_(value), is_map_(value.ExpectMap()) {
  known_.reserve(kUsualFields);
}

Fields::~Fields() {
  if (!is_map_) return;
  if (decoding().known != nullptr) {
    std::vector<std::string>& names = (*decoding().known)[&value_.node()];
    names.insert(names.end(), known_.begin(), known_.end());
  }
  for (const YamlEntry& entry : value_.node().entries()) {
    const std::string_view key = entry.key->text();
    if (Contains(known_, key) || Contains(refused_, entry.key)) continue;
    if (decoding().reporter.errors() >= kMaxDiagnostics) {  // it is only counted
      decoding().reporter.Error(entry.key->at, {}, {});
      continue;
    }
    const std::string_view near = Closest(key, known_);
    std::erase_if(missing_, [near](const Missing& missing) { return missing.name == near; });
    decoding().reporter.Error(entry.key->at,
                              "unknown field " + Quoted(key) + " in " + value_.Subject(),
                              ProposeName(key, known_));
  }
  for (const Missing& missing : missing_) {
    value_.Error("lacks the field " + Quoted(missing.name),
                 "add for example " + std::string(missing.name) + ": " + missing.example);
  }
}

std::optional<Value> Fields::Find(std::string_view name) {
  if (!Contains(known_, name)) known_.push_back(name);
  if (!is_map_) return std::nullopt;
  for (const YamlEntry& entry : value_.node().entries()) {
    if (entry.key->text() != name) continue;
    if (entry.value->kind == NodeKind::kNull) return std::nullopt;
    return Value(entry, decoding());
  }
  return std::nullopt;
}

bool Fields::GetTime(std::string_view name, TimeNs* out) {
  const std::optional<Value> value = Find(name);
  return value && ReadTime(*value, out);
}

bool Fields::GetDuration(std::string_view name, DurationNs* out) {
  const std::optional<Value> value = Find(name);
  return value && ReadDuration(*value, out);
}

void Fields::ReportMissing(std::string_view name, std::string_view example) {
  if (is_map_) missing_.push_back({name, std::string(example)});
}

void Fields::Accept(std::span<const std::string_view> names) {
  known_.insert(known_.end(), names.begin(), names.end());
}

void Fields::Accept(std::initializer_list<std::string_view> names) {
  known_.insert(known_.end(), names.begin(), names.end());
}

void Fields::Unread(std::string_view name, const std::string& what, const std::string& cure) {
  if (const std::optional<Value> value = Find(name)) {
    decoding().Unread(value->at(), Quoted(name) + " has no effect: " + what, cure);
  }
}

void Fields::Refuse(std::string_view name, const std::string& what, const std::string& cure) {
  if (!is_map_) return;
  for (const YamlEntry& entry : value_.node().entries()) {
    if (entry.key->text() != name) continue;
    refused_.push_back(entry.key);
    decoding().reporter.Error(entry.key->at, what, cure);
  }
}

}  // namespace muster::manifest
