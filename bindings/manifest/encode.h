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
  bool empty() const { return node_->entries().empty(); }

  void Put(std::string_view name, Encoded value) {
    arena_.Append(node_, {Text(arena_, name), value});
  }
  /// Leaves out unset optionals and empty texts, lists and maps.
  template <typename T>
  void Put(std::string_view name, const T& value);
  template <typename T>
  void Put(std::string_view name, const std::optional<T>& value);
  /// In front of `next`, where that is there already.
  void PutBefore(std::string_view next, std::string_view name, Encoded value);

 private:
  YamlArena& arena_;
  YamlNode* node_;
};

Encoded Encode(YamlArena& arena, const TopologyAssignment& assignment);

// ---- containers --------------------------------------------------------------------------------

template <typename E>
requires std::is_enum_v<E> Encoded Encode(YamlArena& arena, E value) {
  return Text(arena, EnumName(value));
}

template <typename List>
Encoded EncodeList(YamlArena& arena, const List& values) {
  YamlNode* list = arena.New(NodeKind::kList);
  for (const auto& value : values) arena.Append(list, Encode(arena, value));
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
