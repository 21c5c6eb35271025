// LocalQueueHeaps: the heaps of a ClusterQueue, one for each LocalQueue that has something in it,
// and which of them has the head.
//
// Method: a knockout tree over the heaps, in which a heap whose top or usage changed plays again on
// its way up when the head is asked for. So the head costs O(log LocalQueues) a change and not
// a look at every LocalQueue. Most ClusterQueues have one LocalQueue and need none of this.
#ifndef MUSTER_ENGINE_QUEUE_LOCAL_QUEUE_HEAPS_H_
#define MUSTER_ENGINE_QUEUE_LOCAL_QUEUE_HEAPS_H_

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "engine/base/ids.h"
#include "engine/queue/pending_heap.h"
#include "engine/queue/pending_key.h"

namespace muster {

/// Current usage value of a LocalQueue, lower first; null when admission fair sharing is off.
using LocalQueueUsage = std::function<double(LocalQueueId)>;

struct LocalQueueHeap {
  LocalQueueId local_queue;
  const PendingKey* top = nullptr;  ///< of `groups`; null when that is empty
  PendingHeap groups;
};

class LocalQueueHeaps {
 public:
  /// That of one LocalQueue; made when there is none. O(1).
  LocalQueueHeap& Of(LocalQueueId local_queue);
  /// `top` of this heap is another one now, or null: then the heap may be dropped, and only Of
  /// gives a reference again. O(1).
  void TopChanged(LocalQueueHeap& heap);
  /// All heaps are put in order anew, after ranks of `tops` changed. O(groups).
  void Reorder(PendingNodes& tops);
  /// The usage of this LocalQueue, or of all, is another one now. O(1), O(LocalQueues).
  void UsageChanged(LocalQueueId local_queue);
  void UsageChanged();

  /// The best top, null when there is none. Precondition: every change of a usage since the last
  /// call was told. Amortised O(log LocalQueues) a change.
  const PendingKey* Head(const LocalQueueUsage& usage);
  /// The same by a look at every heap, for checks. O(LocalQueues).
  const PendingKey* FindHead(const LocalQueueUsage& usage) const;

  const std::vector<LocalQueueHeap>& all() const { return heaps_; }  ///< in no order

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kFew = 4;  ///< are looked through, and need no index

  struct HashOf {
    std::size_t operator()(LocalQueueId id) const { return id.value; }
  };
  std::uint32_t Find(LocalQueueId local_queue) const;
  void Drop(std::uint32_t at);
  void Note(std::uint32_t at);
  double UsageAt(std::uint32_t at, const LocalQueueUsage& usage) const;
  bool Plays(std::uint32_t at) const;
  bool Beats(std::uint32_t a, std::uint32_t b) const;
  void Play(std::uint32_t at);
  void PlayAll();

  std::vector<LocalQueueHeap> heaps_;
  std::unordered_map<LocalQueueId, std::uint32_t, HashOf> places_;  ///< once they are not few

  // The knockout tree; used only where there are several.
  std::vector<double> usages_;          ///< by position: the usage that it last played with
  std::vector<std::uint32_t> winners_;  ///< 1: of all; below n: 2n and 2n + 1; leaves last
  std::vector<std::uint32_t> changed_;  ///< positions that must play again; may repeat
  bool all_changed_ = true;             ///< or all must
  bool by_usage_ = false;               ///< whether usage counted when they last played
};

}  // namespace muster

#endif  // MUSTER_ENGINE_QUEUE_LOCAL_QUEUE_HEAPS_H_
