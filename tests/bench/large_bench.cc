// What must not grow with what exists: waking a tree, explaining one workload, and the cycle of a
// long queue.
#include <optional>
#include <span>

#include "tests/bench/engine_bench.h"
#include "tests/testing/builders.h"

namespace muster::bench {
namespace {

constexpr int kQueues = 10;

/// One cohort whose quota one workload holds, and `parked` others that wait for it.
class FullCohort {
 public:
  FullCohort(int parked, Decider decider) : engine_(MakeEngine(Objects(), decider)) {
    Start();
    std::vector<Workload> waiting;
    for (int i = 0; i < parked; ++i) {
      const std::string queue = QueueName(i % kQueues);
      waiting.push_back(testing::MakeWorkload("waiting-" + std::to_string(i), queue,
                                              testing::Cpu(kQueues), /*priority=*/i / 1000));
      waiting.back().created = now_;
    }
    Require(engine_.Submit(waiting, now_));
    RunUntilQuiet(engine_, now_);
  }

  /// Ends the holder, which wakes all, and lets a new one take its place.
  double Wake() {
    now_ += kSecond;
    const double seconds =
        CpuSeconds([&] { Require(engine_.Finish(std::span(&holder_, 1), false, now_)); });
    Start();
    RunUntilQuiet(engine_, now_);
    return seconds;
  }

  double Explain() {
    Result<Explanation> explanation = Status(StatusCode::kNotFound, "");
    const Key key{"default", "waiting-7"};
    const double seconds = CpuSeconds([&] { explanation = engine_.Explain(key); });
    Require(!Take(std::move(explanation)).verdict.empty(), "nothing was explained");
    return seconds;
  }

 private:
  static std::vector<Object> Objects() {
    std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
    for (int i = 0; i < kQueues; ++i) AddQueue(objects, QueueName(i), "cohort", {1, kQueues, {}});
    return objects;
  }
  void Start() {
    Workload holder = testing::MakeWorkload("holder-" + std::to_string(++holders_), QueueName(0),
                                            testing::Cpu(kQueues), /*priority=*/1'000'000);
    holder.created = now_;
    holder_ = holder.key;
    Require(engine_.Submit(std::span(&holder, 1), now_));
    Require(Take(engine_.RunCycle(now_)).admitted.size() == 1, "the holder did not start");
  }

  Engine engine_;
  TimeNs now_ = testing::kNoon;
  Key holder_;
  int holders_ = 0;
};

void Wake(benchmark::State& state, int parked, Decider decider) {
  FullCohort cohort(parked, decider);
  for (auto _ : state) state.SetIterationTime(cohort.Wake());
  state.SetItemsProcessed(state.iterations() * parked);
}

void Explain(benchmark::State& state, int waiting, Decider decider) {
  FullCohort cohort(waiting, decider);
  for (auto _ : state) state.SetIterationTime(cohort.Explain());
}

/// Explains what waits behind `running` others of `priority` that hold all the quota of `queues`.
void ExplainBehind(benchmark::State& state, int running, Decider decider, int queues,
                   const PreemptionRules& rules, int priority) {
  std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
  for (int i = 0; i < queues; ++i) {
    AddQueue(objects, QueueName(i), "cohort", {running / queues, 0, rules});
  }
  Engine engine = MakeEngine(objects, decider);
  TimeNs now = testing::kNoon;
  std::vector<Workload> holders;
  for (const Workload& workload : SmallOnes("running-", queues, running, priority, now)) {
    holders.push_back(testing::Holding(workload, workload.queue.str().substr(3)));
  }
  Require(engine.Submit(holders, now));
  now += kSecond;
  Workload waiting = testing::MakeWorkload("waiting", QueueName(0), testing::Cpu(1), 100);
  waiting.created = now;
  Require(engine.Submit(std::span(&waiting, 1), now));
  RunUntilQuiet(engine, now);
  for (auto _ : state) {
    Result<Explanation> explanation = Status(StatusCode::kNotFound, "");
    state.SetIterationTime(CpuSeconds([&] { explanation = engine.Explain(waiting.key); }));
    Require(Take(std::move(explanation)).holder_count > 0, "nothing holds what it lacks");
  }
}

void ExplainBehindLower(benchmark::State& state, int running, Decider decider) {
  ExplainBehind(state, running, decider, kQueues, {}, 0);
}

/// None of the others, all of its priority and its queue, is newer.
void ExplainBehindEquals(benchmark::State& state, int running, Decider decider) {
  const PreemptionRules rules =
      RulesOf(PreemptionPolicy::kLowerOrNewerEqualPriority, PreemptionPolicy::kNever);
  ExplainBehind(state, running, decider, 1, rules, 100);
}

/// Explains the last of `waiting` others in one heap.
void ExplainLast(benchmark::State& state, int waiting, Decider decider) {
  std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
  AddQueue(objects, QueueName(0), "cohort", {1, 0, {}});
  Engine engine = MakeEngine(objects, decider);
  const TimeNs now = testing::kNoon;
  std::vector<Workload> waiters = SmallOnes("waiting-", 1, waiting, 0, now);
  for (std::size_t i = 0; i < waiters.size(); ++i) {
    waiters[i].created = now - static_cast<std::int64_t>(i % 1000) * kSecond;
  }
  Require(engine.Submit(waiters, now));
  const Workload last = testing::MakeWorkload("last", QueueName(0), testing::Cpu(1), -1);
  Require(engine.Submit(std::span(&last, 1), now));
  // A policy is asked about newcomers once.
  Require(engine.Explain(last.key).ok(), "no explanation");
  for (auto _ : state) {
    Result<Explanation> explanation = Status(StatusCode::kNotFound, "");
    state.SetIterationTime(CpuSeconds([&] { explanation = engine.Explain(last.key); }));
    Require(Take(std::move(explanation)).ahead_count == waiting, "not the last");
  }
}

/// A new head before `waiting` others of one queue, which have no room.
void LongQueue(benchmark::State& state, int waiting, Decider decider) {
  std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
  AddQueue(objects, QueueName(0), "cohort", {1, 0, {}});
  TimeNs now = testing::kNoon;
  Engine engine = MakeEngine(objects, decider);
  Require(engine.Submit(SmallOnes("waiting-", 1, waiting, 0, now), now));
  int round = 0;
  for (auto _ : state) {
    now += kSecond;
    Workload head = testing::MakeWorkload("head-" + std::to_string(++round), QueueName(0),
                                          testing::Cpu(1), /*priority=*/100);
    Require(engine.Submit(std::span(&head, 1), now));
    std::optional<CycleResult> result;
    state.SetIterationTime(CpuSeconds([&] { result = Take(engine.RunCycle(now)); }));
    Require(result->admitted.size() == 1, "the head did not start");
    Require(engine.Cancel(std::span(&head.key, 1), now));
  }
}

using Run = void (*)(benchmark::State&, int, Decider);
void Register(const std::string& name, Run run, int size, int iterations) {
  RegisterBoth(name, iterations,
               [=](benchmark::State& state, Decider decider) { run(state, size, decider); });
}

}  // namespace

void RegisterLarge(Size size) {
  const bool smoke = size == Size::kSmoke;
  const int live = smoke ? 100 : 100'000;
  Register("waking/" + std::to_string(live) + " parked", Wake, live, 3);
  Register("explain/" + std::to_string(live) + " live", Explain, live, 5);
  Register("explain/behind " + std::to_string(live) + " running", ExplainBehindLower, live, 5);
  Register("explain/behind " + std::to_string(live) + " equals", ExplainBehindEquals, live, 5);
  Register("explain/last of " + std::to_string(live) + " in the heap", ExplainLast, live, 5);
  Register("long queue/" + std::to_string(live) + " waiting", LongQueue, live, 20);
}

}  // namespace muster::bench
