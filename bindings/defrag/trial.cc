// See trial.h.
#include "bindings/defrag/trial.h"

#include <set>
#include <utility>

#include "bindings/lab/read.h"
#include "bindings/lab/what_if.h"

namespace muster::defrag {
namespace {

constexpr const char* kReason = "Defragmentation";

void Need(const Status& status) {
  if (!status.ok()) throw lab::Refused(status);
}

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

std::optional<Trial> CarryOut(const Engine& engine, TimeNs now, const Topology& topology,
                              const Ground& ground, std::size_t domain,
                              const std::set<std::size_t>& jobs) {
  Engine copy = lab::Read(engine.Fork());
  std::vector<Object> as_they_are;
  std::vector<Object> cordoned;
  for (const std::size_t leaf : ground.domains[domain].leaves) {
    for (const Node& node : ground.leaves[leaf].nodes) {
      as_they_are.emplace_back(node);
      cordoned.emplace_back(node);
      std::get<Node>(cordoned.back()).unschedulable = true;
    }
  }
  const std::set<Key> held = lab::Holders(engine);
  Need(copy.Apply(cordoned, now));
  std::set<Key> moved;
  for (const std::size_t job : jobs) {
    moved.insert(ground.jobs[job].key);
    Need(copy.Evict(ground.jobs[job].key, kReason, now));
  }
  const lab::Course course = lab::RunCourse(copy, now, held);
  if (!course.at_rest) return std::nullopt;
  for (const auto& [key, why] : course.told_off) {
    if (!moved.contains(key)) return std::nullopt;
  }
  for (const Key& key : held) {
    const auto end = course.end.find(key);
    if (end == course.end.end() || !end->second.holds) return std::nullopt;
  }
  Need(copy.Apply(as_they_are, now));
  Trial trial;
  trial.largest = places::LargestOf(places::PlacesOf(copy, topology), topology);
  for (const std::size_t index : jobs) {
    const Ground::Job& job = ground.jobs[index];
    trial.moves.push_back({job.key, job.cluster_queue, job.holds, job.lost, job.node_hours,
                           PlacesOfJob(copy, job.key, topology)});
  }
  return trial;
}

}  // namespace muster::defrag
