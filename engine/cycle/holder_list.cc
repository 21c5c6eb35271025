// See holder_list.h. Words are made for those alone that are shown.
#include "engine/cycle/holder_list.h"

#include <algorithm>
#include <utility>

#include "engine/preempt/candidates.h"

namespace muster {
namespace {

/// Null when it uses none.
const Usage* UsageOf(const WorkloadRecord& holder, FlavorResourceId pair) {
  for (const Usage& usage : holder.usage) {
    if (usage.fr == pair) return &usage;
  }
  return nullptr;
}

std::int64_t UsersOf(const HolderIndex& holders, FlavorResourceId pair) {
  std::int64_t users = 0;
  for (const auto& [priority, totals] : holders.totals()) {
    for (const HolderIndex::Total& total : totals) {
      if (total.fr == pair) users += total.holders;
    }
  }
  return users;
}

}  // namespace

HolderList::HolderList(const World& world, const WorkloadRecord& asking, const Entry& entry)
    : world_(world),
      asking_(asking),
      queue_(world.queue(asking.queue)),
      report_(entry.report),
      contested_(entry.assignment().NeedingPreemption()) {
  for (const CandidateTrace& candidate : report_.candidates) {
    fates_.emplace(candidate.workload, candidate.fate);
    in_vain_ |= candidate.fate == CandidateTrace::Fate::kNotEnough;
  }
}

void HolderList::Add(FlavorResourceId pair) {
  const QuotaTree& tree = world_.tree_of(queue_);
  const Column column = tree.ColumnOf(pair);
  for (NodeIndex n = 0; n < tree.size() && column != kNoColumn; ++n) {
    const QueueId id = tree.node(n).queue;
    if (id.valid()) AddFrom(world_.queue(id), pair, tree.Borrowing(n, column, 0));
  }
}

void HolderList::AddFrom(const ClusterQueueState& queue, FlavorResourceId pair, bool borrowing) {
  std::int64_t left = UsersOf(queue.holders, pair);
  count_ += left;
  const auto evictable_before = static_cast<std::ptrdiff_t>(evictable_.size());
  const auto others_before = static_cast<std::ptrdiff_t>(others_.size());
  for (const HolderIndex::Order* order : {&queue.holders.leaving(), &queue.holders.staying()}) {
    for (const HolderIndex::Entry& entry : *order) {
      if (left == 0 || may_read_ == 0 || evictable_.size() == kMaxHolders) break;
      --may_read_;
      const Usage* usage = UsageOf(*entry.workload, pair);
      if (usage == nullptr) continue;
      --left;
      if (usage->amount <= 0) {
        --count_;
        continue;
      }
      const Holding holding{entry.workload, &queue, *usage, borrowing};
      if (Evictable(holding)) {
        evictable_.push_back(holding);
      } else if (others_.size() < kMaxHolders) {
        others_.push_back(holding);
      } else {
        left = 0;  // whoever is asked later to leave may rather stay
      }
    }
  }
  const auto by_arrival = [](const Holding& a, const Holding& b) {
    return a.holder->id() < b.holder->id();
  };
  std::sort(evictable_.begin() + evictable_before, evictable_.end(), by_arrival);
  std::sort(others_.begin() + others_before, others_.end(), by_arrival);
}

/// Who was looked at in vain may be evicted by the rules, but nobody would gain by it.
bool HolderList::Evictable(const Holding& holding) const {
  const PreemptionRules& rules = queue_.spec.preemption;
  const bool allowed = holding.queue->id == queue_.id
                           ? PolicyAllows(rules.within_cluster_queue, asking_, *holding.holder)
                           : holding.borrowing && PolicyAllows(rules.reclaim_within_cohort, asking_,
                                                               *holding.holder);
  return allowed && !LookedAtInVain(holding);
}

/// Of those that the report does not name it is known of which queues the search could take them.
bool HolderList::LookedAtInVain(const Holding& holding) const {
  if (!in_vain_) return false;
  const auto fate = fates_.find(holding.holder->spec.key);
  if (fate != fates_.end()) return fate->second == CandidateTrace::Fate::kNotEnough;
  return report_.more_candidates && holding.queue->active &&
         std::binary_search(report_.queues.begin(), report_.queues.end(), holding.queue->id) &&
         std::any_of(contested_.begin(), contested_.end(), [&](FlavorResourceId pair) {
           return UsageOf(*holding.holder, pair) != nullptr;
         });
}

HolderView HolderList::ViewOf(const Holding& holding, bool evictable) const {
  const FlavorResourceId pair = holding.usage.fr;
  return {holding.holder->spec.key,
          holding.queue->name(),
          world_.names.FlavorName(world_.names.FlavorOf(pair)),
          world_.names.ResourceName(world_.names.ResourceOf(pair)),
          holding.usage.amount,
          holding.borrowing,
          evictable};
}

std::vector<HolderView> HolderList::Views() const {
  std::vector<HolderView> views;
  for (const auto& [list, evictable] : {std::pair(&evictable_, true), std::pair(&others_, false)}) {
    for (const Holding& holding : *list) {
      if (views.size() == kMaxHolders) break;
      views.push_back(ViewOf(holding, evictable));
    }
  }
  return views;
}

}  // namespace muster
