// See holder_index.h. What ranked a workload is kept in its record, so that it is found again after
// its priority or its eviction changed, and so that a forgotten Refresh is seen by the invariants.
#include "engine/state/holder_index.h"

#include <algorithm>
#include <compare>
#include <iterator>
#include <utility>

#include "engine/base/amount.h"
#include "engine/base/check.h"

namespace muster {
namespace {

HolderRank RankOf(const WorkloadRecord& workload) {
  return {workload.reserved_at, workload.priority(), true, true, workload.evicted};
}

/// Where the total of this pair is, or would be.
std::vector<HolderIndex::Total>::iterator PlaceOf(std::vector<HolderIndex::Total>& totals,
                                                  FlavorResourceId fr) {
  return std::lower_bound(
      totals.begin(), totals.end(), fr,
      [](const HolderIndex::Total& total, FlavorResourceId other) { return total.fr < other; });
}

}  // namespace

bool HolderIndex::Before::operator()(const Entry& a, const Entry& b) const {
  if (a.priority != b.priority) return a.priority < b.priority;
  if (a.reserved_at != b.reserved_at) return a.reserved_at > b.reserved_at;
  const std::strong_ordering uids = a.workload->uid() <=> b.workload->uid();
  if (uids != 0) return uids < 0;
  return a.workload->id() < b.workload->id();
}

HolderIndex::Order::iterator HolderIndex::Put(Order& order, Order::const_iterator near,
                                              const Entry& entry) {
  if (spare_.empty()) return order.insert(near, entry);
  spare_.value() = entry;
  return order.insert(near, std::move(spare_));
}

void HolderIndex::Insert(WorkloadRecord& workload) {
  MUSTER_CHECK(!workload.rank.listed);
  if (newcomers_ == kMostNewcomers) RankNewcomers();
  workload.rank = {};
  workload.rank.listed = true;
  newcomer_[newcomers_++] = &workload;
}

void HolderIndex::Erase(WorkloadRecord& workload) {
  MUSTER_CHECK(workload.rank.listed);
  if (workload.rank.ranked) {
    Unrank(workload);
  } else if (workload.rank.deferred > 0) {
    WorkloadRecord*& place = deferred_[workload.rank.deferred - 1];
    MUSTER_CHECK(place == &workload);
    place = deferred_.back();
    place->rank.deferred = workload.rank.deferred;
    deferred_.pop_back();
  } else {
    WorkloadRecord** const end = newcomer_.data() + newcomers_;
    WorkloadRecord** const found = std::find(newcomer_.data(), end, &workload);
    MUSTER_CHECK(found != end);
    *found = newcomer_[--newcomers_];
  }
  workload.rank = {};
}

void HolderIndex::Refresh(WorkloadRecord& workload) {
  if (!workload.rank.ranked) return;
  if (workload.rank != RankOf(workload)) {
    Unrank(workload);
    return Rank(workload);
  }
  const auto totals = totals_.find(workload.rank.priority);
  for (const Usage& usage : std::as_const(workload).usage) {
    MUSTER_CHECK(totals != totals_.end());
    const auto total = PlaceOf(totals->second, usage.fr);
    MUSTER_CHECK(total != totals->second.end() && total->fr == usage.fr);
    total->newest = std::max(total->newest, workload.key.timestamp);
  }
}

void HolderIndex::RankNewcomers() {
  for (std::size_t i = 0; i < newcomers_; ++i) Rank(*newcomer_[i]);
  newcomers_ = 0;
}

void HolderIndex::DeferNewcomers() {
  for (std::size_t i = 0; i < newcomers_; ++i) {
    deferred_.push_back(newcomer_[i]);
    newcomer_[i]->rank.deferred = static_cast<std::uint32_t>(deferred_.size());
  }
  newcomers_ = 0;
}

// In their order, so that each has its place right behind the one before it.
void HolderIndex::RankDeferred() {
  std::vector<Entry> entries;
  entries.reserve(deferred_.size());
  for (const WorkloadRecord* workload : deferred_) {
    entries.push_back({workload->priority(), workload->reserved_at, workload});
  }
  std::sort(entries.begin(), entries.end(), Before());
  for (const Entry& entry : entries) {
    Rank(*deferred_[entry.workload->rank.deferred - 1]);
  }
  deferred_ = {};
}

void HolderIndex::Rank(WorkloadRecord& workload) {
  workload.rank = RankOf(workload);
  Order& order = workload.rank.evicted ? leaving_ : staying_;
  const Entry entry = {workload.rank.priority, workload.rank.reserved_at, &workload};
  // Of equal priority the newest stands first: mostly right before the one that came before it, or,
  // of the same time and a later UID, right behind it.
  if (&order == &staying_) {
    const bool behind = has_newest_ && Before()(*newest_, entry);
    const auto near = !has_newest_ ? staying_.begin() : behind ? std::next(newest_) : newest_;
    newest_ = Put(staying_, near, entry);
    has_newest_ = true;
  } else {
    Put(order, order.end(), entry);
  }
  undated_ += workload.rank.reserved_at == kNoTime;
  Count(workload, 1);
}

void HolderIndex::Unrank(WorkloadRecord& workload) {
  Order& order = workload.rank.evicted ? leaving_ : staying_;
  const auto found =
      has_newest_ && newest_->workload == &workload
          ? newest_
          : order.find({workload.rank.priority, workload.rank.reserved_at, &workload});
  MUSTER_CHECK(found != order.end() && found->workload == &workload);
  const bool newest = has_newest_ && found == newest_;
  const auto next = std::next(found);
  spare_ = order.extract(found);
  if (newest) {
    newest_ = next;
    has_newest_ = next != staying_.end();
  }
  undated_ -= workload.rank.reserved_at == kNoTime;
  Count(workload, -1);
}

std::vector<HolderIndex::Total>& HolderIndex::TotalsToChange(std::int64_t priority) {
  const auto found = totals_.lower_bound(priority);
  if (found != totals_.end() && found->first == priority) return found->second;
  if (no_total_.empty()) return totals_.try_emplace(found, priority)->second;
  no_total_.key() = priority;
  return totals_.insert(found, std::move(no_total_))->second;
}

std::span<const HolderIndex::Total> HolderIndex::TotalsOf(std::int64_t priority) const {
  const auto found = totals().find(priority);
  if (found == totals_.end()) return {};
  return found->second;
}

void HolderIndex::Count(const WorkloadRecord& workload, std::int64_t sign) {
  if (workload.usage.empty()) return;
  const std::int64_t priority = workload.rank.priority;
  std::vector<Total>& totals = TotalsToChange(priority);
  for (const Usage& usage : workload.usage) {
    auto it = PlaceOf(totals, usage.fr);
    if (it == totals.end() || it->fr != usage.fr) {
      it = totals.insert(it, Total{priority, usage.fr, 0, 0, workload.key.timestamp});
    }
    it->amount = sign > 0 ? Add(it->amount, usage.amount) : Sub(it->amount, usage.amount);
    it->holders += sign;
    if (sign > 0) it->newest = std::max(it->newest, workload.key.timestamp);
    if (it->holders == 0) totals.erase(it);
  }
  if (totals.empty()) no_total_ = totals_.extract(priority);
}

}  // namespace muster
