// One preemptor against R running workloads of its cohort that borrow, three of which must go: the
// cycle that finds them. Between two iterations the victims leave, the preemptor runs and ends, and
// the victims start again, so that every search meets R running workloads.
#include <span>

#include "tests/bench/engine_bench.h"
#include "tests/testing/builders.h"

namespace muster::bench {
namespace {

constexpr int kBorrowers = 10;
constexpr int kVictims = 3;

std::vector<Object> OwnerAndBorrowers(int running, bool fair) {
  std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
  if (fair) {
    Configuration configuration;
    configuration.fair_sharing = FairSharingConfig{};
    objects.emplace_back(configuration);
  }
  const PreemptionRules reclaims = RulesOf(PreemptionPolicy::kNever, PreemptionPolicy::kAny);
  AddQueue(objects, "owner", "cohort", {running, 0, reclaims});
  for (int i = 0; i < kBorrowers; ++i) AddQueue(objects, QueueName(i), "cohort", {0, running, {}});
  return objects;
}

/// `running` workloads of 1 cpu, dealt to the borrowers in turn, one started every second.
std::vector<Workload> Borrowing(int running) {
  std::vector<Workload> workloads;
  for (int i = 0; i < running; ++i) {
    const std::string queue = QueueName(i % kBorrowers);
    workloads.push_back(testing::Holding(
        testing::MakeWorkload("running-" + std::to_string(i), queue, testing::Cpu(1), 50), queue,
        "default", testing::kNoon - (running - i) * kSecond));
  }
  return workloads;
}

std::vector<Key> VictimsOf(const CycleResult& result) {
  std::vector<Key> keys;
  for (const PreemptedWorkload& victim : result.preempted) keys.push_back(victim.workload);
  return keys;
}

void Preempt(benchmark::State& state, int running, bool fair, Decider decider) {
  Engine engine = MakeEngine(OwnerAndBorrowers(running, fair), decider);
  TimeNs now = testing::kNoon + kSecond;
  Require(engine.Submit(Borrowing(running), now));
  for (auto _ : state) {
    now += kSecond;
    Workload preemptor = testing::MakeWorkload("preemptor", "owner", testing::Cpu(kVictims), 100);
    preemptor.created = now;
    Require(engine.Submit(std::span(&preemptor, 1), now));
    CycleResult result;
    state.SetIterationTime(CpuSeconds([&] { result = Take(engine.RunCycle(now)); }));
    Require(result.preempted.size() == kVictims, "the search took another number of victims");

    Require(engine.Evicted(VictimsOf(result), now));
    RunUntilQuiet(engine, now);
    Require(engine.Finish(std::span(&preemptor.key, 1), false, now));
    Require(engine.Cancel(std::span(&preemptor.key, 1), now));
    RunUntilQuiet(engine, now);
  }
}

void Register(int running, bool fair, int iterations) {
  const std::string name =
      "preemption/3 of " + std::to_string(running) + " running/" + (fair ? "fair" : "classical");
  RegisterBoth(name, iterations, [=](benchmark::State& state, Decider decider) {
    Preempt(state, running, fair, decider);
  });
}

}  // namespace

void RegisterPreemption(Size size) {
  for (const bool fair : {false, true}) {
    if (size == Size::kSmoke) {
      Register(50, fair, 2);
      continue;
    }
    Register(1'000, fair, 10);
    Register(10'000, fair, 3);
    Register(100'000, fair, 2);
  }
}

}  // namespace muster::bench
