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

std::string WhyNotWhileBorrowing(const World& world, const WorkloadRecord& asking,
                                 std::int64_t theirs) {
  const PreemptionRules& rules = world.queue(asking.queue).spec.preemption;
  if (world.catalog.FairSharing() || rules.reclaim_within_cohort == PreemptionPolicy::kNever) {
    return "";
  }
  const PreemptionPolicy policy = rules.borrow_within_cohort;
  if (policy == PreemptionPolicy::kNever) return "reclaim does not go beyond nominal quota";
  const std::string which = "borrowWithinCohort: " + std::string(EnumName(policy)) +
                            ", and its priority " + std::to_string(theirs);
  if (theirs >= asking.priority()) {
    return which + " is not below " + std::to_string(asking.priority());
  }
  if (rules.max_priority_threshold && theirs > *rules.max_priority_threshold) {
    return which + " is above maxPriorityThreshold " +
           std::to_string(*rules.max_priority_threshold);
  }
  return "";
}

bool WouldBorrowFrom(const World& world, const ClusterQueueState& queue,
                     const ClusterQueueState& other, std::vector<Usage> demand) {
  const QuotaTree& tree = world.tree_of(queue);
  for (NodeIndex n = queue.node; n != kNoNode && !tree.IsAncestor(n, other.node);
       n = tree.ParentOf(n)) {
    bool fits = true;
    for (Usage& usage : demand) {
      const Column column = tree.ColumnOf(usage.fr);
      if (column == kNoColumn) continue;
      fits &= !tree.Borrowing(n, column, usage.amount);
      usage.amount = std::max<Amount>(0, Sub(usage.amount, tree.LocalAvailable(n, column)));
    }
    if (fits) return false;
  }
  return true;
}

std::string BarredAsBorrower(const World& world, const WorkloadRecord& asking,
                             FlavorResourceId pair, const std::vector<Usage>& demand) {
  const ClusterQueueState& queue = world.queue(asking.queue);
  const PreemptionRules& rules = queue.spec.preemption;
  const QuotaTree& tree = world.tree_of(queue);
  const Column column = tree.ColumnOf(pair);
  bool barred = false;
  for (NodeIndex n = 0; n < tree.size() && column != kNoColumn && !barred; ++n) {
    if (!tree.node(n).queue.valid() || n == queue.node || !tree.Borrowing(n, column, 0)) continue;
    const ClusterQueueState& other = world.queue(tree.node(n).queue);
    if (!WouldBorrowFrom(world, queue, other, demand)) continue;
    for (const auto& [priority, totals] : other.holders.totals()) {
      const bool holds = std::any_of(totals.begin(), totals.end(), [&](const auto& total) {
        return total.fr == pair && total.holders > 0;
      });
      barred |= holds && !WhyNotWhileBorrowing(world, asking, priority).empty();
    }
  }
  if (!barred) return "";
  if (rules.borrow_within_cohort == PreemptionPolicy::kNever) {
    return ": it would borrow, and may reclaim only within its nominal quota";
  }
  const std::int64_t ours = asking.priority();
  const bool capped = rules.max_priority_threshold && *rules.max_priority_threshold < ours - 1;
  return ": it would borrow, and may then evict in other queues only priorities " +
         (capped ? "up to " + std::to_string(*rules.max_priority_threshold) +
                       " (borrowWithinCohort.maxPriorityThreshold)"
                 : "below " + std::to_string(ours) + " (borrowWithinCohort)");
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
    if (holding.queue->id != queue_.id &&
        WouldBorrowFrom(world_, queue_, *holding.queue, DemandBeside(holding.usage.fr))) {
      std::string why = WhyNotWhileBorrowing(world_, asking_, holding.holder->priority());
      if (!why.empty()) return why;
    }
    return "would not make enough room";
  }
  return HasClosedGate(asking_) ? "the preemption gate is closed" : "";
}

std::vector<Usage> HolderList::DemandBeside(FlavorResourceId pair) const {
  const ResourceId resource = world_.names.ResourceOf(pair);
  const int group = queue_.GroupOf(resource);
  if (group < 0) return {};
  std::vector<Usage> demand;
  for (const FlavorOption& option : queue_.groups[static_cast<std::size_t>(group)].flavors) {
    if (option.id != world_.names.FlavorOf(pair)) continue;
    for (const FlavorResourceId beside : option.pairs) {
      Usage& most = demand.emplace_back(Usage{beside, 0});
      for (const PodSetRequests& pod_set : asking_.pod_sets) {
        for (const ResourceAmount& request : pod_set.per_pod) {
          if (request.resource != world_.names.ResourceOf(beside)) continue;
          most.amount = std::max(most.amount, Mul(request.amount, pod_set.effective_count));
        }
      }
    }
  }
  return demand;
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
