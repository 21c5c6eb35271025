// One preemptor against R running workloads of its cohort that borrow: the cycle that finds its
// victims, or that none suffices. Between two cycles the victims leave, the preemptor runs and
// ends, and the victims start again, so that every search meets R running workloads.
#include <span>

#include "tests/bench/borrowers.h"
#include "tests/bench/engine_bench.h"
#include "tests/testing/builders.h"

namespace muster::bench {
namespace {

struct Input {
  Borrowers borrowers;
  int victims = 0;   ///< that must go; 0: the preemptor asks for what none could free
  int searches = 1;  ///< timed; the figures are over all of them
};

std::vector<Key> VictimsOf(const CycleResult& result) {
  std::vector<Key> keys;
  for (const PreemptedWorkload& victim : result.preempted) keys.push_back(victim.workload);
  return keys;
}

class Search {
 public:
  Search(const Input& input, Decider decider)
      : input_(input), engine_(MakeEngine(input.borrowers.Objects(), decider)) {
    Require(engine_.Submit(input.borrowers.Running(), now_));
  }

  double Seconds() {
    now_ += kSecond;
    // Of another class each time: one of a class that was found unable to start is parked.
    const int search = ++searches_ % 90;
    const bool equal = input_.borrowers.equals;
    const int in_vain = equal ? 1 + search : input_.borrowers.running;
    const int cpu = input_.victims > 0 ? input_.victims : in_vain;
    const int priority = equal ? 50 : 100 + search;
    Workload preemptor = testing::MakeWorkload("preemptor", kOwner, testing::Cpu(cpu), priority);
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

void Register(int running, int victims, bool fair, int searches, bool equals = false) {
  const Borrowers borrowers{.running = running,
                            .fair = fair,
                            .protected_ones = victims == 0 && !equals,
                            .equals = equals};
  const Input input{borrowers, victims, searches};
  const std::string needed = equals         ? "none is newer"
                             : victims == 0 ? "none suffices"
                                            : std::to_string(victims);
  const std::string name = "preemption/" + needed + " of " + std::to_string(running) + " running/" +
                           (fair ? "fair" : "classical");
  RegisterBoth(name, /*iterations=*/1,
               [=](benchmark::State& state, Decider decider) { Preempt(state, input, decider); });
}

}  // namespace

void RegisterPreemption(Size size) {
  for (const bool fair : {false, true}) {
    if (size == Size::kSmoke) {
      Register(50, 3, fair, 2);
      Register(50, 0, fair, 2);
      Register(50, 0, fair, 2, /*equals=*/true);
      continue;
    }
    Register(1'000, 3, fair, 200);
    Register(10'000, 3, fair, 100);
    Register(100'000, 3, fair, 40);
    Register(1'000'000, 3, fair, 10);
    Register(100'000, 1'000, fair, 3);
    Register(100'000, 0, fair, 40);
    Register(100'000, 0, fair, 40, /*equals=*/true);
  }
}

}  // namespace muster::bench
