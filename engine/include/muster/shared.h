// Shared: a value whose copies are one piece of memory until one of them is changed.
//
// Jobs come in series from one template, and a workload is copied on its way in and out. What the
// copies have in common then exists once. A value that is as new takes no memory. Copies may live
// on several threads.
#ifndef MUSTER_SHARED_H_
#define MUSTER_SHARED_H_

#include <atomic>
#include <cstdint>
#include <utility>

namespace muster {

/// Copying is O(1); the copies share the value until Mutable() of one of them.
template <typename T>
class Shared {
 public:
  Shared() = default;
  explicit Shared(T value) : block_(new Block{{1}, std::move(value)}) {}
  Shared(const Shared& other) : block_(other.block_) {
    if (block_ != nullptr) block_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  Shared(Shared&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Shared& operator=(const Shared& other) {
    // One of the same touches no memory that others count in.
    if (this == &other || block_ == other.block_) return *this;
    Shared copy(other);
    std::swap(block_, copy.block_);
    return *this;
  }
  Shared& operator=(Shared&& other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Shared() { Reset(); }

  /// Null: as new.
  const T* get() const { return block_ == nullptr ? nullptr : &block_->value; }
  /// Prefetches the value, if there is one; changes nothing but the time it takes.
  void Prefetch() const { __builtin_prefetch(block_); }
  bool IsSameAs(const Shared& other) const { return block_ == other.block_; }
  void Reset() {
    Block* block = std::exchange(block_, nullptr);
    if (block != nullptr && block->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      delete block;
    }
  }
  /// The value, no longer shared. O(its size) when it was.
  T& Mutable() {
    if (block_ == nullptr) {
      *this = Shared(T());
    } else if (block_->owners.load(std::memory_order_acquire) > 1) {
      *this = Shared(block_->value);
    }
    return block_->value;
  }

 private:
  struct Block {
    std::atomic<std::uint32_t> owners;
    T value;
  };
  Block* block_ = nullptr;
};

}  // namespace muster

#endif  // MUSTER_SHARED_H_
