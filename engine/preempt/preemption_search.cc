// What both search algorithms share, and the oracle inside flavor assignment.
#include "engine/preempt/preemption_search.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/base/amount.h"
#include "engine/model/limits.h"
#include "engine/preempt/classical_search.h"
#include "engine/preempt/fair_search.h"

namespace muster {
namespace {

/// So many holders are looked at sooner than their sums are added up.
constexpr std::size_t kFewHolders = 32;

/// Settles what became of the candidates, and names those that a policy protects.
void Conclude(const World& world, const PreemptionRequest& request, bool found,
              SearchReport& report) {
  using Fate = CandidateTrace::Fate;
  if (found) report.limiter.clear();
  for (CandidateTrace& candidate : report.candidates) {
    if (found || candidate.fate == Fate::kProtected) continue;
    candidate.fate = report.limiter.empty() ? Fate::kNotEnough : Fate::kForbidden;
    candidate.policy = report.limiter;
  }
  std::size_t named = 0;
  for (const WorkloadId id : report.spared) {
    if (named++ == kMaxCandidates) break;
    const WorkloadRecord& workload = world.workload(id);
    const PreemptionReason reason = workload.holds_in == request.queue.id
                                        ? PreemptionReason::kInClusterQueue
                                        : PreemptionReason::kInCohortReclamation;
    report.candidates.push_back({workload.spec.key,
                                 world.queue(workload.holds_in).name(),
                                 reason,
                                 Fate::kProtected,
                                 report.protector,
                                 workload.evicted,
                                 false,
                                 {}});
  }
  report.more_candidates = report.more_candidates || report.spared.size() > kMaxCandidates;
}

}  // namespace

void SimulateRemoval(World& world, WorkloadId id) {
  const WorkloadRecord& workload = std::as_const(world).workload(id);
  world.capacity.Release(world.queue(workload.holds_in).place(), workload.usage);
  if (!world.capacity.places().empty()) [[unlikely]]
    world.capacity.places().TryWithout(id);
}

void SimulateReturn(World& world, WorkloadId id) {
  const WorkloadRecord& workload = std::as_const(world).workload(id);
  world.capacity.Charge(world.queue(workload.holds_in).place(), workload.usage);
  if (!world.capacity.places().empty()) [[unlikely]]
    world.capacity.places().TryReturn(id);
}

void TryRemoval(const World& world, QuotaTrial& trial, WorkloadId id) {
  const WorkloadRecord& workload = world.workload(id);
  trial.Release(world.queue(workload.holds_in).node, workload.usage);
}

bool QuotaHolds(const QuotaTree& tree, const PreemptionRequest& request, bool allow_borrowing) {
  const NodeIndex node = request.queue.node;
  return std::all_of(request.demand.begin(), request.demand.end(), [&](const Usage& usage) {
    const Column column = tree.ColumnOf(usage.fr);
    if (!allow_borrowing && tree.Borrowing(node, column, usage.amount)) return false;
    return usage.amount <= std::max<Amount>(0, tree.Available(node, column));
  });
}

bool DemandFits(const World& world, const PreemptionRequest& request, bool allow_borrowing) {
  return QuotaHolds(world.tree_of(request.queue), request, allow_borrowing) &&
         world.capacity.FitsBesideQuota(request.queue.place(), request.demand) &&
         (request.places == nullptr || request.places->HasPlace());
}

bool MayMakeRoom(QuotaTree& tree, const PreemptionRequest& request,
                 std::span<const CandidateQueue> queues, bool allow_borrowing) {
  std::size_t holders = 0;
  for (const CandidateQueue& candidates : queues) holders += candidates.queue->holders.size();
  if (holders <= kFewHolders) return true;
  QuotaTrial trial(tree);
  for (const CandidateQueue& candidates : queues) {
    trial.Release(candidates.queue->node,
                  MostToGain(request, *candidates.queue, candidates.policy));
  }
  return QuotaHolds(tree, request, allow_borrowing);
}

void MeasureFreeable(const World& world, QuotaTree& tree, const CandidateScope& scope,
                     std::span<const CandidateQueue> queues, SearchReport& report) {
  const PreemptionRequest& request = scope.request;
  const auto available = [&](FlavorResourceId fr) {
    return std::max<Amount>(0, tree.Available(request.queue.node, tree.ColumnOf(fr)));
  };
  report.freeable.clear();
  for (const FlavorResourceId fr : request.contested) {
    report.freeable.push_back({fr, Sub(0, available(fr))});
  }
  QuotaTrial trial(tree);
  std::size_t may_read = kMaxHoldersRead;
  for (const CandidateQueue& from : queues) {
    const std::size_t holders = from.queue->holders.size();
    if (holders > may_read) {
      trial.Release(from.queue->node, MostToGain(request, *from.queue, from.policy));
      continue;
    }
    may_read -= holders;
    const bool own = from.queue->id == request.queue.id;
    QueueCandidates candidates(scope, *from.queue, from.policy, QueueCandidates::Part::kAll);
    for (; candidates.Front() != nullptr; candidates.Pop()) {
      if (!own && !tree.BorrowsAny(from.queue->node, request.contested)) break;
      TryRemoval(world, trial, candidates.Front()->id());
    }
  }
  for (Usage& usage : report.freeable) usage.amount = Add(usage.amount, available(usage.fr));
}

void FillBack(World& world, const PreemptionRequest& request, bool allow_borrowing,
              std::vector<Victim>& victims) {
  for (std::size_t i = victims.size() < 2 ? 0 : victims.size() - 1; i-- > 0;) {
    SimulateReturn(world, victims[i].workload);
    if (DemandFits(world, request, allow_borrowing)) {
      victims[i] = victims.back();
      victims.pop_back();
    } else {
      SimulateRemoval(world, victims[i].workload);
    }
  }
}

bool PreemptionSearch::IsNative(const ClusterQueueState& queue) const {
  if (policies_ == nullptr || policies_->none()) return true;
  constexpr Hook kHaveSay[] = {Hook::kVictim, Hook::kPreemptLimits, Hook::kShare};
  return std::none_of(std::begin(kHaveSay), std::end(kHaveSay), [&](Hook hook) {
    return !policies_->none(hook) && policies_->For(queue, hook) != nullptr;
  });
}

std::vector<Victim> PreemptionSearch::FindVictims(const PreemptionRequest& request,
                                                  SearchReport* report) {
  // Hosts are looked at again each time; nothing of such a search is shared.
  if (request.places != nullptr) return Search(request, report, nullptr);
  const bool repeatable =
      gone_->empty() && IsNative(request.queue) && world_.tree_of(request.queue).AsOfVersion();
  if (!repeatable) return SearchOnce(request, report);
  if (report != nullptr) return Search(request, report, nullptr);
  if (!world_.catalog.FairSharing() && FindsNoneWhileBorrowing(world_, request)) return {};
  SearchMemory* const memory = world_.capacity.FollowsFromQuota() ? memory_ : nullptr;
  if (memory != nullptr) {
    if (const std::vector<Victim>* known = memory->Find(world_, request)) return *known;
  }
  CommonView& view = views_.For(world_, request, usage_);
  std::vector<Victim> victims = Search(request, nullptr, &view);
  if (memory != nullptr && !read_time_ && !view.ReadTime()) {
    memory->Keep(world_, request, victims);
  }
  return victims;
}

// Calls of policies are counted, and a repetition must make as many: a search that reports makes
// those that it would make without.
std::vector<Victim> PreemptionSearch::SearchOnce(const PreemptionRequest& request,
                                                 SearchReport* report) {
  const auto view = [&] {
    return report != nullptr && IsNative(request.queue) ? nullptr : ViewFor(request);
  };
  // Every search of a policy's shares asks for some.
  if (policies_ != nullptr && !policies_->none(Hook::kShare)) {
    return Search(request, report, view());
  }
  const std::uint64_t version = world_.tree_of(request.queue).version();
  const auto failures = [&] { return policies_ == nullptr ? 0 : policies_->failures().size(); };
  if (finder_ != &request.preemptor || found_at_ != version || failures_ != failures()) {
    finder_ = &request.preemptor;
    found_at_ = version;
    failures_ = failures();
    found_.clear();
  }
  const auto same = std::find_if(found_.begin(), found_.end(), [&](const Found& found) {
    return found.contested == request.contested &&
           std::equal(found.demand.begin(), found.demand.end(), request.demand.begin(),
                      request.demand.end());
  });
  if (same != found_.end()) {
    return report == nullptr ? same->victims : Search(request, report, nullptr);
  }
  std::vector<Victim> victims = Search(request, report, view());
  found_.push_back({{request.demand.begin(), request.demand.end()}, request.contested, victims});
  return victims;
}

CommonView* PreemptionSearch::ViewFor(const PreemptionRequest& request) {
  const QuotaTree& tree = world_.tree_of(request.queue);
  const bool untouched = gone_->empty() && tree.AsOfVersion();
  if (!untouched && noted_ == nullptr) return nullptr;
  SharedHooks hooks;
  if (!IsNative(request.queue)) {
    if (!world_.catalog.FairSharing()) return nullptr;
    victims_.Begin(request.preemptor, request.queue);
    if (victims_.scripted()) {
      victims_.FindAnswers(tree);
      if (!victims_.shared()) return nullptr;
      hooks.costs = &victims_;
      hooks.asked = &AskedNow();
      hooks.edition = victims_.edition();
    }
    hooks.calls = policies_;
    hooks.shares = policies_->For(request.queue, Hook::kShare);
  }
  if (untouched) return views_.ForSecond(world_, request, usage_, nullptr, hooks);
  return claimed_views_.ForSecond(world_, request, usage_, noted_, hooks);
}

std::vector<Victim> PreemptionSearch::Search(const PreemptionRequest& request, SearchReport* report,
                                             CommonView* view) {
  victims_.Begin(request.preemptor, request.queue);
  if (report != nullptr) {
    report->demand.assign(request.demand.begin(), request.demand.end());
    report->contested = request.contested;
    report->quota_alone = request.places == nullptr && world_.capacity.FollowsFromQuota();
  }
  std::vector<Victim> victims;
  if (world_.catalog.FairSharing()) {
    FairSearch search(*this, request, report, view);
    victims = search.Run();
    read_time_ = search.ReadTime();
  } else {
    ClassicalSearch search(*this, request, report, view);
    victims = search.Run();
    read_time_ = search.ReadTime();
  }
  if (report != nullptr) Conclude(world_, request, !victims.empty(), *report);
  return victims;
}

void PreemptionSearch::OrderByCost(const CandidateScope& scope,
                                   std::span<const CandidateQueue> queues,
                                   const AllQueues& all_queues, CandidateOrder& order,
                                   SearchReport* report) {
  if (!victims_.scripted()) return;
  const auto all = [&] {
    VictimRule::List list;
    for (const CandidateQueue& from : all_queues()) {
      ListCandidates(scope, *from.queue, from.policy, list);
    }
    return list;
  };
  const auto any = [&] {
    return std::any_of(queues.begin(), queues.end(), [&](const CandidateQueue& from) {
      return QueueCandidates(scope, *from.queue, from.policy, QueueCandidates::Part::kAll)
                 .Front() != nullptr;
    });
  };
  victims_.FindAnswers(world_.tree_of(scope.request.queue));
  AskedCandidates& asked = AskedNow();
  asked.Begin(victims_.edition(), scope.request.queue.id, victims_.own_apart());
  for (const CandidateQueue& from : queues) {
    const HolderIndex& holders = from.queue->holders;
    const auto lowest = holders.totals().begin();
    const bool none = lowest == holders.totals().end() ||
                      lowest->first > HighestAllowed(from.policy, scope.request, holders);
    if (none) continue;
    asked.Look(scope, *from.queue, from.policy, HoldersOf(*from.queue, order));
  }
  if (!asked.unknown().empty() || (!victims_.asked() && any())) victims_.Ask(asked.unknown(), all);
  if (!victims_.scripted()) return;
  if (report != nullptr) {
    for (const WorkloadRecord* candidate : all()) {
      if (victims_.Protects(*candidate)) report->spared.insert(candidate->id());
    }
    report->protector = victims_.package();
  }
  asked.Take(victims_);
  order.TakeCosts(victims_, asked);
}

AskedCandidates& PreemptionSearch::AskedNow() {
  if (asked_.empty()) asked_.resize(VictimRule::kSets);
  return asked_[victims_.place()];
}

const AskedCandidates::Holders& PreemptionSearch::HoldersOf(const ClusterQueueState& queue,
                                                            const CandidateOrder& order) {
  if (queue.id.value >= holders_.size()) holders_.resize(queue.id.value + std::size_t{1});
  std::optional<AskedCandidates::Holders>& known = holders_[queue.id.value];
  if (!known) known = HoldersInOrder(order, queue);
  return *known;
}

bool PreemptionSearch::Permits(std::span<const Victim> victims, SearchReport* report) {
  std::vector<const WorkloadRecord*> records;
  for (const Victim& victim : victims) records.push_back(&world_.workload(victim.workload));
  const bool permits = victims_.Permits(records);
  if (!permits && report != nullptr) report->limiter = victims_.limiter();
  return permits;
}

Victim PreemptionSearch::TakenFor(const WorkloadRecord& candidate, PreemptionReason reason,
                                  Budget& budget) const {
  Victim victim{candidate.id(), reason, {}};
  if (candidate.evicted || !victims_.budgeted()) return victim;
  victim.spending = victims_.SpendingOf(candidate);
  budget.Spend(victim.spending);
  return victim;
}

FlavorFit PreemptionSearch::Ask(const WorkloadRecord& workload, const ClusterQueueState& queue,
                                Usage demand) {
  const PreemptionRequest request{workload, queue, std::span(&demand, 1), {demand.fr}};
  const std::vector<Victim> victims = FindVictims(request);
  if (victims.empty()) return {FlavorMode::kNoCandidates, 0};
  QuotaTree& tree = world_.tree_of(queue);
  QuotaTrial trial(tree);
  bool own = false;
  for (const Victim& victim : victims) {
    own |= world_.workload(victim.workload).holds_in == queue.id;
    TryRemoval(world_, trial, victim.workload);
  }
  const BorrowingLevel level = tree.LevelOf(queue.node, tree.ColumnOf(demand.fr), demand.amount);
  return {own ? FlavorMode::kPreempt : FlavorMode::kReclaim, level.level};
}

}  // namespace muster
