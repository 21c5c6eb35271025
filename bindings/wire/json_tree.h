// JsonTree: a JSON text as nodes that know where they stand, for messages that name the place.
//
// nlohmann-json reads the text; it tells values but not their places, which are found again by
// skipping from one token to the next. Nodes are small and stand in one list, the characters of all
// strings in another: O(bytes) memory, and no recursion whatever the text.
#ifndef MUSTER_BINDINGS_WIRE_JSON_TREE_H_
#define MUSTER_BINDINGS_WIRE_JSON_TREE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::wire {

enum class JsonKind : std::uint8_t { kObject, kList, kString, kNumber, kTrue, kFalse, kNull };

/// What is no JSON, or more of it than is read.
struct BadJson {
  std::size_t offset = 0;
  std::string path;
  std::string what;
  std::string cure;
};

class JsonTree {
 public:
  using Node = std::uint32_t;
  static constexpr Node kNone = ~Node{0};

  /// The tree of `text`, within the limits of wire.h; else sets `bad`.
  static JsonTree Parse(std::string_view text, std::optional<BadJson>* bad);

  Node root() const { return 0; }
  JsonKind kind(Node node) const { return nodes_[node].kind; }
  /// Bytes of the text in front of the value, and of the name that it has in its object.
  std::size_t offset(Node node) const { return nodes_[node].offset; }
  std::size_t name_offset(Node node) const { return nodes_[node].name_offset; }
  std::string_view name(Node node) const { return nodes_[node].name.of(letters_); }
  /// The characters of a string, or a number as it is written.
  std::string_view text(Node node) const { return nodes_[node].text.of(letters_); }
  Node first(Node node) const { return nodes_[node].first; }  ///< child; kNone: there is none
  Node next(Node node) const { return nodes_[node].next; }    ///< sibling; kNone: it is the last
  std::size_t size(Node node) const { return nodes_[node].size; }  ///< children

 private:
  friend class JsonTreeBuilder;
  struct Letters {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
    std::string_view of(const std::string& all) const {
      return std::string_view(all).substr(begin, size);
    }
  };
  struct Each {
    JsonKind kind = JsonKind::kNull;
    std::uint32_t offset = 0;
    std::uint32_t name_offset = 0;
    Letters name;
    Letters text;
    Node first = kNone;
    Node next = kNone;
    std::uint32_t size = 0;
  };

  std::vector<Each> nodes_;
  std::string letters_;
};

}  // namespace muster::wire

#endif  // MUSTER_BINDINGS_WIRE_JSON_TREE_H_
