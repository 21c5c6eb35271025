// See local_queue_heaps.h.
#include "engine/queue/local_queue_heaps.h"

#include <bit>

namespace muster {

std::uint32_t LocalQueueHeaps::Find(LocalQueueId local_queue) const {
  if (heaps_.size() > kFew) {
    const auto place = places_.find(local_queue);
    return place == places_.end() ? kNone : place->second;
  }
  for (std::uint32_t at = 0; at < heaps_.size(); ++at) {
    if (heaps_[at].local_queue == local_queue) return at;
  }
  return kNone;
}

LocalQueueHeap& LocalQueueHeaps::Of(LocalQueueId local_queue) {
  // Most queues have one.
  if (!heaps_.empty() && heaps_.front().local_queue == local_queue) return heaps_.front();
  const std::uint32_t known = Find(local_queue);
  if (known != kNone) return heaps_[known];
  const auto at = static_cast<std::uint32_t>(heaps_.size());
  heaps_.push_back(LocalQueueHeap{local_queue, nullptr, {}});
  if (heaps_.size() == kFew + 1) {  // they are many from now on
    for (std::uint32_t i = 0; i < at; ++i) places_[heaps_[i].local_queue] = i;
  }
  if (heaps_.size() > kFew) places_[local_queue] = at;
  Note(at);
  return heaps_.back();
}

void LocalQueueHeaps::TopChanged(LocalQueueHeap& heap) {
  if (heaps_.size() == 1) {  // it stays, for it fills again, and plays when it has company
    all_changed_ = true;
    return;
  }
  const auto at = static_cast<std::uint32_t>(&heap - heaps_.data());
  if (heap.top == nullptr) {
    Drop(at);
  } else {
    Note(at);
  }
}

void LocalQueueHeaps::Drop(std::uint32_t at) {
  const auto last = static_cast<std::uint32_t>(heaps_.size() - 1);
  if (heaps_.size() > kFew) places_.erase(heaps_[at].local_queue);
  if (at != last) {
    heaps_[at] = std::move(heaps_[last]);
    if (heaps_.size() > kFew) places_[heaps_[at].local_queue] = at;
    Note(at);
  }
  heaps_.pop_back();
  if (heaps_.size() <= kFew) places_.clear();
  Note(last);
}

void LocalQueueHeaps::Reorder(PendingNodes& tops) {
  for (LocalQueueHeap& heap : heaps_) {
    heap.groups.Reorder(tops);
    heap.top = heap.groups.empty() ? nullptr : heap.groups.Top(tops);
  }
  UsageChanged();
}

void LocalQueueHeaps::UsageChanged(LocalQueueId local_queue) {
  const std::uint32_t at = Find(local_queue);
  if (at != kNone) Note(at);
}

void LocalQueueHeaps::UsageChanged() {
  all_changed_ = true;
  changed_.clear();
}

void LocalQueueHeaps::Note(std::uint32_t at) {
  if (heaps_.size() <= 1) all_changed_ = true;
  if (all_changed_) return;
  changed_.push_back(at);
  if (changed_.size() > heaps_.size() + kFew) UsageChanged();  // all at once costs less
}

bool LocalQueueHeaps::Plays(std::uint32_t at) const {
  return at < heaps_.size() && heaps_[at].top != nullptr;  // kNone does not
}

// A winner from before may have lost its top since, if its turn to play again comes later.
bool LocalQueueHeaps::Beats(std::uint32_t a, std::uint32_t b) const {
  if (!Plays(a) || !Plays(b)) return Plays(a);
  if (usages_[a] != usages_[b]) return usages_[a] < usages_[b];
  return Compare(*heaps_[a].top, *heaps_[b].top).before;
}

void LocalQueueHeaps::Play(std::uint32_t at) {
  std::size_t node = winners_.size() / 2 + at;
  winners_[node] = Plays(at) ? at : kNone;
  for (node /= 2; node > 0; node /= 2) {
    const std::uint32_t left = winners_[2 * node];
    const std::uint32_t right = winners_[2 * node + 1];
    winners_[node] = Beats(right, left) ? right : left;
  }
}

void LocalQueueHeaps::PlayAll() {
  const std::size_t leaves = std::bit_ceil(heaps_.size());
  winners_.assign(2 * leaves, kNone);
  for (std::uint32_t at = 0; at < heaps_.size(); ++at) {
    if (Plays(at)) winners_[leaves + at] = at;
  }
  for (std::size_t node = leaves - 1; node > 0; --node) {
    const std::uint32_t left = winners_[2 * node];
    const std::uint32_t right = winners_[2 * node + 1];
    winners_[node] = Beats(right, left) ? right : left;
  }
}

double LocalQueueHeaps::UsageAt(std::uint32_t at, const LocalQueueUsage& usage) const {
  return usage && Plays(at) ? usage(heaps_[at].local_queue)
                            : 0;  // of an empty one the LocalQueue may be gone
}

const PendingKey* LocalQueueHeaps::FindHead(const LocalQueueUsage& usage) const {
  const PendingKey* best = nullptr;
  double best_usage = 0;
  for (std::uint32_t at = 0; at < heaps_.size(); ++at) {
    const PendingKey* const top = heaps_[at].top;
    if (top == nullptr) continue;
    const double its_usage = UsageAt(at, usage);
    if (best == nullptr || its_usage < best_usage ||
        (its_usage == best_usage && Compare(*top, *best).before)) {
      best = top;
      best_usage = its_usage;
    }
  }
  return best;
}

const PendingKey* LocalQueueHeaps::Head(const LocalQueueUsage& usage) {
  if (heaps_.size() <= 1) return heaps_.empty() ? nullptr : heaps_.front().top;
  const bool by_usage = usage != nullptr;
  const bool outgrown = heaps_.size() > winners_.size() / 2;
  if (all_changed_ || outgrown || by_usage != by_usage_) {
    by_usage_ = by_usage;
    usages_.assign(heaps_.size(), 0);
    for (std::uint32_t at = 0; at < heaps_.size(); ++at) usages_[at] = UsageAt(at, usage);
    PlayAll();
  } else {
    const std::size_t leaves = winners_.size() / 2;
    usages_.resize(leaves);
    std::erase_if(changed_, [leaves](std::uint32_t at) { return at >= leaves; });  // dropped
    for (const std::uint32_t at : changed_) usages_[at] = UsageAt(at, usage);
    for (const std::uint32_t at : changed_) Play(at);
  }
  all_changed_ = false;
  changed_.clear();
  return Plays(winners_[1]) ? heaps_[winners_[1]].top : nullptr;
}

}  // namespace muster
