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
  NoteUnasked(key);
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

void PendingQueue::PutOnHold(PendingKey& key) {
  Erase(key);
  key.scripted = false;
  NoteUnasked(key);
  Append(on_hold_, key, Where::kOnHold);
}

void PendingQueue::Erase(PendingKey& key) {
  if (key.asked != turn_ && !unasked_.empty()) {  // it may be among them
    unasked_.clear();
    look_at_all_ = true;
  }
  switch (key.where) {
    case Where::kNowhere:
      return;
    case Where::kFresh:
      Remove(fresh_, key);
      break;
    case Where::kAlone:
      Remove(alone_, key);
      break;
    case Where::kOnHold:
      Remove(on_hold_, key);
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
  look_at_all_ = asking_;
}

void PendingQueue::NoteUnasked(PendingKey& key) {
  if (asking_ && !look_at_all_ && key.asked != turn_) unasked_.push_back(&key);
}

void PendingQueue::SetAsking(bool asking) {
  if (asking == asking_) return;
  asking_ = asking;
  AskAnew();
}

void PendingQueue::AskAnew() {
  ++turn_;
  unasked_.clear();
  look_at_all_ = asking_;
}

void PendingQueue::AskAgain(PendingKey& key) {
  key.asked = 0;
  NoteUnasked(key);
}

std::vector<WorkloadId> PendingQueue::TakeUnasked() {
  std::vector<WorkloadId> ids;
  const auto take = [&](PendingKey* key) {
    if (key->asked == turn_) return;
    key->asked = turn_;
    ids.push_back(key->workload);
  };
  if (look_at_all_) {
    for (PendingKey* key : groups_.Awake()) take(key);
    for (PendingKey* key : fresh_) take(key);
    for (PendingKey* key : on_hold_) take(key);
  }
  for (PendingKey* key : unasked_) take(key);
  look_at_all_ = false;
  unasked_.clear();
  std::sort(ids.begin(), ids.end());
  return ids;
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
