// Cluster-wide objects: what conditions say, and limits of volume claims, which no quota knows.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/manifest/forms.h"
#include "engine/codec/json_fields.h"
#include "engine/codec/json_values.h"

namespace muster::manifest {
namespace {

constexpr std::string_view kVolumeClaim = "PersistentVolumeClaim";

}  // namespace

bool ActiveCondition::Read(const Value& value, bool* active) {
  std::vector<Condition> conditions;
  const bool ok = manifest::Read(value, &conditions);
  for (const Condition& condition : conditions) {
    if (condition.type == "Active") *active = condition.status;
  }
  return ok;
}

bool ReadyCondition::Read(const Value& value, bool* ready) {
  std::vector<Condition> conditions;
  if (!manifest::Read(value, &conditions)) return false;
  *ready = std::any_of(conditions.begin(), conditions.end(), [](const Condition& condition) {
    return condition.type == "Ready" && condition.status;
  });
  return true;
}

bool LimitType::Read(const Value& value, LimitRangeType* out) {
  if (value.node().text() == kVolumeClaim) return true;
  constexpr std::array kTypes = {EnumName(LimitRangeType::kContainer),
                                 EnumName(LimitRangeType::kPod), kVolumeClaim};
  const std::optional<std::size_t> index = ReadWord(value, kTypes);
  if (index) *out = static_cast<LimitRangeType>(*index);
  return index.has_value();
}

bool Limits::Read(const Value& value, std::vector<LimitRangeItem>* out) {
  if (!value.ExpectList()) return false;
  for (const YamlNode* node : value.node().items()) {
    LimitRangeItem item;
    manifest::Read(value.Item(*node), &item);
    const YamlNode* type = node->Find("type");
    if (type == nullptr || type->text() != kVolumeClaim) out->push_back(std::move(item));
  }
  return true;
}

namespace {

constexpr std::string_view kElementCure = "write for example [10m, 1h] or {a: 3}";

/// A list of parameters as the package reads it: ["x","y"], every element a text.
void ReadListParameter(const Value& list, std::string* out) {
  std::vector<std::string> texts;
  for (const YamlNode* item : list.node().items()) {
    const Value element = list.Item(*item);
    if (!element.ExpectScalar("a number or a text", std::string(kElementCure))) continue;
    texts.emplace_back(item->text());
  }
  JsonWriter json;
  WriteJson(json, texts);
  *out = json.Take();
}

/// The same of a map: {"a":"3"}, by key.
void ReadMapParameter(const Value& map, std::string* out) {
  std::map<std::string, std::string, std::less<>> texts;
  for (const YamlEntry& entry : map.node().entries()) {
    const Value element(entry, map.decoding());
    if (!element.ExpectScalar("a number or a text", std::string(kElementCure))) continue;
    texts.emplace(entry.key->text(), entry.value->text());
  }
  JsonWriter json;
  WriteJson(json, texts);
  *out = json.Take();
}

}  // namespace

bool Parameters::Read(const Value& value, std::map<std::string, std::string, std::less<>>* out) {
  if (!value.ExpectMap()) return false;
  for (const YamlEntry& entry : value.node().entries()) {
    const Value parameter(entry, value.decoding());
    std::string text(entry.value->text());
    if (entry.value->kind == NodeKind::kList) {
      ReadListParameter(parameter, &text);
    } else if (entry.value->kind == NodeKind::kMap) {
      ReadMapParameter(parameter, &text);
    } else if (!parameter.ExpectScalar("a number, a text, a list or a map",
                                       "write for example 10m")) {
      continue;
    }
    out->emplace(entry.key->text(), std::move(text));
  }
  return true;
}

}  // namespace muster::manifest
