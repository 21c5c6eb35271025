// Nodes by the labels of the levels; what stands on them by what was assigned.
#include "bindings/places/places.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "bindings/lab/read.h"
#include "bindings/places/placed.h"
#include "engine/base/join.h"

namespace muster::places {
namespace {

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
    const auto topology_of = TopologyOfFlavors(engine);
    for (const WorkloadView& workload : workloads_) {
      if (HoldsPlaces(workload)) ReadPlaced(engine, workload, topology_of);
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
    AddTimes(each, times, sum);
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
      const ResourceList* const each = RequestsOf(workload.spec, assigned.name, *requests);
      if (each == nullptr) continue;
      const auto topology = topology_of.find(assigned.flavors.begin()->second);
      placed_.push_back({{workload.spec.key, assigned.name, assigned.count},
                         &*assigned.topology,
                         topology == topology_of.end() ? "" : topology->second,
                         *each});
    }
  }

  std::vector<WorkloadView> workloads_;
  std::vector<Node> nodes_;
  std::vector<PlacedPodSet> placed_;
  std::map<std::string, ResourceList> foreign_;
};

/// "a/b" of a, b and c.
std::string AboveLast(std::span<const std::string> values) {
  return values.empty() ? "" : Join(values.first(values.size() - 1), "/");
}

/// The node alone, without what Muster placed there.
Room AloneOn(const Cluster& cluster, const Node& node) {
  const int usable = IsUsable(node) ? 1 : 0;
  Room room{1, usable, usable, node.allocatable, {}};
  AddTimes(cluster.ForeignOn(node), 1, &room.used);
  return room;
}

void AddRoom(const Room& part, Room* sum) {
  sum->nodes += part.nodes;
  sum->usable += part.usable;
  sum->untouched += part.untouched;
  if (part.usable == 0) return;
  AddTimes(part.allocatable, 1, &sum->allocatable);
  AddTimes(part.used, 1, &sum->used);
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
      if (levels != shown) continue;
      place.leaves.push_back(room);
      place.leaf_names.push_back(values.back());
    }
  }
  std::vector<Place> sorted;
  for (auto& [values, place] : places) sorted.push_back(std::move(place));
  return sorted;
}

std::set<std::string> ResourcesOf(const Engine& engine, const Topology& topology) {
  std::set<std::string> flavors;
  for (const auto& [flavor, name] : TopologyOfFlavors(engine)) {
    if (name == topology.name) flavors.insert(flavor);
  }
  std::set<std::string> resources;
  for (const ClusterQueueView& queue : lab::Read(engine.ClusterQueues())) {
    for (const QuotaView& quota : queue.quotas) {
      if (flavors.contains(quota.flavor)) resources.insert(quota.resource);
    }
  }
  return resources;
}

std::int32_t UsedPercent(const Room& room, const std::set<std::string>& resources) {
  constexpr std::int32_t kAll = 100;
  if (room.usable == 0) return kTakesNone;
  std::int32_t most = 0;
  for (const std::string& resource : resources) {
    const auto all = room.allocatable.find(resource);
    const auto used = room.used.find(resource);
    if (all == room.allocatable.end() || all->second.IsZero()) continue;
    if (used == room.used.end() || used->second.IsZero()) continue;
    if (used->second >= all->second) return kAll;
    const auto part = static_cast<std::int32_t>(used->second.nano() * kAll / all->second.nano());
    most = std::max({most, part, 1});
  }
  return most;
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
