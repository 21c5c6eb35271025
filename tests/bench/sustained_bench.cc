// Decisions a second in memory: submit, decide, finish, over 1,000 queues that have room; one
// workload a cycle, and one in every queue. Workloads are made, and ended ones forgotten, untimed.
#include "tests/bench/engine_bench.h"
#include "tests/testing/builders.h"

namespace muster::bench {
namespace {

std::vector<Workload> MakeRound(int queues, int count, std::int64_t round, TimeNs now) {
  std::vector<Workload> workloads;
  for (int i = 0; i < count; ++i) {
    const std::string queue = QueueName(static_cast<int>((round + i) % queues));
    workloads.push_back(testing::MakeWorkload(
        "w-" + std::to_string(round) + "-" + std::to_string(i), queue, testing::Cpu(1), 50));
    workloads.back().created = now;
  }
  return workloads;
}

void Sustained(benchmark::State& state, int cohorts, int per_cycle, Decider decider) {
  Engine engine = MakeEngine(FlatCohorts(cohorts), decider);
  TimeNs now = testing::kNoon;
  std::int64_t round = 0;
  for (auto _ : state) {
    now += kSecond;
    const std::vector<Workload> workloads =
        MakeRound(cohorts * kQueuesPerCohort, per_cycle, ++round, now);
    std::vector<Key> started;
    state.SetIterationTime(CpuSeconds([&] {
      Require(engine.Submit(workloads, now));
      started = KeysOf(Take(engine.RunCycle(now)).admitted);
      Require(engine.Finish(started, false, now));
    }));
    Require(started.size() == workloads.size(), "a workload did not start at once");
    Require(engine.Cancel(started, now));
  }
  state.SetItemsProcessed(state.iterations() * per_cycle);
}

void Register(int cohorts, int per_cycle, int iterations) {
  const std::string name = "sustained/" + std::to_string(cohorts * kQueuesPerCohort) + " queues, " +
                           std::to_string(per_cycle) + " a cycle";
  RegisterBoth(name, iterations, [=](benchmark::State& state, Decider decider) {
    Sustained(state, cohorts, per_cycle, decider);
  });
}

}  // namespace

void RegisterSustained(Size size) {
  if (size == Size::kSmoke) return Register(1, 10, 2);
  Register(100, 1, 200);
  Register(100, 1'000, 10);
}

}  // namespace muster::bench
