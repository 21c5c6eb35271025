// Cluster-wide objects: what conditions say, and limits of volume claims, which no quota knows.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/manifest/forms.h"

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
  if (value.node().text == kVolumeClaim) return true;
  constexpr std::array kTypes = {EnumName(LimitRangeType::kContainer),
                                 EnumName(LimitRangeType::kPod), kVolumeClaim};
  const std::optional<std::size_t> index = ReadWord(value, kTypes);
  if (index) *out = static_cast<LimitRangeType>(*index);
  return index.has_value();
}

bool Limits::Read(const Value& value, std::vector<LimitRangeItem>* out) {
  if (!value.ExpectList()) return false;
  for (const YamlNode* node : value.node().items) {
    LimitRangeItem item;
    manifest::Read(value.Item(*node), &item);
    const YamlNode* type = node->Find("type");
    if (type == nullptr || type->text != kVolumeClaim) out->push_back(std::move(item));
  }
  return true;
}

bool Parameters::Read(const Value& value, std::map<std::string, std::string, std::less<>>* out) {
  if (!value.ExpectMap()) return false;
  for (const YamlEntry& entry : value.node().entries) {
    const Value parameter(entry, value.decoding());
    if (!parameter.ExpectScalar("a number or a text", "write for example 10m")) continue;
    out->emplace(entry.key->text, entry.value->text);
  }
  return true;
}

}  // namespace muster::manifest
