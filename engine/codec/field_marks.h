// Marks of fields: what forms for people need to know of a field beside its name and type.
//
// A visitor that tells them apart has functions Required, Time, Duration and Note; for all others a
// marked field is one like any other, so that marks never change the bytes of an encoding. Inline,
// so that they do not change their cost either.
#ifndef MUSTER_ENGINE_CODEC_FIELD_MARKS_H_
#define MUSTER_ENGINE_CODEC_FIELD_MARKS_H_

namespace muster {

/// Where manifests have a field. Empty is usual: below the mapping of its kind, under its own name.
struct InManifest {
  const char* path = "";     ///< from the mapping of the object; names are joined by dots
  const char* example = "";  ///< what a message shows of one that manifests may not leave out
};

/// Tells `v`, when it wants to know, where the next field is.
template <typename V>
[[gnu::always_inline]] inline void Note(V& v, const InManifest& at) {
  if constexpr (requires { v.Note(at); }) v.Note(at);
}

template <typename V, typename T>
[[gnu::always_inline]] inline void VisitPlaced(V& v, const char* name, T& member,
                                               const InManifest& at) {
  Note(v, at);
  v(name, member);
}

/// An object makes no sense without it: to leave it out is a mistake, not a default.
template <typename V, typename T>
[[gnu::always_inline]] inline void VisitRequired(V& v, const char* name, T& member,
                                                 const InManifest& at = {}) {
  Note(v, at);
  if constexpr (requires { v.Required(name, member); }) {
    v.Required(name, member);
  } else {
    v(name, member);
  }
}

/// A TimeNs.
template <typename V, typename T>
[[gnu::always_inline]] inline void VisitTime(V& v, const char* name, T& member,
                                             const InManifest& at = {}) {
  Note(v, at);
  if constexpr (requires { v.Time(name, member); }) {
    v.Time(name, member);
  } else {
    v(name, member);
  }
}

/// A DurationNs, or an optional one.
template <typename V, typename T>
[[gnu::always_inline]] inline void VisitDuration(V& v, const char* name, T& member,
                                                 const InManifest& at = {}) {
  Note(v, at);
  if constexpr (requires { v.Duration(name, member); }) {
    v.Duration(name, member);
  } else {
    v(name, member);
  }
}

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_FIELD_MARKS_H_
