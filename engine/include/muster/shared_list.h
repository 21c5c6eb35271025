// SharedList: a list whose copies share their elements until one of them is changed.
//
// Jobs come in series from one template, and a workload is copied on its way in and out. The
// podsets of all copies are then the same memory, and whether two are equal is mostly one
// comparison of pointers. Reading is that of a const vector. Every access that could change an
// element gives this list elements of its own first, so none sees another's change. Copies may
// live on several threads.
#ifndef MUSTER_SHARED_LIST_H_
#define MUSTER_SHARED_LIST_H_

#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

#include "muster/shared.h"

namespace muster {

template <typename T>
class SharedList {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  SharedList() = default;
  SharedList(std::vector<T> elements) {
    if (!elements.empty()) elements_ = Shared<std::vector<T>>(std::move(elements));
  }
  SharedList(std::initializer_list<T> elements) : SharedList(std::vector<T>(elements)) {}

  std::size_t size() const { return elements_.get() == nullptr ? 0 : elements_.get()->size(); }
  bool empty() const { return size() == 0; }
  const T* data() const { return elements_.get() == nullptr ? nullptr : elements_.get()->data(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  const T& operator[](std::size_t i) const { return (*elements_.get())[i]; }
  const T& at(std::size_t i) const { return elements_.get()->at(i); }
  const T& front() const { return elements_.get()->front(); }
  const T& back() const { return elements_.get()->back(); }

  /// Prefetches the elements; changes nothing but the time it takes.
  void Prefetch() const { elements_.Prefetch(); }

  /// The elements, no longer shared. O(size) when they were, and so are the functions below.
  std::vector<T>& Mutable() { return elements_.Mutable(); }
  T* begin() { return empty() ? nullptr : Mutable().data(); }
  T* end() { return empty() ? nullptr : Mutable().data() + size(); }
  T& operator[](std::size_t i) { return Mutable()[i]; }
  T& at(std::size_t i) { return Mutable().at(i); }
  T& front() { return Mutable().front(); }
  T& back() { return Mutable().back(); }
  void push_back(T element) { Mutable().push_back(std::move(element)); }
  T& emplace_back() { return Mutable().emplace_back(); }
  void resize(std::size_t size) { Mutable().resize(size); }
  void clear() { elements_.Reset(); }

  /// O(1) for copies of one list.
  bool operator==(const SharedList& other) const {
    if (elements_.IsSameAs(other.elements_) || (empty() && other.empty())) return true;
    return size() == other.size() && *elements_.get() == *other.elements_.get();
  }

 private:
  Shared<std::vector<T>> elements_;  ///< mostly null when empty
};

}  // namespace muster

#endif  // MUSTER_SHARED_LIST_H_
