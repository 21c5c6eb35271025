// FieldName: how forms for people spell a field of the lists: "cluster_queue" is "clusterQueue".
#ifndef MUSTER_ENGINE_CODEC_FIELD_NAME_H_
#define MUSTER_ENGINE_CODEC_FIELD_NAME_H_

#include <array>
#include <cstddef>
#include <string_view>

#include "engine/base/check.h"

namespace muster {

class FieldName {
 public:
  /// Precondition: shorter than the longest name that any field has.
  explicit FieldName(std::string_view name) {
    bool upper = false;
    for (const char c : name) {
      if (c == '_') {
        upper = true;
        continue;
      }
      MUSTER_CHECK(size_ < letters_.size());
      letters_[size_++] = upper ? static_cast<char>(c - 'a' + 'A') : c;
      upper = false;
    }
  }
  std::string_view view() const { return {letters_.data(), size_}; }

 private:
  std::array<char, 40> letters_;
  std::size_t size_ = 0;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_FIELD_NAME_H_
