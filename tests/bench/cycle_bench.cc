// One cycle over many queues: the first one over a fresh backlog, one in which every queue has a
// new head, one after ten queues of a cohort changed, and one in which nothing did.
#include <optional>

#include "tests/bench/engine_bench.h"
#include "tests/testing/builders.h"

namespace muster::bench {
namespace {

struct Input {
  int cohorts = 100;
  int workloads_per_queue = 50;
  Decider decider = Decider::kNative;
  int queues() const { return cohorts * kQueuesPerCohort; }
};

/// An engine with the backlog, and what keeps it the same from one iteration to the next.
class Backlog {
 public:
  explicit Backlog(const Input& input)
      : engine_(MakeEngine(FlatCohorts(input.cohorts), input.decider)) {
    Require(engine_.Submit(MixedBacklog(input.queues(), input.workloads_per_queue), now_));
  }

  CycleResult Cycle() { return Take(engine_.RunCycle(now_)); }
  double TimeCycle(std::size_t expected_admissions) {
    std::optional<CycleResult> result;
    const double seconds = CpuSeconds([&] { result = Cycle(); });
    Require(result->admitted.size() == expected_admissions, "a cycle admitted another number");
    last_ = KeysOf(result->admitted);
    return seconds;
  }
  /// Ends what started last in the first `queues` queues and submits as much again.
  void Replace(int queues) {
    now_ += kSecond;
    std::vector<Workload> successors;
    for (int queue = 0; queue < queues; ++queue) {
      const std::string name = QueueName(queue) + "-next-" + std::to_string(++generation_);
      successors.push_back(
          testing::MakeWorkload(name, QueueName(queue), testing::Cpu(20), /*priority=*/200));
      successors.back().created = now_;
    }
    Require(engine_.Finish(last_, false, now_));
    Require(engine_.Cancel(last_, now_));
    Require(engine_.Submit(successors, now_));
  }
  /// Leaves only the `queues` first of what started last to be replaced.
  void KeepFirst(int queues) { last_.resize(static_cast<std::size_t>(queues)); }
  void Quiet() { RunUntilQuiet(engine_, now_); }

 private:
  Engine engine_;
  TimeNs now_ = testing::kNoon + kSecond * 60;
  std::vector<Key> last_;
  int generation_ = 0;
};

void CountHeads(benchmark::State& state, int heads) {
  state.SetItemsProcessed(state.iterations() * heads);
}

void First(benchmark::State& state, const Input& input) {
  for (auto _ : state) {
    Backlog backlog(input);
    state.SetIterationTime(backlog.TimeCycle(static_cast<std::size_t>(input.queues())));
  }
  CountHeads(state, input.queues());
}

void AllChanged(benchmark::State& state, const Input& input) {
  Backlog backlog(input);
  backlog.TimeCycle(static_cast<std::size_t>(input.queues()));
  for (auto _ : state) {
    backlog.Replace(input.queues());
    state.SetIterationTime(backlog.TimeCycle(static_cast<std::size_t>(input.queues())));
  }
  CountHeads(state, input.queues());
}

void TenChanged(benchmark::State& state, const Input& input) {
  Backlog backlog(input);
  backlog.TimeCycle(static_cast<std::size_t>(input.queues()));
  backlog.KeepFirst(kQueuesPerCohort);
  for (auto _ : state) {
    backlog.Quiet();
    backlog.Replace(kQueuesPerCohort);
    state.SetIterationTime(backlog.TimeCycle(kQueuesPerCohort));
  }
  CountHeads(state, kQueuesPerCohort);
}

void Idle(benchmark::State& state, const Input& input) {
  Backlog backlog(input);
  backlog.Quiet();
  constexpr int kCycles = 1000;  // one is too short for the clock
  for (auto _ : state) {
    const double seconds = CpuSeconds([&] {
      for (int i = 0; i < kCycles; ++i) benchmark::DoNotOptimize(backlog.Cycle());
    });
    state.SetIterationTime(seconds / kCycles);
  }
}

struct Case {
  const char* name;
  void (*run)(benchmark::State&, const Input&);
  int iterations;
};
constexpr Case kCases[] = {{"first", First, 1},
                           {"all queues changed", AllChanged, 5},
                           {"10 queues changed", TenChanged, 5},
                           {"nothing changed", Idle, 5}};

void Register(const Case& test, const Input& input) {
  const std::string name = "cycle/" + std::to_string(input.queues()) + " queues, " +
                           std::to_string(input.queues() * input.workloads_per_queue) +
                           " pending/" + test.name;
  RegisterBoth(name, test.iterations, [=](benchmark::State& state, Decider decider) {
    Input decided = input;
    decided.decider = decider;
    test.run(state, decided);
  });
}

}  // namespace

void RegisterCycle(Size size) {
  for (const Case& test : kCases) {
    if (size == Size::kSmoke) {
      Register(test, {.cohorts = 1, .workloads_per_queue = 10});
    } else {
      Register(test, {.cohorts = 10});
      Register(test, {.cohorts = 100});
    }
  }
}

}  // namespace muster::bench
