// What kinds of members the field lists have, for the three that walk them: the reader, the writer
// and the schema.
#ifndef MUSTER_BINDINGS_WIRE_FIELD_TYPES_H_
#define MUSTER_BINDINGS_WIRE_FIELD_TYPES_H_

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "engine/codec/fields_answer.h"
#include "engine/codec/fields_command.h"
#include "engine/model/names.h"
#include "muster/command.h"

namespace muster::wire {

template <typename T>
concept WordMember = std::is_same_v<T, std::string> || std::is_same_v<T, Text>;
template <typename T>
concept OptionalMember = requires(T& value) {
  value.reset();
};
template <typename T>
concept MapMember = !WordMember<T> && requires {
  typename T::mapped_type;
};
template <typename T>
concept ListMember = !WordMember<T> && !MapMember<T> && requires(T & value) {
  value.push_back({});
};

/// Which alternative a JSON object is says a field in front of the others.
template <typename Variant>
struct Tag;
template <>
struct Tag<Command> {
  using Kind = CommandKind;
  static constexpr std::string_view kField = "command";
};
template <>
struct Tag<Answer> {
  using Kind = AnswerKind;
  static constexpr std::string_view kField = "answer";
};
template <>
struct Tag<Object> {
  using Kind = ObjectKind;
  static constexpr std::string_view kField = "kind";
};
template <typename T>
concept Tagged = requires {
  Tag<T>::kField;
};

/// The words of an enum in order; "" is one where the enum has a value without a name.
template <typename E>
constexpr const auto& WordsOf() {
  return EnumTable<E>::kNames;
}

/// The value that `word` stands for.
template <typename E>
constexpr std::optional<E> ValueOf(std::string_view word) {
  for (std::size_t i = 0; i < WordsOf<E>().size(); ++i) {
    if (WordsOf<E>()[i] == word) return static_cast<E>(i);
  }
  return std::nullopt;
}

}  // namespace muster::wire

#endif  // MUSTER_BINDINGS_WIRE_FIELD_TYPES_H_
