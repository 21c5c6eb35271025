// The schema: a walk over the types of the field lists, each struct a definition of its own.
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "bindings/wire/field_types.h"
#include "bindings/wire/type_name.h"
#include "bindings/wire/wire.h"
#include "engine/base/time_text.h"
#include "engine/codec/field_name.h"

namespace muster::wire {
namespace {

using Json = nlohmann::ordered_json;

Json Reference(const std::string& name) { return {{"$ref", "#/$defs/" + name}}; }

class SchemaWriter {
 public:
  Json TakeDefinitions() { return std::move(definitions_); }

  /// The definition of a variant, and those of its alternatives.
  template <Tagged Variant>
  std::string Define() {
    const std::string name(Name<Variant>());
    if (definitions_.contains(name)) return name;
    definitions_[name] = nullptr;  // its place, in front of its parts
    Json alternatives = Json::array();
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      (alternatives.push_back(Reference(DefineTagged<Variant, i>())), ...);
    }
    (std::make_index_sequence<std::variant_size_v<Variant>>());
    definitions_[name] = {{"oneOf", std::move(alternatives)}};
    return name;
  }

 private:
  template <typename Variant>
  static constexpr std::string_view Name() {
    if constexpr (std::is_same_v<Variant, Command>) return "Command";
    if constexpr (std::is_same_v<Variant, Answer>) return "Answer";
    return "Object";
  }

  /// "command finish": the struct with its tag in front.
  template <typename Variant, std::size_t index>
  std::string DefineTagged() {
    const std::string word(WordsOf<typename Tag<Variant>::Kind>()[index]);
    const std::string field(Tag<Variant>::kField);
    const std::string name = std::string(Name<Variant>()) + "." + word;
    definitions_[name] = nullptr;
    definitions_[name] = StructSchema<std::variant_alternative_t<index, Variant>>(field, word);
    return name;
  }

  template <typename T>
  std::string DefineStruct() {
    const std::string name(TypeNameOf<T>());
    if (definitions_.contains(name)) return name;
    definitions_[name] = nullptr;
    definitions_[name] = StructSchema<T>({}, {});
    return name;
  }

  /// `tag` and its `word` are a field in front of those of the list, if it is not empty.
  template <typename T>
  Json StructSchema(const std::string& tag, const std::string& word) {
    StructVisitor visitor{*this, {{"type", "object"}}, Json::array()};
    visitor.schema["properties"] = Json::object();
    if (!tag.empty()) {
      visitor.schema["properties"][tag] = {{"const", word}};
      visitor.required.push_back(tag);
    }
    const T fresh{};
    VisitFields(visitor, fresh);
    if (!visitor.required.empty()) visitor.schema["required"] = std::move(visitor.required);
    visitor.schema["additionalProperties"] = false;
    return std::move(visitor.schema);
  }

  struct StructVisitor {
    SchemaWriter& writer;
    Json schema;
    Json required;

    template <typename Member>
    void operator()(const char* name, const Member& fresh) {
      Json type = writer.TypeSchema<Member>();
      if constexpr (std::is_arithmetic_v<Member>) type["default"] = fresh;
      if constexpr (std::is_enum_v<Member>) {
        type["default"] = WordsOf<Member>()[static_cast<std::size_t>(fresh)];
      }
      if constexpr (ListMember<Member>) {
        if (!fresh.empty()) type["default"] = ListDefault(fresh);
      }
      if constexpr (std::is_class_v<Member> && !WordMember<Member> && !OptionalMember<Member> &&
                    !MapMember<Member> && !ListMember<Member>) {
        // Its fields have their defaults, unless one of them has none.
        const auto& part = writer.definitions_[std::string(TypeNameOf<Member>())];
        if (!part.contains("required")) type["default"] = Json::object();
      }
      Put(name, std::move(type));
    }
    template <typename Member>
    void Required(const char* name, const Member&) {
      Put(name, writer.TypeSchema<Member>());
      required.push_back(FieldName{std::string_view(name)}.view());
    }
    void Time(const char* name, TimeNs) { Put(name, Reference(writer.DefineTime())); }
    void Duration(const char* name, DurationNs fresh) {
      Json type = Reference(writer.DefineDuration());
      type["default"] = FormatDuration(fresh);
      Put(name, std::move(type));
    }
    void Duration(const char* name, const std::optional<DurationNs>&) {
      Put(name, Reference(writer.DefineDuration()));
    }

   private:
    template <typename List>
    static Json ListDefault(const List& fresh) {
      Json list = Json::array();
      if constexpr (std::is_enum_v<typename List::value_type>) {
        for (const auto value : fresh) {
          list.push_back(WordsOf<typename List::value_type>()[static_cast<std::size_t>(value)]);
        }
      }
      return list;
    }
    void Put(const char* name, Json type) {
      schema["properties"][FieldName{std::string_view(name)}.view()] = std::move(type);
    }
  };

  template <typename T>
  Json TypeSchema() {
    if constexpr (std::is_same_v<T, bool>) {
      return {{"type", "boolean"}};
    } else if constexpr (std::is_integral_v<T>) {
      return {{"type", "integer"},
              {"minimum", std::numeric_limits<T>::min()},
              {"maximum", std::numeric_limits<T>::max()}};
    } else if constexpr (std::is_floating_point_v<T>) {
      return {{"type", "number"}};
    } else if constexpr (std::is_enum_v<T>) {
      Json words = Json::array();
      for (const std::string_view word : WordsOf<T>()) words.push_back(word);
      return {{"enum", std::move(words)}};
    } else if constexpr (WordMember<T>) {
      return {{"type", "string"}};
    } else if constexpr (std::is_same_v<T, Quantity>) {
      return Reference(DefineQuantity());
    } else if constexpr (OptionalMember<T>) {
      return TypeSchema<std::remove_cvref_t<decltype(*std::declval<T>())>>();
    } else if constexpr (MapMember<T>) {
      return {{"type", "object"}, {"additionalProperties", TypeSchema<typename T::mapped_type>()}};
    } else if constexpr (ListMember<T>) {
      return {{"type", "array"}, {"items", TypeSchema<typename T::value_type>()}};
    } else if constexpr (Tagged<T>) {
      return Reference(Define<T>());
    } else {
      return Reference(DefineStruct<T>());
    }
  }

  std::string DefineQuantity() {
    definitions_["Quantity"] = {
        {"description", "As Kubernetes writes it: \"500m\", \"2\", \"1Gi\", or a number."},
        {"type", {"string", "number"}},
        {"pattern",
         "^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+|[numkMGTPE]|[KMGTPE]i)?$"}};
    return "Quantity";
  }
  std::string DefineTime() {
    definitions_["Time"] = {{"description", "RFC 3339 with up to nine decimals of a second."},
                            {"type", "string"},
                            {"format", "date-time"}};
    return "Time";
  }
  std::string DefineDuration() {
    definitions_["Duration"] = {
        {"description", "As Go writes it: \"1h30m\", \"0.25s\"; also whole days, \"7d\"."},
        {"type", "string"},
        {"pattern",
         "^[+-]?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|\u00B5s|\u03BCs|ms|s|m|h|d))+)$"}};
    return "Duration";
  }

  Json definitions_ = Json::object();
};

}  // namespace

std::string Schema() {
  SchemaWriter writer;
  const std::string command = writer.Define<Command>();
  const std::string answer = writer.Define<Answer>();
  const Json commands = {
      {"type", "array"}, {"items", Reference(command)}, {"maxItems", kMaxCommands}};
  const Json schema = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "Muster: a command, a list of commands, or an answer"},
      {"anyOf", {Reference(command), commands, Reference(answer)}},
      {"$defs", writer.TakeDefinitions()},
  };
  return schema.dump(2) + "\n";
}

}  // namespace muster::wire
