// Changing objects, by the size of what stands beside them: one queue of a cohort, all of them, a
// queue that is new, an object that changes nothing; and jobs of many LocalQueues.
#include <string>

#include "tests/bench/engine_bench.h"
#include "tests/testing/builders.h"

namespace muster::bench {
namespace {

constexpr TimeNs kStart = testing::kNoon + kSecond * 60;

/// Two workloads a queue: one starts, the other waits.
constexpr int kWorkloadsPerQueue = 2;

ClusterQueue QueueOf(int queue, std::int64_t nominal) {
  return testing::MakeQueue(QueueName(queue), "cohort", {{.nominal = nominal}}, {});
}

/// One flat cohort of `queues`, with holders and parked workloads.
Engine FlatCohort(int queues) {
  std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
  for (int queue = 0; queue < queues; ++queue) {
    AddQueue(objects, QueueName(queue), "cohort",
             {.nominal = 4, .borrowing_limit = 0, .rules = {}});
  }
  Engine engine = MakeEngine(objects, Decider::kNative);
  std::vector<Workload> workloads;
  for (int i = 0; i < queues * kWorkloadsPerQueue; ++i) {
    const std::string queue = QueueName(i % queues);
    workloads.push_back(testing::MakeWorkload("w" + std::to_string(i), queue, testing::Cpu(4)));
  }
  Require(engine.Submit(workloads, kStart));
  RunUntilQuiet(engine, kStart);
  return engine;
}

/// Times Apply of what `objects(round)` returns on an engine over `queues`, after round 0.
template <typename Objects>
void TimeApply(benchmark::State& state, int queues, Objects objects) {
  Engine engine = FlatCohort(queues);
  Require(engine.Apply(objects(0), kStart));
  int round = 0;
  for (auto _ : state) {
    const std::vector<Object> changed = objects(++round);
    state.SetIterationTime(CpuSeconds([&] { Require(engine.Apply(changed, kStart)); }));
  }
}

void OneQueue(benchmark::State& state, int queues) {
  TimeApply(state, queues,
            [](int round) { return std::vector<Object>{QueueOf(0, 4 + round % 2)}; });
}

void AllQueues(benchmark::State& state, int queues) {
  TimeApply(state, queues, [queues](int round) {
    std::vector<Object> objects;
    for (int queue = 0; queue < queues; ++queue) objects.push_back(QueueOf(queue, 4 + round % 2));
    return objects;
  });
}

void NewQueue(benchmark::State& state, int queues) {
  TimeApply(state, queues, [queues](int round) {
    std::vector<Object> objects;
    AddQueue(objects, QueueName(queues + round), "cohort", {});
    return objects;
  });
}

void NewLocalQueue(benchmark::State& state, int queues) {
  TimeApply(state, queues, [](int round) {
    LocalQueue queue = testing::MakeLocalQueue(QueueName(0));
    queue.key.name = "another-" + std::to_string(round);
    return std::vector<Object>{queue};
  });
}

void NewNamespace(benchmark::State& state, int queues) {
  TimeApply(state, queues, [](int round) {
    return std::vector<Object>{Namespace{"another-" + std::to_string(round), {}}};
  });
}

void UnchangedLimitRange(benchmark::State& state, int queues) {
  TimeApply(state, queues, [](int) {
    LimitRange range;
    range.key = {"default", "limits"};
    return std::vector<Object>{range};
  });
}

void FromNothing(benchmark::State& state, int queues) {
  std::vector<Object> objects = {testing::MakeFlavor("default")};
  for (int queue = 0; queue < queues; ++queue) {
    objects.push_back(testing::MakeNamespace("ns" + QueueName(queue)));
    AddQueue(objects, QueueName(queue), "cohort", {});
    std::get<LocalQueue>(objects.back()).key.ns = "ns" + QueueName(queue);
  }
  for (auto _ : state) {
    Engine engine;
    state.SetIterationTime(CpuSeconds([&] { Require(engine.Apply(objects, kStart)); }));
  }
}

/// Admission fair sharing: two workloads in each of so many LocalQueues of ten ClusterQueues.
void ManyLocalQueues(benchmark::State& state, int local_queues) {
  std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
  Configuration config;
  config.admission_fair_sharing.emplace().usage_half_life = kSecond * 3600;
  objects.push_back(config);
  for (int queue = 0; queue < kQueuesPerCohort; ++queue) {
    ClusterQueue spec = QueueOf(queue, 4);
    spec.admission_mode = AdmissionMode::kUsageBased;
    objects.push_back(spec);
  }
  std::vector<Workload> workloads;
  for (int queue = 0; queue < local_queues; ++queue) {
    LocalQueue spec = testing::MakeLocalQueue("jobs" + std::to_string(queue));
    spec.cluster_queue = QueueName(queue % kQueuesPerCohort);
    objects.push_back(spec);
    for (int i = 0; i < kWorkloadsPerQueue; ++i) {
      workloads.push_back(
          testing::MakeWorkload("w" + std::to_string(queue) + "-" + std::to_string(i),
                                "jobs" + std::to_string(queue), testing::Cpu(1)));
    }
  }
  for (auto _ : state) {
    Engine engine = MakeEngine(objects, Decider::kNative);
    state.SetIterationTime(CpuSeconds([&] {
      Require(engine.Submit(workloads, kStart));
      Take(engine.RunCycle(kStart));
    }));
  }
}

struct Case {
  const char* name;
  void (*run)(benchmark::State&, int size);
};
constexpr Case kCases[] = {{"one queue of ", OneQueue},
                           {"all queues of ", AllQueues},
                           {"a new queue beside ", NewQueue},
                           {"a new LocalQueue beside ", NewLocalQueue},
                           {"a new Namespace beside ", NewNamespace},
                           {"the same LimitRange beside ", UnchangedLimitRange},
                           {"from nothing, queues: ", FromNothing},
                           {"fair admission, LocalQueues: ", ManyLocalQueues}};

}  // namespace

/// Beyond the sizes of the others: what grew with the square showed there.
constexpr int kManyLocalQueues = 100'000;

void RegisterApply(Size size) {
  if (size != Size::kSmoke) {
    RegisterOne("apply/fair admission, LocalQueues: " + std::to_string(kManyLocalQueues),
                Decider::kNative, 1,
                [](benchmark::State& state, Decider) { ManyLocalQueues(state, kManyLocalQueues); });
  }
  for (const Case& test : kCases) {
    const std::vector<int> sizes =
        size == Size::kSmoke ? std::vector<int>{10} : std::vector<int>{100, 1'000, 10'000};
    for (const int queues : sizes) {
      RegisterOne("apply/" + std::string(test.name) + std::to_string(queues), Decider::kNative, 3,
                  [=](benchmark::State& state, Decider) { test.run(state, queues); });
    }
  }
}

}  // namespace muster::bench
