// A leaf counts in its domains while none of its spots has pods, so a job that comes or goes costs
// its hosts times the levels above them.
#include "bindings/places/gangs.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include "bindings/lab/read.h"
#include "bindings/places/placed.h"
#include "engine/base/join.h"

namespace muster::places {
namespace {

bool IsOfTrees(std::string_view row) {
  return row.starts_with("Node/") || row.starts_with("Topology/") ||
         row.starts_with("ResourceFlavor/");
}

}  // namespace

void GangFollower::Note(const Commit& commit) {
  if (!read_) return;
  for (const StateRow& row : commit.rows) {
    if (row.table == StateRow::Table::kObject) {
      objects_noted_ = objects_noted_ || IsOfTrees(row.key);
    } else if (row.table == StateRow::Table::kWorkload && !many_noted_) {
      try {
        noted_.insert(row.key);
        many_noted_ = noted_.size() > kMostNoted;
      } catch (...) {
        many_noted_ = true;  // no memory for one more: all are read then
      }
      if (many_noted_) noted_.clear();
    }
  }
}

std::vector<Gang> GangFollower::Largest(const Engine& engine) {
  if (!read_ || objects_noted_) ReadObjects(engine);
  if (!read_ || many_noted_) ReadWorkloads(engine);
  for (const std::string& name : noted_) {
    const std::size_t slash = name.find('/');
    const Key key{name.substr(0, slash), name.substr(slash + 1)};
    const Result<WorkloadView> workload = engine.GetWorkload(key);
    if (!workload.ok() && workload.status().code() != StatusCode::kNotFound) {
      throw lab::Refused(workload.status());
    }
    Take(key, workload.ok() ? &*workload : nullptr);
  }
  read_ = true;
  objects_noted_ = many_noted_ = false;
  noted_.clear();  // only now, for what throws above leaves them to the next call
  std::vector<Gang> gangs;
  for (const auto& [name, tree] : trees_) {
    std::vector<places::Largest> largest(std::max<std::size_t>(tree.topology.levels.size(), 1) - 1);
    for (std::size_t l = 0; l < largest.size(); ++l) largest[l].level = tree.topology.levels[l];
    for (const auto& [values, untouched] : tree.untouched) {
      places::Largest& most = largest[values.size() - 1];
      if (untouched <= most.nodes) continue;
      most.nodes = untouched;
      most.domain = Join(values, "/");
    }
    for (places::Largest& each : largest) gangs.push_back({name, std::move(each)});
  }
  return gangs;
}

void GangFollower::ReadObjects(const Engine& engine) {
  auto topology_of = TopologyOfFlavors(engine);
  if (topology_of != topology_of_flavor_) many_noted_ = true;  // what stands by values may move
  topology_of_flavor_ = std::move(topology_of);
  trees_.clear();
  for (Object& object : lab::Read(engine.Objects(ObjectKind::kTopology))) {
    auto& topology = std::get<Topology>(object);
    trees_[topology.name].topology = std::move(topology);
  }
  const std::vector<Object> nodes = lab::Read(engine.Objects(ObjectKind::kNode));
  for (auto& [name, tree] : trees_) {
    for (const Object& object : nodes) {
      const auto& node = std::get<Node>(object);
      std::vector<std::string> values = ValuesOf(node, tree.topology);
      if (values.empty()) continue;
      Leaf& leaf = tree.leaves[values];
      if (IsUsable(node)) ++leaf.usable;
      tree.leaf_of[HostOf(node)] = &leaf;  // the last node of a host has it
      tree.leaf_of[SpotOf(name, values)] = &leaf;
    }
    for (auto& [values, leaf] : tree.leaves) {
      for (std::size_t levels = 1; levels < values.size(); ++levels) {
        const auto end = values.begin() + static_cast<std::ptrdiff_t>(levels);
        leaf.within.push_back(&tree.untouched[{values.begin(), end}]);
      }
    }
    std::set<std::string> hosts;
    for (const Object& object : nodes) {
      const std::string host = HostOf(std::get<Node>(object));
      if (!hosts.insert(host).second) continue;
      const auto leaf = tree.leaf_of.find(host);
      if (leaf != tree.leaf_of.end() && podsets_on_.contains(host)) ++leaf->second->touched;
    }
    for (auto& [values, leaf] : tree.leaves) {
      if (podsets_on_.contains(SpotOf(name, values))) ++leaf.touched;
      if (leaf.touched > 0) continue;
      for (std::int32_t* const untouched : leaf.within) *untouched += leaf.usable;
    }
  }
}

void GangFollower::ReadWorkloads(const Engine& engine) {
  noted_.clear();
  std::map<Key, std::vector<std::string>> gone = held_;
  for (const WorkloadView& workload : lab::Read(engine.Workloads())) {
    gone.erase(workload.spec.key);
    Take(workload.spec.key, &workload);
  }
  for (const auto& [key, spots] : gone) Take(key, nullptr);
}

void GangFollower::Take(const Key& key, const WorkloadView* workload) {
  std::vector<std::string> spots;
  if (workload != nullptr && HoldsPlaces(*workload)) {
    for (const PodSetAssignment& assigned : workload->spec.status.admission->pod_sets) {
      for (Spot& spot : SpotsOf(assigned, topology_of_flavor_)) {
        spots.push_back(std::move(spot.name));
      }
    }
  }
  const auto held = held_.find(key);
  if (held != held_.end() && held->second == spots) return;
  if (held != held_.end()) {
    for (const std::string& spot : held->second) Stand(spot, -1);
    held_.erase(held);
  }
  if (spots.empty()) return;
  for (const std::string& spot : spots) Stand(spot, 1);
  held_.emplace(key, std::move(spots));
}

void GangFollower::Stand(const std::string& spot, std::int32_t podsets) {
  const auto count = podsets_on_.try_emplace(spot, 0).first;
  const bool before = count->second > 0;
  count->second += podsets;
  const bool after = count->second > 0;
  if (!after) podsets_on_.erase(count);
  if (before == after) return;
  for (auto& [name, tree] : trees_) {
    const auto found = tree.leaf_of.find(spot);
    if (found == tree.leaf_of.end()) continue;
    Leaf& leaf = *found->second;
    const bool was_touched = leaf.touched > 0;
    leaf.touched += after ? 1 : -1;
    if (was_touched == (leaf.touched > 0)) continue;
    for (std::int32_t* const untouched : leaf.within) {
      *untouched += was_touched ? leaf.usable : -leaf.usable;
    }
  }
}

}  // namespace muster::places
