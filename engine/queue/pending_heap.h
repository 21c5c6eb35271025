// PendingHeap: keys in a heap, of which any can be taken out.
//
// A slot carries the beginning of its key's order as two numbers, so that most comparisons touch no
// key: equal numbers, and only they, are decided by Compare. The numbers order like Compare does:
// the sticky key is below everything else, then come higher priority and earlier timestamp, or the
// first two of the policy's keys, larger first. Where a key's slot is stands in its node and not in
// the key: moving a slot then writes to a small table and not to a cold workload.
#ifndef MUSTER_ENGINE_QUEUE_PENDING_HEAP_H_
#define MUSTER_ENGINE_QUEUE_PENDING_HEAP_H_

#include <compare>
#include <cstdint>
#include <vector>

#include "engine/base/prefetch.h"
#include "engine/base/small_vector.h"
#include "engine/queue/pending_key.h"

namespace muster {

/// What a queue remembers of one key in its heaps.
struct PendingNode {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  PendingKey* key = nullptr;  ///< null: the node is free
  std::uint32_t slot = 0;     ///< in its heap; of a free one, the next that is free
  std::uint32_t group = 0;    ///< see PendingGroups: which it is in, and in which of its heaps
  std::uint8_t heap = 0;
};
using PendingNodes = SmallVector<PendingNode, 1>;  ///< most queues are short

/// All functions take the nodes that the heap's keys have.
class PendingHeap {
 public:
  /// What places a key; equal numbers, and only they, are decided by Compare.
  struct Rank {
    std::int64_t first = 0;
    std::int64_t second = 0;
    auto operator<=>(const Rank&) const = default;
  };
  /// Takes in the key of `node`, which must not change until it is erased. O(log n).
  void Push(PendingNodes& nodes, std::uint32_t node);
  /// The same where its rank is known from another heap: then the key is not looked at.
  void Push(PendingNodes& nodes, std::uint32_t node, const Rank& rank);
  /// The node has another key now. Precondition: it is in this heap. O(log n).
  void Move(PendingNodes& nodes, std::uint32_t node, const Rank& rank);
  /// Every key in it has changed: they get other ranks and other places. O(n).
  void Reorder(PendingNodes& nodes);
  /// Precondition: the node is in this heap; its key is not looked at. O(log n).
  void Erase(PendingNodes& nodes, std::uint32_t node);

  std::size_t size() const { return slots_.size(); }
  bool empty() const { return slots_.empty(); }
  /// Precondition: not empty.
  PendingKey* Top(const PendingNodes& nodes) const { return nodes[slots_.front().node].key; }
  const Rank& TopRank() const { return slots_.front().rank; }
  /// Calls `visit(node)` for the nodes of the keys that come before `than`, all when it is null, no
  /// later one before an earlier one that is above it. A visit may move `than` forward.
  /// O(their number).
  template <typename Visit>
  void ForEachBefore(const PendingNodes& nodes, const PendingKey* const& than, const Visit& visit,
                     std::size_t at = 0) const {
    if (at >= slots_.size() || !ComesBefore(nodes, slots_[at], than)) return;
    visit(slots_[at].node);
    for (std::size_t i = 1; i <= kFanOut; ++i) {
      ForEachBefore(nodes, than, visit, kFanOut * at + i);
    }
  }
  /// Every key, in no order that means anything.
  std::vector<PendingKey*> Keys(const PendingNodes& nodes) const;
  void Clear() { slots_.clear(); }
  /// Prefetches the slots that erasing the one at `slot` looks at.
  void Prefetch(std::uint32_t slot) const {
    PrefetchLine(slots_.data() + slot);
    PrefetchLine(slots_.data() + kFanOut * slot + 1);
    PrefetchLine(slots_.data() + kFanOut * slot + kFanOut);
    if (!slots_.empty()) PrefetchLine(&slots_.back());
  }
  /// What probably comes to the top when it is erased; kNone where nothing does.
  std::uint32_t Second() const {
    std::size_t best = 1;
    for (std::size_t i = 2; i <= kFanOut && i < slots_.size(); ++i) {
      if (slots_[i].rank < slots_[best].rank) best = i;
    }
    return best < slots_.size() ? slots_[best].node : PendingNode::kNone;
  }

 private:
  struct Slot {
    Rank rank;
    std::uint32_t node = PendingNode::kNone;
  };
  /// A slot has so many below it, side by side: fewer levels are fewer places to wait for.
  static constexpr std::size_t kFanOut = 4;

  static bool ComesBefore(const PendingNodes& nodes, const Slot& slot, const PendingKey* than);
  static bool Before(const PendingNodes& nodes, const Slot& a, const Slot& b);
  void Put(PendingNodes& nodes, const Slot& slot, std::size_t at);
  void Place(PendingNodes& nodes, const Slot& slot, std::size_t at);
  void Rise(PendingNodes& nodes, const Slot& slot, std::size_t at);
  void Sink(PendingNodes& nodes, const Slot& slot, std::size_t at);

  SmallVector<Slot, 1> slots_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_QUEUE_PENDING_HEAP_H_
