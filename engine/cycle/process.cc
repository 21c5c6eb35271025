// The outcomes of an entry, in the order in which Kueue tests for them.
#include "engine/cycle/process.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/base/amount.h"
#include "engine/base/sort_once.h"
#include "engine/cycle/nominate.h"
#include "engine/flavors/flavor_sequence.h"
#include "engine/kin/preemption_gates.h"
#include "engine/kin/slices.h"
#include "engine/kin/variants.h"
#include "engine/life/kept_room.h"
#include "engine/places/place_finder.h"
#include "engine/state/records.h"

namespace muster {

std::string_view OutcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::kNotNominated:
      return "not nominated";
    case Outcome::kNoFit:
      return "no fit";
    case Outcome::kNoCandidates:
      return "no candidates";
    case Outcome::kGated:
      return "gated";
    case Outcome::kDeferredFit:
      return "deferred fit";
    case Outcome::kSkipped:
      return "skipped";
    case Outcome::kPreempting:
      return "preempting";
    case Outcome::kMigrating:
      return "migrating";
    case Outcome::kAdmitted:
      return "admitted";
    case Outcome::kOnHold:
      return "on hold";
  }
  return "";
}

void Entry::Begin(WorkloadId new_workload, QueueId new_queue) {
  workload = new_workload;
  queue = new_queue;
  nominated = false;
  starts_over = false;
  room_stays = false;
  outcome = Outcome::kNotNominated;
  requeue = RequeueReason::kGeneric;
  reason = PendingReason::kNone;
  message.clear();
  if (std::exchange(keyed_, false)) keys_ = {};
  if (std::exchange(known_, nullptr) != nullptr) return;  // the rest is as new still
  victims.clear();
  replaces = {};
  migrates = {};
  attempts.clear();
  report.reset();
  own_.Clear();
}

namespace {

void TakeOut(const World& world, WorkloadId id, SecondTree& tree) {
  const WorkloadRecord& workload = world.workload(id);
  tree.Release(world.queue(workload.holds_in).node, workload.usage);
}

}  // namespace

void EntryProcessor::Settle(Entry& entry, Outcome outcome, RequeueReason requeue,
                            PendingReason reason, Text message) {
  entry.outcome = outcome;
  entry.requeue = requeue;
  entry.reason = reason;
  entry.message = std::move(message);
}

void EntryProcessor::Process(Entry& entry) {
  const WorkloadRecord& workload = world_.workload(entry.workload);
  if (AdmittedSibling(world_, workload, Preferred::kMore) != nullptr) {
    return Settle(entry, Outcome::kSkipped, RequeueReason::kFailedAfterNomination,
                  PendingReason::kPendingEvaluation,
                  "A variant of the job with a preferred flavor is admitted");
  }
  if (!calls_.none() && IsHeldBack(entry)) return;
  bool deferred_fit = false;
  if (Overlaps(entry) &&
      world_.catalog.Gate("RecomputeAssignmentUponPreemptionTargetsOverlap", true)) {
    Refresh(entry);
    deferred_fit = entry.assignment().mode == AssignmentMode::kFit;
  } else if (entry.assignment().places != nullptr && LostItsPlace(entry)) {
    RefreshPlaces(entry);
  }

  if (entry.assignment().mode == AssignmentMode::kNoFit) {
    return Settle(entry, Outcome::kNoFit, RequeueReason::kNoFit, entry.assignment().NoFitReason(),
                  MessageOf(world_.names, workload, entry.assignment()));
  }
  const bool preempting = entry.assignment().mode == AssignmentMode::kPreempt;
  if (preempting && entry.victims.empty()) {
    ReserveForBlocked(entry);
    return Settle(entry, Outcome::kNoCandidates, RequeueReason::kPreemptionNoCandidates,
                  PendingReason::kWaitingForQuota,
                  MessageOf(world_.names, workload, entry.assignment()));
  }
  if (preempting && HasClosedGate(workload)) {
    entry.starts_over = true;
    return Settle(entry, Outcome::kGated, RequeueReason::kPreemptionGated,
                  PendingReason::kAdmissionGated, "Workload requires preemption, but it's gated");
  }
  if (deferred_fit) {
    entry.starts_over = true;
    ChargeFor(entry, entry.assignment().usage);
    tentative_.push_back(world_.queue(entry.queue).tree);
    return Settle(entry, Outcome::kDeferredFit, RequeueReason::kPendingPreemption,
                  PendingReason::kWaitingForPreemptedWorkloads,
                  "Waiting for workloads that an earlier entry of this cycle preempted");
  }
  if (Overlaps(entry) || (!replaced_.empty() && WantsReplaced(entry))) {
    return Settle(entry, Outcome::kSkipped, RequeueReason::kFailedAfterNomination,
                  PendingReason::kWaitingForQuota,
                  "Workload has overlapping preemption targets with another workload");
  }
  if (std::string why = preempting ? MustWait(entry) : std::string(); !why.empty()) {
    return Settle(entry, Outcome::kSkipped, RequeueReason::kFailedAfterNomination,
                  PendingReason::kWaitingForQuota, why);
  }
  if (!Fits(entry)) {
    return Settle(entry, Outcome::kSkipped, RequeueReason::kFailedAfterNomination,
                  PendingReason::kWaitingForQuota,
                  "Workload no longer fits after processing another workload");
  }
  if (auto held = calls_.none() ? std::nullopt : HeldFlavor(entry)) {
    return Settle(entry, Outcome::kSkipped, RequeueReason::kFailedAfterNomination,
                  PendingReason::kOnHold, *held);
  }
  Claim(entry);
}

std::optional<std::string> EntryProcessor::HeldFlavor(const Entry& entry) {
  const ClusterQueueState& queue = world_.queue(entry.queue);
  if (!OrderMayChange(calls_, queue)) return std::nullopt;
  const FlavorSequence now =
      AskFlavorOrder(world_, search_.policies(), world_.workload(entry.workload), queue);
  for (const PodSetAssignmentPlan& pod_set : entry.assignment().pod_sets) {
    for (const AssignedFlavor& chosen : pod_set.flavors) {
      if (!now.Holds(chosen.flavor)) continue;
      return "Policy " + now.package + " holds back flavor " +
             world_.names.FlavorName(chosen.flavor) + " after what started in this cycle";
    }
  }
  return std::nullopt;
}

bool EntryProcessor::IsHeldBack(Entry& entry) {
  const ClusterQueueState& queue = world_.queue(entry.queue);
  if (uncharged_ && calls_.CountsEvictions(queue, {Hook::kHold})) {
    Settle(entry, Outcome::kSkipped, RequeueReason::kFailedAfterNomination,
           PendingReason::kWaitingForQuota,
           "Earlier preemptions of this cycle are charged to their accounts first");
    return true;
  }
  std::optional<PolicyHold> hold = hold_again_.Ask(world_.workload(entry.workload), queue);
  if (!hold) return false;
  entry.starts_over = true;
  Settle(entry, Outcome::kOnHold, RequeueReason::kOnHold, PendingReason::kOnHold,
         HoldMessage(*hold));
  holds_[entry.workload] = *std::move(hold);
  return true;
}

void EntryProcessor::Charge(const ClusterQueueState& queue, std::span<const Usage> usage) {
  world_.capacity.Charge(queue.place(), usage);
  const auto taken = taken_.find(queue.tree);
  if (taken == taken_.end()) return;
  taken->second.claims.changed.push_back(queue.node);
  if (taken->second.cleared) taken->second.cleared->Charge(queue.node, usage);
}

// Kept room is charged and taken around each entry by others, and what limits beside quota has no
// second copy: then there is no second tree.
EntryProcessor::WithoutClaimed::WithoutClaimed(EntryProcessor& processor, std::uint32_t index)
    : tree_(processor.world_.capacity.tree(index)) {
  World& world = processor.world_;
  const auto found = processor.taken_.find(index);
  if (found == processor.taken_.end()) {
    if (world.capacity.places().empty() || processor.taken_.empty()) return;
    mark_.emplace(world.capacity, index);
    processor.FreeHostsBeside(index);
    return;
  }
  Taken& taken = found->second;
  if (!world.kept_room.empty() || !world.capacity.FollowsFromQuota()) {
    mark_.emplace(world.capacity, index);
    for (const WorkloadId id : taken.claims.victims) SimulateRemoval(world, id);
    if (!world.capacity.places().empty()) processor.FreeHostsBeside(index);
    return;
  }
  if (!taken.cleared) {
    taken.cleared.emplace(tree_);
    for (const WorkloadId id : taken.claims.victims) TakeOut(world, id, *taken.cleared);
  }
  other_ = &*taken.cleared;
  other_->ChangePlaces(tree_);
}

// Victims in other trees hold none of its quota; hosts belong to all.
void EntryProcessor::FreeHostsBeside(std::uint32_t tree) {
  for (const auto& [other, taken] : taken_) {
    if (other == tree) continue;
    for (const WorkloadId id : taken.claims.victims) world_.capacity.places().TryWithout(id);
  }
}

EntryProcessor::WithoutClaimed::~WithoutClaimed() {
  if (other_ != nullptr) other_->ChangePlaces(tree_);
}

bool EntryProcessor::Overlaps(const Entry& entry) const {
  if (entry.victims.empty() && !entry.replaces.valid()) return false;
  const auto taken = taken_.find(world_.queue(entry.queue).tree);
  if (taken == taken_.end()) return false;
  return taken->second.claims.victims.contains(entry.replaces) ||
         std::any_of(entry.victims.begin(), entry.victims.end(), [&](const Victim& victim) {
           return taken->second.claims.victims.contains(victim.workload);
         });
}

void EntryProcessor::Refresh(Entry& entry) {
  const Assignment nominated = entry.assignment();
  const std::uint32_t tree = world_.queue(entry.queue).tree;
  const WithoutClaimed without(*this, tree);
  search_.SetSpent(calls_.BudgetsOf(world_.queue(entry.queue)) == spender_ ? &spent_ : nullptr);
  search_.SetClaims(&taken_.at(tree).claims, without.IsNoted());
  ComputeAssignment(world_, search_, entry, &nominated, traced_);
  search_.SetSpent(nullptr);
  search_.SetClaims(nullptr, false);
  entry.starts_over = false;
}

void EntryProcessor::RefreshPlaces(Entry& entry) {
  const Assignment nominated = entry.assignment();
  search_.SetSpent(calls_.BudgetsOf(world_.queue(entry.queue)) == spender_ ? &spent_ : nullptr);
  search_.SetClaims(nullptr, false);
  ComputeAssignment(world_, search_, entry, &nominated, traced_);
  search_.SetSpent(nullptr);
  search_.SetClaims(nullptr, false);
  entry.starts_over = false;
}

bool EntryProcessor::LostItsPlace(const Entry& entry) {
  if (entry.assignment().mode == AssignmentMode::kNoFit) return false;
  if (PlacesFit(world_.capacity.places(), entry.assignment())) return false;
  if (!world_.catalog.Gate("TASRecomputeAssignmentWithinSchedulingCycle", true)) return false;
  const ClusterQueueState& queue = world_.queue(entry.queue);
  const WithoutClaimed without(*this, queue.tree);
  const CapacityMark mark(world_.capacity, queue.tree);
  for (const Victim& victim : entry.victims) SimulateRemoval(world_, victim.workload);
  return world_.capacity.Fits(queue.place(), entry.assignment().usage) &&
         !PlacesFit(world_.capacity.places(), entry.assignment());
}

void EntryProcessor::ChargeFor(const Entry& entry, std::span<const Usage> usage) {
  Charge(world_.queue(entry.queue), usage);
  if (entry.assignment().places != nullptr) {
    world_.capacity.places().Try(entry.assignment().places->placed);
  }
}

// A preemptor that found no victims keeps what it could have, so that none behind it in the cycle
// takes it away - unless it may reclaim from any, and so gets it back when it can.
void EntryProcessor::ReserveForBlocked(const Entry& entry) {
  const ClusterQueueState& queue = world_.queue(entry.queue);
  if (queue.spec.preemption.reclaim_within_cohort == PreemptionPolicy::kAny) return;
  if (KeepsRoomIn(world_, queue.tree)) return;  // it would be taken from those it is kept for
  const QuotaTree& tree = world_.tree_of(queue);
  tentative_.push_back(queue.tree);
  for (const Usage& usage : entry.assignment().usage) {
    const Column column = tree.ColumnOf(usage.fr);
    const QuotaCell& cell = tree.cell(queue.node, column);
    Amount reserved = usage.amount;
    if (!entry.assignment().Borrows()) {
      reserved = std::max<Amount>(0, std::min(reserved, Sub(cell.nominal, cell.usage)));
    } else if (cell.borrowing_limit != kNoLimit) {
      reserved = std::min(reserved, Sub(Add(cell.nominal, cell.borrowing_limit), cell.usage));
    }
    const Usage charge{usage.fr, reserved};
    Charge(queue, std::span(&charge, 1));
  }
  if (entry.assignment().places != nullptr) {
    world_.capacity.places().Try(entry.assignment().places->placed);
  }
}

bool EntryProcessor::Fits(const Entry& entry) {
  const ClusterQueueState& queue = world_.queue(entry.queue);
  Capacity& capacity = world_.capacity;
  // What fits beside all fits where some of them are gone.
  const auto fits = [&] {
    return capacity.Fits(queue.place(), entry.assignment().usage) &&
           PlacesFit(capacity.places(), entry.assignment());
  };
  const bool monotone = capacity.IsMonotone();
  if (monotone && fits()) return true;
  const bool any_gone = !entry.victims.empty() || entry.replaces.valid() || !taken_.empty();
  if (monotone && !any_gone) return false;
  const WithoutClaimed without(*this, queue.tree);
  const CapacityMark mark(capacity, queue.tree);
  for (const Victim& victim : entry.victims) SimulateRemoval(world_, victim.workload);
  if (entry.replaces.valid() && world_.catalog.engine_config.overcommit_as_kueue) {
    SimulateRemoval(world_, entry.replaces);
  }
  return fits();
}

// Budgets of another policy say nothing of these victims; the accounts that they are made from do,
// in the next cycle.
std::string EntryProcessor::MustWait(const Entry& entry) const {
  if (!uncharged_) return {};
  const ClusterQueueState& queue = world_.queue(entry.queue);
  const Policy* budgets = calls_.BudgetsOf(queue);
  if (calls_.CountsEvictions(queue, {Hook::kVictim, Hook::kPreemptLimits}) ||
      (budgets != nullptr && (spent_otherwise_ || budgets != spender_))) {
    return "Earlier preemptions of this cycle are charged to their accounts first";
  }
  if (budgets == nullptr) return {};
  Budget spent = spent_;
  for (const Victim& victim : entry.victims) {
    if (world_.workload(victim.workload).evicted) continue;
    if (!spent.Allows(victim.spending)) {
      return "Earlier preemptions of this cycle have used up the budget of " +
             search_.BudgetOf(victim);
    }
    spent.Spend(victim.spending);
  }
  return {};
}

void EntryProcessor::Spend(const Entry& entry) {
  const Policy* budgets = calls_.BudgetsOf(world_.queue(entry.queue));
  for (const Victim& victim : entry.victims) {
    if (world_.workload(victim.workload).evicted) continue;
    spent_otherwise_ |= budgets == nullptr || (uncharged_ && budgets != spender_);
    spender_ = budgets;
    spent_.Spend(victim.spending);
    uncharged_ = true;
  }
}

void EntryProcessor::Claim(Entry& entry) {
  const ClusterQueueState& queue = world_.queue(entry.queue);
  Spend(entry);
  for (const Victim& victim : entry.victims) {
    Taken& taken = taken_[queue.tree];
    taken.claims.victims.insert(victim.workload);
    taken.claims.changed.push_back(world_.queue(world_.workload(victim.workload).holds_in).node);
    if (taken.cleared) TakeOut(world_, victim.workload, *taken.cleared);
  }
  const bool starts = entry.victims.empty() && !blocked_;
  const Assignment& assignment = entry.assignment();
  const bool is_slice = entry.replaces.valid();
  const UsageList growth = is_slice ? Growth(assignment.usage) : UsageList();
  const UsageList& more = is_slice ? growth : assignment.usage;
  const ResourceId large = starts ? AsksTooMuch(world_.names, more) : ResourceId{};
  if (large.valid()) {
    entry.starts_over = true;
    return Settle(entry, Outcome::kNoFit, RequeueReason::kNoFit, PendingReason::kExceedsMaxQuota,
                  TooMuchAsked(world_.names, large));
  }
  const ResourceId beyond =
      starts ? starting_.AddWithin(world_.names, more, world_.held) : ResourceId{};
  if (beyond.valid()) {
    entry.starts_over = true;  // another flavor of the resource counts for as much
    return Settle(entry, Outcome::kNoFit, RequeueReason::kNoFit, PendingReason::kWaitingForQuota,
                  TooMuchHeld(world_.names, beyond));
  }
  if (is_slice) NoteReplaced(entry);
  const bool as_kueue = world_.catalog.engine_config.overcommit_as_kueue;
  ChargeFor(entry, as_kueue ? assignment.usage : more);
  if (entry.victims.empty()) {
    if (blocked_) {
      tentative_.push_back(queue.tree);
      return Settle(entry, Outcome::kSkipped, RequeueReason::kFailedAfterNomination,
                    PendingReason::kWaitingForPodsReady,
                    "Waiting for all admitted workloads to be in the PodsReady condition");
    }
    if (const WorkloadRecord* const sibling =
            AdmittedSibling(world_, world_.workload(entry.workload), Preferred::kLess)) {
      return Migrate(entry, *sibling);
    }
    const auto& pods_ready = world_.catalog.config.wait_for_pods_ready;
    blocked_ = pods_ready && pods_ready->block_admission;
    if (!calls_.none()) {
      hold_again_.NoteStart(world_.workload(entry.workload), more);
    }
    return Settle(entry, Outcome::kAdmitted, RequeueReason::kGeneric, PendingReason::kNone, Text());
  }
  tentative_.push_back(queue.tree);
  const WorkloadRecord& workload = world_.workload(entry.workload);
  entry.starts_over = true;
  Settle(entry, Outcome::kPreempting, RequeueReason::kPendingPreemption,
         PendingReason::kWaitingForPreemptedWorkloads,
         entry.assignment().Message(world_.names, workload) + ". Pending the preemption of " +
             std::to_string(entry.victims.size()) + " workload(s)");
}

std::vector<std::uint32_t> EntryProcessor::TentativeTrees() const {
  std::vector<std::uint32_t> trees = tentative_;
  SortOnce(trees);
  return trees;
}

namespace {

/// Whether what is kept for another workload of the queue outlives the decision about this head.
bool Stays(const World& world, const Entry& entry, const std::vector<Usage>& room) {
  const ClusterQueueState& queue = world.queue(entry.queue);
  switch (entry.outcome) {
    case Outcome::kPreempting:
      return false;
    case Outcome::kAdmitted:
      return world.capacity.Fits(queue.place(), room);
    case Outcome::kDeferredFit:
    case Outcome::kSkipped:
    case Outcome::kOnHold:
      return true;
    default:
      return queue.spec.queueing_strategy == QueueingStrategy::kBestEffortFifo;
  }
}

}  // namespace

void KeepOrGiveUpRoom(const World& world, Entry& entry, const std::vector<Usage>& room) {
  const WorkloadRecord* keeper = KeeperOf(world, entry.queue);
  entry.room_stays =
      keeper != nullptr && keeper->id() != entry.workload && Stays(world, entry, room);
}

}  // namespace muster
