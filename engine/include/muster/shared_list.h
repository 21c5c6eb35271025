// SharedList: a list whose copies share their elements until one of them is changed.
//
// Jobs come in series from one template, and a workload is copied on its way in and out: the
// podsets of all copies are then the same memory, and whether two are equal is mostly one
// comparison of pointers. Reading is that of a const vector. Every access that could change an
// element gives this list elements of its own first, so nobody sees another's change. Copies may
// live on several threads.
#ifndef MUSTER_SHARED_LIST_H_
#define MUSTER_SHARED_LIST_H_

#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace muster {

template <typename T>
class SharedList {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  SharedList() = default;
  SharedList(std::vector<T> elements) {
    if (!elements.empty()) elements_ = std::make_shared<std::vector<T>>(std::move(elements));
  }
  SharedList(std::initializer_list<T> elements) : SharedList(std::vector<T>(elements)) {}

  std::size_t size() const { return elements_ ? elements_->size() : 0; }
  bool empty() const { return size() == 0; }
  const T* data() const { return elements_ ? elements_->data() : nullptr; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  const T& operator[](std::size_t i) const { return (*elements_)[i]; }
  const T& at(std::size_t i) const { return elements_->at(i); }
  const T& front() const { return elements_->front(); }
  const T& back() const { return elements_->back(); }

  /// The elements, no longer shared. O(size) when they were, and so are the functions below.
  std::vector<T>& Mutable() {
    if (!elements_) {
      elements_ = std::make_shared<std::vector<T>>();
    } else if (elements_.use_count() > 1) {
      elements_ = std::make_shared<std::vector<T>>(*elements_);
    } else {
      std::atomic_thread_fence(std::memory_order_acquire);  // whoever shared it has read it
    }
    return *elements_;
  }
  T* begin() { return empty() ? nullptr : Mutable().data(); }
  T* end() { return empty() ? nullptr : Mutable().data() + size(); }
  T& operator[](std::size_t i) { return Mutable()[i]; }
  T& at(std::size_t i) { return Mutable().at(i); }
  T& front() { return Mutable().front(); }
  T& back() { return Mutable().back(); }
  void push_back(T element) { Mutable().push_back(std::move(element)); }
  T& emplace_back() { return Mutable().emplace_back(); }
  void resize(std::size_t size) { Mutable().resize(size); }
  void clear() { elements_.reset(); }

  /// O(1) for copies of one list.
  bool operator==(const SharedList& other) const {
    return elements_ == other.elements_ ||
           (size() == other.size() && (empty() || *elements_ == *other.elements_));
  }

 private:
  std::shared_ptr<std::vector<T>> elements_;  ///< null: empty
};

}  // namespace muster

#endif  // MUSTER_SHARED_LIST_H_
