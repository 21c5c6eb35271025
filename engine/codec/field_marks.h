// Marks of fields: what forms for people need to know of a field beside its name and type.
//
// A visitor that tells them apart has functions Required, Time and Duration; for all others a
// marked field is one like any other, so that marks never change the bytes of an encoding. Inline,
// so that they do not change their cost either.
#ifndef MUSTER_ENGINE_CODEC_FIELD_MARKS_H_
#define MUSTER_ENGINE_CODEC_FIELD_MARKS_H_

namespace muster {

/// An object makes no sense without it: to leave it out is a mistake, not a default.
template <typename V, typename T>
[[gnu::always_inline]] inline void VisitRequired(V& v, const char* name, T& member) {
  if constexpr (requires { v.Required(name, member); }) {
    v.Required(name, member);
  } else {
    v(name, member);
  }
}

/// A TimeNs.
template <typename V, typename T>
[[gnu::always_inline]] inline void VisitTime(V& v, const char* name, T& member) {
  if constexpr (requires { v.Time(name, member); }) {
    v.Time(name, member);
  } else {
    v(name, member);
  }
}

/// A DurationNs, or an optional one.
template <typename V, typename T>
[[gnu::always_inline]] inline void VisitDuration(V& v, const char* name, T& member) {
  if constexpr (requires { v.Duration(name, member); }) {
    v.Duration(name, member);
  } else {
    v(name, member);
  }
}

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_FIELD_MARKS_H_
