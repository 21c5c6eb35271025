// Follows Kueue's generator: every workload set of every queue is a source of its own that waits
// one interval, makes one workload, and does so `count` times through its list of templates.
#include "tests/bench/kueue_set.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <utility>

#include "tests/bench/measure.h"
#include "tests/bench/worlds.h"
#include "tests/testing/builders.h"

namespace muster::bench {
namespace {

PreemptionPolicy PolicyFrom(const std::string& name) {
  if (name == "Any") return PreemptionPolicy::kAny;
  if (name == "LowerPriority") return PreemptionPolicy::kLowerPriority;
  Require(name == "Never", "unknown preemption policy " + name);
  return PreemptionPolicy::kNever;
}

QueueShape ShapeFrom(const YAML::Node& queues) {
  return {.nominal = queues["nominalQuota"].as<std::int64_t>(),
          .borrowing_limit = queues["borrowingLimit"].as<std::int64_t>(),
          .rules = RulesOf(PolicyFrom(queues["withinClusterQueue"].as<std::string>()),
                           PolicyFrom(queues["reclaimWithinCohort"].as<std::string>()))};
}

void AddArrivals(const YAML::Node& source, const std::string& queue, int thin,
                 std::vector<Arrival>& arrivals) {
  const auto interval = source["creationIntervalMs"].as<std::int64_t>() * kMillisecond;
  TimeNs at = 0;
  for (int i = 0; i < source["count"].as<int>(); ++i) {
    for (const YAML::Node& form : source["workloads"]) {
      at += interval;
      if (i % thin != 0) continue;
      Arrival arrival;
      arrival.at = at;
      arrival.runtime = form["runtimeMs"].as<std::int64_t>() * kMillisecond;
      arrival.units = form["request"].as<std::int64_t>();
      arrival.class_name = form["className"].as<std::string>();
      arrival.workload =
          testing::MakeWorkload(arrival.class_name + "-" + queue + "-" + std::to_string(i), queue,
                                testing::Cpu(arrival.units), form["priority"].as<std::int32_t>());
      arrival.workload.created = testing::kNoon + at;
      arrivals.push_back(std::move(arrival));
    }
  }
}

}  // namespace

ArrivalSet ReadKueueSet(const std::filesystem::path& file, int thin) {
  ArrivalSet set;
  set.objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
  int cohorts_made = 0;
  int queues_made = 0;
  const YAML::Node document = YAML::LoadFile(file);
  for (const YAML::Node& cohorts : document["cohorts"]) {
    for (int c = 0; c < cohorts["count"].as<int>(); ++c) {
      const std::string cohort = "cohort-" + std::to_string(cohorts_made++);
      for (const YAML::Node& queues : cohorts["queuesSets"]) {
        for (int q = 0; q < queues["count"].as<int>(); ++q) {
          const std::string queue = QueueName(queues_made++);
          const QueueShape shape = ShapeFrom(queues);
          AddQueue(set.objects, queue, cohort, shape);
          set.nominal += shape.nominal;
          for (const YAML::Node& source : queues["workloadsSets"]) {
            AddArrivals(source, queue, thin, set.arrivals);
          }
        }
      }
    }
  }
  std::stable_sort(set.arrivals.begin(), set.arrivals.end(),
                   [](const Arrival& a, const Arrival& b) { return a.at < b.at; });
  return set;
}

}  // namespace muster::bench
