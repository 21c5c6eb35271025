// See pending_queue.h.
#include "engine/queue/pending_queue.h"

#include <algorithm>

#include "engine/base/check.h"

namespace muster {

void PendingQueue::Append(Keys& list, PendingKey& key, Where where) {
  key.where = where;
  key.slot = static_cast<std::uint32_t>(list.size());
  list.push_back(&key);
}

void PendingQueue::Remove(Keys& list, const PendingKey& key) {
  MUSTER_CHECK(key.slot < list.size() && list[key.slot] == &key);
  list[key.slot] = list.back();
  list[key.slot]->slot = key.slot;
  list.pop_back();
}

void PendingQueue::Push(PendingKey& key) {
  if (InHeap(key)) return;
  Erase(key);
  if (scripted_ && !key.scripted) return Append(fresh_, key, Where::kFresh);
  key.where = Where::kGroup;
  groups_.Add(key, /*asleep=*/false);
}

void PendingQueue::Park(PendingKey& key) {
  Erase(key);
  Append(alone_, key, Where::kAlone);
}

void PendingQueue::ParkWithClass(PendingKey& key) {
  if (key.scripted != scripted_ || marked() == key.workload) return Park(key);
  Erase(key);
  key.where = Where::kGroup;
  groups_.Add(key, /*asleep=*/true);
}

void PendingQueue::Erase(PendingKey& key) {
  switch (key.where) {
    case Where::kNowhere:
      return;
    case Where::kFresh:
      Remove(fresh_, key);
      break;
    case Where::kAlone:
      Remove(alone_, key);
      break;
    case Where::kGroup:
      groups_.Remove(key);
      break;
  }
  key.where = Where::kNowhere;
}

void PendingQueue::TakeOutFresh() {
  for (PendingKey* key : fresh_) key->where = Where::kNowhere;
  fresh_.clear();
}

void PendingQueue::SetScripted(bool scripted) {
  MUSTER_CHECK(heap_size() == 0);
  if (scripted == scripted_) return;
  PartClasses([](LocalQueueId) { return true; });
  for (PendingKey* key : alone_) key->scripted = false;
  scripted_ = scripted;
}

void PendingQueue::PartClasses(const std::function<bool(LocalQueueId)>& of) {
  if (groups_.asleep() == 0) return;
  for (PendingKey* key : groups_.Asleep(of)) Park(*key);
}

void PendingQueue::WakeClasses() {
  parked_classes_.clear();
  groups_.WakeAll();
}

std::vector<PendingKey*> PendingQueue::Parked() const {
  std::vector<PendingKey*> parked = groups_.Asleep([](LocalQueueId) { return true; });
  parked.insert(parked.end(), alone_.begin(), alone_.end());
  return parked;
}

std::vector<const PendingKey*> PendingQueue::Some(std::size_t most) const {
  std::vector<const PendingKey*> some = groups_.Some(most);
  for (const PendingKey* fresh : fresh_) {
    if (some.size() == most) break;
    some.push_back(fresh);
  }
  return some;
}

std::vector<const PendingKey*> PendingQueue::Fresh() const {
  std::vector<const PendingKey*> fresh(fresh_.begin(), fresh_.end());
  std::sort(fresh.begin(), fresh.end(),
            [](const PendingKey* a, const PendingKey* b) { return a->workload < b->workload; });
  return fresh;
}

std::optional<PendingReason> PendingQueue::ReasonOfClass(const Hash128& form) const {
  const auto it = parked_classes_.find(form);
  return it == parked_classes_.end() ? std::nullopt : std::optional(it->second.reason);
}

}  // namespace muster
