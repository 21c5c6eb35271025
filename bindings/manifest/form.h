// Form: how a manifest writes a struct whose fields the lists of engine/codec declare.
//
// A field stands below kBelow, under the name of the list in camelCase, and looks as its type says.
// Form<T> lists what is otherwise, so that a field that is like that needs no line here. A path
// leads from the mapping of the struct; field names in it are joined by dots.
#ifndef MUSTER_BINDINGS_MANIFEST_FORM_H_
#define MUSTER_BINDINGS_MANIFEST_FORM_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/codec/field_name.h"
#include "engine/codec/fields.h"
#include "muster/object.h"

namespace muster::manifest {

/// As the type says.
struct OfType {};

/// What is otherwise with one field. A Way has, as far as that differs,
///   static bool Read(const Value&, Member*), or of the whole struct,
///   static Encoded Write(YamlArena&, const Member&), or of the whole struct; null: left out.
template <typename Owner, typename Member, typename Way = OfType>
struct Field {
  using MemberType = Member;
  using WayType = Way;

  /// Without a path it is where all are.
  constexpr explicit Field(Member Owner::*of, std::string_view at = {}) : member(of), path(at) {}

  template <typename OtherWay>
  constexpr Field<Owner, Member, OtherWay> As() const {
    Field<Owner, Member, OtherWay> field(member, path);
    field.old_path = old_path;
    field.example = example;
    field.is_old_other = is_old_other;
    field.is_elsewhere = is_elsewhere;
    field.is_always_written = is_always_written;
    return field;
  }
  /// To leave it out is a mistake, and the message shows this.
  constexpr Field Need(std::string_view shown) const {
    return With([&](Field& field) { field.example = shown; });
  }
  /// v1beta1 has it there; nowhere, when the path is empty.
  constexpr Field InV1beta1(std::string_view at) const {
    return With([&](Field& field) {
      field.is_old_other = true;
      field.old_path = at;
    });
  }
  /// Read and written with another field, or by ReadRest and WriteRest.
  constexpr Field Elsewhere() const {
    return With([](Field& field) { field.is_elsewhere = true; });
  }
  /// Also where it is empty or has its default.
  constexpr Field AlwaysWritten() const {
    return With([](Field& field) { field.is_always_written = true; });
  }

  Member Owner::*member;
  std::string_view path;
  std::string_view old_path;
  std::string_view example;
  bool is_old_other = false;
  bool is_elsewhere = false;
  bool is_always_written = false;

 private:
  template <typename Change>
  constexpr Field With(const Change& change) const {
    Field field = *this;
    change(field);
    return field;
  }
};

class Sections;
class MapSections;

/// Of a part of a document: its fields stand in it, and are written out whatever they have.
struct PartForm {
  static constexpr std::tuple<> kFields = {};
  static constexpr std::string_view kBelow = "";
  static constexpr bool kIsWhole = true;  ///< else what has its default is left out
  static constexpr std::string_view kAlways =
      "";  ///< a mapping that is written also when it is empty
  static constexpr std::array<std::string_view, 0> kUnread = {};  ///< paths that are only known

  /// Before any field is read: defaults that are not those of the struct.
  static void Begin(const auto& /*decoding*/, auto* /*out*/) {}
  /// After all fields: those that are reported, and what follows from several.
  static void ReadRest(Sections&, auto* /*out*/) {}
  static void WriteRest(MapSections&, const auto& /*object*/) {}
};

/// Of a document: its fields stand in `spec`, and what has its default is left out.
struct DocumentForm : PartForm {
  static constexpr std::string_view kBelow = "spec";
  static constexpr bool kIsWhole = false;
};

/// A list of paths or names.
template <std::size_t N>
constexpr std::array<std::string_view, N> Paths(const std::string_view (&paths)[N]) {
  return std::to_array(paths);
}

/// Whether T is a kind of objects.
template <typename T>
inline constexpr bool kIsDocument =
    []<typename... Kinds>(std::type_identity<std::variant<Kinds...>>) {
      return (std::is_same_v<T, Kinds> || ...);
    }(std::type_identity<Object>());

template <typename T>
struct Form : PartForm {};
template <typename T>
requires kIsDocument<T>
struct Form<T> : DocumentForm {
};

/// Calls `use` with the Field of `member`, a field of `object`. False when it has none.
template <typename T, typename Member, typename Use>
bool WithFieldOf(const T& object, const Member& member, const Use& use) {
  const auto use_if = [&](const auto& field) {
    if constexpr (std::is_same_v<typename std::remove_cvref_t<decltype(field)>::MemberType,
                                 Member>) {
      if (&(object.*field.member) != &member) return false;
      use(field);
      return true;
    } else {
      return false;
    }
  };
  return std::apply([&](const auto&... fields) { return (use_if(fields) || ...); },
                    Form<T>::kFields);
}

/// Fields of documents that are read from their `metadata`.
inline bool IsOfMetadata(std::string_view name) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"key", "name", "uid", "created", "deletion", "labels", "annotations"});
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// The paths of all fields of T in the order of the list; empty for those that are elsewhere.
template <typename T>
const std::vector<std::string>& PathsOf() {
  static const std::vector<std::string> paths = [] {
    std::vector<std::string> all;
    const T blank{};
    const auto note = [&](const char* name, const auto& member) {
      std::string path(Form<T>::kBelow);
      path.append(path.empty() ? "" : ".").append(FieldName(name).view());
      if (kIsDocument<T> && IsOfMetadata(name)) path.clear();
      WithFieldOf(blank, member, [&path](const auto& field) {
        if (!field.path.empty()) path = field.path;
        if (field.is_elsewhere) path.clear();
      });
      all.push_back(std::move(path));
    };
    VisitFields(note, blank);
    return all;
  }();
  return paths;
}

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_FORM_H_
