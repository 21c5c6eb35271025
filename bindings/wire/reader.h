// Reader: a JSON tree into members of the field lists, every mistake with its place.
#ifndef MUSTER_BINDINGS_WIRE_READER_H_
#define MUSTER_BINDINGS_WIRE_READER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/wire/field_types.h"
#include "bindings/wire/json_tree.h"
#include "bindings/wire/path.h"
#include "bindings/wire/wire.h"
#include "engine/base/index_in.h"
#include "engine/codec/field_name.h"

namespace muster::wire {

class Reader {
 public:
  using Node = JsonTree::Node;
  /// Both must outlive the reader.
  Reader(const JsonTree& tree, std::string_view text) : tree_(tree), text_(text) {}

  const std::vector<Mistake>& mistakes() const { return mistakes_; }
  /// Those and, where there are more than kMaxMistakes, some of the others.
  std::size_t mistake_count() const { return count_; }

  template <Tagged Variant>
  void Read(Node node, Variant& value) {
    if (!Expect(node, JsonKind::kObject, "an object")) return;
    const auto kind = ReadTag(node, Tag<Variant>::kField, WordsOf<typename Tag<Variant>::Kind>());
    if (!kind) return;
    EmplaceAt(value, *kind);
    std::visit([&](auto& each) { ReadFields(node, each, Tag<Variant>::kField); }, value);
  }

  /// What `read(node)` reads of each element, at most `most`.
  template <typename Read>
  void ReadElements(Node list, std::size_t most, const Read& read) {
    if (tree_.size(list) > most) {
      return Say(list,
                 "a list of " + std::to_string(tree_.size(list)) + "; " + std::to_string(most) +
                     " are the most",
                 "send it in parts");
    }
    std::size_t index = 0;
    for (Node n = tree_.first(list); n != JsonTree::kNone; n = tree_.next(n)) {
      if (count_ > kMaxMistakes) return;  // no text makes much of many mistakes
      path_.Push(index++);
      read(n);
      path_.Pop();
    }
  }

 private:
  template <typename T>
  class FieldReader;

  template <typename T>
  void Read(Node node, T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      ReadBool(node, value);
    } else if constexpr (std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>) {
      ReadWhole(node, value);
    } else if constexpr (std::is_same_v<T, double>) {
      ReadNumber(node, value);
    } else if constexpr (std::is_enum_v<T>) {
      if (const auto word = ReadWord(node, WordsOf<T>())) value = static_cast<T>(*word);
    } else if constexpr (WordMember<T>) {
      if (Expect(node, JsonKind::kString, "a text")) value = tree_.text(node);
    } else if constexpr (std::is_same_v<T, Quantity>) {
      ReadQuantity(node, value);
    } else if constexpr (OptionalMember<T>) {
      Read(node, value.emplace());
    } else if constexpr (MapMember<T>) {
      ReadMap(node, value);
    } else if constexpr (ListMember<T>) {
      ReadList(node, value);
    } else {
      if (Expect(node, JsonKind::kObject, "an object")) ReadFields(node, value, {});
    }
  }

  template <typename Map>
  void ReadMap(Node node, Map& entries) {
    std::map<std::string, typename Map::mapped_type, std::less<>> read;
    if (!Expect(node, JsonKind::kObject, "an object")) return;
    for (Node n = tree_.first(node); n != JsonTree::kNone; n = tree_.next(n)) {
      path_.Push(tree_.name(n));
      Read(n, read[std::string(tree_.name(n))]);
      path_.Pop();
    }
    entries = std::move(read);
  }

  template <typename List>
  void ReadList(Node node, List& values) {
    std::vector<typename List::value_type> read;
    if (!Expect(node, JsonKind::kList, "a list")) return;
    ReadElements(node, kMaxValues, [&](Node n) { Read(n, read.emplace_back()); });
    values = std::move(read);
  }

  /// `tag`: a field of the object that is none of the list.
  template <typename T>
  void ReadFields(Node node, T& value, std::string_view tag) {
    FieldReader<T> fields(*this, node);
    VisitFields(fields, value);
    if (fields.found() + (tag.empty() ? 0 : 1) < tree_.size(node)) SayUnknown<T>(node, tag);
  }

  template <typename T>
  void SayUnknown(Node node, std::string_view tag) {
    std::vector<FieldName> known;
    const auto note = [&](const char* name, const auto&) {
      known.emplace_back(std::string_view(name));
    };
    const T value{};
    VisitFields(note, value);
    std::vector<std::string_view> names;
    for (const FieldName& name : known) names.push_back(name.view());
    SayUnknown(node, tag, names);
  }

  /// The child of that name, kNone when there is none.
  Node Find(Node object, std::string_view name) const;

  bool Expect(Node node, JsonKind kind, std::string_view what);
  std::optional<std::size_t> ReadTag(Node object, std::string_view field,
                                     std::span<const std::string_view> words);
  std::optional<std::size_t> ReadWord(Node node, std::span<const std::string_view> words);
  void ReadBool(Node node, bool& value);
  template <typename Whole>
  void ReadWhole(Node node, Whole& value);
  void ReadNumber(Node node, double& value);
  void ReadQuantity(Node node, Quantity& value);
  void ReadTime(Node node, TimeNs& value);
  void ReadDuration(Node node, DurationNs& value);
  void ReadDuration(Node node, std::optional<DurationNs>& value) {
    ReadDuration(node, value.emplace());
  }

  void SayUnknown(Node node, std::string_view tag, std::span<const std::string_view> names);
  void SayMissing(Node object, std::string_view field, std::string cure);
  void Say(Node node, std::string what, std::string cure);
  void SayAt(std::size_t offset, std::string what, std::string cure);

  const JsonTree& tree_;
  std::string_view text_;
  Path path_;
  std::vector<Mistake> mistakes_;
  std::size_t count_ = 0;
};

/// Reads the fields of one T from an object.
template <typename T>
class Reader::FieldReader {
 public:
  FieldReader(Reader& reader, Node object)
      : reader_(reader), object_(object), hint_(reader.tree_.first(object)) {}

  std::size_t found() const { return found_; }

  template <typename Member>
  void operator()(const char* name, Member& member) {
    Take(name, [&](Node node) { reader_.Read(node, member); });
  }
  template <typename Member>
  void Required(const char* name, Member& member) {
    if (Take(name, [&](Node node) { reader_.Read(node, member); })) return;
    const FieldName field{std::string_view(name)};
    reader_.SayMissing(object_, field.view(), "write it");
  }
  void Time(const char* name, TimeNs& member) {
    Take(name, [&](Node node) { reader_.ReadTime(node, member); });
  }
  template <typename Member>
  void Duration(const char* name, Member& member) {
    Take(name, [&](Node node) { reader_.ReadDuration(node, member); });
  }

 private:
  template <typename Read>
  bool Take(const char* name, const Read& read) {
    const FieldName field{std::string_view(name)};
    const JsonTree& tree = reader_.tree_;
    const bool next = hint_ != JsonTree::kNone && tree.name(hint_) == field.view();
    const Node node = next ? hint_ : reader_.Find(object_, field.view());
    if (node == JsonTree::kNone) return false;
    hint_ = tree.next(node);  // fields mostly come in the order of the list
    ++found_;
    reader_.path_.Push(field.view());
    read(node);
    reader_.path_.Pop();
    return true;
  }

  Reader& reader_;
  Node object_;
  Node hint_;
  std::size_t found_ = 0;
};

}  // namespace muster::wire

#endif  // MUSTER_BINDINGS_WIRE_READER_H_
