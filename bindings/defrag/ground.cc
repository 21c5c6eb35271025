// See ground.h.
#include "bindings/defrag/ground.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <variant>

#include "bindings/lab/read.h"
#include "bindings/lab/words.h"
#include "bindings/places/placed.h"

namespace muster::defrag {
namespace {

constexpr double kHour = 3600e9;

double Nanos(Quantity quantity) { return static_cast<double>(quantity.nano()); }

/// How long it would have to run again to be where it is now.
DurationNs LostBy(const WorkloadView& workload, TimeNs now) {
  TimeNs begin = kNoTime;
  for (const Condition& each : workload.spec.status.conditions) {
    if (each.type == "Admitted" && each.status) begin = each.since;
  }
  if (begin == kNoTime) return 0;
  if (workload.checkpointed != kNoTime) begin = std::max(begin, workload.checkpointed);
  return std::max<DurationNs>(now - begin, 0);
}

/// Nodes of the topology that what it holds would fill.
double NodesFilled(const ResourceList& holds, const places::Room& all) {
  double most = 0;
  for (const auto& [resource, held] : holds) {
    const auto whole = all.allocatable.find(resource);
    if (resource == "pods" || whole == all.allocatable.end() || whole->second.IsZero()) continue;
    most = std::max(most, Nanos(held) / Nanos(whole->second) * all.usable);
  }
  return most;
}

void AddFree(const places::Room& room, ResourceList* sum) {
  for (const auto& [resource, all] : room.allocatable) {
    const auto used = room.used.find(resource);
    (*sum)[resource] = (*sum)[resource] + (used == room.used.end() ? all : all - used->second);
  }
}

class Reader {
 public:
  Reader(const Engine& engine, const Topology& topology, std::size_t depth)
      : engine_(engine), flavors_(places::TopologyOfFlavors(engine)) {
    std::map<std::vector<std::string>, Ground::Leaf> leaves;
    for (const Object& object : lab::Read(engine.Objects(ObjectKind::kNode))) {
      const auto& node = std::get<Node>(object);
      std::vector<std::string> values = places::ValuesOf(node, topology);
      if (values.empty()) continue;
      Ground::Leaf& leaf = leaves[std::move(values)];
      leaf.nodes.push_back(node);
      if (places::IsUsable(node)) ++leaf.usable;
    }
    for (auto& [values, leaf] : leaves) {
      const std::size_t index = ground_.leaves.size();
      for (const Node& node : leaf.nodes) leaf_of_[places::HostOf(node)] = index;
      leaf_of_[places::SpotOf(topology.name, values)] = index;
      std::vector<std::string> domain(values.begin(),
                                      values.begin() + static_cast<std::ptrdiff_t>(depth));
      if (ground_.domains.empty() || ground_.domains.back().values != domain) {
        ground_.domains.push_back({std::move(domain), {}, {}});
      }
      ground_.domains.back().leaves.push_back(index);
      ground_.leaves.push_back(std::move(leaf));
    }
  }

  void ReadJob(const WorkloadView& workload, TimeNs now, const places::Room& all) {
    if (!places::HoldsPlaces(workload)) return;
    Ground::Job job;
    std::optional<std::vector<ResourceList>> requests;
    for (const PodSetAssignment& assigned : workload.spec.status.admission->pod_sets) {
      if (!requests) requests = lab::Read(engine_.PodRequests(workload.spec.key));
      const ResourceList* const each = places::RequestsOf(workload.spec, assigned.name, *requests);
      if (each == nullptr) continue;
      places::AddTimes(*each, assigned.count, &job.holds);
      for (const places::Spot& spot : places::SpotsOf(assigned, flavors_)) {
        if (const auto leaf = leaf_of_.find(spot.name); leaf != leaf_of_.end()) {
          places::AddTimes(*each, spot.pods, &job.on[leaf->second]);
        }
      }
    }
    if (job.on.empty()) return;
    job.key = workload.spec.key;
    job.cluster_queue = lab::ClusterQueueOf(workload);
    job.movable =
        workload.phase == WorkloadPhase::kReserved || workload.phase == WorkloadPhase::kAdmitted;
    job.lost = LostBy(workload, now);
    job.node_hours = static_cast<double>(job.lost) / kHour * NodesFilled(job.holds, all);
    for (const auto& [leaf, held] : job.on) ground_.leaves[leaf].jobs.insert(ground_.jobs.size());
    ground_.jobs.push_back(std::move(job));
  }

  Ground Take() && { return std::move(ground_); }

 private:
  const Engine& engine_;
  const std::map<std::string, std::string, std::less<>> flavors_;
  std::unordered_map<std::string, std::size_t> leaf_of_;
  Ground ground_;
};

}  // namespace

bool Ground::AreMovable(const std::set<std::size_t>& which) const {
  return std::all_of(which.begin(), which.end(),
                     [this](std::size_t job) { return jobs[job].movable; });
}

std::int32_t Ground::Untouched(std::size_t domain, const std::set<std::size_t>& without) const {
  std::int32_t nodes = 0;
  for (const std::size_t leaf : domains[domain].leaves) {
    const std::set<std::size_t>& there = leaves[leaf].jobs;
    if (std::includes(without.begin(), without.end(), there.begin(), there.end())) {
      nodes += leaves[leaf].usable;
    }
  }
  return nodes;
}

double Ground::CostOf(const std::set<std::size_t>& which) const {
  double cost = 0;
  for (const std::size_t job : which) cost += jobs[job].node_hours;
  return cost;
}

bool Ground::HasRoomElsewhere(std::size_t domain, const std::set<std::size_t>& which) const {
  const std::vector<std::size_t>& here = domains[domain].leaves;
  ResourceList needed;
  for (const std::size_t job : which) {
    for (const auto& [leaf, held] : jobs[job].on) {
      if (std::binary_search(here.begin(), here.end(), leaf)) places::AddTimes(held, 1, &needed);
    }
  }
  return IsFreeElsewhere(domain, needed);
}

bool Ground::IsFreeElsewhere(std::size_t domain, const ResourceList& needed) const {
  return std::all_of(needed.begin(), needed.end(), [&](const auto& each) {
    const ResourceList& free = domains[domain].free_elsewhere;
    const auto found = free.find(each.first);
    return found == free.end() || each.second <= found->second;
  });
}

std::vector<std::string> Ground::NodesOf(std::size_t domain) const {
  std::vector<std::string> names;
  for (const std::size_t leaf : domains[domain].leaves) {
    for (const Node& node : leaves[leaf].nodes) {
      if (places::IsUsable(node)) names.push_back(node.name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

Ground ReadGround(const Engine& engine, TimeNs now, const Topology& topology, std::size_t depth,
                  std::span<const places::Place> places) {
  places::Room all;
  std::vector<ResourceList> free;
  for (const places::Place& place : places) {
    if (place.values.size() != depth) continue;
    all.usable += place.room.usable;
    places::AddTimes(place.room.allocatable, 1, &all.allocatable);
    AddFree(place.room, &free.emplace_back());
  }
  Reader reader(engine, topology, depth);
  const std::vector<WorkloadView> workloads = lab::Read(engine.Workloads());
  for (const WorkloadView& workload : workloads) reader.ReadJob(workload, now, all);
  Ground ground = std::move(reader).Take();
  ground.workloads = workloads.size();
  ResourceList sum;
  for (const ResourceList& each : free) places::AddTimes(each, 1, &sum);
  for (std::size_t d = 0; d < ground.domains.size(); ++d) {
    for (const auto& [resource, amount] : sum) {
      const auto here = free[d].find(resource);
      ground.domains[d].free_elsewhere[resource] =
          here == free[d].end() ? amount : amount - here->second;
    }
  }
  return ground;
}

}  // namespace muster::defrag
