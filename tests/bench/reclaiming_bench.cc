// Cycles in which every head preempts: queues that have taken all that others lent, and in each of
// the others a head that takes its own back. They find the same victims, and each looks again once
// an earlier one has claimed them.
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/engine_bench.h"
#include "tests/testing/builders.h"

namespace muster::bench {
namespace {

constexpr int kJobs = 4;
constexpr int kCpu = 5;
constexpr int kCohortsPerCohort = 5;

struct Reclaiming {
  int queues = 100;
  int per_cohort = 100;
  int levels = 1;  ///< of cohorts; above the lowest, one is made of five
  int flavors = 1;
  bool fair = true;
  bool distinct = false;  ///< no two priorities are equal, and only lower ones may be evicted
  bool meeting = false;   ///< by share alone, until all shares are equal; then the rest is blocked
};

std::string CohortName(int level, int index) {
  return "cohort-" + std::to_string(level) + "-" + std::to_string(index);
}

std::vector<Object> ObjectsOf(const Reclaiming& input) {
  std::vector<Object> objects = {testing::MakeNamespace()};
  std::vector<testing::Quota> quotas;
  for (int flavor = 0; flavor < input.flavors; ++flavor) {
    objects.push_back(testing::MakeFlavor("f" + std::to_string(flavor)));
    quotas.push_back(
        {.flavor = "f" + std::to_string(flavor), .nominal = input.meeting ? 0 : 2 * kCpu});
  }
  if (input.fair) {
    Configuration configuration;
    configuration.fair_sharing = FairSharingConfig{};
    objects.emplace_back(configuration);
  }
  int cohorts = (input.queues + input.per_cohort - 1) / input.per_cohort;
  for (int level = 0; level < input.levels; ++level) {
    const int above = level + 2 < input.levels ? cohorts / kCohortsPerCohort + 1 : 1;
    for (int i = 0; i < cohorts; ++i) {
      const bool top = level + 1 == input.levels;
      Cohort cohort =
          testing::MakeCohort(CohortName(level, i), top ? "" : CohortName(level + 1, i % above));
      if (input.meeting && top) {
        quotas.front().nominal = (input.queues + 3) / 4 * 2 * kCpu;
        cohort.resource_groups = testing::MakeGroups(quotas);
        quotas.front().nominal = 0;
      }
      objects.push_back(std::move(cohort));
    }
    cohorts = above;
  }
  const PreemptionRules rules = RulesOf(
      PreemptionPolicy::kNever,
      input.distinct || input.meeting ? PreemptionPolicy::kLowerPriority : PreemptionPolicy::kAny);
  for (int queue = 0; queue < input.queues; ++queue) {
    objects.emplace_back(testing::MakeQueue(
        QueueName(queue), CohortName(0, queue / input.per_cohort), quotas, rules));
    objects.push_back(testing::MakeLocalQueue(QueueName(queue)));
  }
  return objects;
}

Workload Job(const Reclaiming& input, int queue, const std::string& name) {
  return testing::MakeWorkload(QueueName(queue) + name, QueueName(queue), testing::Cpu(kCpu),
                               input.distinct ? queue : 0);
}

void Fill(Engine& engine, const Reclaiming& input, TimeNs now) {
  std::vector<Workload> running, heads;
  for (int queue = 0; queue < input.queues; ++queue) {
    if (queue % (input.meeting ? 4 : 2) != 0) {
      heads.push_back(Job(input, queue, "-waits"));
      if (input.meeting) heads.back().priority = 1;
      continue;
    }
    for (int i = 0; i < (input.meeting ? 2 : kJobs) * input.flavors; ++i) {
      running.push_back(testing::Holding(Job(input, queue, "-runs-" + std::to_string(i)),
                                         QueueName(queue), "f" + std::to_string(i % input.flavors),
                                         now));
    }
  }
  Require(engine.Submit(running, now));
  Require(engine.Submit(heads, now));
}

/// `waits`: not the cycle in which all preempt, but the second after it, while their victims leave.
void Run(benchmark::State& state, const Reclaiming& input, bool waits) {
  const std::vector<Object> objects = ObjectsOf(input);
  for (auto _ : state) {
    TimeNs now = testing::kNoon + kSecond;
    Engine engine = MakeEngine(objects, Decider::kNative);
    Fill(engine, input, now);
    double seconds = 0;
    for (int cycle = 0; cycle <= (waits ? 2 : 0); ++cycle) {
      CycleResult result;
      seconds = CpuSeconds([&] { result = Take(engine.RunCycle(now)); });
      Require(result.preempted.empty() == (cycle > 0), "other heads made room");
      Require(result.cycle == cycle + 1, "no head was looked at");
      now += kSecond;
    }
    state.SetIterationTime(seconds);
  }
}

void Register(const std::string& name, const Reclaiming& input) {
  const std::string sized = "cliffs/" + name + "/" + std::to_string(input.queues) + " queues";
  for (const bool waits : {false, true}) {
    RegisterOne(sized + (waits ? ", victims leave" : ""), Decider::kNative, 3,
                [=](benchmark::State& state, Decider) { Run(state, input, waits); });
  }
}

}  // namespace

void RegisterReclaiming(Size size) {
  const bool smoke = size == Size::kSmoke;
  const auto sizes = [&](std::vector<int> full) { return smoke ? std::vector<int>{8} : full; };
  for (const int n : sizes({100, 200, 400, 1000, 2000})) {
    Register("fair, flat, every second preempts", {.queues = n, .per_cohort = n});
  }
  for (const int n : sizes({250, 500, 1000, 2000})) {
    Register("fair, 50 a cohort, depth 3, every second preempts",
             {.queues = n, .per_cohort = smoke ? 2 : 50, .levels = 3});
    Register("fair, four flavors, every second preempts",
             {.queues = n, .per_cohort = n, .flavors = 4});
    Register("fair, priorities distinct, every second preempts",
             {.queues = n, .per_cohort = n, .distinct = true});
    Register("fair, preempts until shares meet", {.queues = n, .per_cohort = n, .meeting = true});
    Register("classical, flat, every second preempts",
             {.queues = n, .per_cohort = n, .fair = false});
  }
}

}  // namespace muster::bench
