// Method: cohorts that anything names become nodes, walked from the roots down in name order, so
// that parents stand before children. Cohorts of a circle have no root and no tree; ClusterQueues
// below one stand alone and are inactive.
#include "engine/state/forest.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "engine/base/amount.h"
#include "engine/base/check.h"
#include "engine/base/sort_once.h"

namespace muster {
namespace {

/// Controllers of AdmissionChecks that may not be combined freely.
constexpr std::string_view kMultiKueue = "kueue.x-k8s.io/multikueue";
constexpr std::string_view kProvisioningRequest = "kueue.x-k8s.io/provisioning-request";

/// The cohorts before they become trees: names, and what is below what.
struct Shape {
  std::map<std::string, std::string> parent_of;  ///< every cohort -> its parent, "" for a root
  std::map<std::string, std::vector<std::string>> child_cohorts;
  std::map<std::string, std::vector<QueueId>> child_queues;
  std::set<std::string> rooted;  ///< cohorts below a root; the others are part of a circle
};

/// `root` and all cohorts below it, parents first.
std::vector<std::string> CohortsBelow(const Shape& shape, const std::string& root) {
  std::vector<std::string> cohorts{root};
  for (std::size_t i = 0; i < cohorts.size(); ++i) {
    const auto below = shape.child_cohorts.find(cohorts[i]);
    if (below == shape.child_cohorts.end()) continue;
    cohorts.insert(cohorts.end(), below->second.begin(), below->second.end());
  }
  return cohorts;
}

Shape CollectShape(const World& world) {
  Shape shape;
  const auto declare = [&](const std::string& cohort, const std::string& parent) {
    auto& entry = shape.parent_of[cohort];
    if (!parent.empty()) {
      entry = parent;
      shape.parent_of.try_emplace(parent);
    }
  };
  for (const auto& [name, cohort] : world.catalog.cohorts) declare(name, cohort.parent);
  const std::string* cohort = nullptr;  // neighbours mostly share it
  std::vector<QueueId>* children = nullptr;
  for (const auto& [name, id] : world.queue_ids) {
    const ClusterQueueState& queue = world.queue(id);
    if (queue.spec.cohort.empty()) continue;
    if (cohort == nullptr || *cohort != queue.spec.cohort) {
      cohort = &queue.spec.cohort;
      declare(*cohort, "");
      children = &shape.child_queues[*cohort];
    }
    children->push_back(id);
  }
  for (const auto& [name, parent] : shape.parent_of) {
    if (!parent.empty()) shape.child_cohorts[parent].push_back(name);
  }
  for (const auto& [name, parent] : shape.parent_of) {
    if (!parent.empty()) continue;
    for (const std::string& below : CohortsBelow(shape, name)) shape.rooted.insert(below);
  }
  return shape;
}

/// What a queue derives from its own spec and the objects that it names.
class QueueResolver {
 public:
  explicit QueueResolver(World& world) : world_(world) {}

  /// Where nothing that it derives from has changed there is nothing to do.
  void Refresh(ClusterQueueState& queue, bool in_circle) {
    if (queue.stale || queue.in_circle != in_circle) Resolve(queue, in_circle);
  }
  /// `in_circle`: its cohort has no root.
  void Resolve(ClusterQueueState& queue, bool in_circle) {
    queue.stale = false;
    queue.in_circle = in_circle;
    queue.groups.clear();
    queue.covers_pods = false;
    for (const ResourceGroup& group : queue.spec.resource_groups) {
      ResourceGroupState state;
      for (const std::string& resource : group.covered_resources) {
        state.resources.push_back(world_.names.Resource(resource));
        queue.covers_pods |= resource == "pods";
      }
      for (const FlavorQuotas& quotas : group.flavors) {
        FlavorOption option;
        option.id = world_.names.Flavor(quotas.name);
        const auto flavor = world_.catalog.flavors.find(quotas.name);
        if (flavor != world_.catalog.flavors.end()) option.flavor = &flavor->second;
        for (const ResourceId resource : state.resources) {
          option.pairs.push_back(world_.names.Pair(option.id, resource));
        }
        state.flavors.push_back(std::move(option));
      }
      queue.groups.push_back(std::move(state));
    }
    queue.offer = OfferOf(queue);
    ResolveActivity(queue, in_circle);
  }

 private:
  /// By ids, which stay what they are; whether pods count follows from the resources.
  static Hash128 OfferOf(const ClusterQueueState& queue) {
    Hasher128 offer;
    const FlavorFungibility& fungibility = queue.spec.flavor_fungibility;
    offer.Add(static_cast<std::uint64_t>(fungibility.when_can_borrow));
    offer.Add(static_cast<std::uint64_t>(fungibility.when_can_preempt));
    offer.Add(fungibility.preference ? 1 + static_cast<std::uint64_t>(*fungibility.preference) : 0);
    for (const ResourceGroupState& group : queue.groups) {
      offer.Add(group.resources.size());
      for (const ResourceId resource : group.resources) offer.Add(resource.value);
      offer.Add(group.flavors.size());
      for (const FlavorOption& option : group.flavors) offer.Add(option.id.value);
    }
    return offer.Value();
  }

  void ResolveActivity(ClusterQueueState& queue, bool in_circle) {
    queue.inactive_reason.clear();
    queue.inactive_message.clear();
    const auto inactive = [&](std::string reason, std::string message) {
      if (!queue.inactive_reason.empty()) return;
      queue.inactive_reason = std::move(reason);
      queue.inactive_message = std::move(message);
    };
    if (queue.spec.deletion != kNoTime) inactive("Terminating", "it is being deleted");
    if (queue.spec.stop_policy != StopPolicy::kNone) inactive("Stopped", "its stopPolicy is set");
    for (const ResourceGroupState& group : queue.groups) {
      for (const FlavorOption& option : group.flavors) {
        const std::string& flavor = world_.names.FlavorName(option.id);
        if (option.flavor == nullptr) {
          inactive("FlavorNotFound", "there is no ResourceFlavor " + flavor);
        } else if (const std::string& topology = option.flavor->topology_name;
                   !topology.empty() && !world_.catalog.topologies.contains(topology)) {
          inactive("TopologyNotFound",
                   "flavor " + flavor + " names Topology " + topology + ", which does not exist");
        }
      }
    }
    for (const AdmissionCheckRule& rule : queue.spec.admission_checks) {
      const auto check = world_.catalog.admission_checks.find(rule.name);
      if (check == world_.catalog.admission_checks.end()) {
        inactive("AdmissionCheckNotFound", "there is no AdmissionCheck " + rule.name);
      } else if (!check->second.active) {
        inactive("AdmissionCheckInactive", "AdmissionCheck " + rule.name + " is not active");
      }
    }
    if (const auto wrong = WrongCombination(queue.spec)) inactive(wrong->first, wrong->second);
    if (in_circle) inactive("CohortCycle", "its cohort chain has a cycle");
    queue.active = queue.inactive_reason.empty();
  }

  /// Reason and message where a MultiKueue check stands beside what it excludes.
  std::optional<std::pair<std::string, std::string>> WrongCombination(
      const ClusterQueue& spec) const {
    std::vector<const AdmissionCheckRule*> multi_kueue;
    bool provisioning = false;
    for (const AdmissionCheckRule& rule : spec.admission_checks) {
      const auto check = world_.catalog.admission_checks.find(rule.name);
      if (check == world_.catalog.admission_checks.end()) continue;
      if (check->second.controller == kMultiKueue) multi_kueue.push_back(&rule);
      provisioning = provisioning || check->second.controller == kProvisioningRequest;
    }
    if (multi_kueue.empty()) return std::nullopt;
    const std::string& first = multi_kueue.front()->name;
    if (multi_kueue.size() > 1) {
      return std::pair<std::string, std::string>("MultipleMultiKueueAdmissionChecks",
                                                 "of MultiKueue there may be one check, not both " +
                                                     first + " and " + multi_kueue[1]->name);
    }
    if (!multi_kueue.front()->on_flavors.empty()) {
      return std::pair<std::string, std::string>(
          "MultiKueueAdmissionCheckAppliedPerFlavor",
          "the MultiKueue check " + first + " may not be for some flavors only");
    }
    if (!provisioning) return std::nullopt;
    return std::pair<std::string, std::string>(
        "MultiKueueWithProvisioningRequest",
        "the MultiKueue check " + first + " excludes those for ProvisioningRequests");
  }

  World& world_;
};

void FillCell(const ResourceQuota& quota, QuotaCell& cell) {
  cell.nominal = QuotaAmount(quota.name, quota.nominal);
  if (quota.borrowing_limit) cell.borrowing_limit = QuotaAmount(quota.name, *quota.borrowing_limit);
  if (quota.lending_limit) cell.lending_limit = QuotaAmount(quota.name, *quota.lending_limit);
}

/// Writes quotas into the cells of a node, which are empty.
void FillCells(World& world, QuotaTree& tree, NodeIndex node,
               const std::vector<ResourceGroup>& groups) {
  for (const ResourceGroup& group : groups) {
    for (const FlavorQuotas& quotas : group.flavors) {
      for (const ResourceQuota& quota : quotas.resources) {
        const FlavorResourceId fr =
            world.names.Pair(world.names.Flavor(quotas.name), world.names.Resource(quota.name));
        FillCell(quota, tree.MutableCell(node, tree.ColumnOf(fr)));
      }
    }
  }
}

/// The same for a queue, by the pairs it was resolved to; quotas stand in their order.
void FillCells(QuotaTree& tree, const ClusterQueueState& queue) {
  for (std::size_t g = 0; g < queue.groups.size(); ++g) {
    const ResourceGroup& group = queue.spec.resource_groups[g];
    for (std::size_t f = 0; f < group.flavors.size(); ++f) {
      const std::vector<FlavorResourceId>& pairs = queue.groups[g].flavors[f].pairs;
      const std::vector<ResourceQuota>& quotas = group.flavors[f].resources;
      MUSTER_CHECK(pairs.size() == quotas.size());
      for (std::size_t r = 0; r < pairs.size(); ++r) {
        FillCell(quotas[r], tree.MutableCell(queue.node, tree.ColumnOf(pairs[r])));
      }
    }
  }
}

class ForestBuilder {
 public:
  explicit ForestBuilder(World& world)
      : world_(world), shape_(CollectShape(world)), resolver_(world) {}

  void Build() {
    world_.capacity.trees().clear();
    world_.cohort_places.clear();
    std::uint32_t position = 0;
    for (const auto& [name, id] : world_.queue_ids) {
      ClusterQueueState& queue = world_.queue(id);
      const std::string& cohort = queue.spec.cohort;
      queue.position = position++;
      queue.node = kNoNode;
      resolver_.Refresh(queue, InCircle(cohort));
    }
    for (const auto& [name, parent] : shape_.parent_of) {
      if (parent.empty()) BuildTree(name);
    }
    for (const auto& [name, id] : world_.queue_ids) {
      if (world_.queue(id).node == kNoNode) BuildSolo(world_.queue(id));
    }
  }

 private:
  bool InCircle(const std::string& cohort) {
    if (cohort.empty()) return false;
    if (asked_ == nullptr || *asked_ != cohort) {  // neighbours mostly share it
      asked_ = &cohort;
      in_circle_ = !shape_.rooted.contains(cohort);
    }
    return in_circle_;
  }

  void BuildTree(const std::string& root) {
    const std::vector<std::string> cohorts = CohortsBelow(shape_, root);
    std::vector<QueueId> queues;
    for (const std::string& cohort : cohorts) {
      const auto below = shape_.child_queues.find(cohort);
      if (below == shape_.child_queues.end()) continue;
      queues.insert(queues.end(), below->second.begin(), below->second.end());
    }
    QuotaTree tree = MakeTree(cohorts, queues);
    const auto index = static_cast<std::uint32_t>(world_.capacity.trees().size());
    const auto node_of = [this](const std::string& cohort) {
      return world_.cohort_places.find(cohort)->second.node;
    };
    for (const std::string& name : cohorts) {
      const std::string& parent = shape_.parent_of.at(name);
      const auto spec = world_.catalog.cohorts.find(name);
      const bool declared = spec != world_.catalog.cohorts.end();
      QuotaNode node;
      node.name = name;
      node.parent = parent.empty() ? kNoNode : node_of(parent);
      node.weight = declared ? spec->second.fair_weight : 1.0;
      const NodeIndex n = tree.AddNode(std::move(node));
      world_.cohort_places[name] = {index, n};
      if (declared) FillCells(world_, tree, n, spec->second.resource_groups);
    }
    const std::string* parent = nullptr;
    NodeIndex above = kNoNode;
    for (const QueueId id : queues) {
      ClusterQueueState& queue = world_.queue(id);
      if (parent == nullptr || *parent != queue.spec.cohort) {
        parent = &queue.spec.cohort;
        above = node_of(*parent);
      }
      AddQueue(tree, queue, above);
    }
    Finish(std::move(tree));
  }

  void BuildSolo(ClusterQueueState& queue) {
    QuotaTree tree = MakeTree({}, {queue.id});
    AddQueue(tree, queue, kNoNode);
    Finish(std::move(tree));
  }

  QuotaTree MakeTree(const std::vector<std::string>& cohorts, const std::vector<QueueId>& queues) {
    std::vector<FlavorResourceId> columns;
    const auto collect = [&](const std::vector<ResourceGroup>& groups) {
      for (const ResourceGroup& group : groups) {
        for (const FlavorQuotas& quotas : group.flavors) {
          for (const ResourceQuota& quota : quotas.resources) {
            columns.push_back(world_.names.Pair(world_.names.Flavor(quotas.name),
                                                world_.names.Resource(quota.name)));
          }
        }
      }
    };
    for (const std::string& name : cohorts) {
      const auto spec = world_.catalog.cohorts.find(name);
      if (spec != world_.catalog.cohorts.end()) collect(spec->second.resource_groups);
    }
    std::vector<bool> listed;  // queues mostly have the same pairs
    const auto list = [&](FlavorResourceId pair) {
      if (pair.value >= listed.size()) listed.resize(pair.value + 1);
      if (listed[pair.value]) return;
      listed[pair.value] = true;
      columns.push_back(pair);
    };
    for (const QueueId id : queues) {
      for (const ResourceGroupState& group : world_.queue(id).groups) {
        for (const FlavorOption& option : group.flavors) {
          for (const FlavorResourceId pair : option.pairs) list(pair);
        }
      }
      for (const auto& [priority, totals] : world_.queue(id).holders.totals()) {
        for (const HolderIndex::Total& total : totals) list(total.fr);
      }
    }
    SortOnce(columns);
    std::vector<ResourceId> resources;
    for (const FlavorResourceId fr : columns) resources.push_back(world_.names.ResourceOf(fr));
    QuotaTree tree(std::move(columns), std::move(resources));
    tree.Reserve(cohorts.size() + queues.size());
    return tree;
  }

  void AddQueue(QuotaTree& tree, ClusterQueueState& queue, NodeIndex parent) {
    QuotaNode node;
    node.name = queue.name();
    node.parent = parent;
    node.queue = queue.id;
    node.active = queue.active;
    node.weight = queue.spec.fair_weight;
    queue.tree = static_cast<std::uint32_t>(world_.capacity.trees().size());
    queue.node = tree.AddNode(std::move(node));
    tree.NoteRequoted(queue.requoted);
    FillCells(tree, queue);
  }

  void Finish(QuotaTree tree) {
    tree.Seal();
    for (NodeIndex n = 0; n < tree.size(); ++n) {
      if (!tree.node(n).queue.valid()) continue;
      const HolderIndex& holders = world_.queue(tree.node(n).queue).holders;
      for (const auto& [priority, totals] : holders.totals()) {
        for (const HolderIndex::Total& total : totals) {
          QuotaCell& cell = tree.MutableCell(n, tree.ColumnOf(total.fr));
          cell.usage = Add(cell.usage, total.amount);
        }
      }
    }
    tree.ChargeCohorts();
    world_.capacity.trees().push_back(std::move(tree));
  }

  World& world_;
  Shape shape_;
  QueueResolver resolver_;
  const std::string* asked_ = nullptr;  ///< which cohort InCircle was asked about last
  bool in_circle_ = false;
};

}  // namespace

void RebuildForest(World& world) {
  ++world.catalog_epoch;
  ForestBuilder(world).Build();
}

void RefillForest(World& world, const ForestChange& change) {
  ++world.catalog_epoch;
  QueueResolver resolver(world);
  std::vector<std::uint32_t> stale;
  for (const QueueId id : change.queues) {
    ClusterQueueState& queue = world.queue(id);
    QuotaTree& tree = world.tree_of(queue);
    resolver.Resolve(queue, !queue.spec.cohort.empty() && !tree.HasParent(queue.node));
    tree.BeginRefill(queue.node, queue.active, queue.spec.fair_weight);
    FillCells(tree, queue);
    stale.push_back(queue.tree);
  }
  for (const std::string& name : change.cohorts) {
    const auto place = world.cohort_places.find(name);
    if (place == world.cohort_places.end()) continue;  // part of a circle
    const Cohort& cohort = world.catalog.cohorts.at(name);
    QuotaTree& tree = world.capacity.tree(place->second.tree);
    tree.BeginRefill(place->second.node, /*active=*/true, cohort.fair_weight);
    FillCells(world, tree, place->second.node, cohort.resource_groups);
    stale.push_back(place->second.tree);
  }
  SortOnce(stale);
  for (const std::uint32_t tree : stale) {
    world.capacity.tree(tree).Seal();
    world.capacity.tree(tree).ChargeCohorts();
  }
}

void RequoteTree(World& world, ClusterQueueState& queue) {
  queue.requoted = world.cycle;
  world.tree_of(queue).NoteRequoted(world.cycle);
  world.changes.Touch(queue.id);
}

bool SameShape(const std::vector<ResourceGroup>& a, const std::vector<ResourceGroup>& b) {
  const auto same_name = [](const auto& x, const auto& y) { return x.name == y.name; };
  const auto same_flavor = [&](const FlavorQuotas& x, const FlavorQuotas& y) {
    return x.name == y.name && std::equal(x.resources.begin(), x.resources.end(),
                                          y.resources.begin(), y.resources.end(), same_name);
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const ResourceGroup& x, const ResourceGroup& y) {
                      return x.covered_resources == y.covered_resources &&
                             std::equal(x.flavors.begin(), x.flavors.end(), y.flavors.begin(),
                                        y.flavors.end(), same_flavor);
                    });
}

bool KnowsPairs(const World& world, QueueId queue, std::span<const Usage> usage) {
  const QuotaTree& tree = world.tree_of(world.queue(queue));
  return std::all_of(usage.begin(), usage.end(),
                     [&](const Usage& u) { return tree.ColumnOf(u.fr) != kNoColumn; });
}

std::vector<QueueId> QueuesOfTree(const World& world, std::uint32_t tree) {
  std::vector<QueueId> queues;
  const QuotaTree& nodes = world.capacity.tree(tree);
  for (NodeIndex n = 0; n < nodes.size(); ++n) {
    const QueueId id = nodes.node(n).queue;
    if (id.valid()) queues.push_back(id);
  }
  return queues;
}

int TreeOfCohort(const World& world, std::string_view name) {
  const auto place = world.cohort_places.find(name);
  return place == world.cohort_places.end() ? -1 : static_cast<int>(place->second.tree);
}

}  // namespace muster
