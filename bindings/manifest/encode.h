// Objects as YamlNodes in the spelling of v1beta2: what the decoders read, written back. Unset
// fields and empty texts, lists and maps are left out where reading restores them.
#ifndef MUSTER_BINDINGS_MANIFEST_ENCODE_H_
#define MUSTER_BINDINGS_MANIFEST_ENCODE_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "bindings/manifest/yaml_node.h"
#include "engine/model/names.h"
#include "muster/object.h"

namespace muster::manifest {

using Encoded = const YamlNode*;

Encoded Text(YamlArena& arena, std::string_view text);   ///< a text, whatever it looks like
Encoded Plain(YamlArena& arena, std::string_view text);  ///< a number or a truth value

Encoded Encode(YamlArena& arena, const std::string& value);
Encoded Encode(YamlArena& arena, const muster::Text& value);
Encoded Encode(YamlArena& arena, bool value);
Encoded Encode(YamlArena& arena, std::int32_t value);
Encoded Encode(YamlArena& arena, std::int64_t value);
Encoded Encode(YamlArena& arena, double value);
Encoded Encode(YamlArena& arena, Quantity value);

/// A mapping under construction.
class MapWriter {
 public:
  explicit MapWriter(YamlArena& arena) : arena_(arena), node_(arena.New(NodeKind::kMap)) {}

  YamlArena& arena() { return arena_; }
  Encoded node() const { return node_; }
  bool empty() const { return node_->entries.empty(); }

  void Put(std::string_view name, Encoded value) {
    node_->entries.push_back({Text(arena_, name), value});
  }
  /// Leaves out unset optionals and empty texts, lists and maps.
  template <typename T>
  void Put(std::string_view name, const T& value);
  template <typename T>
  void Put(std::string_view name, const std::optional<T>& value);
  /// Leaves out a mapping without fields.
  void Put(std::string_view name, const MapWriter& inner) {
    if (!inner.empty()) Put(name, inner.node());
  }
  /// Leaves out the default.
  template <typename T>
  void PutUnless(const T& standard, std::string_view name, const T& value) {
    if (!(value == standard)) Put(name, value);
  }

 private:
  YamlArena& arena_;
  YamlNode* node_;
};

// ---- structs -----------------------------------------------------------------------------------

Encoded Encode(YamlArena& arena, const SelectorRequirement& requirement);
Encoded Encode(YamlArena& arena, const LabelSelector& selector);
Encoded Encode(YamlArena& arena, const Taint& taint);
Encoded Encode(YamlArena& arena, const Toleration& toleration);
Encoded Encode(YamlArena& arena, const ResourceGroup& group);
Encoded Encode(YamlArena& arena, const PodTemplate& pods);
Encoded Encode(YamlArena& arena, const PodSet& pod_set);
Encoded Encode(YamlArena& arena, const TopologyAssignment& assignment);
Encoded Encode(YamlArena& arena, const Condition& condition);
Encoded Encode(YamlArena& arena, const WorkloadStatus& status);

// ---- objects: the fields after apiVersion and kind
// -----------------------------------------------

void EncodeObject(MapWriter& out, const ResourceFlavor& flavor);
void EncodeObject(MapWriter& out, const ClusterQueue& queue);
void EncodeObject(MapWriter& out, const Cohort& cohort);
void EncodeObject(MapWriter& out, const LocalQueue& queue);
void EncodeObject(MapWriter& out, const WorkloadPriorityClass& priority);
void EncodeObject(MapWriter& out, const PriorityClass& priority);
void EncodeObject(MapWriter& out, const Namespace& ns);
void EncodeObject(MapWriter& out, const LimitRange& range);
void EncodeObject(MapWriter& out, const RuntimeClass& runtime);
void EncodeObject(MapWriter& out, const AdmissionCheck& check);
void EncodeObject(MapWriter& out, const Topology& topology);
void EncodeObject(MapWriter& out, const Node& node);
void EncodeObject(MapWriter& out, const Pod& pod);
void EncodeObject(MapWriter& out, const Configuration& config);
void EncodeObject(MapWriter& out, const EngineConfiguration& config);
void EncodeObject(MapWriter& out, const PolicyBinding& binding);
void EncodeObject(MapWriter& out, const Workload& workload);

/// metadata: {name} or {name, namespace}.
MapWriter EncodeName(YamlArena& arena, const std::string& name);
MapWriter EncodeKey(YamlArena& arena, const Key& key);
/// fairSharing: {weight}, left out for the default weight unless it is written out.
void PutFairWeight(MapWriter& spec, double weight, Presence presence = Presence::kAbsent);

// ---- containers
// ----------------------------------------------------------------------------------

template <typename E>
requires std::is_enum_v<E> Encoded Encode(YamlArena& arena, E value) {
  return Text(arena, EnumName(value));
}

template <typename List>
Encoded EncodeList(YamlArena& arena, const List& values) {
  YamlNode* list = arena.New(NodeKind::kList);
  for (const auto& value : values) list->items.push_back(Encode(arena, value));
  return list;
}

template <typename T>
Encoded Encode(YamlArena& arena, const std::vector<T>& values) {
  return EncodeList(arena, values);
}

template <typename T>
Encoded Encode(YamlArena& arena, const SharedList<T>& values) {
  return EncodeList(arena, values);
}

template <typename T>
Encoded Encode(YamlArena& arena, const std::map<std::string, T, std::less<>>& values) {
  MapWriter map(arena);
  for (const auto& [name, value] : values) map.Put(name, Encode(arena, value));
  return map.node();
}

template <typename Map>
Encoded Encode(YamlArena& arena, const SharedMap<Map>& values) {
  return Encode(arena, values.map());
}

template <typename T>
void MapWriter::Put(std::string_view name, const T& value) {
  if constexpr (requires { value.empty(); }) {
    if (value.empty()) return;
  }
  Put(name, Encode(arena_, value));
}

template <typename T>
void MapWriter::Put(std::string_view name, const std::optional<T>& value) {
  if (value) Put(name, Encode(arena_, *value));
}

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_ENCODE_H_
