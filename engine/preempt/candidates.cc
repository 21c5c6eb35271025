// What may be evicted, and in which order.
//
// Natively nothing is gathered and sorted: each queue's index of holders is read from its front,
// and the policies that go by priority end the reading, because the index ascends by priority.
// Merging queues by their fronts gives the order of a sort, because inside a queue the index has it
// and the fronts are of different queues, among which the order is total. Where another order
// holds, the front of a queue is looked for, and only those that it has to give from are sorted.
#include "engine/preempt/candidates.h"

#include <algorithm>
#include <compare>
#include <limits>

#include "engine/base/amount.h"

namespace muster {
namespace {

/// Whether, for all that the sums say, one of its priority is newer and uses what it needs.
bool MayBeNewerEqual(const PreemptionRequest& request, const HolderIndex& holders) {
  const PendingKey& key = request.preemptor.key;
  const auto equals = holders.TotalsOf(key.effective_priority());
  return std::any_of(equals.begin(), equals.end(), [&](const HolderIndex::Total& total) {
    return total.newest > key.timestamp && request.Contests(total.fr);
  });
}

/// Both ascend by pair; of one priority and the next the pairs are mostly the same.
void AddTotals(std::span<const HolderIndex::Total> totals, std::vector<Usage>& most) {
  auto at = most.begin();
  for (const HolderIndex::Total& total : totals) {
    while (at != most.end() && at->fr < total.fr) ++at;
    if (at == most.end() || at->fr != total.fr) {
      at = most.insert(at, {total.fr, total.amount});
    } else {
      at->amount = Add(at->amount, total.amount);
    }
    ++at;
  }
}

}  // namespace

std::int64_t HighestAllowed(PreemptionPolicy policy, const PreemptionRequest& request,
                            const HolderIndex& holders) {
  const std::int64_t own = request.preemptor.priority();
  switch (policy) {
    case PreemptionPolicy::kNever:
      return std::numeric_limits<std::int64_t>::min();
    case PreemptionPolicy::kLowerPriority:
      return own - 1;
    case PreemptionPolicy::kLowerOrNewerEqualPriority:
      return MayBeNewerEqual(request, holders) ? own : own - 1;
    case PreemptionPolicy::kAny:
      break;
  }
  return std::numeric_limits<std::int64_t>::max();
}

bool PreemptionRequest::Contests(FlavorResourceId fr) const {
  return std::binary_search(contested.begin(), contested.end(), fr);
}

bool PolicyAllows(PreemptionPolicy policy, const WorkloadRecord& preemptor,
                  const WorkloadRecord& candidate) {
  switch (policy) {
    case PreemptionPolicy::kNever:
      return false;
    case PreemptionPolicy::kAny:
      return true;
    case PreemptionPolicy::kLowerPriority:
      return preemptor.priority() > candidate.priority();
    case PreemptionPolicy::kLowerOrNewerEqualPriority:
      return preemptor.priority() > candidate.priority() ||
             (preemptor.priority() == candidate.priority() &&
              preemptor.key.timestamp < candidate.key.timestamp);
  }
  return false;
}

bool IsCandidate(const CandidateScope& scope, PreemptionPolicy policy,
                 const WorkloadRecord& holder) {
  if (!PolicyAllows(policy, scope.request.preemptor, holder)) return false;
  if (!scope.gone.empty() && scope.gone.contains(holder.id())) return false;
  return std::any_of(holder.usage.begin(), holder.usage.end(),
                     [&](const Usage& usage) { return scope.request.Contests(usage.fr); });
}

bool CandidateOrder::UsageBefore(const WorkloadRecord& a, const WorkloadRecord& b,
                                 bool& decided) const {
  decided = false;
  if (!usage_ || a.holds_in != b.holds_in || a.local_queue == b.local_queue) return false;
  if (!a.local_queue.valid() || !b.local_queue.valid()) return false;
  if (!world_.UsageBased(world_.queue(a.holds_in))) return false;
  read_time_ = true;
  const double usage_a = usage_(a.local_queue);
  const double usage_b = usage_(b.local_queue);
  decided = usage_a != usage_b;
  return usage_a > usage_b;
}

bool CandidateOrder::Before(const WorkloadRecord& a, const WorkloadRecord& b) const {
  if (a.evicted != b.evicted) return a.evicted;
  const bool a_own = a.holds_in == own_;
  const bool b_own = b.holds_in == own_;
  if (a_own != b_own) return b_own;
  if (costs_ != nullptr) {
    const double cost_a = costs_->Cost(a);
    const double cost_b = costs_->Cost(b);
    if (cost_a != cost_b) return cost_a < cost_b;
  }
  bool decided = false;
  const bool by_usage = UsageBefore(a, b, decided);
  if (decided) return by_usage;
  if (a.priority() != b.priority()) return a.priority() < b.priority();
  read_time_ |= a.reserved_at == kNoTime || b.reserved_at == kNoTime;
  const TimeNs reserved_a = a.reserved_at == kNoTime ? world_.now : a.reserved_at;
  const TimeNs reserved_b = b.reserved_at == kNoTime ? world_.now : b.reserved_at;
  if (reserved_a != reserved_b) return reserved_a > reserved_b;
  const std::strong_ordering uids = a.uid() <=> b.uid();
  return uids != 0 ? uids < 0 : a.id() < b.id();
}

bool CandidateOrder::IsThatOfIndex(const ClusterQueueState& queue) const {
  return costs_ == nullptr && queue.holders.all_dated() && !IsByUsage(queue);
}

QueueCandidates::QueueCandidates(const CandidateScope& scope, const ClusterQueueState& queue,
                                 PreemptionPolicy policy, Part part, std::int64_t highest)
    : scope_(&scope), policy_(policy) {
  if (const AskedCandidates* asked = scope.order.asked()) {
    costed_ = true;
    if (policy == PreemptionPolicy::kNever || !queue.active) return;
    by_cost_ = asked->Of(queue.id, part != Part::kOthers, part != Part::kEvicted);
    if (by_cost_.empty()) return;
    highest_ = std::min(highest, HighestAllowed(policy, scope.request, queue.holders));
    SettleByCost();
    return;
  }
  highest_ = std::min(highest, HighestAllowed(policy, scope.request, queue.holders));
  const HolderIndex& holders = queue.holders;
  const HolderIndex::Order& first = part == Part::kOthers ? holders.staying() : holders.leaving();
  next_ = first.begin();
  end_ = first.end();
  if (part == Part::kAll) then_ = &holders.staying();
  if (policy == PreemptionPolicy::kNever || !queue.active) {
    next_ = end_;
    then_ = nullptr;
  }
  Settle();
  if (!scope.order.IsThatOfIndex(queue)) ListAll();
}

QueueCandidates::QueueCandidates(std::vector<const WorkloadRecord*> list)
    : list_(std::move(list)), listed_(true), sorted_(true) {
  front_ = list_.empty() ? nullptr : list_.front();
}

void QueueCandidates::ListAll() {
  while (front_ != nullptr) {
    list_.push_back(front_);
    ++next_;
    Settle();
  }
  listed_ = true;
  for (const WorkloadRecord* holder : list_) {
    if (front_ == nullptr || scope_->order.Before(*holder, *front_)) front_ = holder;
  }
}

void QueueCandidates::Sort() {
  sorted_ = true;
  std::sort(list_.begin(), list_.end(), [this](const WorkloadRecord* a, const WorkloadRecord* b) {
    return scope_->order.Before(*a, *b);
  });
}

// Those that the policy protects stand behind all others, but for the evicted ones.
void QueueCandidates::SettleByCost() {
  front_ = nullptr;
  for (; position_ < by_cost_.size(); ++position_) {
    const AskedCandidates::Item& item = by_cost_[position_];
    if (item.IsProtected()) return;
    if (item.priority > highest_ || !IsCandidate(*scope_, policy_, *item.workload)) continue;
    front_ = item.workload;
    return;
  }
}

void QueueCandidates::Settle() {
  front_ = nullptr;
  for (;;) {
    for (; next_ != end_ && next_->priority <= highest_; ++next_) {
      if (!IsCandidate(*scope_, policy_, *next_->workload)) continue;
      front_ = next_->workload;
      return;
    }
    if (then_ == nullptr) return;
    next_ = then_->begin();
    end_ = then_->end();
    then_ = nullptr;
  }
}

void QueueCandidates::Pop() {
  if (costed_) {
    ++position_;
    return SettleByCost();
  }
  if (listed_) {
    if (!sorted_) Sort();
    do {
      ++position_;
      front_ = position_ < list_.size() ? list_[position_] : nullptr;
    } while (front_ != nullptr && IsGone(*front_));
    return;
  }
  ++next_;
  Settle();
}

void QueueCandidates::PassGone() {
  if (front_ != nullptr && IsGone(*front_)) Pop();
}

MergedCandidates::MergedCandidates(const CandidateOrder& order, std::vector<QueueCandidates> queues)
    : order_(order), queues_(std::move(queues)) {
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    if (FrontOf(i) != nullptr) heap_.push_back(i);
  }
  std::make_heap(heap_.begin(), heap_.end(),
                 [this](std::size_t a, std::size_t b) { return Later(a, b); });
}

void MergedCandidates::Pop() {
  const auto later = [this](std::size_t a, std::size_t b) { return Later(a, b); };
  std::pop_heap(heap_.begin(), heap_.end(), later);
  queues_[heap_.back()].Pop();
  if (FrontOf(heap_.back()) == nullptr) {
    heap_.pop_back();
  } else {
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
}

void MergedCandidates::Drop() {
  std::pop_heap(heap_.begin(), heap_.end(),
                [this](std::size_t a, std::size_t b) { return Later(a, b); });
  heap_.pop_back();
}

std::vector<const WorkloadRecord*> HoldersInOrder(const CandidateOrder& order,
                                                  const ClusterQueueState& queue) {
  std::vector<const WorkloadRecord*> all;
  all.reserve(queue.holders.size());
  queue.holders.ForEach([&](const WorkloadRecord& holder) { all.push_back(&holder); });
  if (order.IsThatOfIndex(queue)) return all;
  std::sort(all.begin(), all.end(),
            [&](const WorkloadRecord* a, const WorkloadRecord* b) { return order.Before(*a, *b); });
  return all;
}

void ListCandidates(const CandidateScope& scope, const ClusterQueueState& queue,
                    PreemptionPolicy policy, std::vector<const WorkloadRecord*>& all) {
  QueueCandidates candidates(scope, queue, policy, QueueCandidates::Part::kAll);
  for (; candidates.Front() != nullptr; candidates.Pop()) all.push_back(candidates.Front());
}

std::vector<Usage> MostToGain(const PreemptionRequest& request, const ClusterQueueState& queue,
                              PreemptionPolicy policy) {
  std::vector<Usage> most;
  if (policy == PreemptionPolicy::kNever || !queue.active) return most;
  const std::int64_t highest = HighestAllowed(policy, request, queue.holders);
  bool contested = false;
  for (const auto& [priority, totals] : queue.holders.totals()) {
    if (priority > highest) break;
    contested = contested || std::any_of(totals.begin(), totals.end(), [&](const auto& total) {
                  return request.Contests(total.fr);
                });
    AddTotals(totals, most);
  }
  if (!contested) most.clear();
  return most;
}

}  // namespace muster
