// A small cluster of GPUs, and jobs in one line each.
#ifndef MUSTER_TESTS_UNIT_SIMULATE_WORLD_H_
#define MUSTER_TESTS_UNIT_SIMULATE_WORLD_H_

#include <string>
#include <utility>
#include <vector>

#include "bindings/simulate/simulate.h"
#include "tests/testing/builders.h"

namespace muster::simulate {

inline constexpr const char* kGpu = "nvidia.com/gpu";

inline manifest::Manifests Cluster(std::vector<ClusterQueue> queues) {
  manifest::Manifests cluster;
  cluster.objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
  for (ClusterQueue& queue : queues) {
    cluster.objects.push_back(testing::MakeLocalQueue(queue.name));
    cluster.objects.push_back(std::move(queue));
  }
  return cluster;
}

inline ClusterQueue Gpus(const std::string& name, std::int64_t nominal,
                         const std::string& cohort = "", PreemptionRules rules = {}) {
  ClusterQueue queue =
      testing::MakeQueue(name, cohort, {{.resource = kGpu, .nominal = nominal}}, rules);
  queue.queueing_strategy = QueueingStrategy::kStrictFifo;
  return queue;
}

/// Seconds; named by its place in the log.
inline TraceJob Job(std::string id, std::string queue, std::int64_t submit, std::int64_t run,
                    std::int64_t size) {
  TraceJob job;
  job.id = std::move(id);
  job.queue = std::move(queue);
  job.submit = submit * kSecond;
  job.run = run * kSecond;
  job.size = size;
  return job;
}

/// The queue `a` of the log is LocalQueue lq-a.
inline Mapping To(const std::vector<std::string>& queues) {
  Mapping mapping;
  mapping.resource = kGpu;
  for (const std::string& queue : queues) {
    mapping.queues[queue] = testing::DefaultKey("lq-" + queue);
  }
  return mapping;
}

/// First start and end of each job in seconds; -1: never.
inline std::vector<std::pair<std::int64_t, std::int64_t>> Spans(const Run& run) {
  std::vector<std::pair<std::int64_t, std::int64_t>> spans;
  const auto seconds = [](TimeNs at) { return at == kNoTime ? -1 : at / kSecond; };
  for (const Fate& fate : run.fates) {
    spans.emplace_back(seconds(fate.first_start), seconds(fate.end));
  }
  return spans;
}

}  // namespace muster::simulate

#endif  // MUSTER_TESTS_UNIT_SIMULATE_WORLD_H_
