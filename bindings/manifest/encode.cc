// Scalars, documents, and the two public functions.
#include "bindings/manifest/encode.h"

#include <algorithm>
#include <charconv>
#include <variant>

#include "bindings/manifest/emit.h"
#include "bindings/manifest/forms.h"
#include "bindings/manifest/manifest.h"
#include "engine/model/kinds.h"

namespace muster::manifest {
namespace {

template <typename T>
Encoded Number(YamlArena& arena, T value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return Plain(arena, error == std::errc() ? std::string_view(buffer, end) : "0");
}

Encoded Owners(YamlArena& arena, const ParentWorkload& parent) {
  MapWriter owner(arena);
  owner.Put("apiVersion", std::string(RowOf(ObjectKind::kWorkload).api_version));
  owner.Put("kind", std::string(RowOf(ObjectKind::kWorkload).name));
  owner.Put("name", parent.name);
  owner.Put("uid", parent.uid);
  owner.Put("controller", true);
  YamlNode* owners = arena.New(NodeKind::kList);
  arena.Append(owners, owner.node());
  return owners;
}

/// What the object has of metadata.
template <typename T>
void PutMetadata(MapWriter& out, const T& object) {
  const Key key = KeyOfSpec(object);
  MapWriter metadata(out.arena());
  metadata.Put("name", key.name);
  metadata.Put("namespace", key.ns);
  if constexpr (requires { object.deletion; }) {
    metadata.Put("deletionTimestamp", FormatTime(object.deletion));
  }
  if constexpr (requires { object.uid; }) metadata.Put("uid", object.uid);
  if constexpr (requires { object.created; }) {
    metadata.Put("creationTimestamp", FormatTime(object.created));
  }
  if constexpr (requires { object.labels; }) metadata.Put("labels", object.labels);
  if constexpr (requires { object.annotations; }) metadata.Put("annotations", object.annotations);
  if constexpr (requires { object.variant_of; }) {
    if (object.variant_of) metadata.Put("ownerReferences", Owners(out.arena(), *object.variant_of));
  }
  if (!metadata.empty()) out.Put("metadata", metadata.node());
}

template <typename T>
void EncodeDocument(MapWriter& out, const T& object) {
  if constexpr (HasName<T>) PutMetadata(out, object);
  WriteFields(out, object);
}

void EncodeDocument(MapWriter& out, const EngineConfiguration& config) {
  out.Put("spec", Encode(out.arena(), config));
}

/// One container that asks for as much as the pod.
void EncodeDocument(MapWriter& out, const Pod& pod) {
  PodTemplate pods;
  pods.containers.push_back({"main", pod.requests, {}, false});
  MapWriter spec(out.arena());
  spec.Put("nodeName", pod.node);
  WriteFields(spec, pods);
  PutMetadata(out, pod);
  out.Put("spec", spec.node());
}

Encoded Document(YamlArena& arena, const Object& object) {
  MapWriter document(arena);
  const KindRow& row = RowOf(KindOf(object));
  document.Put("apiVersion", Text(arena, row.api_version));
  document.Put("kind", Text(arena, row.name));
  std::visit([&](const auto& spec) { EncodeDocument(document, spec); }, object);
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

Encoded Text(YamlArena& arena, std::string_view text) { return arena.NewText(text); }

Encoded Plain(YamlArena& arena, std::string_view text) { return arena.NewText(text, {}, false); }

Encoded Encode(YamlArena& arena, const muster::Text& value) { return Text(arena, value.view()); }
Encoded Encode(YamlArena& arena, const std::string& value) { return Text(arena, value); }
Encoded Encode(YamlArena& arena, bool value) { return Plain(arena, value ? "true" : "false"); }
Encoded Encode(YamlArena& arena, std::int32_t value) { return Number(arena, value); }
Encoded Encode(YamlArena& arena, std::int64_t value) { return Number(arena, value); }
Encoded Encode(YamlArena& arena, double value) { return Number(arena, value); }
Encoded Encode(YamlArena& arena, Quantity value) { return Text(arena, value.ToString()); }

void MapWriter::PutBefore(std::string_view next, std::string_view name, Encoded value) {
  std::vector<YamlEntry> entries(node_->entries().begin(), node_->entries().end());
  const auto at = std::find_if(entries.begin(), entries.end(),
                               [next](const YamlEntry& each) { return each.key->text() == next; });
  entries.insert(at, {Text(arena_, name), value});
  arena_.SetEntries(node_, entries);
}

}  // namespace muster::manifest
