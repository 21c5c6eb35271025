// YamlNode: one value of a document with the place where it was written, and the arena that owns
// it.
//
// Read from text by yaml_parser.h, built by encode.h, printed by emit.h. An alias is the node of
// its anchor, so a document may be a graph; it never has a circle.
#ifndef MUSTER_BINDINGS_MANIFEST_YAML_NODE_H_
#define MUSTER_BINDINGS_MANIFEST_YAML_NODE_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace muster::manifest {

/// Line and column from 1, in characters; 0 when unknown.
struct Position {
  int line = 0;
  int column = 0;
};

enum class NodeKind : std::uint8_t { kNull, kScalar, kMap, kList };

class YamlNode;

struct YamlEntry {
  const YamlNode* key = nullptr;  ///< a scalar
  const YamlNode* value = nullptr;
};

/// Small, for a file of many manifests is a million of them. Its parts lie in the arena that made
/// it, which alone changes them.
class YamlNode {
 public:
  Position at;
  NodeKind kind = NodeKind::kNull;
  bool quoted = false;  ///< a scalar that is text whatever it looks like: quoted, block, !!str

  /// Of a scalar, or of a null as it was written; else empty.
  std::string_view text() const {
    if (kind != NodeKind::kScalar && kind != NodeKind::kNull) return {};
    return {static_cast<const char*>(parts_), size_};
  }
  /// Of a map, in the order written; keys are unique. Else empty.
  std::span<const YamlEntry> entries() const {
    if (kind != NodeKind::kMap) return {};
    return {static_cast<const YamlEntry*>(parts_), size_};
  }
  /// Of a list; else empty.
  std::span<const YamlNode* const> items() const {
    if (kind != NodeKind::kList) return {};
    return {static_cast<const YamlNode* const*>(parts_), size_};
  }

  /// Value of `key` in a map, null when absent. O(entries).
  const YamlNode* Find(std::string_view key_text) const {
    for (const YamlEntry& entry : entries()) {
      if (entry.key->text() == key_text) return entry.value;
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
    return node == nullptr ? std::string_view() : node->text();
  }

 private:
  friend class YamlArena;

  std::uint32_t size_ = 0;  ///< characters, entries or items
  void* parts_ = nullptr;   ///< the first of them
};

/// Owns nodes and what they have; addresses stay valid as long as it, or the arena that took it,
/// lives.
class YamlArena {
 public:
  YamlArena() = default;
  YamlArena(YamlArena&&) = default;
  YamlArena(const YamlArena&) = delete;  // the addresses of a copy would be others
  YamlArena& operator=(YamlArena&&) = default;
  YamlArena& operator=(const YamlArena&) = delete;
  ~YamlArena() = default;

  YamlNode* New(NodeKind kind, Position at = {}) {
    YamlNode* const node = std::construct_at(Room<YamlNode>(1));
    node->kind = kind;
    node->at = at;
    return node;
  }
  /// A scalar with a copy of `text`.
  YamlNode* NewText(std::string_view text, Position at = {}, bool quoted = true) {
    YamlNode* const node = New(NodeKind::kScalar, at);
    char* const characters = Room<char>(text.size());
    std::copy(text.begin(), text.end(), characters);
    node->parts_ = characters;
    node->size_ = static_cast<std::uint32_t>(text.size());
    node->quoted = quoted;
    return node;
  }
  /// Behind the others of a map. O(1) on average.
  void Append(YamlNode* map, YamlEntry entry) { Grow(map, entry); }
  /// Behind the others of a list. O(1) on average.
  void Append(YamlNode* list, const YamlNode* item) { Grow(list, item); }
  /// In place of those that a map has.
  void SetEntries(YamlNode* map, std::span<const YamlEntry> entries) {
    auto* const copy = Room<YamlEntry>(RoomFor(entries.size()));
    std::uninitialized_copy(entries.begin(), entries.end(), copy);
    map->parts_ = copy;
    map->size_ = static_cast<std::uint32_t>(entries.size());
  }
  /// Takes over the nodes of `other`.
  void Take(YamlArena other) {
    std::move(other.blocks_.begin(), other.blocks_.end(), std::back_inserter(blocks_));
  }

 private:
  static constexpr std::size_t kFirstBlock = 1024;
  static constexpr std::size_t kDoublings = 6;  ///< of the blocks that follow it

  /// Of a list or map with `size` parts; it is moved to where there is more when that is used up.
  static std::size_t RoomFor(std::size_t size) { return std::bit_ceil(size); }

  template <typename Part>
  void Grow(YamlNode* node, Part part) {
    auto* parts = static_cast<Part*>(node->parts_);
    const std::size_t size = node->size_;
    if (size == 0 || RoomFor(size) == size) {
      auto* const more = Room<Part>(RoomFor(size + 1));
      std::uninitialized_copy(parts, parts + size, more);
      node->parts_ = parts = more;
    }
    std::construct_at(parts + size, part);
    ++node->size_;
  }

  template <typename Part>
  Part* Room(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<Part>);
    using One = Part[1];  // a Part may be a pointer, whose own size is meant
    const std::size_t bytes = count * sizeof(One);
    std::size_t skipped = free_.size() % alignof(Part);  // blocks end where any part may
    if (blocks_.empty() || skipped + bytes > free_.size()) {
      AddBlock(bytes);
      skipped = 0;
    }
    void* const at = free_.data() + skipped;
    free_ = free_.subspan(skipped + bytes);
    return static_cast<Part*>(at);
  }
  void AddBlock(std::size_t least) {
    constexpr std::size_t kAligned = alignof(YamlNode);
    const std::size_t usual = kFirstBlock << std::min(blocks_.size(), kDoublings);
    const std::size_t bytes = (std::max(usual, least) + kAligned - 1) / kAligned * kAligned;
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(bytes));
    free_ = {blocks_.back().get(), bytes};
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::span<std::byte> free_;  ///< the end of the last block
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
