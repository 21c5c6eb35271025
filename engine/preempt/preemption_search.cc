// What both search algorithms share, and the oracle inside flavor assignment.
#include "engine/preempt/preemption_search.h"

#include <algorithm>

#include "engine/model/amount.h"
#include "engine/preempt/classical_search.h"
#include "engine/preempt/fair_search.h"

namespace muster {
namespace {

/// So many holders are looked at sooner than their sums are added up.
constexpr std::size_t kFewHolders = 32;

}  // namespace

void SimulateRemoval(World& world, QuotaTree& tree, WorkloadId id) {
  const WorkloadRecord& workload = world.workload(id);
  tree.RemoveUsage(world.queue(workload.holds_in).node, workload.usage);
}

void SimulateReturn(World& world, QuotaTree& tree, WorkloadId id) {
  const WorkloadRecord& workload = world.workload(id);
  tree.AddUsage(world.queue(workload.holds_in).node, workload.usage);
}

bool DemandFits(const QuotaTree& tree, const PreemptionRequest& request, bool allow_borrowing) {
  const NodeIndex node = request.queue.node;
  return std::all_of(request.demand.begin(), request.demand.end(), [&](const Usage& usage) {
    const Column column = tree.ColumnOf(usage.fr);
    if (!allow_borrowing && tree.Borrowing(node, column, usage.amount)) return false;
    return usage.amount <= std::max<Amount>(0, tree.Available(node, column));
  });
}

bool MayMakeRoom(QuotaTree& tree, const PreemptionRequest& request,
                 std::span<const CandidateQueue> queues, bool allow_borrowing) {
  std::size_t holders = 0;
  for (const CandidateQueue& candidates : queues) holders += candidates.queue->holders.size();
  if (holders <= kFewHolders) return true;
  UsageMark mark(tree);
  for (const CandidateQueue& candidates : queues) {
    tree.RemoveUsage(candidates.queue->node,
                     MostToGain(request, *candidates.queue, candidates.policy));
  }
  return DemandFits(tree, request, allow_borrowing);
}

void FillBack(World& world, QuotaTree& tree, const PreemptionRequest& request, bool allow_borrowing,
              std::vector<Victim>& victims) {
  for (std::size_t i = victims.size() < 2 ? 0 : victims.size() - 1; i-- > 0;) {
    SimulateReturn(world, tree, victims[i].workload);
    if (DemandFits(tree, request, allow_borrowing)) {
      victims[i] = victims.back();
      victims.pop_back();
    } else {
      SimulateRemoval(world, tree, victims[i].workload);
    }
  }
}

bool PreemptionSearch::IsNative() const {
  if (!gone_.empty()) return false;
  return policies_ == nullptr || policies_->none() ||
         (policies_->none(Hook::kVictim) && policies_->none(Hook::kPreemptLimits) &&
          policies_->none(Hook::kShare));
}

std::vector<Victim> PreemptionSearch::FindVictims(const PreemptionRequest& request,
                                                  SearchReport* report) {
  const bool repeatable =
      report == nullptr && IsNative() && world_.tree_of(request.queue).AsOfVersion();
  if (!repeatable) return Search(request, report, nullptr);
  if (memory_ != nullptr) {
    if (const std::vector<Victim>* known = memory_->Find(world_, request)) return *known;
  }
  CommonView& view = views_.For(world_, request, usage_);
  std::vector<Victim> victims = Search(request, nullptr, &view);
  if (memory_ != nullptr && !read_time_ && !view.ReadTime()) {
    memory_->Keep(world_, request, victims);
  }
  return victims;
}

std::vector<Victim> PreemptionSearch::Search(const PreemptionRequest& request, SearchReport* report,
                                             CommonView* view) {
  victims_.Begin(request.preemptor, request.queue);
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
  if (report != nullptr && victims.empty()) {
    for (CandidateTrace& candidate : report->candidates) {
      const bool undecided = candidate.fate != CandidateTrace::Fate::kProtected;
      if (undecided) candidate.fate = CandidateTrace::Fate::kNotEnough;
    }
  }
  return victims;
}

void PreemptionSearch::OrderByCost(const CandidateScope& scope,
                                   std::span<const CandidateQueue> queues, CandidateOrder& order) {
  if (!victims_.scripted()) return;
  std::vector<const WorkloadRecord*> candidates;
  for (const CandidateQueue& from : queues) {
    ListCandidates(scope, *from.queue, from.policy, candidates);
  }
  victims_.Ask(candidates);
  if (victims_.scripted()) order.TakeCosts(victims_);
}

bool PreemptionSearch::Permits(std::span<const Victim> victims) {
  std::vector<const WorkloadRecord*> records;
  for (const Victim& victim : victims) records.push_back(&world_.workload(victim.workload));
  return victims_.Permits(records);
}

FlavorFit PreemptionSearch::Ask(const WorkloadRecord& workload, const ClusterQueueState& queue,
                                Usage demand) {
  const PreemptionRequest request{workload, queue, std::span(&demand, 1), {demand.fr}};
  const std::vector<Victim> victims = FindVictims(request);
  if (victims.empty()) return {FlavorMode::kNoCandidates, 0};
  QuotaTree& tree = world_.tree_of(queue);
  UsageMark mark(tree);
  bool own = false;
  for (const Victim& victim : victims) {
    own |= world_.workload(victim.workload).holds_in == queue.id;
    SimulateRemoval(world_, tree, victim.workload);
  }
  const BorrowingLevel level = tree.LevelOf(queue.node, tree.ColumnOf(demand.fr), demand.amount);
  return {own ? FlavorMode::kPreempt : FlavorMode::kReclaim, level.level};
}

}  // namespace muster
