// Cluster-wide objects: what conditions say, what is only known, and what is reported.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/manifest/forms.h"
#include "bindings/manifest/kubernetes_fields.h"
#include "bindings/manifest/well_known.h"

namespace muster::manifest {
namespace {

// The names of LimitRangeType, and volume claims, which no quota of ours knows.
constexpr std::array<std::string_view, 3> kLimitTypes = {"Container", "Pod",
                                                         "PersistentVolumeClaim"};

std::vector<Condition> OneCondition(std::string_view type, bool status) {
  return {{type, status, "", "", kNoTime}};
}

}  // namespace

bool Form<Condition>::Status::Read(const Value& value, bool* out) {
  std::string text;
  return manifest::Read(value, &text) && Word::Read(value, out);
}

Encoded Form<Condition>::Status::Write(YamlArena& arena, bool status) {
  return Text(arena, status ? "True" : "False");
}

bool ActiveCondition::Read(const Value& value, bool* active) {
  std::vector<Condition> conditions;
  const bool ok = manifest::Read(value, &conditions);
  for (const Condition& condition : conditions) {
    if (condition.type == "Active") *active = condition.status;
  }
  return ok;
}

Encoded ActiveCondition::Write(YamlArena& arena, bool active) {
  return Encode(arena, OneCondition("Active", active));
}

void Form<AdmissionCheck>::ReadRest(Sections& sections, AdmissionCheck* /*check*/) {
  if (Fields* spec = sections.Find("spec")) {
    spec->Unread("retryDelayMinutes", "a check that says Retry says itself how long to wait",
                 "remove it");
  }
}

void Form<Namespace>::ReadRest(Sections&, Namespace* ns) {
  // As the Kubernetes API server does; selectors of ClusterQueues rely on it.
  ns->labels.emplace(kNamespaceNameLabel, ns->name);
}

bool ReadyCondition::Read(const Value& value, bool* ready) {
  std::vector<Condition> conditions;
  if (!manifest::Read(value, &conditions)) return false;
  *ready = std::any_of(conditions.begin(), conditions.end(), [](const Condition& condition) {
    return condition.type == "Ready" && condition.status;
  });
  return true;
}

Encoded ReadyCondition::Write(YamlArena& arena, bool ready) {
  return Encode(arena, OneCondition("Ready", ready));
}

void Form<Node>::ReadRest(Sections& sections, Node* /*node*/) {
  if (Fields* spec = sections.Find("spec")) spec->Accept(kNodeSpecFields);
  if (Fields* status = sections.Find("status")) status->Accept(kNodeStatusFields);
}

bool LimitType::Read(const Value& value, LimitRangeType* out) {
  const std::optional<std::size_t> index = ReadWord(value, kLimitTypes);
  if (index && *index < EnumTable<LimitRangeType>::kNames.size()) {
    *out = static_cast<LimitRangeType>(*index);
  }
  return index.has_value();
}

bool Limits::Read(const Value& value, std::vector<LimitRangeItem>* out) {
  if (!value.ExpectList()) return false;
  for (const YamlNode* node : value.node().items) {
    LimitRangeItem item;
    manifest::Read(value.Item(*node), &item);
    const YamlNode* type = node->Find("type");
    if (type != nullptr && type->text == EnumName(item.type)) out->push_back(std::move(item));
  }
  return true;
}

Encoded Durability::Write(YamlArena& arena, bool relaxed) {
  return Text(arena, relaxed ? "relaxed" : "full");
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

void Form<PolicyBinding>::ReadRest(Sections& sections, PolicyBinding* /*binding*/) {
  if (sections.Find("spec") == nullptr) {
    sections.root().ReportMissing("spec", "{policy: small-first}");
  }
}

}  // namespace muster::manifest
