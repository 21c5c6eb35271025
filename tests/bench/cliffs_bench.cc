// Inputs by size on which the cost of a cycle could grow faster than they do: heads that stay in
// their heaps blocked, cycle after cycle, in flat and in deep trees, with one or many heads of a
// queue; a preemptor short of many pairs; many victims, each of its own priority.
#include <functional>
#include <utility>

#include "tests/bench/engine_bench.h"
#include "tests/testing/builders.h"

namespace muster::bench {
namespace {

using testing::Cpu;

/// Queues of one shape in cohorts of one size. Each runs four jobs beyond its own quota, and what
/// is queued behind them finds no holder whose share or priority lets it be evicted.
struct Blocked {
  int queues = 100;
  int per_cohort = 100;
  bool fair = true;
  PreemptionPolicy reclaim = PreemptionPolicy::kAny;
  bool uneven = false;  ///< every second queue runs one job less: shares that meet
  bool chain = false;   ///< cohorts below one another, and not side by side
};

constexpr int kJobs = 4;
constexpr int kCpu = 5;

std::string CohortOf(const Blocked& input, int queue) {
  return "cohort-" + std::to_string(queue / input.per_cohort);
}

std::vector<Object> ObjectsOf(const Blocked& input) {
  std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
  if (input.fair) {
    Configuration configuration;
    configuration.fair_sharing = FairSharingConfig{};
    objects.emplace_back(configuration);
  }
  for (int first = 0; first < input.queues; first += input.per_cohort) {
    const std::string parent =
        input.chain && first > 0 ? CohortOf(input, first - 1) : std::string();
    std::int64_t lent = 0;
    for (int queue = first; queue < first + input.per_cohort; ++queue) {
      lent += (kJobs - (input.uneven && queue % 2 == 1)) * kCpu - kCpu;
    }
    objects.emplace_back(testing::MakeCohort(CohortOf(input, first), parent, {{.nominal = lent}}));
  }
  const PreemptionRules rules = RulesOf(PreemptionPolicy::kNever, input.reclaim);
  for (int queue = 0; queue < input.queues; ++queue) {
    ClusterQueue made =
        testing::MakeQueue(QueueName(queue), CohortOf(input, queue), {{.nominal = kCpu}}, rules);
    made.queueing_strategy = QueueingStrategy::kStrictFifo;
    objects.emplace_back(std::move(made));
    objects.push_back(testing::MakeLocalQueue(QueueName(queue)));
  }
  return objects;
}

class BlockedHeads {
 public:
  explicit BlockedHeads(const Blocked& input)
      : input_(input), engine_(MakeEngine(ObjectsOf(input), Decider::kNative)) {
    std::vector<Workload> running;
    for (int queue = 0; queue < input.queues; ++queue) {
      const int jobs = kJobs - (input.uneven && queue % 2 == 1);
      for (int job = 0; job < jobs; ++job) running.push_back(Running(queue, job));
    }
    Require(engine_.Submit(running, now_));
    SubmitHeads();
  }

  double Cycle() {
    now_ += kMillisecond;
    CycleResult result;
    const double seconds = CpuSeconds([&] { result = Take(engine_.RunCycle(now_)); });
    Require(result.cycle == ++cycles_, "no head was looked at");
    Require(result.admitted.empty() && result.preempted.empty(), "a head was not blocked");
    return seconds;
  }
  /// In every queue another job runs in the place of one, and another one is the head.
  void ChangeAll() {
    now_ += kSecond;
    Require(engine_.Cancel(heads_, now_));
    std::vector<Key> ended;
    for (int queue = 0; queue < input_.queues; ++queue) ended.push_back(Running(queue, 0).key);
    Require(engine_.Finish(ended, false, now_));
    Require(engine_.Cancel(ended, now_));
    std::vector<Workload> running;
    for (int queue = 0; queue < input_.queues; ++queue) running.push_back(Running(queue, 0));
    Require(engine_.Submit(running, now_));
    SubmitHeads();
  }

 private:
  Workload Running(int queue, int job) const {
    const std::string name = QueueName(queue);
    return testing::Holding(
        testing::MakeWorkload(name + "-runs-" + std::to_string(job), name, Cpu(kCpu)), name,
        "default", now_);
  }
  void SubmitHeads() {
    std::vector<Workload> heads;
    heads_.clear();
    for (int queue = 0; queue < input_.queues; ++queue) {
      const std::string name = QueueName(queue);
      heads.push_back(
          testing::MakeWorkload(name + "-waits-" + std::to_string(++submitted_), name, Cpu(kCpu)));
      heads.back().created = now_;
      heads_.push_back(heads.back().key);
    }
    Require(engine_.Submit(heads, now_));
  }

  Blocked input_;
  Engine engine_;
  TimeNs now_ = testing::kNoon + kSecond;
  std::vector<Key> heads_;
  int submitted_ = 0;
  std::int64_t cycles_ = 0;
};

void RunBlocked(benchmark::State& state, const Blocked& input, bool changes) {
  BlockedHeads heads(input);
  heads.Cycle();
  for (auto _ : state) {
    if (changes) heads.ChangeAll();
    state.SetIterationTime(heads.Cycle());
  }
}

void Register(const std::string& name, int iterations, const RunDecided& run) {
  RegisterOne("cliffs/" + name, Decider::kNative, iterations, run);
}

void RegisterBlocked(const std::string& name, const Blocked& input) {
  const std::string sized = name + "/" + std::to_string(input.queues) + " queues";
  for (const bool changes : {false, true}) {
    Register(sized + (changes ? ", all changed" : ", nothing changed"), 3,
             [=](benchmark::State& state, Decider) { RunBlocked(state, input, changes); });
  }
}

/// One queue of `flavors` times `resources`, all in use by jobs that are short of nothing, and a
/// job that is short of every pair and finds no holder that gives enough of it.
void RunPairs(benchmark::State& state, int flavors, int resources) {
  std::vector<Object> objects = {testing::MakeNamespace()};
  ResourceGroup group;
  ResourceList half, whole;
  for (int r = 0; r < resources; ++r) {
    group.covered_resources.push_back("example.com/r" + std::to_string(100 + r));
    half[group.covered_resources.back()] = Quantity::Units(1);
    whole[group.covered_resources.back()] = Quantity::Units(100);
  }
  ClusterQueue queue = testing::MakeQueue(
      "q", "cohort", {}, RulesOf(PreemptionPolicy::kLowerPriority, PreemptionPolicy::kAny));
  for (int f = 0; f < flavors; ++f) {
    objects.push_back(testing::MakeFlavor("f" + std::to_string(100 + f)));
    FlavorQuotas quotas{"f" + std::to_string(100 + f), {}};
    for (const std::string& resource : group.covered_resources) {
      ResourceQuota quota;
      quota.name = resource;
      quota.nominal = Quantity::Units(100);
      quotas.resources.push_back(quota);
    }
    group.flavors.push_back(std::move(quotas));
  }
  queue.resource_groups = {group};
  queue.queueing_strategy = QueueingStrategy::kStrictFifo;
  objects.emplace_back(queue);
  objects.push_back(testing::MakeLocalQueue("q"));
  Engine engine = MakeEngine(objects, Decider::kNative);
  std::vector<Workload> running;
  for (int f = 0; f < flavors; ++f) {
    for (int job = 0; job < 50; ++job) {
      const std::string name = "runs-" + std::to_string(f) + "-" + std::to_string(job);
      // One of them is too important to go.
      running.push_back(testing::Holding(testing::MakeWorkload(name, "q", half, job == 0 ? 10 : 0),
                                         "q", "f" + std::to_string(100 + f)));
    }
  }
  TimeNs now = testing::kNoon + kSecond;
  Require(engine.Submit(running, now));
  int searches = 0;
  for (auto _ : state) {
    now += kSecond;
    Workload head = testing::MakeWorkload("waits", "q", whole, 1 + ++searches % 5);
    Require(engine.Submit(std::span(&head, 1), now));
    CycleResult result;
    state.SetIterationTime(CpuSeconds([&] { result = Take(engine.RunCycle(now)); }));
    Require(result.cycle == searches && result.preempted.empty(), "the head was not blocked");
    Require(engine.Cancel(std::span(&head.key, 1), now));
  }
}

/// One queue with `running` jobs, each of a priority of its own, and a head that needs the room of
/// a quarter of them.
void RunDistinct(benchmark::State& state, int running) {
  std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
  AddQueue(objects, "q", "cohort",
           {running, 0, RulesOf(PreemptionPolicy::kLowerPriority, PreemptionPolicy::kAny)});
  TimeNs now = testing::kNoon + kSecond;
  for (auto _ : state) {
    Engine engine = MakeEngine(objects, Decider::kNative);
    std::vector<Workload> jobs;
    for (int job = 0; job < running; ++job) {
      const auto priority = static_cast<std::int32_t>(job * 7919LL % running);
      jobs.push_back(testing::Holding(
          testing::MakeWorkload("runs-" + std::to_string(job), "q", Cpu(1), priority), "q"));
    }
    Require(engine.Submit(jobs, now));
    Workload head = testing::MakeWorkload("waits", "q", Cpu(running / 4), running);
    Require(engine.Submit(std::span(&head, 1), now));
    CycleResult result;
    state.SetIterationTime(CpuSeconds([&] { result = Take(engine.RunCycle(now)); }));
    Require(result.preempted.size() == static_cast<std::size_t>(running / 4), "other victims");
  }
}

/// A StrictFIFO head that never fits, in a cycle that may take so many of its queue.
void RunManyHeads(benchmark::State& state, int heads) {
  EngineConfiguration configuration;
  configuration.heads_per_cycle = heads;
  ClusterQueue queue = testing::MakeQueue("q", "", {{.nominal = 2}});
  queue.queueing_strategy = QueueingStrategy::kStrictFifo;
  Engine engine = MakeEngine({testing::MakeNamespace(), testing::MakeFlavor("default"),
                              configuration, queue, testing::MakeLocalQueue("q")},
                             Decider::kNative);
  TimeNs now = testing::kNoon;
  std::vector<Workload> jobs = {testing::MakeWorkload("blocked", "q", Cpu(4), 1)};
  for (int job = 0; job < 10; ++job) {
    jobs.push_back(testing::MakeWorkload("behind-" + std::to_string(job), "q", Cpu(1)));
  }
  Require(engine.Submit(jobs, now));
  for (auto _ : state) {
    now += kSecond;
    CycleResult result;
    state.SetIterationTime(CpuSeconds([&] { result = Take(engine.RunCycle(now)); }));
    Require(result.admitted.empty(), "a head was passed");
  }
}

}  // namespace

void RegisterCliffs(Size size) {
  const bool smoke = size == Size::kSmoke;
  const auto sizes = [&](std::vector<int> full) { return smoke ? std::vector<int>{4} : full; };
  for (const int n : sizes({100, 200, 400, 1000})) {
    RegisterBlocked("fair, flat, reclaim Any", {.queues = n, .per_cohort = n});
    RegisterBlocked("fair, flat, shares that meet", {.queues = n, .per_cohort = n, .uneven = true});
    RegisterBlocked("fair, flat, reclaim LowerPriority",
                    {.queues = n, .per_cohort = n, .reclaim = PreemptionPolicy::kLowerPriority});
  }
  for (const int n : sizes({200, 1000})) {
    RegisterBlocked("fair, 50 a cohort", {.queues = n, .per_cohort = smoke ? 2 : 50});
  }
  for (const int n : sizes({1000, 2000, 5000})) {
    RegisterBlocked("fair, flat, no preemption",
                    {.queues = n, .per_cohort = n, .reclaim = PreemptionPolicy::kNever});
    RegisterBlocked("classical, flat, reclaim Any", {.queues = n, .per_cohort = n, .fair = false});
    RegisterBlocked(
        "classical, flat, reclaim LowerPriority",
        {.queues = n, .per_cohort = n, .fair = false, .reclaim = PreemptionPolicy::kLowerPriority});
  }
  for (const int n : sizes({30, 60, 120})) {
    RegisterBlocked(
        "fair, a chain of cohorts",
        {.queues = n, .per_cohort = 1, .reclaim = PreemptionPolicy::kLowerPriority, .chain = true});
  }
  for (const int n : sizes({4, 8, 16})) {
    Register("flavors x resources/" + std::to_string(n) + " x " + std::to_string(n), 5,
             [=](benchmark::State& state, Decider) { RunPairs(state, n, n); });
  }
  for (const int n : sizes({1, 100, 1000})) {
    Register("a blocked head, headsPerCycle/" + std::to_string(n), 20,
             [=](benchmark::State& state, Decider) { RunManyHeads(state, n); });
  }
  for (const int n : sizes({10'000, 30'000, 100'000})) {
    Register("a quarter of distinct priorities/" + std::to_string(n), 1,
             [=](benchmark::State& state, Decider) { RunDistinct(state, n); });
  }
}

}  // namespace muster::bench
