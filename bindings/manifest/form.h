// Form: how a manifest writes a struct whose fields the lists of engine/codec declare.
//
// The lists say where a field stands; it looks as its type says. Form<T> has what is otherwise, so
// that most fields, and many structs, need no line here.
#ifndef MUSTER_BINDINGS_MANIFEST_FORM_H_
#define MUSTER_BINDINGS_MANIFEST_FORM_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
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

/// Ways a field may look. Others than these have, as far as that differs from the field's type,
///   static bool Read(const Value&, Member*), or of the whole struct,
///   static Encoded Write(YamlArena&, const Member&), or of the whole struct; null: left out.
struct OfType {};
struct Elsewhere {};  ///< read and written with another field, or by ReadRest and WriteRest

template <typename Owner, typename Member, typename Way>
struct Field {
  Member Owner::*member;
  std::optional<std::string_view> old_path;  ///< in v1beta1, if that differs; empty: nowhere
};

template <typename Way = OfType, typename Owner, typename Member>
constexpr Field<Owner, Member, Way> By(Member Owner::*member,
                                       std::optional<std::string_view> old_path = std::nullopt) {
  return {member, old_path};
}

class Sections;
class MapSections;

/// A field that Kueue decides by and nothing here does: see Decoding::Unread.
struct Unheeded {
  std::string_view path;
  std::string_view why;
  std::string_view cure;
};

/// Of a part of a document: its fields stand in it, and are written out whatever they have.
struct PartForm {
  static constexpr std::tuple<> kFields = {};
  static constexpr std::array<std::string_view, 0> kUnread = {};  ///< paths that are only known
  static constexpr std::array<Unheeded, 0> kUnheeded = {};
  static constexpr std::string_view kBelow{};   ///< path of the mapping that has the fields
  static constexpr std::string_view kAlways{};  ///< one that is written also when it is empty
  static constexpr bool kIsWhole = true;        ///< else what has its default is left out

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
struct Form : std::conditional_t<kIsDocument<T>, DocumentForm, PartForm> {};

/// Calls `use`, a template of the Way, with the path in v1beta1 of what Form<T> has of `member`, a
/// field of `object`; without one when it has nothing.
template <typename T, typename Member, typename Use>
void WithWay(const T& object, const Member& member, const Use& use) {
  const auto use_if = [&]<typename Of, typename Way>(const Field<T, Of, Way>& field) {
    if constexpr (std::is_same_v<Of, Member>) {
      if (&(object.*field.member) != &member) return false;
      use.template operator()<Way>(field.old_path);
      return true;
    } else {
      return false;
    }
  };
  const bool is_used =
      std::apply([&](const auto&... fields) { return (use_if(fields) || ...); }, Form<T>::kFields);
  if (!is_used) use.template operator()<OfType>(std::nullopt);
}

/// Where a field stands; the path is empty for fields of a document that `metadata` has.
struct FieldPlace {
  std::string path;
  std::string_view example;  ///< empty: it may be left out
};

/// Visits a list for the places of its fields.
template <typename T>
class PlaceLister {
 public:
  std::vector<FieldPlace> Take() { return std::move(places_); }
  void Note(const InManifest& at) { next_ = at; }
  void operator()(std::string_view name, const auto& /*member*/) {
    constexpr auto kOfMetadata = std::to_array<std::string_view>(
        {"key", "name", "uid", "created", "deletion", "labels", "annotations", "variant_of"});
    std::string path = next_.path;
    if (path.empty()) {
      path = Form<T>::kBelow;
      path.append(path.empty() ? "" : ".").append(FieldName(name).view());
    }
    if (kIsDocument<T> && std::ranges::find(kOfMetadata, name) != kOfMetadata.end()) path.clear();
    places_.push_back({std::move(path), next_.example});
    next_ = {};
  }

 private:
  InManifest next_;
  std::vector<FieldPlace> places_;
};

/// The places of all fields of T, in the order of the list.
template <typename T>
const std::vector<FieldPlace>& PlacesOf() {
  static const std::vector<FieldPlace> places = [] {
    const T object{};
    PlaceLister<T> lister;
    VisitFields(lister, object);
    return lister.Take();
  }();
  return places;
}

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_FORM_H_
