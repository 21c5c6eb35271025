// Nodes by the labels of the levels; what stands on them by what was assigned.
#include "bindings/places/places.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "bindings/lab/read.h"
#include "engine/base/join.h"

namespace muster::places {
namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";
constexpr std::string_view kPods = "pods";

/// A podset that holds its place, and what each of its pods requests.
struct PlacedPodSet {
  Standing of;
  const TopologyAssignment* where = nullptr;
  std::string topology;
  ResourceList each;
};

/// What the calls below read of an engine, once.
class Cluster {
 public:
  explicit Cluster(const Engine& engine) : workloads_(lab::Read(engine.Workloads())) {
    for (const Object& object : lab::Read(engine.Objects(ObjectKind::kNode))) {
      nodes_.push_back(std::get<Node>(object));
    }
    for (const Object& object : lab::Read(engine.Objects(ObjectKind::kPod))) {
      const auto& pod = std::get<Pod>(object);
      Add(pod.requests, 1, &foreign_[pod.node]);
    }
    std::map<std::string, std::string, std::less<>> topology_of;
    for (const Object& object : lab::Read(engine.Objects(ObjectKind::kResourceFlavor))) {
      const auto& flavor = std::get<ResourceFlavor>(object);
      topology_of[flavor.name] = flavor.topology_name;
    }
    for (const WorkloadView& workload : workloads_) {
      if (!workload.spec.status.admission || workload.phase == WorkloadPhase::kFinished) continue;
      ReadPlaced(engine, workload, topology_of);
    }
  }

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<PlacedPodSet>& placed() const { return placed_; }

  /// What pods that are not Muster's use on a node.
  const ResourceList& ForeignOn(const Node& node) const {
    static const ResourceList kNothing;
    const auto found = foreign_.find(node.name);
    return found == foreign_.end() ? kNothing : found->second;
  }

  static void Add(const ResourceList& each, std::int32_t times, ResourceList* sum) {
    for (const auto& [resource, quantity] : each) {
      (*sum)[resource] = (*sum)[resource] + quantity * Quantity::Units(times);
    }
    if (!each.contains(kPods)) {
      (*sum)[std::string(kPods)] = (*sum)[std::string(kPods)] + Quantity::Units(times);
    }
  }

 private:
  void ReadPlaced(const Engine& engine, const WorkloadView& workload,
                  const std::map<std::string, std::string, std::less<>>& topology_of) {
    std::optional<std::vector<ResourceList>> requests;
    for (const PodSetAssignment& assigned : workload.spec.status.admission->pod_sets) {
      if (!assigned.topology || assigned.flavors.empty()) continue;
      if (!requests) requests = lab::Read(engine.PodRequests(workload.spec.key));
      const auto& sets = workload.spec.pod_sets;
      const auto set = std::find_if(sets.begin(), sets.end(), [&assigned](const PodSet& each) {
        return each.name == assigned.name;
      });
      if (set == sets.end()) continue;
      const auto topology = topology_of.find(assigned.flavors.begin()->second);
      placed_.push_back({{workload.spec.key, assigned.name, assigned.count},
                         &*assigned.topology,
                         topology == topology_of.end() ? "" : topology->second,
                         (*requests)[static_cast<std::size_t>(set - sets.begin())]});
    }
  }

  std::vector<WorkloadView> workloads_;
  std::vector<Node> nodes_;
  std::vector<PlacedPodSet> placed_;
  std::map<std::string, ResourceList> foreign_;
};

bool ByHost(const TopologyAssignment& where) {
  return !where.levels.empty() && where.levels.back() == kHostname;
}

std::string HostOf(const Node& node) {
  const auto label = node.labels.find(kHostname);
  return label == node.labels.end() ? "" : label->second;
}

/// The values of the levels that the node has; empty when one is missing.
std::vector<std::string> ValuesOf(const Node& node, const Topology& topology) {
  std::vector<std::string> values;
  for (const std::string& level : topology.levels) {
    const auto label = node.labels.find(level);
    if (label == node.labels.end()) return {};
    values.push_back(label->second);
  }
  return values;
}

/// "a/b" of a, b and c.
std::string AboveLast(std::span<const std::string> values) {
  return values.empty() ? "" : Join(values.first(values.size() - 1), "/");
}

void AddList(const ResourceList& list, ResourceList* sum) {
  for (const auto& [resource, quantity] : list) (*sum)[resource] = (*sum)[resource] + quantity;
}

/// The node alone, without what Muster placed there.
Room AloneOn(const Cluster& cluster, const Node& node) {
  const int usable = node.ready && !node.unschedulable ? 1 : 0;
  Room room{1, usable, usable, node.allocatable, {}};
  AddList(cluster.ForeignOn(node), &room.used);
  return room;
}

void AddRoom(const Room& part, Room* sum) {
  sum->nodes += part.nodes;
  sum->usable += part.usable;
  sum->untouched += part.untouched;
  if (part.usable == 0) return;
  AddList(part.allocatable, &sum->allocatable);
  AddList(part.used, &sum->used);
}

/// Leaf -> its room, by the values of all levels.
using Leaves = std::map<std::vector<std::string>, Room>;

Leaves LeavesOf(const Cluster& cluster, const Topology& topology) {
  Leaves leaves;
  std::map<std::string, std::vector<std::string>> leaf_of_host;
  for (const Node& node : cluster.nodes()) {
    std::vector<std::string> values = ValuesOf(node, topology);
    if (values.empty()) continue;
    leaf_of_host[HostOf(node)] = values;
    AddRoom(AloneOn(cluster, node), &leaves[std::move(values)]);
  }
  for (const PlacedPodSet& placed : cluster.placed()) {
    const bool by_host = ByHost(*placed.where);
    if (!by_host && placed.topology != topology.name) continue;
    for (const TopologyDomain& domain : placed.where->domains) {
      if (domain.values.empty()) continue;
      auto leaf = leaves.end();
      if (!by_host) {
        leaf = leaves.find(domain.values);
      } else if (const auto host = leaf_of_host.find(domain.values.back());
                 host != leaf_of_host.end()) {
        leaf = leaves.find(host->second);
      }
      if (leaf == leaves.end()) continue;
      Cluster::Add(placed.each, domain.count, &leaf->second.used);
      leaf->second.untouched = 0;
    }
  }
  return leaves;
}

}  // namespace

std::vector<Place> PlacesOf(const Engine& engine, const Topology& topology) {
  std::map<std::vector<std::string>, Place> places;
  const std::size_t depth = topology.levels.size();
  const std::size_t shown = std::max<std::size_t>(depth, 2) - 1;
  for (const auto& [values, room] : LeavesOf(Cluster(engine), topology)) {
    for (std::size_t levels = 1; levels <= shown; ++levels) {
      const auto end = values.begin() + static_cast<std::ptrdiff_t>(levels);
      Place& place = places[{values.begin(), end}];
      place.values.assign(values.begin(), end);
      AddRoom(room, &place.room);
      if (levels == shown) place.leaves.push_back(room);
    }
  }
  std::vector<Place> sorted;
  for (auto& [values, place] : places) sorted.push_back(std::move(place));
  return sorted;
}

std::vector<Largest> LargestOf(const std::vector<Place>& places, const Topology& topology) {
  std::vector<Largest> largest;
  for (std::size_t l = 0; l + 1 < topology.levels.size(); ++l) {
    Largest& most = largest.emplace_back();
    most.level = topology.levels[l];
    for (const Place& place : places) {
      if (place.values.size() != l + 1 || place.room.untouched <= most.nodes) continue;
      most.domain = Join(place.values, "/");
      most.nodes = place.room.untouched;
    }
  }
  return largest;
}

NodeUse UseOf(const Engine& engine, const Node& node) {
  const Cluster cluster(engine);
  NodeUse use{AloneOn(cluster, node), {}};
  const std::string host = HostOf(node);
  for (const PlacedPodSet& placed : cluster.placed()) {
    if (!ByHost(*placed.where)) continue;
    for (const TopologyDomain& domain : placed.where->domains) {
      if (domain.values.empty() || domain.values.back() != host) continue;
      Cluster::Add(placed.each, domain.count, &use.room.used);
      use.standing.push_back({placed.of.workload, placed.of.pod_set, domain.count});
    }
  }
  return use;
}

Stands StandsOf(const Engine& engine, const TopologyAssignment& assignment,
                std::string_view topology) {
  std::map<std::string, std::string> above;  // host -> the domain it is in
  if (ByHost(assignment)) {
    Topology levels;
    for (const Object& object : lab::Read(engine.Objects(ObjectKind::kTopology))) {
      if (std::get<Topology>(object).name == topology) levels = std::get<Topology>(object);
    }
    for (const Object& object : lab::Read(engine.Objects(ObjectKind::kNode))) {
      const auto& node = std::get<Node>(object);
      above[HostOf(node)] = AboveLast(ValuesOf(node, levels));
    }
  }
  Stands stands;
  for (const TopologyDomain& domain : assignment.domains) {
    if (domain.values.empty()) continue;
    const auto found = above.find(domain.values.back());
    const std::string path = found == above.end() ? AboveLast(domain.values) : found->second;
    stands[path][domain.values.back()] += domain.count;
  }
  return stands;
}

}  // namespace muster::places
