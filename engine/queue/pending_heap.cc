// See pending_heap.h.
#include "engine/queue/pending_heap.h"

#include <bit>
#include <limits>

#include "engine/model/check.h"

namespace muster {
namespace {

/// Smaller for a larger number; equal for equal ones, also for the two zeros.
std::int64_t LargerFirst(double value) {
  const auto bits = std::bit_cast<std::int64_t>(value + 0.0);
  return ~(bits < 0 ? bits ^ std::numeric_limits<std::int64_t>::max() : bits);
}

}  // namespace

PendingHeap::Slot PendingHeap::SlotOf(PendingKey& key) {
  if (key.sticky) return {std::numeric_limits<std::int64_t>::min(), 0, &key};
  if (key.scripted) return {LargerFirst(key.keys[0]), LargerFirst(key.keys[1]), &key};
  return {-key.priority, key.timestamp, &key};
}

bool PendingHeap::Before(const Slot& a, const Slot& b) {
  if (a.first != b.first) return a.first < b.first;
  if (a.second != b.second) return a.second < b.second;
  return Compare(*a.key, *b.key).before;
}

void PendingHeap::Put(const Slot& slot, std::size_t at) {
  slots_[at] = slot;
  slot.key->slot = static_cast<std::uint32_t>(at);
}

void PendingHeap::Rise(const Slot& slot, std::size_t at) {
  while (at > 0) {
    const std::size_t above = (at - 1) / 2;
    if (!Before(slot, slots_[above])) break;
    Put(slots_[above], at);
    at = above;
  }
  Put(slot, at);
}

void PendingHeap::Sink(const Slot& slot, std::size_t at) {
  for (std::size_t below = 2 * at + 1; below < slots_.size(); below = 2 * at + 1) {
    if (below + 1 < slots_.size() && Before(slots_[below + 1], slots_[below])) ++below;
    if (!Before(slots_[below], slot)) break;
    Put(slots_[below], at);
    at = below;
  }
  Put(slot, at);
}

void PendingHeap::Push(PendingKey& key) {
  const Slot slot = SlotOf(key);
  slots_.push_back(slot);
  Rise(slot, slots_.size() - 1);
}

void PendingHeap::Erase(const PendingKey& key) {
  MUSTER_CHECK(key.slot < slots_.size() && slots_[key.slot].key == &key);
  const std::size_t at = key.slot;
  const Slot last = slots_.back();
  slots_.pop_back();
  if (at == slots_.size()) return;
  if (at > 0 && Before(last, slots_[(at - 1) / 2])) {
    Rise(last, at);
  } else {
    Sink(last, at);
  }
}

std::vector<const PendingKey*> PendingHeap::Keys() const {
  std::vector<const PendingKey*> keys;
  keys.reserve(slots_.size());
  for (const Slot& slot : slots_) keys.push_back(slot.key);
  return keys;
}

}  // namespace muster
