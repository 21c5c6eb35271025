// ConditionList: the conditions of a workload, in one piece of memory that copies share.
//
// A million workloads have two or three conditions each, and those of one queue mostly the same
// ones at other times: so a list is a time and a pointer, behind the pointer times count from that
// one, and a list that is changed while others have its memory gets some of its own first. Copies
// stay on one thread.
#ifndef MUSTER_ENGINE_MODEL_CONDITION_LIST_H_
#define MUSTER_ENGINE_MODEL_CONDITION_LIST_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/prefetch.h"
#include "engine/base/words.h"
#include "muster/workload.h"

namespace muster {

/// A condition in a list; valid until the list is changed.
struct ConditionView {
  const Text& type;
  bool status;
  const Text& reason;
  const Text& message;
  TimeNs since;  ///< kNoTime: not known
  operator Condition() const { return {type, status, reason, message, since}; }
  bool operator==(const ConditionView& other) const {
    return type == other.type && status == other.status && reason == other.reason &&
           message == other.message && since == other.since;
  }
};

class ConditionList {
  struct Kept;

 public:
  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = Condition;
    using reference = ConditionView;
    using pointer = void;
    using iterator_category = std::input_iterator_tag;

    Iterator(const Kept* at, TimeNs base) : at_(at), base_(base) {}
    ConditionView operator*() const {
      return {at_->type, at_->status, at_->reason, at_->message, TimeOf(*at_, base_)};
    }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return {at_++, base_}; }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const Kept* at_;
    TimeNs base_;
  };

  ConditionList() = default;
  /// Precondition: one of each type. O(size).
  explicit ConditionList(std::span<const Condition> conditions) {
    if (conditions.empty()) return;
    block_ = NewBlock(conditions.size());
    base_ = conditions.front().since == kNoTime ? 0 : conditions.front().since;
    for (const Condition& condition : conditions) {
      Add(condition.type, condition.status, condition.reason, condition.message, condition.since,
          ConditionBit(condition.type));
    }
  }
  ConditionList(const ConditionList& other) : block_(other.block_), base_(other.base_) {
    if (block_ != nullptr) ++block_->owners;
  }
  ConditionList(ConditionList&& other) noexcept
      : block_(std::exchange(other.block_, nullptr)), base_(other.base_) {}
  ConditionList& operator=(ConditionList other) noexcept {
    std::swap(block_, other.block_);
    base_ = other.base_;
    return *this;
  }
  ~ConditionList() { Drop(); }

  std::size_t size() const { return block_ == nullptr ? 0 : block_->size; }
  bool empty() const { return size() == 0; }
  Iterator begin() const { return {first(), base_}; }
  Iterator end() const { return {first() + size(), base_}; }
  std::vector<Condition> vector() const {
    std::vector<Condition> all;
    all.reserve(size());
    for (const ConditionView condition : *this) all.push_back(condition);
    return all;
  }

  /// The condition of this type, if there is one. O(size), O(1) for most that is missing.
  std::optional<ConditionView> Find(KnownWord type) const {
    const Kept* found = At(type);
    return found == nullptr ? std::nullopt : std::optional(*Iterator(found, base_));
  }
  /// Whether there is a condition of this type with this status. O(1) for types that the engine
  /// gives, else O(size).
  [[gnu::always_inline]] bool Is(KnownWord type, bool status) const {
    const unsigned bit = type.condition_bit();
    if (bit == 0) return IsByWord(type, status);
    return block_ != nullptr && (block_->types & bit) != 0 &&
           ((block_->truths & bit) != 0) == status;
  }

  /// Makes room for `count` in all, so that setting them moves none. O(size).
  void Reserve(std::size_t count) {
    if (block_ == nullptr || block_->owners > 1 || block_->capacity < count) Move(count);
  }
  /// Adds one, or replaces the one of its type; that keeps its time while its status stays.
  /// O(size).
  void Set(KnownWord type, bool status, Text reason, Text message, TimeNs now) {
    const Kept* found = At(type);
    if (found == nullptr) {
      if (empty()) base_ = now;
      Reserve(size() + 1);
      Add(Text(type.text()), status, std::move(reason), std::move(message), now,
          type.condition_bit());
    } else {
      const auto at = found - first();
      Reserve(size());
      Kept& condition = block_->conditions()[at];
      if (condition.status != status) SetTime(condition, now);
      condition.status = status;
      condition.reason = std::move(reason);
      condition.message = std::move(message);
      Note(type.condition_bit(), status);
    }
  }

  /// Prefetches them; changes nothing but the time it takes.
  void Prefetch() const { muster::Prefetch(block_, 2 * kCacheLine); }
  /// The same conditions, with all times later by `time`. O(1).
  ConditionList After(TimeNs time) const {
    ConditionList later = *this;
    later.base_ = Sum(base_, time);
    return later;
  }
  /// Whether this is a copy of what `other.After(time)` gives. O(1).
  bool IsCopyOf(const ConditionList& other, TimeNs time) const {
    return block_ == other.block_ && base_ == Sum(other.base_, time);
  }
  /// Takes the memory of `other` for its own where the two differ in nothing, or in their times and
  /// in all by the same; returns whether they do. O(size).
  bool ShareWith(const ConditionList& other) {
    if (block_ == other.block_) return true;
    if (size() != other.size() || block_ == nullptr || other.block_ == nullptr) return false;
    if (block_->types != other.block_->types || block_->truths != other.block_->truths)
      return false;
    std::optional<TimeNs> base;
    for (std::size_t i = 0; i < size(); ++i) {
      const Kept& mine = first()[i];
      const Kept& its = other.first()[i];
      if (!mine.IsLike(its)) return false;
      if (!mine.timed) continue;
      const TimeNs fitting = Difference(TimeOf(mine, base_), its.after);
      if (base && *base != fitting) return false;
      base = fitting;
    }
    *this = other;
    if (base) base_ = *base;
    return true;
  }
  /// Where a message has these words it becomes this piece of memory. O(size).
  void ShareMessage(const Text& message) {
    for (std::size_t i = 0; i < size(); ++i) {
      if (first()[i].message != message) continue;
      Reserve(size());
      block_->conditions()[i].message = message;
    }
  }

  /// O(1) for copies of one list.
  bool operator==(const ConditionList& other) const {
    if (block_ == other.block_ && base_ == other.base_) return true;
    return std::equal(begin(), end(), other.begin(), other.end());
  }

 private:
  struct Kept {
    Text type;
    bool status = false;
    bool timed = false;  ///< its time is known
    Text reason;
    Text message;
    TimeNs after = 0;  ///< its time, counted from base_ of the list; 0 when not known

    bool IsLike(const Kept& other) const {
      return type == other.type && status == other.status && timed == other.timed &&
             reason == other.reason && message == other.message;
    }
  };
  /// The conditions stand right behind it.
  struct Block {
    std::uint32_t owners = 1;
    std::uint8_t size = 0;
    std::uint8_t capacity = 0;
    std::uint8_t types = 0;   ///< which there are; see ConditionBit
    std::uint8_t truths = 0;  ///< and which are true
    Kept* conditions() { return reinterpret_cast<Kept*>(this + 1); }
    const Kept* conditions() const { return reinterpret_cast<const Kept*>(this + 1); }
  };
  static_assert(sizeof(Block) % alignof(Kept) == 0);

  // Times may be anything that a status says: sums wrap, and differences wrap back.
  static TimeNs Sum(TimeNs a, TimeNs b) {
    return static_cast<TimeNs>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  }
  static TimeNs Difference(TimeNs a, TimeNs b) {
    return static_cast<TimeNs>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
  }
  static TimeNs TimeOf(const Kept& condition, TimeNs base) {
    return condition.timed ? Sum(base, condition.after) : kNoTime;
  }
  void SetTime(Kept& condition, TimeNs time) const {
    condition.timed = time != kNoTime;
    condition.after = condition.timed ? Difference(time, base_) : 0;
  }

  static Block* NewBlock(std::size_t capacity) {
    MUSTER_CHECK(capacity <= std::numeric_limits<std::uint8_t>::max());
    Block* block =
        std::construct_at(static_cast<Block*>(::operator new(BytesOf(capacity))), Block());
    block->capacity = static_cast<std::uint8_t>(capacity);
    return block;
  }
  static std::size_t BytesOf(std::size_t capacity) {
    return sizeof(Block) + capacity * sizeof(Kept);
  }
  const Kept* first() const { return block_ == nullptr ? nullptr : block_->conditions(); }
  /// Precondition: there is room for it in memory of its own. `bit`: of its type.
  void Add(Text type, bool status, Text reason, Text message, TimeNs since, std::uint8_t bit) {
    Kept* const added = std::construct_at(
        block_->conditions() + block_->size,
        Kept{std::move(type), status, false, std::move(reason), std::move(message), 0});
    ++block_->size;
    SetTime(*added, since);
    Note(bit, status);
  }
  void Note(std::uint8_t bit, bool status) {
    block_->types = static_cast<std::uint8_t>(block_->types | bit);
    block_->truths =
        static_cast<std::uint8_t>(status ? block_->truths | bit : block_->truths & ~unsigned{bit});
  }
  bool Lacks(KnownWord type) const {
    return type.condition_bit() != 0 && (block_->types & type.condition_bit()) == 0;
  }
  /// Null when there is none.
  const Kept* At(KnownWord type) const {
    if (block_ == nullptr || Lacks(type)) return nullptr;
    for (const Kept& condition : std::span(first(), size())) {
      if (condition.type == type) return &condition;
    }
    return nullptr;
  }
  bool IsByWord(KnownWord type, bool status) const {
    const Kept* found = At(type);
    return found != nullptr && found->status == status;
  }
  /// Into a piece of memory of its own.
  void Move(std::size_t capacity) {
    Block* moved = NewBlock(std::max(capacity, size()));
    if (block_ != nullptr && block_->owners == 1) {
      std::uninitialized_move(block_->conditions(), block_->conditions() + block_->size,
                              moved->conditions());
    } else {
      std::uninitialized_copy(first(), first() + size(), moved->conditions());
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
  TimeNs base_ = 0;         ///< what times in the block count from
};

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_CONDITION_LIST_H_
