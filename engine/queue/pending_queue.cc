// See pending_queue.h. A heap per LocalQueue; the head is the best of their heads.
#include "engine/queue/pending_queue.h"

#include <algorithm>

#include "engine/model/check.h"

namespace muster {

using Where = PendingKey::Where;

void PendingQueue::Append(std::vector<PendingKey*>& list, PendingKey& key, Where where) {
  key.where = where;
  key.slot = static_cast<std::uint32_t>(list.size());
  list.push_back(&key);
}

void PendingQueue::Remove(std::vector<PendingKey*>& list, const PendingKey& key) {
  MUSTER_CHECK(key.slot < list.size() && list[key.slot] == &key);
  list[key.slot] = list.back();
  list[key.slot]->slot = key.slot;
  list.pop_back();
}

void PendingQueue::Link(std::uint32_t node) {
  const auto [first, is_new] = forms_.try_emplace(nodes_[node].key->form, node);
  nodes_[node].form_before = PendingNode::kNone;
  nodes_[node].form_after = is_new ? PendingNode::kNone : first->second;
  if (!is_new) nodes_[first->second].form_before = node;
  first->second = node;
}

void PendingQueue::Unlink(std::uint32_t node) {
  const PendingNode& unlinked = nodes_[node];
  const std::uint32_t before = unlinked.form_before;
  const std::uint32_t after = unlinked.form_after;
  if (after != PendingNode::kNone) nodes_[after].form_before = before;
  if (before != PendingNode::kNone) {
    nodes_[before].form_after = after;
  } else if (after != PendingNode::kNone) {
    forms_[unlinked.key->form] = after;
  } else {
    forms_.erase(unlinked.key->form);
  }
}

void PendingQueue::PushToHeap(PendingKey& key) {
  if (free_nodes_.empty()) {
    free_nodes_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    nodes_.emplace_back();
  }
  key.where = Where::kHeap;
  key.slot = free_nodes_.back();
  free_nodes_.pop_back();
  nodes_[key.slot].key = &key;
  heaps_[key.local_queue].Push(nodes_, key.slot);
  ++heap_size_;
  Link(key.slot);
}

void PendingQueue::EraseFromHeap(const PendingKey& key) {
  MUSTER_CHECK(key.slot < nodes_.size() && nodes_[key.slot].key == &key);
  const auto heap = heaps_.find(key.local_queue);
  MUSTER_CHECK(heap != heaps_.end());
  heap->second.Erase(nodes_, key.slot);
  // The last one stays: most queues have one, and it fills again.
  if (heap->second.empty() && heaps_.size() > 1) heaps_.erase(heap);
  --heap_size_;
  Unlink(key.slot);
  nodes_[key.slot].key = nullptr;
  free_nodes_.push_back(key.slot);
}

void PendingQueue::Push(PendingKey& key) {
  if (InHeap(key)) return;
  Erase(key);
  if (scripted_ && !key.scripted) return Append(fresh_, key, Where::kFresh);
  PushToHeap(key);
}

void PendingQueue::Park(PendingKey& key) {
  Erase(key);
  Append(parked_, key, Where::kParked);
}

void PendingQueue::Erase(PendingKey& key) {
  switch (key.where) {
    case Where::kNowhere:
      return;
    case Where::kFresh:
      Remove(fresh_, key);
      break;
    case Where::kParked:
      Remove(parked_, key);
      break;
    case Where::kHeap:
      EraseFromHeap(key);
      break;
  }
  key.where = Where::kNowhere;
}

void PendingQueue::SetScripted(bool scripted) {
  MUSTER_CHECK(heap_size() == 0);
  scripted_ = scripted;
}

const PendingKey* PendingQueue::Head(const LocalQueueUsage& usage) const {
  const PendingKey* best = nullptr;
  double best_usage = 0;
  for (const auto& [local_queue, heap] : heaps_) {
    if (heap.empty()) continue;
    const PendingKey* head = heap.Top(nodes_);
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
  std::map<double, std::vector<const PendingKey*>> by_usage;
  for (const auto& [local_queue, heap] : heaps_) {
    if (heap.empty()) continue;  // its LocalQueue may be gone
    const std::vector<const PendingKey*> keys = heap.Keys(nodes_);
    std::vector<const PendingKey*>& equal = by_usage[usage ? usage(local_queue) : 0];
    equal.insert(equal.end(), keys.begin(), keys.end());
  }
  std::vector<const PendingKey*> order;
  order.reserve(heap_size_);
  for (auto& [value, keys] : by_usage) {
    std::sort(keys.begin(), keys.end(),
              [](const PendingKey* a, const PendingKey* b) { return Compare(*a, *b).before; });
    order.insert(order.end(), keys.begin(), keys.end());
  }
  return order;
}

std::vector<const PendingKey*> PendingQueue::OfForm(const Hash128& form) const {
  std::vector<const PendingKey*> keys;
  const auto first = forms_.find(form);
  if (first == forms_.end()) return keys;
  for (std::uint32_t n = first->second; n != PendingNode::kNone; n = nodes_[n].form_after) {
    keys.push_back(nodes_[n].key);
  }
  return keys;
}

std::vector<const PendingKey*> PendingQueue::Some(std::size_t most) const {
  std::vector<const PendingKey*> keys;
  for (const PendingKey* fresh : fresh_) {
    if (keys.size() == most) return keys;
    keys.push_back(fresh);
  }
  for (const PendingNode& node : nodes_) {
    if (keys.size() == most) return keys;
    if (node.key != nullptr) keys.push_back(node.key);
  }
  return keys;
}

std::vector<const PendingKey*> PendingQueue::Fresh() const {
  std::vector<const PendingKey*> fresh(fresh_.begin(), fresh_.end());
  std::sort(fresh.begin(), fresh.end(),
            [](const PendingKey* a, const PendingKey* b) { return a->workload < b->workload; });
  return fresh;
}

std::optional<PendingReason> PendingQueue::ParkedClass(const Hash128& form) const {
  const auto it = parked_classes_.find(form);
  return it == parked_classes_.end() ? std::nullopt : std::optional(it->second);
}

}  // namespace muster
