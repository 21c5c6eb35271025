// See pending_heap.h.
#include "engine/queue/pending_heap.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "engine/base/check.h"

namespace muster {
namespace {

/// Smaller for a larger number; equal for equal ones, also for the two zeros.
std::int64_t LargerFirst(double value) {
  const auto bits = std::bit_cast<std::int64_t>(value + 0.0);
  return ~(bits < 0 ? bits ^ std::numeric_limits<std::int64_t>::max() : bits);
}

PendingHeap::Rank RankOf(const PendingKey& key) {
  if (key.sticky) return {std::numeric_limits<std::int64_t>::min(), 0};
  if (key.scripted) return {LargerFirst(key.keys[0]), LargerFirst(key.keys[1])};
  return {-key.effective_priority(), key.timestamp};
}

}  // namespace

bool PendingHeap::Before(const PendingNodes& nodes, const Slot& a, const Slot& b) {
  if (a.rank != b.rank) return a.rank < b.rank;
  return Compare(*nodes[a.node].key, *nodes[b.node].key).before;
}

bool PendingHeap::ComesBefore(const PendingNodes& nodes, const Slot& slot, const PendingKey* than) {
  if (than == nullptr) return true;
  const Rank other = RankOf(*than);
  if (slot.rank != other) return slot.rank < other;
  return Compare(*nodes[slot.node].key, *than).before;
}

void PendingHeap::Put(PendingNodes& nodes, const Slot& slot, std::size_t at) {
  slots_[at] = slot;
  nodes[slot.node].slot = static_cast<std::uint32_t>(at);
}

void PendingHeap::Rise(PendingNodes& nodes, const Slot& slot, std::size_t at) {
  while (at > 0) {
    const std::size_t above = (at - 1) / kFanOut;
    if (!Before(nodes, slot, slots_[above])) break;
    Put(nodes, slots_[above], at);
    at = above;
  }
  Put(nodes, slot, at);
}

void PendingHeap::Sink(PendingNodes& nodes, const Slot& slot, std::size_t at) {
  for (std::size_t first = kFanOut * at + 1; first < slots_.size(); first = kFanOut * at + 1) {
    const std::size_t end = std::min(first + kFanOut, slots_.size());
    std::size_t below = first;
    for (std::size_t other = first + 1; other < end; ++other) {
      if (Before(nodes, slots_[other], slots_[below])) below = other;
    }
    if (!Before(nodes, slots_[below], slot)) break;
    Put(nodes, slots_[below], at);
    at = below;
  }
  Put(nodes, slot, at);
}

/// From the hole at `at`, up or down to where the slot belongs.
void PendingHeap::Place(PendingNodes& nodes, const Slot& slot, std::size_t at) {
  if (at > 0 && Before(nodes, slot, slots_[(at - 1) / kFanOut])) {
    Rise(nodes, slot, at);
  } else {
    Sink(nodes, slot, at);
  }
}

void PendingHeap::Push(PendingNodes& nodes, std::uint32_t node) {
  Push(nodes, node, RankOf(*nodes[node].key));
}

void PendingHeap::Push(PendingNodes& nodes, std::uint32_t node, const Rank& rank) {
  const Slot slot = {rank, node};
  slots_.push_back(slot);
  Rise(nodes, slot, slots_.size() - 1);
}

void PendingHeap::Move(PendingNodes& nodes, std::uint32_t node, const Rank& rank) {
  const std::size_t at = nodes[node].slot;
  MUSTER_CHECK(at < slots_.size() && slots_[at].node == node);
  Place(nodes, {rank, node}, at);
}

// From the last one that has others below it up to the top.
void PendingHeap::Reorder(PendingNodes& nodes) {
  for (Slot& slot : slots_) slot.rank = RankOf(*nodes[slot.node].key);
  if (slots_.size() < 2) return;
  for (std::size_t at = (slots_.size() - 2) / kFanOut + 1; at-- > 0;) {
    const Slot slot = slots_[at];
    Sink(nodes, slot, at);
  }
}

void PendingHeap::Erase(PendingNodes& nodes, std::uint32_t node) {
  const std::size_t at = nodes[node].slot;
  MUSTER_CHECK(at < slots_.size() && slots_[at].node == node);
  const Slot last = slots_.back();
  slots_.pop_back();
  if (at < slots_.size()) Place(nodes, last, at);
}

std::vector<PendingKey*> PendingHeap::Keys(const PendingNodes& nodes) const {
  std::vector<PendingKey*> keys;
  keys.reserve(slots_.size());
  for (const Slot& slot : slots_) keys.push_back(nodes[slot.node].key);
  return keys;
}

}  // namespace muster
