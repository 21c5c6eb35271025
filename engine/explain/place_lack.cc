// See place_lack.h. The places are looked for again, beside what hosts are used for and as if they
// were not.
#include "engine/explain/place_lack.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "engine/assign/assignment.h"
#include "engine/misfits/place_gap.h"
#include "engine/places/place_finder.h"

namespace muster {
namespace {

constexpr std::size_t kThereNamed = 3;  ///< workloads, in a sentence

class PlaceLackFinder {
 public:
  PlaceLackFinder(World& world, const WorkloadRecord& workload, const Entry& entry)
      : world_(world),
        workload_(workload),
        queue_(world.queue(workload.queue)),
        entry_(entry),
        finder_(world, workload, queue_, /*calls=*/nullptr) {}

  std::optional<PlaceLack> Find() {
    if (!finder_.Asks()) return std::nullopt;
    Assignment assignment = entry_.assignment();
    if (!finder_.Begin(assignment) || !finder_.AnyNow()) return std::nullopt;
    if (finder_.Find(assignment, Hosts::kAsUsed)) return std::nullopt;
    const PlaceGap gap = finder_.gap();
    const std::size_t pod_set = finder_.failed();
    PlaceLack lack;
    if (finder_.Find(assignment, Hosts::kUnused)) {
      lack.text = Crowded(gap, pod_set);
      lack.cure = "free " + Short(gap) + " in " + Where(gap);
      return lack;
    }
    const PlaceGap empty = finder_.gap();
    // Of several podsets another may only have been put where this one has to be.
    lack.never =
        workload_.pod_sets.size() == 1 && !AnotherFlavorHolds(finder_.failed(), assignment);
    if (const std::string conflict = Conflict(empty, finder_.failed()); !conflict.empty()) {
      lack.text = Subject(finder_.failed()) + conflict + Never(lack.never);
      lack.cure = kCureOfLevels;
      return lack;
    }
    lack.text = TooSmall(empty, finder_.failed(), lack.never);
    lack.cure = Cure(empty);
    return lack;
  }

 private:
  static std::string Short(const PlaceGap& gap) {
    if (LacksLeader(gap)) return "room for its leader";
    return "room for " + CountedPods(gap.result.wanted - gap.result.most, gap.result) + " more";
  }
  /// What to ask for, or to add, where even empty hosts have no place.
  static std::string Cure(const PlaceGap& gap) {
    if (!HasNoNode(gap)) return CureOfEmpty(gap);
    return "apply the Nodes of flavor " + gap.tree->flavor().name +
           " with these labels, or uncordon them";
  }
  static std::string Where(const PlaceGap& gap) {
    return IsOneDomain(gap) ? "one " + LabelOf(gap) : "topology " + gap.tree->topology().name;
  }
  std::string Subject(std::size_t pod_set) const {
    std::string text = workload_.spec.key.ToString();
    if (workload_.pod_sets.size() > 1) {
      text += ", podset " + workload_.series().pod_sets[pod_set].name + ",";
    }
    return text + " has no place: ";
  }
  std::string Crowded(const PlaceGap& gap, std::size_t pod_set) const {
    std::string text = Subject(pod_set) + Claim(gap, "");
    for (std::size_t i = 0; i < gap.result.best.size(); ++i) {
      const LeafPods& each = gap.result.best[i];
      text +=
          (i == 0 ? ": " : ", ") + NameOf(gap, each.leaf) + " has " + std::to_string(each.count);
    }
    if (!LacksLeader(gap)) {
      text += "; " + CountedPods(gap.result.wanted - gap.result.most, gap.result) + " short";
    }
    text += ".";
    return text + (entry_.victims.empty() ? WhoIsThere(gap) : WhatVictimsFree(gap));
  }

  std::string Conflict(const PlaceGap& gap, std::size_t pod_set) const {
    PlaceRequest request;
    const PodSet& asking = workload_.series().pod_sets[pod_set];
    SetLevels(*gap.tree, asking, request);
    return LevelConflict(*gap.tree, asking, request);
  }
  static std::string Never(bool never) {
    return never ? ". It can never start as objects are now." : ".";
  }

  std::string TooSmall(const PlaceGap& gap, std::size_t pod_set, bool never) const {
    if (HasNoNode(gap)) {
      return Subject(pod_set) + "no Node of flavor " + gap.tree->flavor().name +
             " that has the labels of topology " + gap.tree->topology().name +
             " is ready and not cordoned.";
    }
    return Subject(pod_set) + ClaimOfEmpty(gap) + Never(never);
  }

  std::string Names(const std::vector<WorkloadId>& ids) const {
    std::string text;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (i == kThereNamed) return text + " and " + std::to_string(ids.size() - i) + " more";
      text += (i == 0 ? "" : ", ") + world_.workload(ids[i]).spec.key.ToString();
    }
    return text;
  }

  /// What uses the best domain.
  std::string WhoIsThere(const PlaceGap& gap) const {
    if (!IsOneDomain(gap)) return "";
    const std::uint32_t domain = gap.result.best.front().leaf;
    const auto [first, last] = gap.tree->LeavesBelow(gap.result.level, domain);
    std::set<WorkloadId> there;
    for (std::uint32_t leaf = first; leaf < last; ++leaf) {
      const auto on = world_.capacity.places().HoldersOn(gap.tree->KeyOf(leaf));
      there.insert(on.begin(), on.end());
    }
    if (there.empty()) return "";
    return " " + NameOf(gap, domain) + " is used by " + Names(world_.InNameOrder(there)) + ".";
  }

  /// Where it would be without them.
  std::string WhatVictimsFree(const PlaceGap& gap) const {
    if (entry_.assignment().places == nullptr || !IsOneDomain(gap)) return "";
    std::set<std::string> domains;
    for (const PlacedPods& placed : *entry_.assignment().places->placed) {
      if (placed.flavor != gap.tree->flavor().name) continue;
      for (const auto& [key, count] : placed.pods) {
        if (const auto leaf = gap.tree->FindLeaf(key)) {
          domains.insert(NameOf(gap, gap.tree->AncestorOf(*leaf, gap.result.level)));
        }
      }
    }
    if (domains.size() != 1) return "";
    std::vector<WorkloadId> victims;
    for (const Victim& victim : entry_.victims) victims.push_back(victim.workload);
    return " Without " + Names(victims) + " there is room in " + *domains.begin() + ".";
  }

  /// Whether hosts of another flavor of the queue would have a place for the podset, were they
  /// empty; whether quota or the pods allow that flavor is not asked.
  bool AnotherFlavorHolds(std::size_t pod_set, const Assignment& assignment) {
    std::set<FlavorId> tried;
    for (const AssignedFlavor& given : assignment.pod_sets[pod_set].flavors) {
      tried.insert(given.flavor);
    }
    for (const ResourceGroupState& group : queue_.groups) {
      for (const FlavorOption& option : group.flavors) {
        if (world_.capacity.places().Find(world_.names.FlavorName(option.id)) == nullptr) continue;
        if (!tried.insert(option.id).second) continue;
        Assignment other;
        other.mode = AssignmentMode::kFit;
        other.pod_sets.resize(assignment.pod_sets.size());
        PodSetAssignmentPlan& plan = other.pod_sets[pod_set];
        plan.count = assignment.pod_sets[pod_set].count;
        AssignedFlavor given;
        given.flavor = option.id;
        given.resource = group.resources.front();
        plan.flavors.push_back(given);
        PlaceFinder finder(world_, workload_, queue_, /*calls=*/nullptr);
        if (finder.Begin(other) && (!finder.AnyNow() || finder.Exists(other, Hosts::kUnused))) {
          return true;
        }
      }
    }
    return false;
  }

  World& world_;
  const WorkloadRecord& workload_;
  const ClusterQueueState& queue_;
  const Entry& entry_;
  PlaceFinder finder_;
};

}  // namespace

std::optional<PlaceLack> WhatPlacesLack(World& world, const WorkloadRecord& workload,
                                        const Entry& entry) {
  if (world.capacity.places().empty()) return std::nullopt;
  return PlaceLackFinder(world, workload, entry).Find();
}

}  // namespace muster
