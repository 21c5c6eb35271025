// See pending_queue.h. A heap per LocalQueue; the head is the best of their heads.
#include "engine/queue/pending_queue.h"

#include "engine/model/check.h"

namespace muster {

void PendingQueue::Push(const PendingKey& key) {
  parked_.erase(key.workload);
  if (scripted_ && !key.scripted) {
    fresh_[key.workload] = &key;
    return;
  }
  heap_size_ += heaps_[key.local_queue].insert(&key).second ? 1 : 0;
}

void PendingQueue::Park(const PendingKey& key) {
  Erase(key);
  parked_[key.workload] = &key;
}

void PendingQueue::Erase(const PendingKey& key) {
  parked_.erase(key.workload);
  if (fresh_.erase(key.workload) > 0) return;
  const auto heap = heaps_.find(key.local_queue);
  if (heap == heaps_.end()) return;
  heap_size_ -= heap->second.erase(&key);
  if (heap->second.empty()) heaps_.erase(heap);
}

void PendingQueue::SetScripted(bool scripted) {
  MUSTER_CHECK(heap_size() == 0);
  scripted_ = scripted;
}

bool PendingQueue::InHeap(const PendingKey& key) const {
  if (fresh_.contains(key.workload)) return true;
  const auto heap = heaps_.find(key.local_queue);
  return heap != heaps_.end() && heap->second.contains(&key);
}

const PendingKey* PendingQueue::Head(const LocalQueueUsage& usage) const {
  const PendingKey* best = nullptr;
  double best_usage = 0;
  for (const auto& [local_queue, heap] : heaps_) {
    const PendingKey* head = *heap.begin();
    const double head_usage = usage ? usage(local_queue) : 0;
    if (best == nullptr || head_usage < best_usage ||
        (head_usage == best_usage && Compare(*head, *best).before)) {
      best = head;
      best_usage = head_usage;
    }
  }
  return best;
}

std::vector<const PendingKey*> PendingQueue::Ordered(const LocalQueueUsage& usage) const {
  std::map<double, Heap> by_usage;
  for (const auto& [local_queue, heap] : heaps_) {
    by_usage[usage ? usage(local_queue) : 0].insert(heap.begin(), heap.end());
  }
  std::vector<const PendingKey*> order;
  order.reserve(heap_size_);
  for (const auto& [value, heap] : by_usage) order.insert(order.end(), heap.begin(), heap.end());
  return order;
}

std::vector<const PendingKey*> PendingQueue::Parked() const {
  std::vector<const PendingKey*> parked;
  parked.reserve(parked_.size());
  for (const auto& [workload, key] : parked_) parked.push_back(key);
  return parked;
}

std::optional<PendingReason> PendingQueue::ParkedClass(const Hash128& form) const {
  const auto it = parked_classes_.find(form);
  return it == parked_classes_.end() ? std::nullopt : std::optional(it->second);
}

}  // namespace muster
