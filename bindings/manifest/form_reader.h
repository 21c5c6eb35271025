// Reading by field lists: every struct that has a list is read by Read, as its Form says.
#ifndef MUSTER_BINDINGS_MANIFEST_FORM_READER_H_
#define MUSTER_BINDINGS_MANIFEST_FORM_READER_H_

#include <forward_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "bindings/manifest/fields.h"
#include "bindings/manifest/form.h"

namespace muster::manifest {

/// The mapping of a struct and those in it, each opened when the first of its fields is asked for.
class Sections {
 public:
  /// `root` must outlive it.
  explicit Sections(Fields& root) : root_(root) {}

  Fields& root() { return root_; }
  /// The mapping at `path`, whose characters must outlive this; null when it is not there.
  Fields* Find(std::string_view path);
  /// The field at `path`, whose name is known from then on; nullopt when it is absent, null or, as
  /// an empty path, nowhere. With an `example`, one that is absent is missed where its mapping is.
  std::optional<Value> FindField(std::string_view path, std::string_view example = {});
  /// The field at `path` is known and not read.
  void Accept(std::string_view path);
  void Report(const Unheeded& field);

 private:
  struct Section {
    std::string_view path;
    std::optional<Fields> fields;  ///< unset: it is not there
  };
  Fields& root_;
  std::forward_list<Section> sections_;
};

/// Visits the fields of one T.
template <typename T>
class FormReader {
 public:
  FormReader(Sections& sections, T* out) : sections_(sections), out_(out) {}

  template <typename Member>
  void operator()(const char*, Member& member) {
    Visit(member, [](const Value& value, Member* read) { return Read(value, read); });
  }
  void Time(const char*, TimeNs& member) { Visit(member, ReadTime); }
  void Duration(const char*, DurationNs& member) { Visit(member, ReadDuration); }
  void Duration(const char*, std::optional<DurationNs>& member) {
    Visit(member, [](const Value& value, std::optional<DurationNs>* read) {
      DurationNs duration = 0;
      const bool ok = ReadDuration(value, &duration);
      if (ok) *read = duration;
      return ok;
    });
  }

 private:
  template <typename Member, typename Usual>
  void Visit(Member& member, const Usual& read) {
    const FieldPlace& place = places_[index_++];
    const bool is_v1beta1 = sections_.root().decoding().v1beta1;
    WithWay(*out_, member, [&]<typename Way>(std::optional<std::string_view> old_path) {
      if constexpr (!std::is_same_v<Way, Elsewhere>) {
        const auto value =
            sections_.FindField(is_v1beta1 && old_path ? *old_path : place.path, place.example);
        if (!value) return;
        if constexpr (requires { Way::Read(*value, &member); }) {
          Way::Read(*value, &member);
        } else if constexpr (requires { Way::Read(*value, out_); }) {
          Way::Read(*value, out_);
        } else {
          read(*value, &member);
        }
      }
    });
  }

  Sections& sections_;
  T* out_;
  const std::vector<FieldPlace>& places_ = PlacesOf<T>();
  std::size_t index_ = 0;
};

/// Reads the fields of `out` that are not in metadata.
template <typename T>
void ReadFields(Sections& sections, T* out) {
  Form<T>::Begin(sections.root().decoding(), out);
  FormReader<T> reader(sections, out);
  VisitFields(reader, *out);
  for (const std::string_view path : Form<T>::kUnread) sections.Accept(path);
  for (const Unheeded& field : Form<T>::kUnheeded) sections.Report(field);
  Form<T>::ReadRest(sections, out);
}

/// A part of a document, as its mapping.
template <typename T>
bool ReadPart(const Value& value, T* out) {
  Fields fields(value);
  Sections sections(fields);
  ReadFields(sections, out);
  return true;
}

template <typename T>
requires std::is_class_v<T>
bool Read(const Value& value, T* out) { return ReadPart(value, out); }

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_FORM_READER_H_
