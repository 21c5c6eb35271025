// Defaults: what each field of a list has in a new object, for forms that leave such fields out.
#ifndef MUSTER_ENGINE_CODEC_FIELD_DEFAULTS_H_
#define MUSTER_ENGINE_CODEC_FIELD_DEFAULTS_H_

#include <cstddef>
#include <vector>

#include "engine/codec/fields.h"

namespace muster {

/// A new T and where its fields are: what a field has that is left out.
template <typename T>
class Defaults {
 public:
  static const Defaults& Get() {
    static const Defaults defaults;
    return defaults;
  }
  /// The default of the field that is the `index`th of the list, which is a `Member`.
  template <typename Member>
  const Member& Of(std::size_t index) const {
    return *static_cast<const Member*>(members_[index]);
  }

 private:
  Defaults() {
    const auto note = [this](const char*, const auto& member) { members_.push_back(&member); };
    VisitFields(note, new_);
  }

  const T new_{};
  std::vector<const void*> members_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_FIELD_DEFAULTS_H_
