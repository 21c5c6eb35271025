// YamlNode: one value of a document with the place where it was written, and the arena that owns
// it.
//
// Read from text by yaml_parser.h, built by encode.h, printed by emit.h. An alias is the node of
// its anchor, so a document may be a graph; it never has a circle.
#ifndef MUSTER_BINDINGS_MANIFEST_YAML_NODE_H_
#define MUSTER_BINDINGS_MANIFEST_YAML_NODE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace muster::manifest {

/// Line and column from 1, in characters; 0 when unknown.
struct Position {
  int line = 0;
  int column = 0;
};

enum class NodeKind : std::uint8_t { kNull, kScalar, kMap, kList };

struct YamlNode;

struct YamlEntry {
  const YamlNode* key = nullptr;  ///< a scalar
  const YamlNode* value = nullptr;
};

struct YamlNode {
  NodeKind kind = NodeKind::kNull;
  bool quoted = false;  ///< a scalar that is text whatever it looks like: quoted, block, !!str
  Position at;
  std::string text;                    ///< of a scalar
  std::vector<YamlEntry> entries;      ///< of a map, in the order written; keys are unique
  std::vector<const YamlNode*> items;  ///< of a list

  /// Value of `key` in a map, null when absent. O(entries).
  const YamlNode* Find(std::string_view key_text) const {
    for (const YamlEntry& entry : entries) {
      if (entry.key->text == key_text) return entry.value;
    }
    return nullptr;
  }
  /// The value at the end of `keys`, one map below the other; null where one of them is absent.
  const YamlNode* Below(std::initializer_list<std::string_view> keys) const {
    const YamlNode* node = this;
    for (const std::string_view key : keys) {
      node = node->Find(key);
      if (node == nullptr) return nullptr;
    }
    return node;
  }
  /// Its text; empty where there is none.
  std::string_view TextBelow(std::initializer_list<std::string_view> keys) const {
    const YamlNode* const node = Below(keys);
    return node == nullptr ? std::string_view() : std::string_view(node->text);
  }
};

/// Owns nodes; their addresses stay valid as long as it, or the arena that took them, lives.
class YamlArena {
 public:
  YamlArena() = default;
  YamlArena(YamlArena&&) = default;
  YamlArena(const YamlArena&) = delete;  // the addresses of a copy would be others
  YamlArena& operator=(YamlArena&&) = default;
  YamlArena& operator=(const YamlArena&) = delete;
  ~YamlArena() = default;

  YamlNode* New(NodeKind kind, Position at = {}) {
    if (blocks_.empty() || blocks_.back().size() == blocks_.back().capacity()) AddBlock();
    YamlNode& node = blocks_.back().emplace_back();
    node.kind = kind;
    node.at = at;
    return &node;
  }
  /// Takes over the nodes of `other`.
  void Take(YamlArena other) { taken_.push_back(std::move(other)); }

 private:
  static constexpr std::size_t kFirstBlock = 16;
  static constexpr std::size_t kLargestBlock = 1024;

  void AddBlock() {
    const std::size_t last = blocks_.empty() ? kFirstBlock / 2 : blocks_.back().capacity();
    blocks_.emplace_back().reserve(std::min(2 * last, kLargestBlock));
  }

  std::vector<std::vector<YamlNode>> blocks_;  ///< none grows beyond what it has room for
  std::vector<YamlArena> taken_;
};

/// What an unquoted scalar means in YAML 1.1 as Kubernetes reads it.
enum class PlainType { kText, kNull, kBool, kInt, kFloat };
PlainType PlainTypeOf(std::string_view text);
/// The value of a text of type kBool: true, yes, on and their capitalised forms.
bool PlainBool(std::string_view text);
/// A text of type kInt or kFloat as JSON writes this number: as it is where JSON knows that
/// notation, else of the same value. nullopt: no number, or one that JSON has not (.inf, .nan).
std::optional<std::string> JsonNumber(std::string_view text);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_YAML_NODE_H_
