// Seldom: a value that mostly is as new, and then takes no more than a pointer.
#ifndef MUSTER_ENGINE_BASE_SELDOM_H_
#define MUSTER_ENGINE_BASE_SELDOM_H_

#include <memory>
#include <utility>

namespace muster {

template <typename T>
class Seldom {
 public:
  Seldom() = default;
  Seldom(T value) : value_(std::make_unique<T>(std::move(value))) {}

  const T& operator*() const { return value_ ? *value_ : kAsNew; }
  const T* operator->() const { return &**this; }
  T& Mutable() {
    if (!value_) value_ = std::make_unique<T>();
    return *value_;
  }
  /// As new, as it surely is when this is true.
  bool IsNew() const { return value_ == nullptr; }
  void Reset() { value_.reset(); }

 private:
  inline static const T kAsNew{};

  std::unique_ptr<T> value_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_SELDOM_H_
