// An engine with its ledger: opening one that holds many workloads up to its first cycle, and one
// submission alone, whose floor is an append of one page and fdatasync on the same disk.
#include <fcntl.h>
#include <unistd.h>

#include <span>
#include <string>
#include <vector>

#include "muster/durable_engine.h"
#include "tests/bench/durable_bench.h"
#include "tests/bench/plain_sqlite.h"
#include "tests/bench/worlds.h"
#include "tests/testing/builders.h"

namespace muster::bench {
namespace {

constexpr int kCohorts = 100;
constexpr int kQueues = kCohorts * kQueuesPerCohort;

std::unique_ptr<DurableEngine> Open(const Place& place, bool relaxed) {
  return Take(DurableEngine::Open(place / "ledger", {.relaxed = relaxed}));
}

/// Half of the workloads run, the others wait.
void Fill(Engine& engine, int live) {
  std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
  for (int i = 0; i < kQueues; ++i) {
    AddQueue(objects, QueueName(i), "cohort-" + std::to_string(i / kQueuesPerCohort),
             {1000, 0, {}});
  }
  Require(engine.Apply(objects, testing::kNoon));
  constexpr int kBatch = 10'000;
  for (int done = 0; done < live; done += kBatch) {
    std::vector<Workload> batch = SmallOnes("w-" + std::to_string(done / kBatch) + "-", kQueues,
                                            std::min(kBatch, live - done),
                                            /*priority=*/0, testing::kNoon);
    for (std::size_t i = 0; i < batch.size(); i += 2) {
      batch[i] = testing::Holding(batch[i], batch[i].queue.str().substr(3));
    }
    Require(engine.Submit(batch, testing::kNoon));
  }
}

void OpenLarge(benchmark::State& state, int live) {
  const Place place;
  Fill(Open(place, /*relaxed=*/true)->engine(), live);
  for (auto _ : state) {
    std::unique_ptr<DurableEngine> opened;
    double cycle = 0;
    const double seconds = Seconds([&] {
      opened = Open(place, /*relaxed=*/true);
      cycle = Seconds([&] { Take(opened->engine().RunCycle(testing::kNoon + kSecond)); });
    });
    state.SetIterationTime(seconds);
    state.counters["of it the first cycle, s"] = cycle;
  }
}

/// A file to which pages are appended, each on disk when Append returns.
class Appended {
 public:
  explicit Appended(const std::string& path)
      : file_(open(path.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600)) {
    Require(file_ >= 0, "open " + path);
  }
  ~Appended() { close(file_); }
  Appended(const Appended&) = delete;
  Appended& operator=(const Appended&) = delete;
  void Append() {
    Require(write(file_, page_.data(), page_.size()) == static_cast<ssize_t>(page_.size()) &&
                fdatasync(file_) == 0,
            "append");
  }

 private:
  int file_;
  std::string page_ = std::string(4096, 'x');
};

/// In turn, so that the moods of the disk hit both alike.
void SubmitAlone(benchmark::State& state, double budget) {
  for (auto _ : state) {
    const Place place;
    std::vector<double> own;
    std::vector<double> floor;
    {
      const std::unique_ptr<DurableEngine> durable = Open(place, /*relaxed=*/false);
      Require(durable->engine().Apply(FlatCohorts(kCohorts), testing::kNoon));
      Appended appended(place / "appended");
      double spent = 0;
      for (int i = 0; spent < budget || own.size() < 2; ++i) {
        const Workload workload = testing::MakeWorkload("w-" + std::to_string(i),
                                                        QueueName(i % kQueues), testing::Cpu(1));
        own.push_back(Seconds(
            [&] { Require(durable->engine().Submit(std::span(&workload, 1), testing::kNoon)); }));
        floor.push_back(Seconds([&] { appended.Append(); }));
        spent += own.back() + floor.back();
      }
    }
    state.SetIterationTime(Percentile(own, 0.5));
    state.counters["floor, s"] = Percentile(floor, 0.5);
    state.counters["99th percentile, us"] = 1e6 * Percentile(own, 0.99);
  }
}

}  // namespace

void RegisterOpening(Size size) {
  const bool smoke = size == Size::kSmoke;
  const int live = smoke ? 1'000 : 500'000;
  benchmark::RegisterBenchmark(
      ("opening/" + std::to_string(live) + " live, to the first cycle").c_str(), OpenLarge, live)
      ->Iterations(1)
      ->Repetitions(1)
      ->UseManualTime();
  benchmark::RegisterBenchmark("durable/one submission alone", SubmitAlone, smoke ? 0.0 : 2.0)
      ->Iterations(1)
      ->UseManualTime();
}

}  // namespace muster::bench
