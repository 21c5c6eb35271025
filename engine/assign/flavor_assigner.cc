// The flavor walk. Why a flavor was refused is collected on the way, because "why does it wait" is
// asked more often than anything else.
#include "engine/assign/flavor_assigner.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "engine/assign/slice_demand.h"
#include "engine/base/amount.h"
#include "engine/model/concurrent.h"
#include "engine/model/selector.h"
#include "engine/state/place_mismatch.h"
#include "engine/state/places.h"

namespace muster {
namespace {

Amount AmountOf(const UsageList& usage, FlavorResourceId pair) {
  const auto it =
      std::find_if(usage.begin(), usage.end(), [&](const Usage& u) { return u.fr == pair; });
  return it == usage.end() ? 0 : it->amount;
}

/// Whether the list of AllowedFlavors has this one.
bool Lists(std::string_view allowed, std::string_view flavor) {
  while (!allowed.empty()) {
    if (NextFlavor(allowed) == flavor) return true;
  }
  return false;
}

bool WasChosen(const Assignment& nomination, std::span<const std::size_t> members,
               const ResourceGroupState& group, FlavorId flavor) {
  for (const std::size_t member : members) {
    if (member >= nomination.pod_sets.size()) continue;
    for (const AssignedFlavor& chosen : nomination.pod_sets[member].flavors) {
      const bool covered = std::find(group.resources.begin(), group.resources.end(),
                                     chosen.resource) != group.resources.end();
      if (covered && chosen.flavor == flavor) return true;
    }
  }
  return false;
}

}  // namespace

FlavorAssigner::FlavorAssigner(const World& world, const ClusterQueueState& queue,
                               PreemptionOracle& oracle, PolicyCalls* policies,
                               std::vector<FlavorAttempt>* attempts, QuotaLooks* looks)
    : world_(world),
      queue_(queue),
      tree_(world.tree_of(queue)),
      oracle_(oracle),
      policies_(policies),
      attempts_(attempts),
      looks_(looks) {}

Assignment FlavorAssigner::Assign(const WorkloadRecord& workload,
                                  std::span<const std::int32_t> counts,
                                  const FlavorProgress& progress, const Assignment* only) {
  progress_ = &progress;
  only_ = only;
  if (attempts_ != nullptr) attempts_->clear();
  if (looks_ != nullptr) looks_->clear();
  const WorkloadRecord* const replaced = ReplacedNow(workload);
  is_slice_ = replaced != nullptr;
  replaced_ = is_slice_ ? HeldByPodSet(*replaced) : std::vector<HeldPodSet>();
  allowed_ = AllowedFlavors(world_, workload);
  Assignment assignment;
  assignment.pod_sets.resize(workload.pod_sets.size());
  assignment.progress.pod_sets = static_cast<std::int32_t>(workload.pod_sets.size());
  assignment.progress.cycle = world_.cycle;
  assignment.progress.generation = queue_.generation;
  if (!sequence_) sequence_ = AskFlavorOrder(world_, policies_, workload, queue_);
  assignment.progress.order = sequence_->order;
  for (std::size_t i = 0; i < workload.pod_sets.size(); ++i) {
    const Members members = GroupOf(workload.series().pod_sets, i);
    if (!members.empty() && !AssignGroup(workload, members, counts, assignment)) break;
  }
  Conclude(assignment);
  return assignment;
}

FlavorAssigner::Members FlavorAssigner::GroupOf(const SharedList<PodSet>& pod_sets,
                                                std::size_t pod_set) {
  const auto name_of = [&](std::size_t p) {
    const auto& topology = pod_sets[p].topology;
    return topology ? std::string_view(topology->pod_set_group) : std::string_view();
  };
  Members members;
  members.push_back(pod_set);
  const std::string_view group = name_of(pod_set);
  for (std::size_t p = 0; p < pod_sets.size() && !group.empty(); ++p) {
    if (p == pod_set || name_of(p) != group) continue;
    if (p < pod_set) return {};
    members.push_back(p);
  }
  return members;
}

FlavorAssigner::Demand FlavorAssigner::DemandOf(const WorkloadRecord& workload, std::size_t pod_set,
                                                std::int32_t count) const {
  const PodSetRequests& requests = workload.pod_sets[pod_set];
  Demand demand;
  for (const ResourceAmount& request : requests.per_pod) {
    const bool nothing_left = requests.effective_count == 0;
    demand.push_back({request.resource, nothing_left ? 0 : Mul(request.amount, count)});
  }
  if (queue_.covers_pods) {
    for (const ResourceGroupState& group : queue_.groups) {
      for (const ResourceId resource : group.resources) {
        if (world_.names.ResourceName(resource) == "pods") demand.push_back({resource, count});
      }
    }
    std::sort(demand.begin(), demand.end(), [&](const ResourceAmount& a, const ResourceAmount& b) {
      return world_.names.VisitedBefore(a.resource, b.resource);
    });
  }
  return demand;
}

bool FlavorAssigner::AssignGroup(const WorkloadRecord& workload, const Members& members,
                                 std::span<const std::int32_t> counts, Assignment& assignment) {
  PodSetAssignmentPlan plan;  // what holds for every member alike
  Demand total = Total(workload, members, counts);
  if (is_slice_) total = BesideReplaced(members, std::move(total));
  const std::vector<GroupChoice> choices =
      ChooseFlavors(workload, members, total, assignment, plan);
  for (const std::size_t member : members) {
    assignment.pod_sets[member] = plan;
    assignment.pod_sets[member].count = counts[member];
    if (!plan.failed) {
      Record(workload, choices, DemandOf(workload, member, counts[member]), member, assignment);
    }
  }
  return !plan.failed;
}

FlavorAssigner::Demand FlavorAssigner::Total(const WorkloadRecord& workload, const Members& members,
                                             std::span<const std::int32_t> counts) const {
  if (members.size() == 1) return DemandOf(workload, members[0], counts[members[0]]);
  Demand total;
  for (const std::size_t member : members) {
    for (const ResourceAmount& request : DemandOf(workload, member, counts[member])) {
      const auto same = std::find_if(total.begin(), total.end(), [&](const ResourceAmount& t) {
        return t.resource == request.resource;
      });
      if (same == total.end()) {
        total.push_back(request);
      } else {
        same->amount = Add(same->amount, request.amount);
      }
    }
  }
  std::sort(total.begin(), total.end(), [&](const ResourceAmount& a, const ResourceAmount& b) {
    return world_.names.VisitedBefore(a.resource, b.resource);
  });
  return total;
}

std::vector<FlavorAssigner::GroupChoice> FlavorAssigner::ChooseFlavors(
    const WorkloadRecord& workload, const Members& members, const Demand& demand,
    const Assignment& assignment, PodSetAssignmentPlan& plan) {
  std::vector<GroupChoice> choices;
  SmallVector<int, 4> served;  // resource groups that have a flavor
  for (const ResourceAmount& request : demand) {
    const int group = queue_.GroupOf(request.resource);
    if (group < 0) {
      if (request.amount == 0) continue;
      if (world_.catalog.config.quota_check == QuotaCheckStrategy::kIgnoreUndeclared) continue;
      plan.failed = true;
      plan.reason = MoreSevere(plan.reason, PendingReason::kNoMatchingFlavor);
      plan.refusals.push_back({Refusal::Kind::kNotCovered, request.resource, {}, 0, 0, 0});
      return choices;
    }
    if (std::find(served.begin(), served.end(), group) != served.end()) continue;
    served.push_back(group);
    GroupChoice choice =
        WalkFlavors(workload, members, queue_.groups[static_cast<std::size_t>(group)], demand,
                    assignment, plan);
    if (choice.flavor == nullptr) {
      plan.failed = true;
      return choices;
    }
    plan.fits &= choice.fit.mode == FlavorMode::kFit;
    choices.push_back(std::move(choice));
  }
  return choices;
}

void FlavorAssigner::Record(const WorkloadRecord& workload, const std::vector<GroupChoice>& choices,
                            const Demand& demand, std::size_t pod_set,
                            Assignment& assignment) const {
  const HeldPodSet* const held =
      is_slice_ ? FindHeld(replaced_, workload.series().pod_sets[pod_set].name) : nullptr;
  for (const GroupChoice& choice : choices) {
    for (AssignedFlavor flavor : choice.resources) {
      const auto own = std::find_if(demand.begin(), demand.end(), [&](const ResourceAmount& r) {
        return r.resource == flavor.resource;
      });
      if (own == demand.end()) continue;  // only another member of the group asks for it
      flavor.amount = own->amount;
      flavor.others = choice.others;
      assignment.pod_sets[pod_set].flavors.push_back(flavor);
      assignment.progress.tried.push_back(
          {static_cast<std::uint32_t>(pod_set), flavor.resource, choice.tried_index});
      assignment.borrowing_level = std::max(assignment.borrowing_level, flavor.level);
      const Amount before =
          held == nullptr ? 0 : held->AmountOf(world_.names.ResourceName(flavor.resource));
      AddTo(assignment.usage, flavor.pair, Sub(flavor.amount, before));
    }
  }
}

void FlavorAssigner::Note(std::string mismatch, PodSetAssignmentPlan& plan) {
  plan.refusals.push_back(
      {Refusal::Kind::kMismatch, {}, {}, 0, 0, static_cast<Amount>(plan.mismatches.size())});
  plan.mismatches.push_back(std::move(mismatch));
}

FlavorAssigner::GroupChoice FlavorAssigner::WalkFlavors(
    const WorkloadRecord& workload, const Members& members, const ResourceGroupState& group,
    const Demand& demand, const Assignment& assignment, PodSetAssignmentPlan& plan) {
  GroupChoice best;
  std::int32_t last_tried = FlavorProgress::kStartOver;
  bool any_refused = false;
  PendingReason group_reason = PendingReason::kNone;
  const auto refuse = [&](PendingReason reason) {
    group_reason = any_refused ? LessSevere(group_reason, reason) : reason;
    any_refused = true;
  };
  std::int32_t start = FlavorProgress::kStartOver;
  for (const ResourceAmount& request : demand) {
    const bool covered = std::find(group.resources.begin(), group.resources.end(),
                                   request.resource) != group.resources.end();
    if (!covered) continue;
    if (progress_->order == sequence_->order) {
      // Of a group, one that asks for it: the others have no walk of their own.
      for (const std::size_t member : members) {
        start = std::max(start, progress_->LastTried(member, request.resource));
      }
    }
    break;
  }
  const auto count = static_cast<std::int32_t>(group.flavors.size());
  const auto group_index = static_cast<std::size_t>(&group - queue_.groups.data());
  for (std::int32_t position = start + 1; position < count; ++position) {
    last_tried = position;
    const FlavorOption& option =
        group.flavors[static_cast<std::size_t>(sequence_->At(group_index, position))];
    if (allowed_ && !Lists(*allowed_, world_.names.FlavorName(
                                          option.id))) {  // counts as tried, and is no reason
      Note(world_.names.FlavorName(option.id) + " is none of the flavors that it may have", plan);
      continue;
    }
    if (auto refusal = Refusal(workload, members, group, demand, option)) {
      refuse(sequence_->Holds(option.id) ? PendingReason::kOnHold
                                         : PendingReason::kNoMatchingFlavor);
      Note(*refusal, plan);
      if (attempts_ != nullptr) {
        FlavorAttempt attempt;
        attempt.pod_set = workload.series().pod_sets[members[0]].name;
        attempt.flavor = world_.names.FlavorName(option.id);
        attempt.group = static_cast<std::int32_t>(group_index);
        attempt.refused = std::move(*refusal);
        attempts_->push_back(std::move(attempt));
      }
      continue;
    }
    PendingReason reason = PendingReason::kNone;
    GroupChoice choice = TryFlavor(workload, group, option, demand, assignment, plan, reason);
    if (attempts_ != nullptr) {
      attempts_->back().pod_set = workload.series().pod_sets[members[0]].name;
      attempts_->back().group = static_cast<std::int32_t>(group_index);
    }
    if (choice.fit.mode == FlavorMode::kNoFit) refuse(reason);
    const FlavorFungibility& fungibility = queue_.spec.flavor_fungibility;
    if (!ShouldTryNextFlavor(choice.fit, fungibility)) {
      best = std::move(choice);
      break;
    }
    if (IsPreferred(choice.fit, best.fit, fungibility)) best = std::move(choice);
  }
  plan.reason = MoreSevere(plan.reason, any_refused ? group_reason : PendingReason::kNone);
  best.others = group_reason;
  if (best.flavor == nullptr && !any_refused) {
    plan.reason = MoreSevere(plan.reason, PendingReason::kNoMatchingFlavor);
  }
  best.tried_index = last_tried == count - 1 ? FlavorProgress::kStartOver : last_tried;
  if (attempts_ != nullptr && best.flavor != nullptr) {
    const std::string& chosen = world_.names.FlavorName(best.flavor->id);
    const std::string& pod_set = workload.series().pod_sets[members[0]].name;
    for (FlavorAttempt& attempt : *attempts_) {
      if (attempt.flavor == chosen && attempt.pod_set == pod_set) attempt.chosen = true;
    }
  }
  return best;
}

FlavorAssigner::GroupChoice FlavorAssigner::TryFlavor(
    const WorkloadRecord& workload, const ResourceGroupState& group, const FlavorOption& option,
    const Demand& demand, const Assignment& assignment, PodSetAssignmentPlan& plan,
    PendingReason& reason) {
  GroupChoice choice;
  choice.flavor = &option;
  choice.fit = {FlavorMode::kFit, 0};
  if (attempts_ != nullptr) {
    attempts_->emplace_back().flavor = world_.names.FlavorName(option.id);
  }
  for (const ResourceAmount& request : demand) {
    const auto covered =
        std::find(group.resources.begin(), group.resources.end(), request.resource);
    if (covered == group.resources.end()) continue;
    const FlavorResourceId pair =
        option.pairs[static_cast<std::size_t>(covered - group.resources.begin())];
    PendingReason resource_reason = PendingReason::kNone;
    const FlavorFit fit = FitOf(workload, pair, AmountOf(assignment.usage, pair), request.amount,
                                plan, resource_reason);
    reason = MoreSevere(reason, resource_reason);
    if (IsPreferred(choice.fit, fit, queue_.spec.flavor_fungibility)) choice.fit = fit;
    choice.resources.push_back({request.resource, option.id, pair, PendingReason::kNone,
                                request.amount, fit.mode, fit.level});
  }
  if (attempts_ != nullptr) {
    attempts_->back().mode = choice.fit.mode;
    attempts_->back().borrowing_level = choice.fit.level;
  }
  return choice;
}

FlavorFit FlavorAssigner::FitOf(const WorkloadRecord& workload, FlavorResourceId pair,
                                Amount assumed, Amount request, PodSetAssignmentPlan& plan,
                                PendingReason& reason) {
  const Column column = tree_.ColumnOf(pair);
  const Amount demand = Add(assumed, request);
  const Amount available = std::max<Amount>(0, tree_.Available(queue_.node, column));
  const Amount maximum = tree_.Potential(queue_.node, column);
  const BorrowingLevel level = tree_.LevelOf(queue_.node, column, demand);
  if (looks_ != nullptr) looks_->push_back({pair, demand, available, level, false, false});
  const auto answer = [&](FlavorFit fit) {
    if (attempts_ != nullptr) {
      attempts_->back().resources.push_back(
          {world_.names.ResourceName(world_.names.ResourceOf(pair)), fit.mode, fit.level, demand,
           available, std::max<Amount>(0, Sub(demand, available)), maximum, 0, assumed});
    }
    return fit;
  };
  const auto refuse = [&](Refusal::Kind kind, Amount of_request, Amount limit) {
    plan.refusals.push_back({kind, world_.names.ResourceOf(pair), world_.names.FlavorOf(pair),
                             assumed, of_request, limit});
  };
  const Usage asked{pair, demand};
  const Capacity& capacity = world_.capacity;
  if (demand > maximum || !capacity.FitsAloneBesideQuota(queue_.place(), std::span(&asked, 1))) {
    reason = PendingReason::kExceedsMaxQuota;
    refuse(Refusal::Kind::kMaximum, request, maximum);
    return answer({FlavorMode::kNoFit, level.level});
  }
  if (demand <= available && capacity.FitsBesideQuota(queue_.place(), std::span(&asked, 1))) {
    return answer({FlavorMode::kFit, level.level});
  }
  refuse(Refusal::Kind::kUnused, std::max<Amount>(0, Sub(demand, available)), 0);
  const PreemptionRules& rules = queue_.spec.preemption;
  const bool may_preempt =
      tree_.cell(queue_.node, column).nominal >= demand || level.may_reclaim ||
      rules.borrow_within_cohort != PreemptionPolicy::kNever ||
      (world_.catalog.FairSharing() && rules.reclaim_within_cohort != PreemptionPolicy::kNever);
  if (!may_preempt) {
    reason = PendingReason::kWaitingForQuota;
    return answer({FlavorMode::kNoFit, level.level});
  }
  const FlavorFit possible = oracle_.Ask(workload, queue_, asked);
  if (looks_ != nullptr) {
    looks_->back().asked = true;
    looks_->back().found = possible.mode != FlavorMode::kNoCandidates;
  }
  if (possible.mode == FlavorMode::kNoCandidates) {
    return answer({FlavorMode::kNoCandidates, level.level});
  }
  return answer(possible);
}

std::optional<std::string> FlavorAssigner::Refusal(const WorkloadRecord& workload,
                                                   const Members& members,
                                                   const ResourceGroupState& group,
                                                   const Demand& demand,
                                                   const FlavorOption& option) const {
  const std::string& name = world_.names.FlavorName(option.id);
  if (only_ != nullptr && !WasChosen(*only_, members, group, option.id)) {
    return "flavor " + name + " was not the one nominated";
  }
  if (option.flavor == nullptr) return "flavor " + name + " not found";
  if (sequence_->Holds(option.id)) {
    return "flavor " + name + " is held back by policy " + sequence_->package;
  }
  if (is_slice_) {
    if (auto other = OtherThanReplaced(members, group, demand, option)) return other;
  }
  if (auto mismatch = TopologyMismatch(workload, members, group, *option.flavor)) return mismatch;
  for (const std::size_t member : members) {
    if (auto mismatch = FlavorMismatch(workload.series().pod_sets[member].pods, *option.flavor)) {
      return mismatch;
    }
  }
  return std::nullopt;
}

std::optional<std::string> FlavorAssigner::TopologyMismatch(const WorkloadRecord& workload,
                                                            const Members& members,
                                                            const ResourceGroupState& group,
                                                            const ResourceFlavor& flavor) const {
  for (const std::size_t member : members) {
    const PodSet& pod_set = workload.series().pod_sets[member];
    const bool asks = AsksForPlaces(pod_set);
    if (!asks && flavor.topology_name.empty()) continue;
    // Without a topology it may serve what its pods do not ask nodes for.
    if (asks && flavor.topology_name.empty()) {
      const std::set<std::string> asked = ResourcesOf(world_, workload, member);
      const bool concerned = std::any_of(
          group.resources.begin(), group.resources.end(),
          [&](ResourceId resource) { return asked.contains(world_.names.ResourceName(resource)); });
      if (!concerned) continue;
    }
    if (auto mismatch = PlaceMismatch(world_, queue_, pod_set, flavor)) return mismatch;
  }
  return std::nullopt;
}

void FlavorAssigner::Conclude(Assignment& assignment) const {
  assignment.mode = AssignmentMode::kFit;
  for (const PodSetAssignmentPlan& pod_set : assignment.pod_sets) {
    AssignmentMode mode = AssignmentMode::kFit;
    if (pod_set.failed) {
      mode = AssignmentMode::kNoFit;
    } else if (!pod_set.fits) {
      for (const AssignedFlavor& flavor : pod_set.flavors) {
        if (flavor.mode != FlavorMode::kFit) mode = std::min(mode, AssignmentMode::kPreempt);
      }
    }
    assignment.mode = std::min(assignment.mode, mode);
  }
}

}  // namespace muster
