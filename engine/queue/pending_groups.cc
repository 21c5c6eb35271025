// See pending_groups.h.
#include "engine/queue/pending_groups.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/prefetch.h"

namespace muster {

std::uint32_t PendingGroups::FirstOf(const Hash128& form) const {
  if (groups_.size() > kFewGroups) {
    const auto known = forms_.find(form);
    return known == forms_.end() ? kNone : known->second;
  }
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    if (group.used && group.before == kNone && group.form == form) return g;
  }
  return kNone;
}

void PendingGroups::SetFirst(const Hash128& form, std::uint32_t group) {
  if (groups_.size() <= kFewGroups) return;
  if (group == kNone) {
    spare_ = forms_.extract(form);
    return;
  }
  const auto known = forms_.find(form);
  if (known != forms_.end()) {
    known->second = group;
  } else if (spare_.empty()) {
    forms_.emplace(form, group);
  } else {
    spare_.key() = form;
    spare_.mapped() = group;
    forms_.insert(std::move(spare_));
  }
}

std::uint32_t PendingGroups::NewGroup() {
  if (free_group_ != kNone) return std::exchange(free_group_, groups_[free_group_].after);
  groups_.emplace_back();
  tops_.push_back({});
  if (groups_.size() == kFewGroups + 1) {  // they are many from now on
    for (std::uint32_t g = 0; g < kFewGroups; ++g) {
      if (groups_[g].before == kNone) forms_[groups_[g].form] = g;
    }
  }
  return static_cast<std::uint32_t>(groups_.size() - 1);
}

std::uint32_t PendingGroups::NewMember() {
  if (free_member_ != kNone) return std::exchange(free_member_, members_[free_member_].slot);
  members_.push_back({});
  return static_cast<std::uint32_t>(members_.size() - 1);
}

std::uint32_t PendingGroups::GroupOf(const PendingKey& key) {
  const std::uint32_t first = FirstOf(key.form);
  if (first != kNone) {
    if (groups_[first].local_queue == key.local_queue) return first;
    const auto sibling = siblings_.find({key.form, key.local_queue});
    if (sibling != siblings_.end()) return sibling->second;
  }
  const std::uint32_t g = NewGroup();
  Group& group = groups_[g];  // keeps the memory of the one before
  group.used = true;
  group.form = key.form;
  group.local_queue = key.local_queue;
  group.before = kNone;
  group.after = first;
  if (first != kNone) {
    groups_[first].before = g;
    siblings_[{key.form, groups_[first].local_queue}] = first;
    siblings_[{key.form, key.local_queue}] = g;
  }
  SetFirst(key.form, g);
  return g;
}

void PendingGroups::Disband(std::uint32_t g) {
  Group& group = groups_[g];
  if (group.after != kNone) groups_[group.after].before = group.before;
  if (group.before != kNone) {
    groups_[group.before].after = group.after;
  } else {
    SetFirst(group.form, group.after);
  }
  if (!siblings_.empty()) siblings_.erase({group.form, group.local_queue});
  group.used = false;
  group.after = std::exchange(free_group_, g);
}

void PendingGroups::Rank(std::uint32_t g) {
  Group& group = groups_[g];
  PendingNode& top = tops_[g];
  PendingKey* best = group.Awake().empty() ? nullptr : group.Awake().Top(members_);
  if (top.key == best) return;
  LocalQueueHeap& heap = heaps_.Of(group.local_queue);
  const bool ranked = std::exchange(top.key, best) != nullptr;
  if (best == nullptr) {
    heap.groups.Erase(tops_, g);
  } else if (ranked) {
    heap.groups.Move(tops_, g, group.Awake().TopRank());
  } else {
    heap.groups.Push(tops_, g, group.Awake().TopRank());
  }
  heap.top = heap.groups.empty() ? nullptr : heap.groups.Top(tops_);
  heaps_.TopChanged(heap);
}

void PendingGroups::NoteSleepers(std::uint32_t g) {
  Group& group = groups_[g];
  const bool sleeps = !group.Asleep().empty();
  if (sleeps == (group.sleeper != kNone)) return;
  if (sleeps) {
    group.sleeper = static_cast<std::uint32_t>(sleepers_.size());
    sleepers_.push_back(g);
    return;
  }
  groups_[sleepers_.back()].sleeper = group.sleeper;
  sleepers_[group.sleeper] = sleepers_.back();
  sleepers_.pop_back();
  group.sleeper = kNone;
}

void PendingGroups::Add(PendingKey& key, bool asleep) {
  const std::uint32_t g = GroupOf(key);
  const std::uint32_t member = NewMember();
  Group& group = groups_[g];
  PendingNode& node = members_[member];
  node.key = &key;
  node.group = g;
  node.heap = asleep ? 1U - group.awake : group.awake;
  key.slot = member;
  group.heaps[node.heap].Push(members_, member);
  ++(asleep ? asleep_ : awake_);
  if (asleep) {
    NoteSleepers(g);
  } else {
    Rank(g);
  }
}

void PendingGroups::Remove(PendingKey& key) {
  MUSTER_CHECK(key.slot < members_.size() && members_[key.slot].key == &key);
  const bool asleep = IsAsleep(key);
  PendingNode& node = members_[key.slot];
  const std::uint32_t g = node.group;
  Group& group = groups_[g];
  group.heaps[node.heap].Erase(members_, key.slot);
  node.key = nullptr;
  node.slot = std::exchange(free_member_, key.slot);
  --(asleep ? asleep_ : awake_);
  if (asleep) {
    NoteSleepers(g);
  } else {
    Rank(g);
  }
  if (group.heaps[0].empty() && group.heaps[1].empty()) Disband(g);
}

void PendingGroups::Reorder() {
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    if (tops_[g].key == nullptr) continue;
    groups_[g].Awake().Reorder(members_);
    tops_[g].key = groups_[g].Awake().Top(members_);
  }
  heaps_.Reorder(tops_);
}

void PendingGroups::PrefetchGroups() const {
  const std::size_t few = std::min(groups_.size(), kFewGroups);
  for (std::size_t g = 0; g < few; ++g) PrefetchLine(&groups_[g]);
}

void PendingGroups::PrefetchFor(const PendingKey& key) const {
  PrefetchLine(&members_[key.slot]);
  PrefetchLine(tops_.data());
  PrefetchLine(heaps_.all().data());
  PrefetchGroups();
}

void PendingGroups::PrefetchToAdd() const {
  PrefetchLine(heaps_.all().data());
  PrefetchLine(members_.data());
  PrefetchLine(tops_.data());
  PrefetchGroups();
}

bool PendingGroups::IsAsleep(const PendingKey& key) const {
  const PendingNode& node = members_[key.slot];
  return node.heap != groups_[node.group].awake;
}

void PendingGroups::Gather(std::uint32_t g, bool asleep) {
  Group& group = groups_[g];
  awake_ -= group.Awake().size();
  asleep_ -= group.Asleep().size();
  const std::uint8_t larger = group.heaps[0].size() < group.heaps[1].size() ? 1 : 0;
  PendingHeap& rest = group.heaps[1U - larger];
  for (const PendingKey* key : rest.Keys(members_)) {
    members_[key->slot].heap = larger;
    group.heaps[larger].Push(members_, key->slot);
  }
  rest.Clear();
  group.awake = asleep ? static_cast<std::uint8_t>(1U - larger) : larger;
  (asleep ? asleep_ : awake_) += group.heaps[larger].size();
  Rank(g);
  NoteSleepers(g);
}

void PendingGroups::PutToSleep(const Hash128& form) {
  for (std::uint32_t g = FirstOf(form); g != kNone; g = groups_[g].after) Gather(g, true);
}

void PendingGroups::WakeAll() {
  while (!sleepers_.empty()) Gather(sleepers_.back(), false);
}

std::vector<const PendingKey*> PendingGroups::Ordered(const LocalQueueUsage& usage) const {
  std::map<double, std::vector<const PendingKey*>> by_usage;
  for (const auto& [local_queue, top, heap] : heaps_.all()) {
    if (top == nullptr) continue;  // its LocalQueue may be gone
    std::vector<const PendingKey*>& equal = by_usage[usage ? usage(local_queue) : 0];
    for (const PendingKey* best : heap.Keys(tops_)) {
      const Group& group = groups_[members_[best->slot].group];
      const std::vector<PendingKey*> keys = group.heaps[group.awake].Keys(members_);
      equal.insert(equal.end(), keys.begin(), keys.end());
    }
  }
  std::vector<const PendingKey*> order;
  order.reserve(awake_);
  for (auto& [value, keys] : by_usage) {
    std::sort(keys.begin(), keys.end(),
              [](const PendingKey* a, const PendingKey* b) { return Compare(*a, *b).before; });
    order.insert(order.end(), keys.begin(), keys.end());
  }
  return order;
}

std::vector<PendingKey*> PendingGroups::OfForm(const Hash128& form) const {
  std::vector<PendingKey*> all;
  for (std::uint32_t g = FirstOf(form); g != kNone; g = groups_[g].after) {
    const std::vector<PendingKey*> keys = groups_[g].heaps[groups_[g].awake].Keys(members_);
    all.insert(all.end(), keys.begin(), keys.end());
  }
  return all;
}

std::vector<const PendingKey*> PendingGroups::Some(std::size_t most) const {
  std::vector<const PendingKey*> some;
  for (const PendingNode& node : members_) {
    if (some.size() == most) break;
    if (node.key != nullptr && !IsAsleep(*node.key)) some.push_back(node.key);
  }
  return some;
}

std::vector<PendingKey*> PendingGroups::Awake() const {
  std::vector<PendingKey*> all;
  all.reserve(awake_);
  for (const PendingNode& node : members_) {
    if (node.key != nullptr && !IsAsleep(*node.key)) all.push_back(node.key);
  }
  return all;
}

std::vector<PendingKey*> PendingGroups::Asleep(const std::function<bool(LocalQueueId)>& of) const {
  std::vector<PendingKey*> all;
  for (const std::uint32_t g : sleepers_) {
    if (!of(groups_[g].local_queue)) continue;
    const std::vector<PendingKey*> keys = groups_[g].heaps[1U - groups_[g].awake].Keys(members_);
    all.insert(all.end(), keys.begin(), keys.end());
  }
  return all;
}

}  // namespace muster
