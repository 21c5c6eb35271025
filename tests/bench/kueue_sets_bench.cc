// Kueue's own scheduler performance sets in virtual time: the processor time of the whole run, and
// what the run was like for its workloads. Needs the folder `shared`; without it only a message is
// left.
#include "tests/bench/engine_bench.h"
#include "tests/bench/kueue_set.h"
#include "tests/bench/virtual_run.h"
#include "tests/testing/paths.h"

namespace muster::bench {
namespace {

/// One workload of each source in the smoke test, which is about the code and not the figures.
constexpr int kThinned = 1'000'000;

void Report(benchmark::State& state, const VirtualRun& run, double seconds) {
  state.counters["admissions a processor second"] = static_cast<double>(run.admissions()) / seconds;
  state.counters["virtual makespan, s"] = run.makespan_seconds();
  state.counters["virtual makespan at best, s"] = run.bound_seconds();
  state.counters["virtual makespan over the best"] = run.makespan_seconds() / run.bound_seconds();
  state.counters["admissions"] = static_cast<double>(run.admissions());
  state.counters["preemptions"] = static_cast<double>(run.preemptions());
  state.counters["cycles"] = static_cast<double>(run.cycles());
  for (const auto& [name, wait] : run.waits()) {
    state.counters["mean time to admission, " + name + ", s"] =
        wait.seconds / static_cast<double>(wait.workloads);
  }
}

void Play(benchmark::State& state, const std::string& file, int thin, Decider decider) {
  const auto shared = testing::SharedDir();
  if (!shared || !std::filesystem::exists(*shared / "perf" / file)) {
    return state.SkipWithError(std::string(testing::kSharedIsAbsent).c_str());
  }
  const KueueSet set = ReadKueueSet(*shared / "perf" / file, thin);
  for (auto _ : state) {
    Engine engine = MakeEngine(set.objects, decider);
    VirtualRun run(engine, set);
    const double seconds = CpuSeconds([&] { run.Play(); });
    state.SetIterationTime(seconds);
    Report(state, run, seconds);
  }
}

void Register(const std::string& set, int thin) {
  RegisterBoth(
      "kueue sets/" + set, /*iterations=*/1,
      [=](benchmark::State& state, Decider decider) { Play(state, set + ".yaml", thin, decider); });
}

}  // namespace

void RegisterKueueSets(Size size) {
  const int thin = size == Size::kSmoke ? kThinned : 1;
  Register("baseline", thin);
  Register("large-scale", thin);
}

}  // namespace muster::bench
