// Scalars, shared structs, and the two public functions.
#include "bindings/manifest/encode.h"

#include <charconv>
#include <variant>

#include "bindings/manifest/emit.h"
#include "bindings/manifest/manifest.h"
#include "bindings/manifest/weight.h"
#include "engine/model/kinds.h"

namespace muster::manifest {
namespace {

template <typename T>
Encoded Number(YamlArena& arena, T value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return Plain(arena, error == std::errc() ? std::string_view(buffer, end) : "0");
}

Encoded Document(YamlArena& arena, const Object& object) {
  MapWriter document(arena);
  const KindRow& row = RowOf(KindOf(object));
  document.Put("apiVersion", Text(arena, row.api_version));
  document.Put("kind", Text(arena, row.name));
  std::visit([&](const auto& spec) { EncodeObject(document, spec); }, object);
  return document.node();
}

}  // namespace

std::string ToYaml(const Object& object) {
  YamlArena arena;
  return EmitYaml(*Document(arena, object));
}

std::string ToJson(const Object& object) {
  YamlArena arena;
  return EmitJson(*Document(arena, object));
}

Encoded Text(YamlArena& arena, std::string_view text) {
  YamlNode* node = arena.New(NodeKind::kScalar);
  node->quoted = true;
  node->text = text;
  return node;
}

Encoded Plain(YamlArena& arena, std::string_view text) {
  YamlNode* node = arena.New(NodeKind::kScalar);
  node->text = text;
  return node;
}

Encoded Encode(YamlArena& arena, const muster::Text& value) { return Text(arena, value.view()); }
Encoded Encode(YamlArena& arena, const std::string& value) { return Text(arena, value); }
Encoded Encode(YamlArena& arena, bool value) { return Plain(arena, value ? "true" : "false"); }
Encoded Encode(YamlArena& arena, std::int32_t value) { return Number(arena, value); }
Encoded Encode(YamlArena& arena, std::int64_t value) { return Number(arena, value); }
Encoded Encode(YamlArena& arena, double value) { return Number(arena, value); }
Encoded Encode(YamlArena& arena, Quantity value) { return Text(arena, value.ToString()); }

MapWriter EncodeName(YamlArena& arena, const std::string& name) {
  MapWriter metadata(arena);
  metadata.Put("name", name);
  return metadata;
}

MapWriter EncodeKey(YamlArena& arena, const Key& key) {
  MapWriter metadata = EncodeName(arena, key.name);
  metadata.Put("namespace", key.ns);
  return metadata;
}

void PutFairWeight(MapWriter& spec, double weight, Presence presence) {
  if (weight == 1.0 && presence == Presence::kAbsent) return;
  MapWriter sharing(spec.arena());
  sharing.Put("weight", QuantityOf(weight));
  spec.Put("fairSharing", sharing);
}

Encoded Encode(YamlArena& arena, const SelectorRequirement& requirement) {
  MapWriter out(arena);
  out.Put("key", requirement.key);
  out.Put("operator", requirement.op);
  out.Put("values", requirement.values);
  return out.node();
}

Encoded Encode(YamlArena& arena, const LabelSelector& selector) {
  MapWriter out(arena);
  out.Put("matchLabels", selector.match_labels);
  out.Put("matchExpressions", selector.match_expressions);
  return out.node();
}

Encoded Encode(YamlArena& arena, const Taint& taint) {
  MapWriter out(arena);
  out.Put("key", taint.key);
  out.Put("value", taint.value);
  out.Put("effect", taint.effect);
  return out.node();
}

Encoded Encode(YamlArena& arena, const Toleration& toleration) {
  MapWriter out(arena);
  out.Put("key", toleration.key);
  out.Put("operator", toleration.op);
  out.Put("value", toleration.value);
  out.PutUnless(TaintEffect::kNone, "effect", toleration.effect);
  return out.node();
}

Encoded Encode(YamlArena& arena, const Condition& condition) {
  MapWriter out(arena);
  out.Put("type", condition.type);
  out.Put("status", Text(arena, condition.status ? "True" : "False"));
  out.Put("reason", condition.reason);
  out.Put("message", condition.message);
  out.Put("lastTransitionTime", FormatTime(condition.since));
  return out.node();
}

}  // namespace muster::manifest
