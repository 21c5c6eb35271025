// The inputs: flat cohorts of equal queues with a mixed backlog, as Kueue's scheduler is measured
// with, deep trees, and engines that hold them, deciding natively or by a policy in Lua.
#ifndef MUSTER_TESTS_BENCH_WORLDS_H_
#define MUSTER_TESTS_BENCH_WORLDS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "muster/engine.h"

namespace muster::bench {

enum class Decider {
  kNative,
  kLua,     ///< the order of queues by the policy fifo-priority
  kShares,  ///< the shares of fair sharing by the policy dominant-share
};
std::string NameOf(Decider decider);

inline PreemptionRules RulesOf(PreemptionPolicy within_queue, PreemptionPolicy reclaim) {
  return {within_queue, reclaim, PreemptionPolicy::kNever, std::nullopt};
}

/// Quota of every queue in whole cpu.
struct QueueShape {
  std::int64_t nominal = 20;
  std::int64_t borrowing_limit = 100;
  PreemptionRules rules = RulesOf(PreemptionPolicy::kLowerPriority, PreemptionPolicy::kAny);
};

/// ClusterQueue and LocalQueue of one queue, in `cohort`.
void AddQueue(std::vector<Object>& objects, const std::string& queue, const std::string& cohort,
              const QueueShape& shape);
/// Flavor, and `cohorts` cohorts of kQueuesPerCohort queues each, named by QueueName.
inline constexpr int kQueuesPerCohort = 10;
std::vector<Object> FlatCohorts(int cohorts);
/// Below one root, cohorts in levels: each cohort of level i has `below[i]` below it, the last one
/// ClusterQueues.
std::vector<Object> DeepTree(const std::vector<int>& below);
std::string QueueName(int queue);

/// Per 10 workloads of a queue: one of 20 cpu at priority 200, two of 5 cpu at 100, seven of 1 cpu
/// at 50, shuffled in arrival the same way on every call.
std::vector<Workload> MixedBacklog(int queues, int workloads_per_queue);

/// Workloads of 1 cpu at `priority`, the i-th in queue i % `queues`.
std::vector<Workload> SmallOnes(const std::string& name, int queues, int count,
                                std::int32_t priority, TimeNs created);

/// An engine that holds `objects`.
Engine MakeEngine(const std::vector<Object>& objects, Decider decider);

/// Runs cycles until no queue has a head left. BestEffortFIFO only: a strict head stays for ever.
void RunUntilQuiet(Engine& engine, TimeNs now);

std::vector<Key> KeysOf(const std::vector<AdmittedWorkload>& admitted);

}  // namespace muster::bench

#endif  // MUSTER_TESTS_BENCH_WORLDS_H_
