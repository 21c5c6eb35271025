// SmallVector: a vector that keeps its first elements in itself.
//
// What a cycle builds for each head is short: a few resources, a few flavors. Kept in place it
// costs no allocation. For trivially copyable elements only, so that growing and copying is one
// memcpy.
#ifndef MUSTER_ENGINE_BASE_SMALL_VECTOR_H_
#define MUSTER_ENGINE_BASE_SMALL_VECTOR_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace muster {

template <typename T, std::size_t kInline>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T> && kInline > 0);

 public:
  using value_type = T;

  SmallVector() = default;
  SmallVector(std::initializer_list<T> values) { Assign(values.begin(), values.size()); }
  SmallVector(const SmallVector& other) { Assign(other.data(), other.size_); }
  SmallVector(SmallVector&& other) noexcept { Take(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) Assign(other.data(), other.size_);
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) Take(other);
    return *this;
  }
  ~SmallVector() = default;

  T* data() { return heap_ ? heap_.get() : inline_; }
  const T* data() const { return heap_ ? heap_.get() : inline_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  const T& front() const { return data()[0]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }

  std::vector<T> vector() const { return std::vector<T>(begin(), end()); }

  void clear() { size_ = 0; }
  /// Amortised O(1). `value` may be an element.
  void push_back(T value) {
    if (size_ == capacity_) Grow(capacity_ * 2);
    data()[size_++] = value;
  }
  void pop_back() { --size_; }
  /// Puts `value` in front of `where`. O(size).
  void insert(const T* where, T value) {
    const std::size_t index = static_cast<std::size_t>(where - data());
    push_back(value);
    std::rotate(begin() + index, end() - 1, end());
  }

  bool operator==(const SmallVector& other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }

 private:
  void Grow(std::uint32_t capacity) {
    auto grown = std::make_unique<T[]>(capacity);
    std::copy(begin(), end(), grown.get());
    heap_ = std::move(grown);
    capacity_ = capacity;
  }
  void Assign(const T* values, std::size_t size) {
    size_ = 0;
    const auto count = static_cast<std::uint32_t>(size);
    if (count > capacity_) Grow(count);
    std::copy(values, values + count, data());
    size_ = count;
  }
  void Take(SmallVector& other) {
    if (other.heap_) {
      heap_ = std::move(other.heap_);
      capacity_ = std::exchange(other.capacity_, std::uint32_t{kInline});
      size_ = std::exchange(other.size_, 0U);
    } else {
      Assign(other.inline_, std::exchange(other.size_, 0U));
    }
  }

  // The first elements stand in the line of the cache that says how many there are.
  std::unique_ptr<T[]> heap_;  ///< null while the elements fit in place
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = kInline;
  T inline_[kInline];
};

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_SMALL_VECTOR_H_
