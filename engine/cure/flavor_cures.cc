// See flavor_cures.h. What a flavor refuses a workload for and what it has too little of are both
// looked at, because a cure of one alone would not help.
#include "engine/cure/flavor_cures.h"

#include <algorithm>
#include <utility>

#include "engine/base/amount.h"
#include "engine/cure/attempt_text.h"
#include "engine/model/selector.h"
#include "engine/quota/quota_tree.h"
#include "engine/state/place_mismatch.h"
#include "engine/state/places.h"
#include "muster/quantity.h"

namespace muster {
namespace {

/// Whether the flavor could not do, whatever else leaves.
bool IsHopeless(const FlavorAttempt& attempt) {
  return !attempt.refused.empty() ||
         std::any_of(attempt.resources.begin(), attempt.resources.end(), IsOver);
}

}  // namespace

FlavorCures::FlavorCures(const World& world, const WorkloadRecord& workload,
                         const std::vector<Division>& divisions)
    : world_(world),
      workload_(workload),
      queue_(world.queue(workload.queue)),
      divisions_(divisions) {}

/// Of one that was tried.
const Division& FlavorCures::DivisionOf(const FlavorAttempt& attempt) const {
  return *std::find_if(divisions_.begin(), divisions_.end(),
                       [&](const Division& each) { return each.group == GroupOf(attempt); });
}

const SharedDemand& FlavorCures::DemandOf(const FlavorAttempt& attempt) const {
  const std::vector<SharedDemand>& demands = DivisionOf(attempt).demands;
  return *std::find_if(demands.begin(), demands.end(), [&](const SharedDemand& demand) {
    return workload_.series().pod_sets[demand.pod_sets[0]].name == attempt.pod_set;
  });
}

std::size_t FlavorCures::PlaceOf(const FlavorAttempt& attempt) const {
  const std::vector<FlavorOption>& flavors = queue_.groups[GroupOf(attempt)].flavors;
  std::size_t f = 0;
  while (world_.names.FlavorName(flavors[f].id) != attempt.flavor) ++f;
  return f;
}

/// All that would make the flavor take its pods.
std::vector<std::string> FlavorCures::Acceptance(const FlavorAttempt& attempt) const {
  const FlavorOption& option = queue_.groups[GroupOf(attempt)].flavors[PlaceOf(attempt)];
  if (option.flavor == nullptr) return {"apply ResourceFlavor " + attempt.flavor};
  ResourceFlavor untainted = *option.flavor;
  untainted.node_taints.clear();
  std::vector<std::string> taints;
  bool matches = true;
  bool asks_elsewhere = false;
  bool asks_for_none = false;
  for (const std::size_t p : DemandOf(attempt).pod_sets) {
    const PodSet& pod_set = workload_.series().pod_sets[p];
    const PodTemplate& pods = pod_set.pods;
    if (PlaceMismatch(world_, queue_, pod_set, *option.flavor)) {
      (AsksForPlaces(pod_set) ? asks_elsewhere : asks_for_none) = true;
    }
    matches = matches && !FlavorMismatch(pods, untainted);
    for (const Taint& taint : option.flavor->node_taints) {
      if (Admits(pods.tolerations, option.flavor->tolerations, taint)) continue;
      if (std::find(taints.begin(), taints.end(), taint.key) == taints.end())
        taints.push_back(taint.key);
    }
  }
  std::vector<std::string> changes;
  if (taints.size() == 1) changes.push_back("tolerate the taint of flavor " + attempt.flavor);
  if (taints.size() > 1) {
    std::string keys;
    for (const std::string& key : taints) keys += (keys.empty() ? "" : ", ") + key;
    changes.push_back("tolerate the taints of flavor " + attempt.flavor + " (" + keys + ")");
  }
  if (!matches) {
    changes.push_back("let its node selector or affinity match the nodeLabels of flavor " +
                      attempt.flavor);
  }
  if (asks_elsewhere) {
    changes.push_back("ask for no topology, or for a level that flavor " + attempt.flavor + " has");
  }
  if (asks_for_none) {
    changes.push_back("ask for a topology, as flavor " + attempt.flavor + " places all pods");
  }
  return changes;
}

/// "ask for at most 2 cpu in flavor a" where a flavor that was refused never has enough; else
/// empty.
std::string FlavorCures::TooLittle(const FlavorAttempt& attempt) const {
  const std::vector<Amount>& asked = DemandOf(attempt).amounts;
  const std::vector<Amount>& maximum = DivisionOf(attempt).rooms[PlaceOf(attempt)].maximum;
  std::string text;
  for (std::size_t r = 0; r < asked.size(); ++r) {
    if (asked[r] <= maximum[r]) continue;
    const std::string& resource =
        world_.names.ResourceName(queue_.groups[GroupOf(attempt)].resources[r]);
    text += (text.empty() ? "ask for at most " : " and ") + FormatAmount(resource, maximum[r]) +
            " " + resource;
  }
  return text.empty() ? text : text + " in flavor " + attempt.flavor;
}

void FlavorCures::AddOfRefused(const FlavorAttempt& attempt, Cures& cures) const {
  std::vector<std::string> changes = Acceptance(attempt);
  if (std::string less = TooLittle(attempt); !less.empty()) {
    changes.insert(changes.begin(), std::move(less));
  }
  if (changes.size() == 1) return cures.Add(changes[0]);
  std::string all;
  for (const std::string& change : changes) all += (all.empty() ? "" : ", and ") + change;
  cures.AddLast(std::move(all));
}

void FlavorCures::Add(const FlavorAttempt& attempt, Cures& cures) const {
  if (!attempt.refused.empty()) return AddOfRefused(attempt, cures);
  const bool hopeless = IsHopeless(attempt);
  std::string amounts;
  std::vector<QuotaNeed> needs;
  bool beside = false;
  for (const ResourceAttempt& resource : attempt.resources) {
    if (hopeless ? !IsOver(resource) : resource.shortage == 0) continue;
    amounts += (amounts.empty() ? "" : " and ") +
               Shown(resource, hopeless ? resource.maximum : resource.shortage);
    beside |= resource.beside > 0;
    needs.push_back(
        {attempt.flavor, world_.names.FindResource(resource.resource), resource.requested});
  }
  if (needs.empty()) return;
  if (hopeless) {
    cures.Add("ask for at most " + amounts + " in flavor " + attempt.flavor +
              (beside ? ", podsets before it included" : ""));
    cures.Add(Raise(needs, Horizon::kEver));
  } else {
    cures.Add("free " + amounts + " of flavor " + attempt.flavor);
    cures.Add(Raise(needs, Horizon::kNow));
  }
}

std::string FlavorCures::Raise(std::span<const QuotaNeed> needs, Horizon horizon) const {
  std::string text;
  for (const QuotaNeed& need : needs) {
    std::string limits = Limits(need, horizon);
    if (limits.empty()) {
      if (horizon == Horizon::kNow) return "";
      limits = "the quota of " + world_.names.ResourceName(need.resource) + " there";
    }
    text += (text.empty() ? "raise " : " and ") + limits;
  }
  return text;
}

std::string FlavorCures::Limits(const QuotaNeed& need, Horizon horizon) const {
  const QuotaTree& tree = world_.tree_of(queue_);
  const std::optional<FlavorResourceId> pair = PairOf(need.flavor, need.resource);
  if (!pair) return "";
  const Column c = tree.ColumnOf(*pair);
  const std::string& resource = world_.names.ResourceName(need.resource);
  const bool ever = horizon == Horizon::kEver;
  std::string text;
  for (const LimitInTheWay& limit : LimitsInTheWay(tree, queue_.node, c, need.asked, horizon)) {
    const QuotaCell& cell = tree.cell(limit.node, c);
    const QuotaNode& node = tree.node(limit.node);
    const Amount value = limit.lending ? cell.lending_limit : cell.borrowing_limit;
    text += (text.empty() ? "" : " and ") +
            std::string(limit.lending ? "lendingLimit " : "borrowingLimit ") +
            FormatAmount(resource, value) +
            (node.queue.valid() ? " of ClusterQueue " : " of Cohort ") + node.name;
    if (limit.lending) {
      text += ", which keeps " + FormatAmount(resource, ever ? cell.local : cell.LocalAvailable()) +
              (ever ? " for itself" : " idle");
    } else if (!ever) {
      const Amount idle = std::max<Amount>(0, tree.Available(tree.ParentOf(limit.node), c));
      text += ", above which " + FormatAmount(resource, idle) + " are idle";
    }
  }
  return text;
}

std::optional<FlavorResourceId> FlavorCures::PairOf(const std::string& flavor,
                                                    ResourceId resource) const {
  const int group = resource.valid() ? queue_.GroupOf(resource) : -1;
  if (group < 0) return std::nullopt;
  for (const FlavorOption& option : queue_.groups[static_cast<std::size_t>(group)].flavors) {
    if (world_.names.FlavorName(option.id) != flavor) continue;
    for (const FlavorResourceId pair : option.pairs) {
      if (world_.names.ResourceOf(pair) == resource) return pair;
    }
  }
  return std::nullopt;
}

}  // namespace muster
