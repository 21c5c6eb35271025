// See holder_list.h. Words are made for those alone that are shown.
#include "engine/explain/holder_list.h"

#include <algorithm>
#include <utility>

#include "engine/base/amount.h"
#include "engine/kin/preemption_gates.h"
#include "engine/model/names.h"
#include "engine/preempt/candidates.h"

namespace muster {
namespace {

/// Of an entry for which no search was made.
const SearchReport& NoSearch() {
  static const SearchReport none;
  return none;
}

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

bool ReclaimsWithinNominal(const World& world, const ClusterQueueState& queue) {
  const PreemptionRules& rules = queue.spec.preemption;
  return !world.catalog.FairSharing() && rules.reclaim_within_cohort != PreemptionPolicy::kNever &&
         rules.borrow_within_cohort == PreemptionPolicy::kNever;
}

bool WouldBorrow(const World& world, const ClusterQueueState& queue, FlavorResourceId pair,
                 Amount more) {
  const QuotaTree& tree = world.tree_of(queue);
  const Column column = tree.ColumnOf(pair);
  return column != kNoColumn && tree.Borrowing(queue.node, column, more);
}

HolderList::HolderList(const World& world, const WorkloadRecord& asking, const Entry& entry)
    : world_(world),
      asking_(asking),
      queue_(world.queue(asking.queue)),
      entry_(entry),
      report_(entry.report == nullptr ? NoSearch() : *entry.report) {
  for (const CandidateTrace& candidate : report_.candidates) {
    candidates_.emplace(candidate.workload, &candidate);
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
        left = 0;  // one that would be evicted later may rather stay
      }
    }
  }
  const auto by_arrival = [](const Holding& a, const Holding& b) {
    return a.holder->id() < b.holder->id();
  };
  std::sort(evictable_.begin() + evictable_before, evictable_.end(), by_arrival);
  std::sort(others_.begin() + others_before, others_.end(), by_arrival);
}

bool HolderList::Evictable(const Holding& holding) const {
  return !entry_.victims.empty() && WhyNot(holding).empty();
}

std::string HolderList::WhyNotByRules(const Holding& holding) const {
  const PreemptionRules& rules = queue_.spec.preemption;
  const bool own = holding.queue->id == queue_.id;
  const PreemptionPolicy policy = own ? rules.within_cluster_queue : rules.reclaim_within_cohort;
  const std::string rule = std::string(own ? "withinClusterQueue: " : "reclaimWithinCohort: ") +
                           std::string(EnumName(policy));
  if (policy == PreemptionPolicy::kNever) return rule;
  if (!own && !holding.borrowing) return "its ClusterQueue borrows none of it";
  if (!holding.queue->active) return "its ClusterQueue is not active";
  if (PolicyAllows(policy, asking_, *holding.holder)) return "";
  const std::int64_t theirs = holding.holder->priority();
  const std::int64_t ours = asking_.priority();
  if (theirs == ours && policy == PreemptionPolicy::kLowerOrNewerEqualPriority) {
    return rule + ", and it is not newer";
  }
  return rule + ", and its priority " + std::to_string(theirs) + " is not below " +
         std::to_string(ours);
}

std::string HolderList::WhyNot(const Holding& holding) const {
  if (holding.holder->evicted) return "told to leave already";
  if (std::string why = WhyNotByRules(holding); !why.empty()) return why;
  if (report_.spared.contains(holding.holder->id())) {
    return "protected by policy " + report_.protector;
  }
  const auto candidate = candidates_.find(holding.holder->spec.key);
  if (candidate != candidates_.end() &&
      candidate->second->fate == CandidateTrace::Fate::kProtected) {
    if (candidate->second->beyond_budget) {
      return "protected by policy " + candidate->second->policy + ": budget of " +
             candidate->second->budget + " is used up";
    }
    return "protected by its fair share";
  }
  if (entry_.victims.empty()) {
    if (!report_.limiter.empty()) return "forbidden by policy " + report_.limiter;
    return IsBeyondReclaim(holding) ? "reclaim does not go beyond nominal quota"
                                    : "would not make enough room";
  }
  return HasClosedGate(asking_) ? "the preemption gate is closed" : "";
}

bool HolderList::IsBeyondReclaim(const Holding& holding) const {
  if (holding.queue->id == queue_.id || !ReclaimsWithinNominal(world_, queue_)) return false;
  const ResourceId resource = world_.names.ResourceOf(holding.usage.fr);
  Amount most = 0;
  for (const PodSetRequests& pod_set : asking_.pod_sets) {
    for (const ResourceAmount& request : pod_set.per_pod) {
      if (request.resource != resource) continue;
      most = std::max(most, Mul(request.amount, pod_set.effective_count));
    }
  }
  return WouldBorrow(world_, queue_, holding.usage.fr, most);
}

HolderView HolderList::ViewOf(const Holding& holding) const {
  const FlavorResourceId pair = holding.usage.fr;
  std::string why = WhyNot(holding);
  return {holding.holder->spec.key,
          holding.queue->name(),
          world_.names.FlavorName(world_.names.FlavorOf(pair)),
          world_.names.ResourceName(world_.names.ResourceOf(pair)),
          holding.usage.amount,
          holding.borrowing,
          why.empty(),
          std::move(why)};
}

std::vector<HolderView> HolderList::Views() const {
  std::vector<HolderView> views;
  for (const std::vector<Holding>* list : {&evictable_, &others_}) {
    for (const Holding& holding : *list) {
      if (views.size() == kMaxHolders) break;
      views.push_back(ViewOf(holding));
    }
  }
  return views;
}

}  // namespace muster
