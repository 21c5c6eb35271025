// See placed.h.
#include "bindings/places/placed.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <variant>

#include "bindings/lab/read.h"
#include "engine/base/join.h"
#include "engine/model/concurrent.h"

namespace muster::places {
namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";

}  // namespace

bool ByHost(const TopologyAssignment& where) {
  return !where.levels.empty() && where.levels.back() == kHostname;
}

std::string HostOf(const Node& node) {
  const auto label = node.labels.find(kHostname);
  return label == node.labels.end() ? "" : label->second;
}

std::vector<std::string> ValuesOf(const Node& node, const Topology& topology) {
  std::vector<std::string> values;
  for (const std::string& level : topology.levels) {
    const auto label = node.labels.find(level);
    if (label == node.labels.end()) return {};
    values.push_back(label->second);
  }
  return values;
}

bool IsUsable(const Node& node) { return node.ready && !node.unschedulable; }

void AddTimes(const ResourceList& amounts, std::int32_t times, ResourceList* sum) {
  for (const auto& [resource, quantity] : amounts) {
    (*sum)[resource] = (*sum)[resource] + quantity * Quantity::Units(times);
  }
}

const ResourceList* RequestsOf(const Workload& workload, std::string_view pod_set,
                               const std::vector<ResourceList>& requests) {
  std::size_t index = 0;
  for (const PodSet& each : workload.pod_sets) {
    if (each.name == pod_set) return &requests[index];
    ++index;
  }
  return nullptr;
}

bool HoldsPlaces(const WorkloadView& workload) {
  if (!workload.spec.status.admission || workload.phase == WorkloadPhase::kFinished) return false;
  // Once a variant is admitted, its job says where it runs.
  const SharedList<std::string>& gates = workload.spec.preemption_gates;
  const bool told_of_job = workload.spec.variant_of && workload.phase != WorkloadPhase::kReserved &&
                           std::find(gates.begin(), gates.end(), kVariantGate) != gates.end();
  return !told_of_job;
}

std::string SpotOf(std::string_view topology, const std::vector<std::string>& values) {
  return std::string(topology) + "/" + Join(values, "/");
}

std::vector<Spot> SpotsOf(const PodSetAssignment& assigned,
                          const std::map<std::string, std::string, std::less<>>& topology_of) {
  std::vector<Spot> spots;
  if (!assigned.topology || assigned.flavors.empty()) return spots;
  const auto topology = topology_of.find(assigned.flavors.begin()->second);
  for (const TopologyDomain& domain : assigned.topology->domains) {
    if (domain.values.empty()) continue;
    if (ByHost(*assigned.topology)) {
      spots.push_back({domain.values.back(), domain.count});
    } else if (topology != topology_of.end()) {
      spots.push_back({SpotOf(topology->second, domain.values), domain.count});
    }
  }
  return spots;
}

std::map<std::string, std::string, std::less<>> TopologyOfFlavors(const Engine& engine) {
  std::map<std::string, std::string, std::less<>> topology_of;
  for (const Object& object : lab::Read(engine.Objects(ObjectKind::kResourceFlavor))) {
    const auto& flavor = std::get<ResourceFlavor>(object);
    topology_of[flavor.name] = flavor.topology_name;
  }
  return topology_of;
}

}  // namespace muster::places
