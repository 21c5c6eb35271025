// See trial.h.
#include "bindings/defrag/trial.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "bindings/lab/read.h"
#include "bindings/lab/what_if.h"

namespace muster::defrag {
namespace {

constexpr const char* kReason = "Defragmentation";

/// Where the pods of a job are now: the domain above the hosts -> how many.
std::map<std::string, std::int32_t> PlacesOfJob(const Engine& engine, const Key& key,
                                                const Topology& topology) {
  std::map<std::string, std::int32_t> pods;
  const WorkloadView workload = lab::Read(engine.GetWorkload(key));
  for (const PodSetAssignment& each : workload.spec.status.admission->pod_sets) {
    if (!each.topology) continue;
    for (const auto& [domain, hosts] : places::StandsOf(engine, *each.topology, topology.name)) {
      for (const auto& [host, count] : hosts) pods[domain.empty() ? host : domain] += count;
    }
  }
  return pods;
}

}  // namespace

Trials::Trials(const Engine& engine, TimeNs now, const Topology& topology, const Ground& ground)
    : engine_(engine),
      now_(now),
      topology_(topology),
      ground_(ground),
      held_(lab::Holders(engine)) {}

std::optional<Trial> Trials::CarryOut(std::size_t domain, const std::set<std::size_t>& jobs,
                                      std::int32_t nodes) const {
  Engine copy = lab::Read(engine_.Fork());
  std::vector<Object> as_they_are;
  std::vector<Object> cordoned;
  for (const std::size_t leaf : ground_.domains[domain].leaves) {
    for (const Node& node : ground_.leaves[leaf].nodes) {
      as_they_are.emplace_back(node);
      cordoned.emplace_back(node);
      std::get<Node>(cordoned.back()).unschedulable = true;
    }
  }
  lab::Read(copy.Apply(cordoned, now_));
  std::set<Key> moved;
  for (const std::size_t job : jobs) {
    moved.insert(ground_.jobs[job].key);
    lab::Read(copy.Evict(ground_.jobs[job].key, kReason, now_));
  }
  const lab::Course course = lab::RunCourse(copy, now_, held_);
  if (!course.at_rest) return std::nullopt;
  for (const auto& [key, why] : course.told_off) {
    if (!moved.contains(key)) return std::nullopt;
  }
  for (const Key& key : held_) {
    const auto end = course.end.find(key);
    if (end == course.end.end() || !end->second.holds) return std::nullopt;
  }
  lab::Read(copy.Apply(as_they_are, now_));
  std::vector<places::Largest> largest =
      places::LargestOf(places::PlacesOf(copy, topology_), topology_);
  Trial trial;
  trial.largest = std::move(largest[ground_.domains[domain].values.size() - 1]);
  if (trial.largest.nodes < nodes) return std::nullopt;
  for (const std::size_t index : jobs) {
    const Ground::Job& job = ground_.jobs[index];
    trial.moves.push_back({job.key, job.cluster_queue, job.holds, job.lost, job.node_hours,
                           PlacesOfJob(copy, job.key, topology_)});
  }
  return trial;
}

}  // namespace muster::defrag
