// One preemptor against R running workloads of its cohort that borrow: the cycle that finds its
// victims, or that none suffices. Between two cycles the victims leave, the preemptor runs and
// ends, and the victims start again, so that every search meets R running workloads.
#include <span>

#include "tests/bench/engine_bench.h"
#include "tests/testing/builders.h"

namespace muster::bench {
namespace {

constexpr int kBorrowers = 10;

struct Input {
  int running = 0;
  int victims = 0;  ///< that must go; 0: the preemptor asks for what nobody could free
  bool fair = false;
  int searches = 1;  ///< timed; the figures are over all of them
};

std::vector<Object> OwnerAndBorrowers(const Input& input) {
  std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
  if (input.fair) {
    Configuration configuration;
    configuration.fair_sharing = FairSharingConfig{};
    objects.emplace_back(configuration);
  }
  const PreemptionRules reclaims =
      RulesOf(PreemptionPolicy::kNever,
              input.victims == 0 ? PreemptionPolicy::kLowerPriority : PreemptionPolicy::kAny);
  AddQueue(objects, "owner", "cohort", {input.running, 0, reclaims});
  for (int i = 0; i < kBorrowers; ++i) {
    AddQueue(objects, QueueName(i), "cohort", {0, input.running, {}});
  }
  return objects;
}

/// Workloads of 1 cpu, dealt to the borrowers in turn, one started every second. The first of each
/// queue is too important to go where nobody is to be able to make room.
std::vector<Workload> Borrowing(const Input& input) {
  std::vector<Workload> workloads;
  for (int i = 0; i < input.running; ++i) {
    const std::string queue = QueueName(i % kBorrowers);
    const int priority = input.victims == 0 && i < kBorrowers ? 200 : 50;
    workloads.push_back(testing::Holding(
        testing::MakeWorkload("running-" + std::to_string(i), queue, testing::Cpu(1), priority),
        queue, "default", testing::kNoon - (input.running - i) * kSecond));
  }
  return workloads;
}

std::vector<Key> VictimsOf(const CycleResult& result) {
  std::vector<Key> keys;
  for (const PreemptedWorkload& victim : result.preempted) keys.push_back(victim.workload);
  return keys;
}

class Search {
 public:
  Search(const Input& input, Decider decider)
      : input_(input), engine_(MakeEngine(OwnerAndBorrowers(input), decider)) {
    Require(engine_.Submit(Borrowing(input), now_));
  }

  double Seconds() {
    now_ += kSecond;
    const int cpu = input_.victims > 0 ? input_.victims : input_.running;
    // Of another priority each time: one of a class that was found unable to start is parked.
    const int priority = 100 + ++searches_ % 90;
    Workload preemptor = testing::MakeWorkload("preemptor", "owner", testing::Cpu(cpu), priority);
    preemptor.created = now_;
    Require(engine_.Submit(std::span(&preemptor, 1), now_));
    CycleResult result;
    const double seconds = CpuSeconds([&] { result = Take(engine_.RunCycle(now_)); });
    Require(result.cycle > last_cycle_, "nothing was looked at");
    last_cycle_ = result.cycle;
    Require(result.preempted.size() == static_cast<std::size_t>(input_.victims),
            "the search took another number of victims");
    Clear(preemptor.key, VictimsOf(result));
    return seconds;
  }

 private:
  void Clear(const Key& preemptor, const std::vector<Key>& victims) {
    if (!victims.empty()) {
      Require(engine_.Evicted(victims, now_));
      RunUntilQuiet(engine_, now_);
      Require(engine_.Finish(std::span(&preemptor, 1), false, now_));
    }
    Require(engine_.Cancel(std::span(&preemptor, 1), now_));
    RunUntilQuiet(engine_, now_);
  }

  Input input_;
  Engine engine_;
  TimeNs now_ = testing::kNoon + kSecond;
  int searches_ = 0;
  std::int64_t last_cycle_ = 0;
};

void Preempt(benchmark::State& state, const Input& input, Decider decider) {
  for (auto _ : state) {
    Search search(input, decider);
    std::vector<double> seconds;
    for (int i = 0; i < input.searches; ++i) seconds.push_back(search.Seconds());
    state.SetIterationTime(Percentile(seconds, 0.5));
    state.counters["99th percentile, us"] = 1e6 * Percentile(seconds, 0.99);
  }
}

void Register(const Input& input) {
  const std::string needed =
      input.victims == 0 ? std::string("none suffices") : std::to_string(input.victims);
  const std::string name = "preemption/" + needed + " of " + std::to_string(input.running) +
                           " running/" + (input.fair ? "fair" : "classical");
  RegisterBoth(name, /*iterations=*/1,
               [=](benchmark::State& state, Decider decider) { Preempt(state, input, decider); });
}

}  // namespace

void RegisterPreemption(Size size) {
  for (const bool fair : {false, true}) {
    if (size == Size::kSmoke) {
      Register({.running = 50, .victims = 3, .fair = fair, .searches = 2});
      Register({.running = 50, .victims = 0, .fair = fair, .searches = 2});
      continue;
    }
    Register({.running = 1'000, .victims = 3, .fair = fair, .searches = 200});
    Register({.running = 10'000, .victims = 3, .fair = fair, .searches = 100});
    Register({.running = 100'000, .victims = 3, .fair = fair, .searches = 40});
    Register({.running = 1'000'000, .victims = 3, .fair = fair, .searches = 10});
    Register({.running = 100'000, .victims = 1'000, .fair = fair, .searches = 3});
    Register({.running = 100'000, .victims = 0, .fair = fair, .searches = 40});
  }
}

}  // namespace muster::bench
