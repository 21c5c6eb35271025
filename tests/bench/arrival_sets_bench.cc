// Kueue's own scheduler performance sets, and recorded jobs of real clusters, in virtual time: the
// processor time of the whole run, and what the run was like for its workloads. Needs the folder
// `shared`; without it only a message is left.
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/bench/engine_bench.h"
#include "tests/bench/kueue_set.h"
#include "tests/bench/trace_set.h"
#include "tests/bench/virtual_run.h"
#include "tests/testing/paths.h"

namespace muster::bench {
namespace {

/// One workload of each source, or of all, in the smoke test, which is about the code and not the
/// figures.
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

struct Case {
  std::string name;
  std::string file;  ///< below `shared`
  std::function<ArrivalSet(const std::filesystem::path&)> read;
};

std::vector<Case> CasesOf(int thin) {
  const auto kueue = [=](const auto& file) { return ReadKueueSet(file, thin); };
  return {
      {"kueue sets/baseline", "perf/baseline.yaml", kueue},
      {"kueue sets/large-scale", "perf/large-scale.yaml", kueue},
      {"traces/Philly, 11 virtual clusters", "traces/philly/philly_2017-09_2017-10.csv.gz",
       [=](const auto& file) { return ReadPhilly(file, thin); }},
      {"traces/Philly, gangs", "traces/philly/philly_gangs_2017-08_2017-10.csv.gz",
       [=](const auto& file) { return ReadPhillyGangs(file, thin); }},
      {"traces/SDSC SP2", "traces/swf/SDSC-SP2-1998-4.2-cln.swf.gz",
       [=](const auto& file) { return ReadSwf(file, 128, thin); }},
      {"traces/Lublin 256", "traces/swf/lublin_256.swf.gz",
       [=](const auto& file) { return ReadSwf(file, 256, thin); }},
  };
}

void Play(benchmark::State& state, const Case& test, Decider decider) {
  const auto shared = testing::SharedDir();
  if (!shared || !std::filesystem::exists(*shared / test.file)) {
    return state.SkipWithError(std::string(testing::kSharedIsAbsent).c_str());
  }
  const ArrivalSet set = test.read(*shared / test.file);
  for (auto _ : state) {
    Engine engine = MakeEngine(set.objects, decider);
    VirtualRun run(engine, set);
    const double seconds = CpuSeconds([&] { run.Play(); });
    state.SetIterationTime(seconds);
    Report(state, run, seconds);
  }
}

}  // namespace

void RegisterArrivalSets(Size size) {
  for (const Case& test : CasesOf(size == Size::kSmoke ? kThinned : 1)) {
    RegisterBoth(test.name, /*iterations=*/1,
                 [=](benchmark::State& state, Decider decider) { Play(state, test, decider); });
  }
}

}  // namespace muster::bench
