// Tables over bindings/places, and a map with a sign for each leaf.
#include "bindings/cli/show/describe_places.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bindings/cli/fields.h"
#include "bindings/cli/show/get_objects_view.h"
#include "bindings/cli/show/get_view.h"
#include "bindings/cli/table.h"
#include "bindings/lab/read.h"
#include "bindings/places/places.h"
#include "engine/base/join.h"

namespace muster::cli {
namespace {

/// Hosts of one domain that a line names before it counts the others.
constexpr std::size_t kHostsNamed = 8;
constexpr Quantity kMostCounted = Quantity::Units(std::numeric_limits<std::int64_t>::max());

/// '.' all free, '+' part of it, '#' full, 'x' takes no pods: by the resource that is used most.
char SignOf(const places::Room& room, const std::set<std::string>& resources) {
  const std::int32_t used = places::UsedPercent(room, resources);
  if (used == places::kTakesNone) return 'x';
  return used == 0 ? '.' : used < 100 ? '+' : '#';
}

std::string MapOf(const places::Place& place, const std::set<std::string>& resources) {
  std::string map;
  for (const places::Room& leaf : place.leaves) map += SignOf(leaf, resources);
  return map;
}

/// "4", or "3 of 4" where one takes no pods.
std::string NodesOf(const places::Room& room) {
  const std::string all = std::to_string(room.nodes);
  return room.usable == room.nodes ? all : std::to_string(room.usable) + " of " + all;
}

/// "4 of 16"; empty where there is none of it.
std::string FreeOf(const places::Room& room, const std::string& resource) {
  const Quantity all = AmountIn(room.allocatable, resource);
  if (all.IsZero()) return "";
  const Quantity used = AmountIn(room.used, resource);
  // A sum is counted no further; what is free of it is not known.
  if (all == kMostCounted) return used.ToString() + " used of 9E or more";
  return (all - used).ToString() + " of " + all.ToString();
}

std::string TopologyNameOf(const Engine& engine, const PodSetAssignment& assigned) {
  for (const Object& object : lab::Read(engine.Objects(ObjectKind::kResourceFlavor))) {
    const auto& flavor = std::get<ResourceFlavor>(object);
    if (!assigned.flavors.empty() && flavor.name == assigned.flavors.begin()->second) {
      return flavor.topology_name;
    }
  }
  return "";
}

/// "h1 4, h2 4 and 3 more"
std::string HostsNamed(const std::map<std::string, std::int32_t>& hosts) {
  std::string text;
  std::size_t named = 0;
  for (const auto& [host, pods] : hosts) {
    if (named == kHostsNamed) break;
    text += (named == 0 ? "" : ", ") + host + ' ' + std::to_string(pods);
    ++named;
  }
  if (named < hosts.size()) text += " and " + std::to_string(hosts.size() - named) + " more";
  return text;
}

}  // namespace

Quantity AmountIn(const ResourceList& list, std::string_view resource) {
  const auto found = list.find(resource);
  return found == list.end() ? Quantity() : found->second;
}

void DescribeNode(const Engine& engine, const Node& node, Io& io) {
  Fields fields;
  fields.Add("Name", node.name);
  fields.Add("Ready",
             std::string(node.ready ? "yes" : "no") + (node.unschedulable ? ", but cordoned" : ""));
  fields.Add("Labels", node.labels.empty() ? "none" : ShowLabels(node.labels));
  fields.Add("Taints", node.taints.empty() ? "none" : ShowTaints(node.taints));
  fields.Print(io.out);
  const places::NodeUse use = places::UseOf(engine, node);
  Table resources({"RESOURCE", ">ALLOCATABLE", ">USED", ">FREE"});
  for (const auto& [resource, all] : use.room.allocatable) {
    const Quantity used = AmountIn(use.room.used, resource);
    resources.Add({resource, all.ToString(), used.ToString(), (all - used).ToString()});
  }
  if (!resources.empty()) {
    io.out << '\n' << io.paint(Tone::kStrong, "Room") << '\n';
    resources.Print(io.out, io.paint, "  ");
  }
  if (use.standing.empty()) return;
  io.out << '\n' << io.paint(Tone::kStrong, "Pods placed here") << '\n';
  Table pods({"WORKLOAD", "PODSET", ">PODS"});
  for (const places::Standing& each : use.standing) {
    pods.Add({each.workload.ToString(), each.pod_set, std::to_string(each.pods)});
  }
  pods.Print(io.out, io.paint, "  ");
}

void DescribeTopology(const Engine& engine, const Topology& topology, Io& io) {
  Fields fields;
  fields.Add("Name", topology.name);
  fields.Add("Levels", Join(topology.levels));
  fields.Print(io.out);
  const std::vector<places::Place> domains = places::PlacesOf(engine, topology);
  if (domains.empty()) {
    io.out << "\nNo node has a label for each level.\n";
    return;
  }
  const std::set<std::string> resources = places::ResourcesOf(engine, topology);
  std::vector<std::string> header = {"DOMAIN", ">NODES"};
  for (const std::string& resource : resources) header.push_back(">FREE " + resource);
  header.emplace_back("MAP");
  Table table(header);
  for (const places::Place& place : domains) {
    std::vector<Cell> row = {std::string(2 * (place.values.size() - 1), ' ') + place.values.back(),
                             NodesOf(place.room)};
    for (const std::string& resource : resources) row.emplace_back(FreeOf(place.room, resource));
    row.emplace_back(MapOf(place, resources));
    table.Add(row);
  }
  io.out << '\n' << io.paint(Tone::kStrong, "Domains") << '\n';
  table.Print(io.out, io.paint, "  ");
  io.out << "  Of each " << topology.levels.back()
         << ": . all free, + part of it, # full, x takes no pods\n";
  for (const places::Largest& each : places::LargestOf(domains, topology)) {
    io.out << "  Most nodes that no workload is on, in one " << each.level << ": " << each.nodes
           << (each.nodes == 0 ? "" : " of " + each.domain) << '\n';
  }
}

void PrintPlaces(const Engine& engine, const Workload& workload, Io& io) {
  if (!workload.status.admission) return;
  Table table({"PODSET", "DOMAIN", ">PODS", "PODS OF EACH HOST"});
  for (const PodSetAssignment& assigned : workload.status.admission->pod_sets) {
    if (!assigned.topology) continue;
    const std::string topology = TopologyNameOf(engine, assigned);
    for (const auto& [domain, hosts] : places::StandsOf(engine, *assigned.topology, topology)) {
      std::int32_t pods = 0;
      for (const auto& [host, count] : hosts) pods += count;
      table.Add({assigned.name, domain, std::to_string(pods), HostsNamed(hosts)});
    }
  }
  if (table.empty()) return;
  io.out << '\n' << io.paint(Tone::kStrong, "Places") << '\n';
  table.Print(io.out, io.paint, "  ");
}

}  // namespace muster::cli
