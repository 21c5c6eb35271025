// Muster's own objects: EngineConfiguration and PolicyBinding.
#include <array>
#include <utility>

#include "bindings/manifest/decode.h"
#include "bindings/manifest/quote.h"
#include "engine/codec/json_fields.h"
#include "engine/codec/json_values.h"

namespace muster::manifest {
namespace {

/// The switches, wherever they stand.
void ReadSwitches(Fields& fields, EngineConfiguration* config) {
  constexpr std::array<std::string_view, 2> kDurability = {"full", "relaxed"};
  fields.Get("headsPerCycle", &config->heads_per_cycle);
  fields.Get("stickyCure", &config->sticky_cure);
  fields.Get("preemptorHold", &config->preemptor_hold);
  if (const auto durability = fields.Find("durability")) {
    config->relaxed_durability = ReadWord(*durability, kDurability) == std::size_t{1};
  }
  fields.Get("rollbackAfter", &config->rollback_after);
  fields.Get("keepFinished", &config->keep_finished);
}

constexpr std::string_view kElementCure = "write for example [10m, 1h] or {a: 3}";

/// A list of parameters as the package reads it: ["x","y"], every element a text.
void ReadListParameter(const Value& list, std::string* out) {
  std::vector<std::string> texts;
  for (const YamlNode* item : list.node().items) {
    const Value element = list.Item(*item);
    if (!element.ExpectScalar("a number or a text", std::string(kElementCure))) continue;
    texts.push_back(item->text);
  }
  JsonWriter json;
  WriteJson(json, texts);
  *out = json.Take();
}

/// The same of a map: {"a":"3"}, by key.
void ReadMapParameter(const Value& map, std::string* out) {
  std::map<std::string, std::string, std::less<>> texts;
  for (const YamlEntry& entry : map.node().entries) {
    const Value element(entry, map.decoding());
    if (!element.ExpectScalar("a number or a text", std::string(kElementCure))) continue;
    texts.emplace(entry.key->text, entry.value->text);
  }
  JsonWriter json;
  WriteJson(json, texts);
  *out = json.Take();
}

/// Parameters are texts for the package, which knows their types: 3, "3" and 3m are all right.
void ReadParameters(const Value& value, std::map<std::string, std::string, std::less<>>* out) {
  if (!value.ExpectMap()) return;
  for (const YamlEntry& entry : value.node().entries) {
    const Value parameter(entry, value.decoding());
    std::string text = entry.value->text;
    if (entry.value->kind == NodeKind::kList) {
      ReadListParameter(parameter, &text);
    } else if (entry.value->kind == NodeKind::kMap) {
      ReadMapParameter(parameter, &text);
    } else if (!parameter.ExpectScalar("a number, a text, a list or a map",
                                       "write for example 10m")) {
      continue;
    }
    out->emplace(entry.key->text, std::move(text));
  }
}

}  // namespace

std::optional<Object> DecodeEngineConfiguration(const Value& document) {
  Fields fields(document);
  ReadSingletonMetadata(fields);
  EngineConfiguration config;
  ReadSwitches(fields, &config);
  if (const auto value = fields.Find("spec")) {
    Fields spec(*value);
    ReadSwitches(spec, &config);
    for (const YamlEntry& entry : value->node().entries) {
      if (document.node().Find(entry.key->text) == nullptr) continue;
      spec.Refuse(entry.key->text, Quoted(entry.key->text) + " is given twice",
                  "keep the one below spec");
    }
  }
  return config;
}

std::optional<Object> DecodePolicyBinding(const Value& document) {
  Fields fields(document);
  PolicyBinding binding;
  binding.name = ReadMetadata(fields).name;
  const auto value = fields.Find("spec");
  if (!value) {
    fields.ReportMissing("spec", "{policy: small-first}");
    return binding;
  }
  Fields spec(*value);
  spec.Require("policy", &binding.policy, "small-first");
  spec.Get("then", &binding.then);
  spec.Get("hooks", &binding.hooks);  // the engine knows them
  spec.Get("clusterQueues", &binding.cluster_queues);
  spec.Get("cohorts", &binding.cohorts);
  spec.Get("localQueues", &binding.local_queues);
  if (const auto params = spec.Find("params")) ReadParameters(*params, &binding.params);
  return binding;
}

}  // namespace muster::manifest
