// What must not grow with what exists: waking a tree, explaining one workload, and the order of the
// heads of a deep tree under fair sharing.
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

  /// Ends the holder, which wakes everybody, and lets a new one take its place.
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

/// Cohorts in a tree of `depth`, ten below each, and ten ClusterQueues in each of the last.
std::vector<Object> DeepTree(int depth) {
  std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
  Configuration configuration;
  configuration.fair_sharing = FairSharingConfig{};
  objects.emplace_back(configuration);
  std::vector<std::string> level = {"root"};
  objects.emplace_back(Cohort{"root", "", {}, 1.0});
  for (int d = 2; d < depth; ++d) {
    std::vector<std::string> below;
    for (const std::string& parent : level) {
      for (int i = 0; i < 10; ++i) {
        below.push_back(parent + "-" + std::to_string(i));
        objects.emplace_back(Cohort{below.back(), parent, {}, 1.0});
      }
    }
    level = std::move(below);
  }
  int queues = 0;
  for (const std::string& cohort : level) {
    for (int i = 0; i < 10; ++i) AddQueue(objects, QueueName(queues++), cohort, {1, 100, {}});
  }
  return objects;
}

void Tournament(benchmark::State& state, int depth, Decider decider) {
  int queues = 10;
  for (int d = 2; d < depth; ++d) queues *= 10;
  TimeNs now = testing::kNoon;
  Engine engine = MakeEngine(DeepTree(depth), decider);
  std::vector<Key> started;
  std::int64_t round = 0;
  for (auto _ : state) {
    now += kSecond;
    std::vector<Workload> heads;
    for (int i = 0; i < queues; ++i) {
      heads.push_back(testing::MakeWorkload("w-" + std::to_string(++round), QueueName(i),
                                            testing::Cpu(1), i % 3));
      heads.back().created = now;
    }
    Require(engine.Submit(heads, now));
    std::optional<CycleResult> result;
    state.SetIterationTime(CpuSeconds([&] { result = Take(engine.RunCycle(now)); }));
    Require(result->admitted.size() == heads.size(), "a head did not start");
    started = KeysOf(result->admitted);
    Require(engine.Finish(started, false, now));
    Require(engine.Cancel(started, now));
  }
  state.SetItemsProcessed(state.iterations() * queues);
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
  const int depth = smoke ? 3 : 4;
  Register("fair tournament/" + std::string(smoke ? "100" : "1000") + " heads, depth " +
               std::to_string(depth),
           Tournament, depth, smoke ? 1 : 5);
}

}  // namespace muster::bench
