// See misfits.h.
#include "engine/misfits/misfits.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/amount.h"
#include "engine/misfits/no_place.h"
#include "engine/model/admissibility.h"
#include "engine/model/requests.h"
#include "engine/model/selector.h"
#include "engine/state/place_mismatch.h"
#include "engine/state/places.h"

namespace muster {
namespace {

/// Where the podset asks for it, so far as one container alone does.
std::string FieldOf(const PodSet& pod_set, std::size_t index, const std::string& resource) {
  const std::string spec = "spec.podSets[" + std::to_string(index) + "].template.spec.";
  for (const auto& [list, containers] :
       {std::pair("containers", &pod_set.pods.containers),
        std::pair("initContainers", &pod_set.pods.init_containers)}) {
    for (std::size_t i = 0; i < containers->size(); ++i) {
      const std::string resources = spec + list + "[" + std::to_string(i) + "].resources.";
      if ((*containers)[i].requests.contains(resource)) {
        return resources + "requests[" + resource + "]";
      }
      if ((*containers)[i].limits.contains(resource)) {
        return resources + "limits[" + resource + "]";
      }
    }
  }
  return "spec.podSets[" + std::to_string(index) + "]";
}

constexpr std::size_t kMostReasons = 3;  ///< flavors that one message goes through

/// Where a template says what keeps its pods off a flavor, `reason` being FlavorMismatch's.
std::string PlacementField(const PodTemplate& pods, std::size_t index, std::string_view reason) {
  const std::string spec = "spec.podSets[" + std::to_string(index) + "].template.spec.";
  if (reason.starts_with("untolerated")) return spec + "tolerations";
  return spec + (pods.node_selector.empty() ? "affinity" : "nodeSelector");
}

class MisfitFinder {
 public:
  MisfitFinder(const World& world, const ClusterQueueState& queue, std::vector<Problem>& found)
      : world_(world),
        queue_(queue),
        ignores_uncovered_(world.catalog.config.quota_check ==
                           QuotaCheckStrategy::kIgnoreUndeclared),
        found_(found) {}

  /// What speaks against it whatever the quota.
  void LookAtRules(const Workload& workload, const RequestContext& context) {
    const std::string& ns = workload.key.ns;
    if (world_.catalog.namespaces.contains(ns) && !world_.SelectsNamespace(queue_, ns)) {
      found_.push_back({0, "metadata.namespace",
                        "is in namespace " + ns + ", which ClusterQueue " + queue_.name() +
                            " does not select: it will never start",
                        "label the Namespace, or widen namespaceSelector of the queue"});
    }
    if (const auto rule = Inadmissible(workload.pod_sets, context)) {
      found_.push_back({0, "spec.podSets", "breaks a rule (" + *rule + "): it will never start",
                        "correct the requests, or the LimitRange of namespace " + ns});
    }
  }

  void Look(const PodSet& pod_set, std::size_t index, const Requests& per_pod) {
    const std::int32_t pods = pod_set.min_count.value_or(pod_set.count);
    LookAtFlavors(pod_set, index, per_pod);
    for (const auto& [resource, amount] : per_pod) {
      if (amount > 0 && pods > 0) Compare(pod_set, index, resource, Mul(amount, pods), pods);
    }
    if (queue_.covers_pods && pods > 0) Compare(pod_set, index, "pods", pods, pods);
  }

  /// What hosts have no place for, even empty.
  void LookAtPlaces(const Workload& workload, std::size_t index, const RequestContext& context) {
    if (world_.capacity.places().empty()) return;
    const PodSet& pod_set = workload.pod_sets[index];
    std::vector<const ResourceFlavor*> flavors;
    for (const ResourceGroupState& group : queue_.groups) {
      for (const FlavorOption& option : group.flavors) {
        if (option.flavor == nullptr || Mismatch(pod_set, *option.flavor)) continue;
        flavors.push_back(option.flavor);
      }
    }
    const auto none = FindNoPlace(world_, queue_, workload.pod_sets, index, context, flavors);
    if (!none) return;
    const std::string field = "spec.podSets[" + std::to_string(index) + "]";
    const bool several = workload.pod_sets.size() > 1;
    found_.push_back({0, field + (AsksForPlaces(pod_set) ? ".topologyRequest" : ""),
                      (several ? "podset " + pod_set.name + " " : "") +
                          "has no place: " + none->text + ": it will never start",
                      none->cure});
  }

  /// What all podsets ask for together, where each would fit alone.
  void LookAtSums() {
    for (const auto& [resource, sum] : sums_) {
      const std::optional<Potential> potential = PotentialOf(resource, nullptr);
      if (!sum.each_fits || !potential || sum.amount <= potential->in_all) continue;
      found_.push_back({0, "spec.podSets",
                        "asks for " + FormatAmount(resource, sum.amount) + " " + resource +
                            " in all, and ClusterQueue " + queue_.name() +
                            " can never have more than " +
                            FormatAmount(resource, potential->in_all) +
                            ", borrowing included: it will never start",
                        "ask for less, or raise the quota"});
    }
  }

 private:
  struct Sum {
    Amount amount = 0;
    bool each_fits = true;
  };
  /// What the queue could have of a resource with no other workload running.
  struct Potential {
    Amount in_one_flavor = 0;  ///< the most
    Amount in_all = 0;
  };

  /// Groups that the podset needs and of which no flavor takes its pods.
  void LookAtFlavors(const PodSet& pod_set, std::size_t index, const Requests& per_pod) {
    closed_.clear();
    for (const auto& [resource, amount] : per_pod) {
      const int group = GroupOf(resource);
      if (group < 0 || closed_.contains(group)) continue;
      std::vector<std::string> reasons;
      const std::vector<FlavorOption>& flavors =
          queue_.groups[static_cast<std::size_t>(group)].flavors;
      for (const FlavorOption& option : flavors) {
        if (option.flavor == nullptr) continue;
        if (auto reason = Mismatch(pod_set, *option.flavor)) reasons.push_back(*reason);
      }
      if (reasons.empty() || reasons.size() < flavors.size()) continue;
      closed_.insert(group);
      const bool is_place =
          std::any_of(flavors.begin(), flavors.end(), [this, &pod_set](const FlavorOption& option) {
            return PlaceMismatch(world_, queue_, pod_set, *option.flavor).has_value();
          });
      std::string text;
      for (std::size_t i = 0; i < std::min(reasons.size(), kMostReasons); ++i) {
        text += (i == 0 ? "" : ", ") + reasons[i];
      }
      if (reasons.size() > kMostReasons) text += ", ...";
      found_.push_back({0,
                        is_place ? "spec.podSets[" + std::to_string(index) + "].topologyRequest"
                                 : PlacementField(pod_set.pods, index, reasons.front()),
                        "fits no flavor of ClusterQueue " + queue_.name() + " for " + resource +
                            ": " + text + ": it will never start",
                        is_place ? PlaceCure(pod_set)
                                 : "add a toleration or correct the node selector, or give the "
                                   "queue a flavor that takes these pods"});
    }
  }

  /// What keeps the podset off the flavor, whatever its quota.
  std::optional<std::string> Mismatch(const PodSet& pod_set, const ResourceFlavor& flavor) const {
    if (auto place = PlaceMismatch(world_, queue_, pod_set, flavor)) return place;
    return FlavorMismatch(pod_set.pods, flavor);
  }

  /// Places count in groups of which the podset requests something, and no pod requests `pods`.
  bool KeepsOff(const PodSet& pod_set, const ResourceFlavor& flavor,
                const std::string& resource) const {
    return (resource == "pods" ? FlavorMismatch(pod_set.pods, flavor) : Mismatch(pod_set, flavor))
        .has_value();
  }

  static std::string PlaceCure(const PodSet& pod_set) {
    if (!AsksForPlaces(pod_set)) {
      return "ask for a topology, or give the queue a flavor without topologyName";
    }
    return "ask for no topology or for a level that there is, or give the queue a flavor whose "
           "topologyName has it";
  }

  void Compare(const PodSet& pod_set, std::size_t index, const std::string& resource, Amount asked,
               std::int32_t pods) {
    const std::optional<Potential> potential = PotentialOf(resource, &pod_set);
    Sum& sum = sums_[resource];
    sum.amount = Add(sum.amount, asked);
    if (potential && asked <= potential->in_one_flavor) return;
    sum.each_fits = false;
    if (potential && closed_.contains(GroupOf(resource))) return;  // said already
    if (!potential && ignores_uncovered_) return;
    const std::string queue = "ClusterQueue " + queue_.name();
    const std::string what = "asks for " + FormatAmount(resource, asked) + " " + resource +
                             (pods == 1 ? "" : " in " + std::to_string(pods) + " pods");
    if (!potential) {
      found_.push_back(
          {0, FieldOf(pod_set, index, resource),
           what + ", which no resource group of " + queue + " covers: it will never start",
           "remove the request, or cover " + resource + " in the queue"});
    } else {
      found_.push_back({0, FieldOf(pod_set, index, resource),
                        what + ", and " + queue + " can never have more than " +
                            FormatAmount(resource, potential->in_one_flavor) +
                            " in one flavor, borrowing included: it will never start",
                        "ask for less, or raise the quota"});
    }
  }

  /// -1 when no resource group covers it.
  int GroupOf(const std::string& resource) const {
    const ResourceId id = world_.names.FindResource(resource);
    return id.valid() ? queue_.GroupOf(id) : -1;
  }

  /// In the flavors that take the podset; in all without. nullopt when the queue does not cover it.
  std::optional<Potential> PotentialOf(const std::string& resource, const PodSet* pod_set) const {
    const ResourceId id = world_.names.FindResource(resource);
    const int group = GroupOf(resource);
    if (group < 0) return std::nullopt;
    const QuotaTree& tree = world_.tree_of(queue_);
    Potential potential;
    for (const FlavorOption& option : queue_.groups[static_cast<std::size_t>(group)].flavors) {
      if (pod_set != nullptr && option.flavor != nullptr &&
          KeepsOff(*pod_set, *option.flavor, resource)) {
        continue;
      }
      for (const FlavorResourceId pair : option.pairs) {
        if (world_.names.ResourceOf(pair) != id) continue;
        const Column column = tree.ColumnOf(pair);
        if (column == kNoColumn) continue;
        const Amount most = tree.Potential(queue_.node, column);
        potential.in_one_flavor = std::max(potential.in_one_flavor, most);
        potential.in_all = Add(potential.in_all, most);
      }
    }
    return potential;
  }

  const World& world_;
  const ClusterQueueState& queue_;
  const bool ignores_uncovered_;
  std::vector<Problem>& found_;
  std::set<int> closed_;  ///< groups of which no flavor takes the pods of the podset looked at
  std::map<std::string, Sum> sums_;
};

}  // namespace

std::vector<Problem> FindMisfits(const World& world, const Workload& workload) {
  std::vector<Problem> found;
  const LocalQueueState* local_queue = world.FindLocalQueue(workload.key.ns, workload.queue);
  if (local_queue == nullptr || !local_queue->queue.valid() || workload.status.admission) {
    return found;
  }
  const std::vector<const LimitRange*> ranges = world.LimitRangesOf(workload.key.ns);
  const RequestContext context{world.catalog.config, world.catalog.runtime_classes, ranges};
  MisfitFinder finder(world, world.queue(local_queue->queue), found);
  finder.LookAtRules(workload, context);
  for (std::size_t i = 0; i < workload.pod_sets.size(); ++i) {
    const PodSet& pod_set = workload.pod_sets[i];
    finder.Look(pod_set, i,
                muster::PodRequests(FillDefaults(pod_set.pods, context), world.catalog.config));
    finder.LookAtPlaces(workload, i, context);
  }
  finder.LookAtSums();
  return found;
}

}  // namespace muster
