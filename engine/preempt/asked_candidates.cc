// See asked_candidates.h.
#include "engine/preempt/asked_candidates.h"

#include <algorithm>

#include "engine/preempt/candidates.h"

namespace muster {
namespace {

bool Cheaper(const AskedCandidates::Item& a, const AskedCandidates::Item& b) {
  if (a.leaving != b.leaving) return a.leaving;
  if (a.cost != b.cost) return a.cost < b.cost;
  return a.rank < b.rank;
}

}  // namespace

void AskedCandidates::Begin(std::int64_t edition, QueueId own, bool own_apart) {
  own_ = own;
  if (edition == edition_) return;
  edition_ = edition;
  own_apart_ = own_apart;
  unknown_.clear();
  added_to_.clear();
  changed_.clear();
  for (OfQueue& of : queues_) {
    of.noted.clear();
    of.left = 0;
    of.up_to = std::numeric_limits<std::int64_t>::min();
    of.items.clear();
    of.staying = 0;
    of.sorted = 0;
  }
}

void AskedCandidates::Look(const CandidateScope& scope, const ClusterQueueState& queue,
                           PreemptionPolicy policy, const Holders& holders) {
  if (policy == PreemptionPolicy::kNever || !queue.active || holders.empty()) return;
  const std::size_t place = PlaceOf(queue.id);
  if (place >= queues_.size()) queues_.resize(place + 1);
  OfQueue& of = queues_[place];
  if (of.noted.empty()) {
    of.noted.resize(holders.size());
    of.left = holders.size();
  }
  if (of.left == 0) return;
  const std::int64_t highest = HighestAllowed(policy, scope.request, queue.holders);
  const bool alike = of.contested == scope.request.contested;
  if (alike && highest <= of.up_to) return;
  const std::size_t before = of.items.size();
  for (std::uint32_t rank = 0; rank < holders.size(); ++rank) {
    const WorkloadRecord& holder = *holders[rank];
    if (of.noted[rank] || holder.priority() > highest || !IsCandidate(scope, policy, holder)) {
      continue;
    }
    of.noted[rank] = true;
    --of.left;
    of.items.push_back({0, holder.priority(), &holder, rank, holder.evicted});
    unknown_.push_back(&holder);
  }
  if (of.items.size() > before && of.sorted == before) added_to_.push_back(place);
  if (!scope.gone.empty()) return;  // those may be candidates of others
  // Of equals it is their time that counts, so that not all of them are noted.
  const std::int64_t own = scope.request.preemptor.priority();
  const std::int64_t up_to = policy == PreemptionPolicy::kAny ? highest : own - 1;
  of.up_to = alike ? std::max(of.up_to, up_to) : up_to;
  if (!alike) of.contested = scope.request.contested;
}

void AskedCandidates::Take(const VictimRule& costs) {
  unknown_.clear();
  for (const std::size_t place : added_to_) {
    OfQueue& of = queues_[place];
    const auto added = of.items.begin() + static_cast<std::ptrdiff_t>(of.sorted);
    for (auto item = added; item != of.items.end(); ++item)
      item->cost = costs.Cost(*item->workload);
    std::sort(added, of.items.end(), Cheaper);
    std::inplace_merge(of.items.begin(), added, of.items.end(), Cheaper);
    of.sorted = of.items.size();
    const auto staying = std::find_if(of.items.begin(), of.items.end(),
                                      [](const Item& item) { return !item.leaving; });
    of.staying = static_cast<std::size_t>(staying - of.items.begin());
    if (own_apart_ && place % 2 == 1) continue;  // what its own queue alone sees
    changed_.push_back(QueueId{static_cast<std::uint32_t>(own_apart_ ? place / 2 : place)});
  }
  added_to_.clear();
}

AskedCandidates::List AskedCandidates::Of(QueueId queue, bool leaving, bool staying) const {
  const std::size_t place = PlaceOf(queue);
  if (place >= queues_.size()) return {};
  const OfQueue& of = queues_[place];
  const std::size_t begin = leaving ? 0 : of.staying;
  const std::size_t end = staying ? of.items.size() : of.staying;
  return List(of.items).subspan(begin, end - begin);
}

}  // namespace muster
