// What a decision costs beside 1,000 workloads and beside 1,000,000, and what each of those takes
// in memory: half of them run, the others wait in the heaps behind those that are decided about.
#include <jemalloc/jemalloc.h>

#include <cstdint>
#include <span>

#include "tests/bench/engine_bench.h"
#include "tests/testing/builders.h"

namespace muster::bench {
namespace {

constexpr int kCohorts = 100;
constexpr int kQueues = kCohorts * kQueuesPerCohort;

/// Bytes that the process has from its allocator, each piece with what its size class adds.
double BytesInUse() {
  std::uint64_t epoch = 1;  // the figures are as of the last time this was written
  Require(mallctl("epoch", nullptr, nullptr, &epoch, sizeof(epoch)) == 0, "no epoch");
  std::size_t bytes = 0;
  std::size_t size = sizeof(bytes);
  Require(mallctl("stats.allocated", &bytes, &size, nullptr, 0) == 0, "no figures");
  return static_cast<double>(bytes);
}

/// What a text takes.
double BytesOf(const std::string& text) {
  const bool outside = text.capacity() > std::string().capacity();
  return static_cast<double>(sizeof(text) + (outside ? text.capacity() + 1 : 0));
}

/// The workload's own strings: its name, and its UID.
double OwnStrings(const Workload& workload) {
  return BytesOf(workload.key.ns) + BytesOf(workload.key.name) +
         static_cast<double>(sizeof(workload.uid) + workload.uid.size());
}

/// Flat cohorts with room for all.
std::vector<Object> Objects() {
  std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
  for (int i = 0; i < kQueues; ++i) {
    AddQueue(objects, QueueName(i), "cohort-" + std::to_string(i / kQueuesPerCohort),
             {1000, 0, {}});
  }
  return objects;
}

class Crowd {
 public:
  Crowd() : engine_(MakeEngine(Objects(), Decider::kNative)) {}

  /// Adds `count` workloads, such as cycles start or such as wait; bytes that each of them takes.
  double Add(int count, bool running) {
    constexpr int kBatch = 10'000;
    const std::string name = running ? "running-" : "waiting-";
    double own = 0;
    const double before = BytesInUse();
    for (int done = 0; done < count; done += kBatch) {
      std::vector<Workload> batch = SmallOnes(name + std::to_string(done / kBatch) + "-", kQueues,
                                              std::min(kBatch, count - done), /*priority=*/0, now_);
      for (const Workload& workload : batch) own += OwnStrings(workload);
      Require(engine_.Submit(batch, now_));
      if (running) RunUntilQuiet(engine_, now_);
    }
    return (BytesInUse() - before - own) / count;
  }

  /// Processor time of submitting, starting and ending one workload in each queue.
  double Decide() {
    now_ += kSecond;
    const std::vector<Workload> heads =
        SmallOnes("head-" + std::to_string(++round_) + "-", kQueues, kQueues, 100, now_);
    std::vector<Key> started;
    const double seconds = CpuSeconds([&] {
      Require(engine_.Submit(heads, now_));
      started = KeysOf(Take(engine_.RunCycle(now_)).admitted);
      Require(engine_.Finish(started, false, now_));
    });
    Require(started.size() == heads.size(), "a head did not start");
    Require(engine_.Cancel(started, now_));
    return seconds;
  }

 private:
  Engine engine_;
  TimeNs now_ = testing::kNoon;
  int round_ = 0;
};

void Grow(benchmark::State& state, int live) {
  Crowd crowd;
  const double running = crowd.Add(live / 2, true);
  const double waiting = crowd.Add(live / 2, false);
  constexpr int kWarm = 2;
  for (int i = 0; i < kWarm; ++i) crowd.Decide();
  for (auto _ : state) state.SetIterationTime(crowd.Decide());
  state.SetItemsProcessed(state.iterations() * kQueues);
  state.counters["bytes a running workload"] = running;
  state.counters["bytes a waiting workload"] = waiting;
}

std::string NameOf(int live) { return "growth/" + std::to_string(live) + " live"; }

}  // namespace

void RegisterGrowth(Size size) {
  const bool smoke = size == Size::kSmoke;
  const int few = smoke ? 20 : 1'000;
  for (const int live : {few, smoke ? 100 : 100'000, smoke ? 200 : 1'000'000}) {
    auto* benchmark =
        benchmark::RegisterBenchmark(NameOf(live).c_str(), [=](benchmark::State& state) {
          Grow(state, live);
          if (live != few) SetFloor(state, NameOf(few));
        });
    benchmark->Iterations(smoke ? 1 : 10)->UseManualTime()->Unit(benchmark::kMicrosecond);
    if (live > 100'000) benchmark->Repetitions(1);
  }
}

}  // namespace muster::bench
