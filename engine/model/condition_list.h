// ConditionList: the conditions of a workload, in one piece of memory that copies share.
//
// A million workloads have two or three conditions each, and those that came in together often the
// same ones: so a list is a pointer, its size and its elements stand side by side, and a list that
// is changed while others have it gets elements of its own first. Copies stay on one thread.
#ifndef MUSTER_ENGINE_MODEL_CONDITION_LIST_H_
#define MUSTER_ENGINE_MODEL_CONDITION_LIST_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "engine/model/check.h"
#include "engine/model/words.h"
#include "muster/workload.h"

namespace muster {

class ConditionList {
 public:
  ConditionList() = default;
  explicit ConditionList(std::span<const Condition> conditions) {
    if (conditions.empty()) return;
    block_ = NewBlock(conditions.size());
    std::uninitialized_copy(conditions.begin(), conditions.end(), block_->conditions());
    block_->size = static_cast<std::uint8_t>(conditions.size());
    for (const Condition& condition : conditions) {
      Note(*block_, ConditionBit(condition.type), condition.status);
    }
  }
  ConditionList(const ConditionList& other) : block_(other.block_) {
    if (block_ != nullptr) ++block_->owners;
  }
  ConditionList(ConditionList&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  ConditionList& operator=(ConditionList other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~ConditionList() { Drop(); }

  std::size_t size() const { return block_ == nullptr ? 0 : block_->size; }
  bool empty() const { return size() == 0; }
  const Condition* begin() const { return block_ == nullptr ? nullptr : block_->conditions(); }
  const Condition* end() const { return begin() + size(); }
  std::span<const Condition> span() const { return {begin(), size()}; }
  std::vector<Condition> vector() const { return {begin(), end()}; }

  /// The condition of this type; null when there is none. O(size), O(1) for most that is missing.
  const Condition* Find(KnownWord type) const {
    if (block_ == nullptr || Lacks(type)) return nullptr;
    for (const Condition& condition : *this) {
      if (condition.type == type) return &condition;
    }
    return nullptr;
  }
  /// Whether there is a condition of this type with this status. O(1) for types that the engine
  /// gives, else O(size).
  bool Is(KnownWord type, bool status) const {
    if (block_ == nullptr || Lacks(type)) return false;
    if (type.condition_bit() == 0) {
      const Condition* found = Find(type);
      return found != nullptr && found->status == status;
    }
    return ((block_->truths & type.condition_bit()) != 0) == status;
  }

  /// Makes room for `count` in all, so that setting them moves none. O(size).
  void Reserve(std::size_t count) {
    if (block_ == nullptr || block_->owners > 1 || block_->capacity < count) Move(count);
  }
  /// Adds one, or replaces the one of its type; that keeps its time while its status stays.
  /// O(size).
  void Set(KnownWord type, bool status, Text reason, Text message, TimeNs now) {
    const Condition* found = Find(type);
    if (found == nullptr) {
      Reserve(size() + 1);
      std::construct_at(
          block_->conditions() + block_->size,
          Condition{Text(type.text()), status, std::move(reason), std::move(message), now});
      ++block_->size;
    } else {
      const auto at = found - begin();
      Reserve(size());
      Condition& condition = block_->conditions()[at];
      if (condition.status != status) condition.since = now;
      condition.status = status;
      condition.reason = std::move(reason);
      condition.message = std::move(message);
    }
    Note(*block_, type.condition_bit(), status);
  }
  /// Where a message has these words it becomes this piece of memory. O(size).
  void ShareMessage(const Text& message) {
    for (std::size_t i = 0; i < size(); ++i) {
      if (begin()[i].message != message) continue;
      Reserve(size());
      block_->conditions()[i].message = message;
    }
  }

  /// O(1) for copies of one list.
  bool operator==(const ConditionList& other) const {
    return block_ == other.block_ || *this == other.span();
  }
  bool operator==(std::span<const Condition> other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }

 private:
  /// The conditions stand right behind it.
  struct Block {
    std::uint32_t owners = 1;
    std::uint8_t size = 0;
    std::uint8_t capacity = 0;
    std::uint8_t types = 0;   ///< which there are; see ConditionBit
    std::uint8_t truths = 0;  ///< and which are true
    Condition* conditions() { return reinterpret_cast<Condition*>(this + 1); }
    const Condition* conditions() const { return reinterpret_cast<const Condition*>(this + 1); }
  };
  static_assert(sizeof(Block) % alignof(Condition) == 0);

  static Block* NewBlock(std::size_t capacity) {
    MUSTER_CHECK(capacity <= std::numeric_limits<std::uint8_t>::max());
    Block* block =
        std::construct_at(static_cast<Block*>(::operator new(BytesOf(capacity))), Block());
    block->capacity = static_cast<std::uint8_t>(capacity);
    return block;
  }
  static std::size_t BytesOf(std::size_t capacity) {
    return sizeof(Block) + capacity * sizeof(Condition);
  }
  static void Note(Block& block, std::uint8_t bit, bool status) {
    block.types = static_cast<std::uint8_t>(block.types | bit);
    block.truths =
        static_cast<std::uint8_t>(status ? block.truths | bit : block.truths & ~unsigned{bit});
  }
  bool Lacks(KnownWord type) const {
    return type.condition_bit() != 0 && (block_->types & type.condition_bit()) == 0;
  }
  /// Into a piece of memory of its own.
  void Move(std::size_t capacity) {
    Block* moved = NewBlock(std::max(capacity, size()));
    if (block_ != nullptr && block_->owners == 1) {
      std::uninitialized_move(block_->conditions(), block_->conditions() + block_->size,
                              moved->conditions());
    } else {
      std::uninitialized_copy(begin(), end(), moved->conditions());
    }
    if (block_ != nullptr) {
      moved->size = block_->size;
      moved->types = block_->types;
      moved->truths = block_->truths;
    }
    Drop();
    block_ = moved;
  }
  void Drop() {
    if (block_ == nullptr || --block_->owners > 0) return;
    std::destroy_n(block_->conditions(), block_->size);
    ::operator delete(block_);
  }

  Block* block_ = nullptr;  ///< null: none
};

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_CONDITION_LIST_H_
