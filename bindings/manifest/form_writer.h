// Writing by field lists: every struct that has a list is written by Encode, as its Form says.
#ifndef MUSTER_BINDINGS_MANIFEST_FORM_WRITER_H_
#define MUSTER_BINDINGS_MANIFEST_FORM_WRITER_H_

#include <forward_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings/manifest/encode.h"
#include "bindings/manifest/form.h"
#include "engine/base/time_text.h"
#include "engine/codec/field_defaults.h"

namespace muster::manifest {

/// The mapping of a struct and those in it, each made when the first of its fields is written.
class MapSections {
 public:
  explicit MapSections(MapWriter& root) : root_(root) {}

  YamlArena& arena() { return root_.arena(); }
  /// The mapping at `path`, whose characters must outlive this. `spec` stands before `status`.
  MapWriter& At(std::string_view path);
  void Put(std::string_view path, Encoded value);

 private:
  MapWriter& root_;
  std::forward_list<std::pair<std::string_view, MapWriter>> sections_;
};

/// Texts, lists, maps and optional fields are left out when they are empty or unset.
template <typename T>
concept MayBeBlank = requires(const T& value) {
  value.empty();
}
|| requires(const T& value) { value.has_value(); };

/// Visits the fields of one T.
template <typename T>
class FormWriter {
 public:
  FormWriter(MapSections& out, const T& object) : out_(out), object_(object) {}

  template <typename Member>
  void operator()(const char*, const Member& member) {
    bool is_blank = false;
    if constexpr (requires { member.has_value(); }) {
      is_blank = !member.has_value();
    } else if constexpr (requires { member.empty(); }) {
      is_blank = member.empty();
    } else if constexpr (std::is_enum_v<Member>) {
      is_blank = EnumName(member).empty() && places_[index_].example.empty();
    }
    Visit(member, is_blank, [this](const Member& value) {
      if constexpr (requires { value.has_value(); }) {
        return Encode(out_.arena(), *value);
      } else {
        return Encode(out_.arena(), value);
      }
    });
  }
  void Time(const char*, const TimeNs& member) {
    Visit(member, member == kNoTime,
          [this](TimeNs time) { return Text(out_.arena(), FormatTime(time)); });
  }
  void Duration(const char*, const DurationNs& member) {
    Visit(member, false, [this](DurationNs time) { return Write(time); });
  }
  void Duration(const char*, const std::optional<DurationNs>& member) {
    Visit(member, !member, [this](const auto& time) { return Write(*time); });
  }

 private:
  Encoded Write(DurationNs time) { return Text(out_.arena(), FormatDuration(time)); }

  /// Fields that must be given are left out when they are blank; others, in a form that is not
  /// whole, also when they have their default, unless that is what blank means.
  template <typename Member, typename Usual>
  void Visit(const Member& member, bool is_blank, const Usual& write) {
    const std::size_t index = index_++;
    const FieldPlace& place = places_[index];
    if (place.path.empty()) return;
    const bool is_left_out =
        is_blank || (!MayBeBlank<Member> && !Form<T>::kIsWhole && place.example.empty() &&
                     member == Defaults<T>::Get().template Of<Member>(index));
    WithWay(object_, member, [&]<typename Way>(std::optional<std::string_view>) {
      if constexpr (requires { Way::Write(out_.arena(), member); }) {
        if (!is_left_out) Put(place.path, Way::Write(out_.arena(), member));
      } else if constexpr (requires { Way::Write(out_.arena(), object_); }) {
        Put(place.path, Way::Write(out_.arena(), object_));
      } else if constexpr (!std::is_same_v<Way, Elsewhere>) {
        if (!is_left_out) Put(place.path, write(member));
      }
    });
  }

  void Put(std::string_view path, Encoded value) {
    if (value != nullptr) out_.Put(path, value);
  }

  MapSections& out_;
  const T& object_;
  const std::vector<FieldPlace>& places_ = PlacesOf<T>();
  std::size_t index_ = 0;
};

/// Writes the fields of `object` that are not in metadata.
template <typename T>
void WriteFields(MapWriter& out, const T& object) {
  MapSections sections(out);
  if (!Form<T>::kAlways.empty()) sections.At(Form<T>::kAlways);
  FormWriter<T> writer(sections, object);
  VisitFields(writer, object);
  Form<T>::WriteRest(sections, object);
}

/// A part of a document, as its mapping.
template <typename T>
requires std::is_class_v<T> Encoded Encode(YamlArena& arena, const T& part) {
  MapWriter out(arena);
  WriteFields(out, part);
  return out.node();
}

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_FORM_WRITER_H_
