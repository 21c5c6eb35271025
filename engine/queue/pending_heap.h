// PendingHeap: keys in a binary heap, each of which knows its slot, so that any can be taken out.
//
// A slot carries the beginning of its key's order as two numbers, so that most comparisons touch no
// key: equal numbers, and only they, are decided by Compare. The numbers order like Compare does:
// the sticky key is below everything else, then come higher priority and earlier timestamp, or the
// first two of the policy's keys, larger first.
#ifndef MUSTER_ENGINE_QUEUE_PENDING_HEAP_H_
#define MUSTER_ENGINE_QUEUE_PENDING_HEAP_H_

#include <cstdint>
#include <vector>

#include "engine/queue/pending_key.h"

namespace muster {

class PendingHeap {
 public:
  /// The key must not change, and stay where it is, until it is erased. O(log n).
  void Push(PendingKey& key);
  /// Precondition: the key is in this heap. O(log n).
  void Erase(const PendingKey& key);

  std::size_t size() const { return slots_.size(); }
  bool empty() const { return slots_.empty(); }
  const PendingKey* Top() const { return slots_.front().key; }  ///< precondition: not empty
  /// Every key, in no order that means anything.
  std::vector<const PendingKey*> Keys() const;

 private:
  struct Slot {
    std::int64_t first = 0;
    std::int64_t second = 0;
    PendingKey* key = nullptr;
  };
  static Slot SlotOf(PendingKey& key);
  static bool Before(const Slot& a, const Slot& b);
  void Put(const Slot& slot, std::size_t at);
  void Rise(const Slot& slot, std::size_t at);
  void Sink(const Slot& slot, std::size_t at);

  std::vector<Slot> slots_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_QUEUE_PENDING_HEAP_H_
