// See place_finder.h.
#include "engine/places/place_finder.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/base/amount.h"
#include "engine/base/find_named.h"
#include "engine/domains/domain_scores.h"
#include "engine/segments/segment_placement.h"
#include "engine/state/places.h"
#include "engine/topology/missing_level.h"

namespace muster {
PlaceFinder::PlaceFinder(World& world, const WorkloadRecord& workload,
                         const ClusterQueueState& queue, PolicyCalls* calls)
    : world_(world), workload_(workload), queue_(queue), calls_(calls) {
  const SharedList<PodSet>& pod_sets = workload.series().pod_sets;
  parts_.resize(pod_sets.size());
  const bool implied = ImpliesPlaces(queue);
  for (std::size_t i = 0; i < pod_sets.size(); ++i) {
    parts_[i].asks = implied || AsksForPlaces(pod_sets[i]);
    asks_ = asks_ || parts_[i].asks;
  }
}

bool PlaceFinder::IsDelayed(const std::string& flavor) const {
  return !workload_.holds() && NodesAreMade(world_, queue_, flavor);
}

std::string_view PlaceFinder::GroupOf(std::size_t pod_set) const {
  const auto& request = workload_.series().pod_sets[pod_set].topology;
  return request ? std::string_view(request->pod_set_group) : std::string_view();
}

std::set<std::string> PlaceFinder::FlavorsOf(const Assignment& assignment,
                                             std::size_t pod_set) const {
  std::set<std::string> flavors;
  const bool has_own = !assignment.pod_sets[pod_set].flavors.empty();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const bool lends = !has_own && !GroupOf(i).empty() && GroupOf(i) == GroupOf(pod_set);
    if (i != pod_set && !lends) continue;
    for (const AssignedFlavor& assigned : assignment.pod_sets[i].flavors) {
      const std::string& name = world_.names.FlavorName(assigned.flavor);
      if (world_.capacity.places().Find(name) != nullptr) flavors.insert(name);
    }
  }
  return flavors;
}

bool PlaceFinder::Begin(Assignment& assignment) {
  without_nodes_.clear();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Part& part = parts_[i];
    part.flavor.clear();
    part.delayed = false;
    const PodSetAssignmentPlan& plan = assignment.pod_sets[i];
    if (!part.asks || plan.failed || plan.count == 0) continue;
    const std::set<std::string> flavors = FlavorsOf(assignment, i);
    if (flavors.size() != 1) {
      without_nodes_.push_back(i);
      why_ = flavors.empty() ? "no flavor with a topology was assigned"
                             : "more than one flavor with a topology was assigned";
      continue;
    }
    part.delayed = IsDelayed(*flavors.begin());
    if (!part.delayed) part.flavor = *flavors.begin();
  }
  return without_nodes_.empty();
}

bool PlaceFinder::AnyNow() const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [](const Part& part) { return !part.flavor.empty(); });
}

const PodNeeds& PlaceFinder::NeedsOf(std::size_t pod_set) {
  std::optional<PodNeeds>& needs = parts_[pod_set].needs;
  if (!needs) needs = muster::NeedsOf(world_, workload_, pod_set);
  return *needs;
}

std::vector<PlaceFinder::Group> PlaceFinder::GroupsIn(const std::string& flavor,
                                                      const Assignment& assignment) const {
  std::vector<Group> groups;
  std::set<std::size_t> done;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].flavor != flavor || done.contains(i)) continue;
    Group group{i, std::nullopt};
    for (std::size_t j = i + 1; j < parts_.size() && !GroupOf(i).empty(); ++j) {
      if (parts_[j].flavor != flavor || GroupOf(j) != GroupOf(i)) continue;
      done.insert(j);
      group.leader = j;
      if (assignment.pod_sets[i].count < assignment.pod_sets[j].count) {
        std::swap(group.worker, *group.leader);
      }
      break;
    }
    groups.push_back(group);
  }
  return groups;
}

PlaceRequest PlaceFinder::RequestFor(const TopologyTree& tree, const Group& group,
                                     const Assignment& assignment, Hosts hosts) {
  PlaceRequest request;
  request.count = assignment.pod_sets[group.worker].count;
  request.needs = NeedsOf(group.worker);
  if (group.leader) {
    request.leader = true;
    request.leader_needs = NeedsOf(*group.leader);
  }
  SetLevels(tree, workload_.series().pod_sets[group.worker], request);
  if (tree.by_host()) request.filter = FilterFor(workload_, group.worker, tree.flavor());
  request.empty = hosts == Hosts::kUnused;
  request.balanced = world_.catalog.Gate("TASBalancedPlacement", false);
  request.by_affinity = world_.catalog.Gate("TASRespectNodeAffinityPreferred", false);
  return request;
}

PlaceFinder::Outcome PlaceFinder::Search(const Assignment& assignment, Hosts hosts, Extent extent,
                                         PolicyCalls* calls) {
  Outcome outcome;
  outcome.topologies.resize(parts_.size());
  std::set<std::string> flavors;
  for (const Part& part : parts_) {
    if (!part.flavor.empty()) flavors.insert(part.flavor);
  }
  for (const std::string& flavor : flavors) {
    const TopologyTree& tree = *world_.capacity.places().Find(flavor);
    Placer placer(tree);
    const PlacingOf placing{world_, calls, workload_, queue_, tree};
    const std::vector<Group> groups = GroupsIn(flavor, assignment);
    for (const Group& group : groups) {
      const PlaceRequest request = RequestFor(tree, group, assignment, hosts);
      std::string conflict =
          LevelConflict(tree, workload_.series().pod_sets[group.worker], request);
      if (extent == Extent::kWhether && conflict.empty() && request.segmented &&
          flavor == *flavors.rbegin() && &group == &groups.back()) {
        const AssumedPods assumed = AssumedIn(tree, outcome.placed);
        outcome.found = outcome.found && SegmentPlacement(tree, request, assumed).HasRoom();
        break;
      }
      const PlaceResult result = conflict.empty()
                                     ? PlaceAsWanted(placing, placer, request, outcome.placed)
                                     : PlaceResult();
      if (!result.found) {
        const std::size_t first = std::min(group.worker, group.leader.value_or(group.worker));
        if (outcome.found || first < failed_) {
          failed_ = first;
          why_ = conflict.empty() ? WhyNot(tree, result) : std::move(conflict);
          gap_ = {&tree, result};
        }
        outcome.found = false;
        break;
      }
      outcome.topologies[group.worker] = RecordOf(tree, result.workers);
      if (!result.proof.empty()) {
        outcome.proof += (outcome.proof.empty() ? "" : "; ") + ProofText(tree, result.proof);
      }
      outcome.placed.push_back(PlacedOf(tree, request.needs, result.workers));
      if (group.leader) {
        outcome.topologies[*group.leader] = RecordOf(tree, result.leader);
        outcome.placed.push_back(PlacedOf(tree, request.leader_needs, result.leader));
      }
    }
  }
  return outcome;
}

bool PlaceFinder::Find(Assignment& assignment, Hosts hosts) {
  Outcome outcome =
      Search(assignment, hosts, Extent::kPlaces, hosts == Hosts::kAsUsed ? calls_ : nullptr);
  if (!outcome.found) {
    assignment.places.reset();
    return false;
  }
  assignment.places = std::make_shared<const AssignedPlaces>(
      AssignedPlaces{std::move(outcome.topologies),
                     std::make_shared<const std::vector<PlacedPods>>(std::move(outcome.placed)),
                     std::move(outcome.proof)});
  return true;
}

bool PlaceFinder::Exists(const Assignment& assignment, Hosts hosts) {
  const std::size_t failed = failed_;
  std::string why = why_;
  PlaceGap gap = gap_;
  const bool found = Search(assignment, hosts, Extent::kWhether, nullptr).found;
  failed_ = failed;
  why_ = std::move(why);
  gap_ = std::move(gap);
  return found;
}

// Whether there is a place is the same in whatever order domains are looked at; should it not be,
// the native order counts.
PlaceResult PlaceAsWanted(const PlacingOf& of, Placer& placer, const PlaceRequest& request,
                          const std::vector<PlacedPods>& before) {
  const AssumedPods assumed = AssumedIn(of.tree, before);
  if (request.segmented) return SegmentPlacement(of.tree, request, assumed).Place();
  Policy* const policy = PolicyOverDomains(of.calls, of.queue);
  if (policy == nullptr) return placer.Place(request, assumed);
  DomainScores scores(of.world, *of.calls, *policy,
                      {of.workload, of.queue, of.tree, assumed, before});
  PlaceRequest wanted = request;
  wanted.scorer = &scores;
  PlaceResult result = placer.Place(wanted, assumed);
  if (result.found || !scores.answered()) return result;
  return placer.Place(request, assumed);
}

NodeFilter FilterFor(const PodSet& pod_set, const ResourceFlavor& flavor) {
  NodeFilter filter;
  filter.pods = &pod_set.pods;
  filter.node_selector = pod_set.pods.node_selector;
  filter.tolerations = pod_set.pods.tolerations;
  filter.tolerations.insert(filter.tolerations.end(), flavor.tolerations.begin(),
                            flavor.tolerations.end());
  return filter;
}

NodeFilter FilterFor(const WorkloadRecord& workload, std::size_t pod_set,
                     const ResourceFlavor& flavor) {
  const PodSet& spec = workload.series().pod_sets[pod_set];
  NodeFilter filter = FilterFor(spec, flavor);
  for (const AdmissionCheckStatus& check : workload.spec.status.rare->admission_checks) {
    if (check.state != CheckState::kReady) continue;
    for (const PodSetUpdate& update : check.pod_set_updates) {
      if (update.name != spec.name) continue;
      for (const auto& [key, value] : update.node_selector) filter.node_selector[key] = value;
      filter.tolerations.insert(filter.tolerations.end(), update.tolerations.begin(),
                                update.tolerations.end());
    }
  }
  return filter;
}

void SetLevels(const TopologyTree& tree, const PodSet& pod_set, PlaceRequest& request) {
  const TopologyRequest asked = pod_set.topology.value_or(TopologyRequest());
  const auto level = [&](const std::string& label) {
    return static_cast<std::size_t>(std::max(0, tree.LevelOf(label)));
  };
  request.segmented = !asked.segments.empty();
  for (const SliceLayer& layer : request.segmented ? asked.segments : asked.slices) {
    if (tree.LevelOf(layer.level) >= 0 && layer.size > 0) {
      request.slices.push_back({level(layer.level), layer.size});
    }
  }
  if (!asked.required.empty()) {
    request.spread = Spread::kRequired;
    request.level = level(asked.required);
  } else if (!asked.preferred.empty()) {
    request.spread = Spread::kPreferred;
    request.level = level(asked.preferred);
  } else {
    request.spread = Spread::kUnconstrained;
    request.level = request.slices.empty() ? tree.depth() - 1 : 0;
  }
}

std::string LevelConflict(const TopologyTree& tree, const PodSet& pod_set,
                          const PlaceRequest& request) {
  if (pod_set.topology) {
    const std::string* const missing = MissingLevel(tree, *pod_set.topology);
    if (missing != nullptr) return "no requested topology level: " + *missing;
  }
  std::size_t above = request.level;
  for (std::size_t i = 0; i < request.slices.size(); ++i) {
    const std::size_t level = request.slices[i].level;
    const std::string& label = tree.levels()[level].label;
    if (i == 0 && level < above) {
      return "podset slice topology " + label + " is above the podset topology " +
             tree.levels()[above].label;
    }
    if (i > 0 && level <= above) {
      return "additional slice layer topology " + label + " must be at a lower level than " +
             tree.levels()[above].label;
    }
    above = level;
  }
  return {};
}

AssumedPods AssumedIn(const TopologyTree& tree, const std::vector<PlacedPods>& placed) {
  std::map<std::uint32_t, std::vector<HostAmount>> by_leaf;
  for (const PlacedPods& each : placed) {
    const bool seen = each.by_host ? tree.by_host() : each.flavor == tree.flavor().name;
    if (!seen) continue;
    for (const auto& [key, count] : each.pods) {
      const std::optional<std::uint32_t> leaf = tree.FindLeaf(key);
      if (!leaf) continue;
      for (const HostAmount& need : each.needs.amounts) {
        by_leaf[*leaf].push_back({need.resource, Mul(need.amount, count)});
      }
    }
  }
  return {by_leaf.begin(), by_leaf.end()};
}

TopologyAssignment RecordOf(const TopologyTree& tree, const std::vector<LeafPods>& pods) {
  TopologyAssignment record;
  if (tree.by_host()) {
    record.levels = {std::string(kHostnameLabel)};
  } else {
    for (const TopologyTree::Level& level : tree.levels()) record.levels.push_back(level.label);
  }
  for (const LeafPods& each : pods) {
    TopologyDomain& domain = record.domains.emplace_back();
    domain.count = each.count;
    domain.values = tree.by_host() ? std::vector<std::string>{tree.leaves().values[each.leaf]}
                                   : tree.ValuesOf(each.leaf);
  }
  return record;
}

PlacedPods PlacedOf(const TopologyTree& tree, PodNeeds needs, const std::vector<LeafPods>& pods) {
  PlacedPods placed{tree.flavor().name, tree.by_host(), std::move(needs), {}};
  placed.pods.reserve(pods.size());
  for (const LeafPods& each : pods) placed.pods.emplace_back(tree.KeyOf(each.leaf), each.count);
  return placed;
}

std::string WhyNot(const TopologyTree& tree, const PlaceResult& result) {
  const std::string what = result.segment > 0 ? "segment(s)"
                           : result.in_slices ? "slice(s)"
                                              : "pod(s)";
  const std::string of = std::to_string(result.wanted) + " " + what;
  const std::string topology = "topology \"" + tree.topology().name + "\"";
  if (result.most <= 0) return topology + " doesn't allow to fit any of " + of;
  std::string text =
      topology + " allows to fit only " + std::to_string(result.most) + " out of " + of;
  const TopologyTree::Level& level = tree.levels()[result.level];
  for (std::size_t i = 0; i < result.best.size(); ++i) {
    const LeafPods& each = result.best[i];
    text += i == 0 ? ": " + level.label + " " : ", ";
    text += level.values[each.leaf] + " has room for " + std::to_string(each.count);
  }
  return text;
}

namespace {

/// Each pod alone beside what is used, on each domain as many as are put there.
bool FitsOnLeaves(const TopologyTree* tree, const PlacedPods& placed, const PodNeeds& needs) {
  return std::all_of(placed.pods.begin(), placed.pods.end(), [&](const auto& pods) {
    const auto leaf = tree == nullptr ? std::nullopt : tree->FindLeaf(pods.first);
    return leaf && PodsIn(tree->FreeOf(*leaf), needs) >= pods.second;
  });
}

/// Each podset on each domain alone; what several put there together is not looked at.
bool FitAlone(const TopologyForest& forest, const std::vector<PlacedPods>& all) {
  return std::all_of(all.begin(), all.end(), [&](const PlacedPods& placed) {
    PodNeeds needs = placed.needs;  // without the pod itself
    std::erase_if(needs.amounts, [](const HostAmount& need) { return need.resource == 0; });
    return FitsOnLeaves(forest.Find(placed.flavor), placed, needs);
  });
}

/// No domain has pods of it twice, as far as their order tells.
bool IsOnceEach(const PlacedPods& placed) {
  return std::adjacent_find(placed.pods.begin(), placed.pods.end(),
                            [](const auto& a, const auto& b) { return !(a.first < b.first); }) ==
         placed.pods.end();
}

/// All that the workload puts on each host.
bool FitTogether(const TopologyForest& forest, const std::vector<PlacedPods>& all) {
  std::set<std::string> flavors;
  for (const PlacedPods& placed : all) flavors.insert(placed.flavor);
  return std::all_of(flavors.begin(), flavors.end(), [&](const std::string& flavor) {
    const TopologyTree& tree = *forest.Find(flavor);
    for (const auto& [leaf, amounts] : AssumedIn(tree, all)) {
      std::map<std::uint32_t, Amount> sums;
      for (const HostAmount& each : amounts) {
        sums[each.resource] = Add(sums[each.resource], each.amount);
      }
      const std::span<const Amount> free = tree.FreeOf(leaf);
      for (const auto& [resource, sum] : sums) {
        if ((resource < free.size() ? free[resource] : 0) < sum) return false;
      }
    }
    return true;
  });
}

}  // namespace

bool PlacesFit(const TopologyForest& forest, const std::vector<PlacedPods>& all) {
  const bool name_any = std::all_of(
      all.begin(), all.end(), [](const PlacedPods& placed) { return placed.needs.names_any; });
  // As Kueue has it, pods that name no resource never fit beside others of their cycle.
  if (!name_any) return false;
  // One podset alone is together what it is alone, with the pods themselves.
  if (!forest.follows_kueue() && all.size() == 1 && IsOnceEach(all.front())) {
    return FitsOnLeaves(forest.Find(all.front().flavor), all.front(), all.front().needs);
  }
  return FitAlone(forest, all) && (forest.follows_kueue() || FitTogether(forest, all));
}

bool PlacesFit(const TopologyForest& forest, const Assignment& assignment) {
  return assignment.places == nullptr || PlacesFit(forest, *assignment.places->placed);
}

}  // namespace muster
