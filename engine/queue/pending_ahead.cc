// What is ahead of one in the queue. The heaps are gone through from the top down, as far as those
// go that are ahead: nothing is put in order but the few that are named.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "engine/queue/pending_groups.h"

namespace muster {
namespace {

bool Earlier(const PendingKey* a, const PendingKey* b) { return Compare(*a, *b).before; }

/// The first few of those that it is shown.
class FirstFew {
 public:
  /// `limit`: what does not come before it is not shown; null for none.
  FirstFew(std::size_t most, const PendingKey* limit) : most_(most), limit_(limit) {}
  /// What is not before this one is not among the first few.
  const PendingKey* const& limit() const { return limit_; }
  /// Precondition: before limit(), and `most` is not 0.
  void Take(const PendingKey* key) {
    if (heap_.size() == most_) {
      std::pop_heap(heap_.begin(), heap_.end(), Earlier);
      heap_.pop_back();
    }
    heap_.push_back(key);
    std::push_heap(heap_.begin(), heap_.end(), Earlier);
    if (heap_.size() == most_) limit_ = heap_.front();
  }
  std::vector<const PendingKey*> InOrder() {
    std::sort_heap(heap_.begin(), heap_.end(), Earlier);
    return std::move(heap_);
  }

 private:
  std::size_t most_;
  const PendingKey* limit_;
  std::vector<const PendingKey*> heap_;  ///< the last of them on top
};

}  // namespace

template <typename Visit>
void PendingGroups::ForEachBefore(const PendingHeap& heap, const PendingKey* const& than,
                                  const Visit& visit) const {
  heap.ForEachBefore(tops_, than, [&](std::uint32_t g) {
    groups_[g].heaps[groups_[g].awake].ForEachBefore(members_, than, visit);
  });
}

PendingGroups::Ahead PendingGroups::AheadOf(const PendingKey& key, const LocalQueueUsage& usage,
                                            std::size_t most) const {
  const double ours = usage ? usage(key.local_queue) : 0;
  std::map<double, std::vector<const PendingHeap*>> by_usage;
  for (const auto& [local_queue, top, heap] : heaps_.all()) {
    if (top == nullptr) continue;  // its LocalQueue may be gone
    const double theirs = usage ? usage(local_queue) : 0;
    if (theirs <= ours) by_usage[theirs].push_back(&heap);
  }
  Ahead ahead;
  for (const auto& [value, heaps] : by_usage) {
    const PendingKey* const than = value < ours ? nullptr : &key;
    FirstFew few(most - ahead.first.size(), than);
    for (const PendingHeap* heap : heaps) {
      ForEachBefore(*heap, than, [&](std::uint32_t) { ++ahead.count; });
      if (ahead.first.size() == most) continue;
      ForEachBefore(*heap, few.limit(),
                    [&](std::uint32_t member) { few.Take(members_[member].key); });
    }
    const std::vector<const PendingKey*> first = few.InOrder();
    ahead.first.insert(ahead.first.end(), first.begin(), first.end());
  }
  return ahead;
}

}  // namespace muster
