// FieldPath: where in a manifest a value stands, spelt out only for a message.
#ifndef MUSTER_ENGINE_VALIDITY_FIELD_PATH_H_
#define MUSTER_ENGINE_VALIDITY_FIELD_PATH_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace muster {

/// A chain of steps on the caller's stack; costs nothing until ToString. A path refers to the one
/// it was made from and to the texts it was given: use it where both still live.
class FieldPath {
 public:
  explicit FieldPath(std::string_view name) : name_(name) {}

  FieldPath Child(std::string_view name) const { return FieldPath(this, name, kNotIndexed); }
  FieldPath At(std::size_t index) const { return FieldPath(this, {}, index); }
  /// An entry of a map: "requests[nvidia.com/gpu]".
  FieldPath Entry(std::string_view key) const { return FieldPath(this, key, kEntry); }

  /// "spec.resourceGroups[0].flavors[1].name".
  std::string ToString() const;

 private:
  static constexpr std::size_t kNotIndexed = static_cast<std::size_t>(-1);
  static constexpr std::size_t kEntry = static_cast<std::size_t>(-2);

  FieldPath(const FieldPath* parent, std::string_view name, std::size_t index)
      : parent_(parent), name_(name), index_(index) {}

  const FieldPath* parent_ = nullptr;
  std::string_view name_;
  std::size_t index_ = kNotIndexed;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_VALIDITY_FIELD_PATH_H_
