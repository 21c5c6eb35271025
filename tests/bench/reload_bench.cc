// What a running engine notices of reloading: cycle after cycle a job ends, another comes and the
// reloader is polled, while the policy that orders all queues is replaced again and again. Measured
// is the engine's own thread; the floor is the same without a save. The delay by a
// save is what the longest cycle until it is live takes beyond the median one.
#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "muster/policy_reloader.h"
#include "tests/bench/durable_bench.h"
#include "tests/bench/worlds.h"
#include "tests/testing/paths.h"

namespace muster::bench {
namespace {

constexpr TimeNs kReloadStart = 1'767'268'800 * kSecond;

std::string PackageText(int version) {
  return "return { api = 1, name = 'ours', queue_order = function(w)\n  return w.priority * 1000 "
         "+ " +
         std::to_string(version) + " - w.preemptions, -w.created\nend }\n";
}

ReloadOptions OptionsFor(const testing::TemporaryDirectory& folder) {
  ReloadOptions options;
  options.folder = folder.path().string();
  options.watch = false;
  return options;
}

class Reloading {
 public:
  Reloading(int queues, int per_queue) : engine_(MakeEngine(FlatCohorts(queues / 10), kBuiltIn)) {
    Require(engine_.Submit(MixedBacklog(queues, per_queue), now_));
    RunUntilQuiet(engine_, now_);
    for (const WorkloadView& view : *engine_.Workloads()) {
      if (view.phase == WorkloadPhase::kAdmitted) running_.push_back(view.spec.key);
    }
    Save();
    while (!Turn()) continue;
    TakeSeconds();
  }

  void Save() {
    folder_.Write("policy.lua", PackageText(++version_));
    reloader_.Stage();
  }
  /// One cycle with all that goes with it; whether a save went live.
  bool Turn() {
    now_ += kSecond;
    const Key ended = running_.at(next_);
    Require(engine_.Finish(std::span(&ended, 1), false, now_));
    Workload job = MixedBacklog(1, 10)[next_ % 10];
    job.key.name += "-" + std::to_string(next_++);
    job.uid = "u-" + job.key.name;
    Require(engine_.Submit(std::span(&job, 1), now_));
    bool live = false;
    seconds_.push_back(CpuSeconds([&] {
      for (const ReloadStep& step : *reloader_.Poll(engine_, now_)) {
        Require(step.outcome == ReloadStep::Outcome::kActivated, step.message);
        live = true;
      }
      for (const AdmittedWorkload& one : Take(engine_.RunCycle(now_)).admitted) {
        running_.push_back(one.workload);
      }
    }));
    return live;
  }
  /// Of the turns since the last call.
  std::vector<double> TakeSeconds() { return std::exchange(seconds_, {}); }

 private:
  static constexpr Decider kBuiltIn = Decider::kNative;
  TimeNs now_ = kReloadStart;
  Engine engine_;
  testing::TemporaryDirectory folder_;
  PolicyReloader reloader_{OptionsFor(folder_)};
  std::vector<Key> running_;
  std::size_t next_ = 0;
  int version_ = 0;
  std::vector<double> seconds_;
};

void Measure(benchmark::State& state, int queues, int per_queue, int saves, bool reload,
             const std::string& floor) {
  const int turns = reload ? 2000 : 50;  // of which those until the save is live are taken
  std::vector<double> medians, delays;
  for (auto _ : state) {
    Reloading world(queues, per_queue);
    for (int save = 0; save < saves; ++save) {
      if (reload) world.Save();
      for (int turn = 0; turn < turns; ++turn) {
        if (world.Turn() && reload) break;
        std::this_thread::sleep_for(std::chrono::microseconds(300));  // embedders have more to do
      }
      const std::vector<double> seconds = world.TakeSeconds();
      medians.push_back(Percentile(seconds, 0.5));
      delays.push_back(Percentile(seconds, 1) - medians.back());
    }
    state.SetIterationTime(Percentile(medians, 0.5));
  }
  state.counters["worst, us"] = 1e6 * Percentile(delays, 1);
  state.counters["delay by a save, us"] = 1e6 * Percentile(std::move(delays), 0.5);
  if (reload) SetFloor(state, floor);
}

}  // namespace

void RegisterReload(Size size) {
  const bool smoke = size == Size::kSmoke;
  for (const int queues : {100, 1'000}) {
    const int shown = smoke ? 10 : queues;
    const std::string name = "reload/" + std::to_string(10 * queues) + " waiting";
    for (const bool reload : {false, true}) {
      benchmark::RegisterBenchmark(
          (name + (reload ? "/saved all the time" : "/left alone")).c_str(), Measure, shown, 10,
          smoke ? 1 : 20, reload, name + "/left alone")
          ->UseManualTime()
          ->Iterations(1);
    }
  }
}

}  // namespace muster::bench
