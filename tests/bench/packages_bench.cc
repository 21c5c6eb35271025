// A cycle over many queues under the six packages that promise, all of them bound, beside the same
// cycle decided natively. Jobs have the labels that the packages read.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "bindings/luajit/policy_package.h"
#include "tests/bench/engine_bench.h"
#include "tests/testing/builders.h"
#include "tests/testing/paths.h"

namespace muster::bench {
namespace {

constexpr char kGpu[] = "nvidia.com/gpu";
constexpr int kTeams = 20, kUsers = 5000;
/// Each orders the queues of one cohort in three.
constexpr std::array kOrders = {"interactive-first", "daily-lottery", "cancelled-behind"};

struct Input {
  int cohorts = 100;
  int workloads_per_queue = 50;
  bool bound = false;
  int queues() const { return cohorts * kQueuesPerCohort; }
};

/// Flat cohorts of queues with GPUs.
std::vector<Object> Objects(const Input& input) {
  std::vector<Object> objects = FlatCohorts(input.cohorts);
  for (Object& object : objects) {
    auto* queue = std::get_if<ClusterQueue>(&object);
    if (queue == nullptr) continue;
    ResourceGroup& group = queue->resource_groups.at(0);
    group.covered_resources = {kGpu};
    for (FlavorQuotas& flavor : group.flavors) flavor.resources.at(0).name = kGpu;
  }
  return objects;
}

PolicyBinding Binding(const std::string& package, const std::vector<std::string>& hooks) {
  PolicyBinding binding;
  binding.policy = package;
  binding.name = package + "-" + hooks.at(0).substr(0, hooks.at(0).find('_'));
  binding.hooks = hooks;
  return binding;
}

std::vector<Object> Bindings(const Input& input) {
  std::vector<Object> bindings = {
      Binding("interactive-first", {"hold"}), Binding("gentle-preemption", {"victim"}),
      Binding("project-boost", {"boost"}), Binding("keep-free", {"flavor_order"}),
      Binding("cancelled-behind", {"submit"})};
  for (std::size_t i = 0; i < kOrders.size(); ++i) {
    PolicyBinding order = Binding(kOrders[i], {"queue_order"});
    for (int cohort = static_cast<int>(i); cohort < input.cohorts; cohort += kOrders.size()) {
      order.cohorts.push_back("cohort-" + std::to_string(cohort));
    }
    if (!order.cohorts.empty()) bindings.emplace_back(std::move(order));
  }
  return bindings;
}

/// A job of `round` for each queue: one in ten is interactive, one in seven of the project. No user
/// has so many interactive jobs running that another is held back.
std::vector<Workload> Jobs(const Input& input, int round, TimeNs created) {
  std::vector<Workload> jobs;
  for (int queue = 0; queue < input.queues(); ++queue) {
    const int number = round * input.queues() + queue;
    Workload& job = jobs.emplace_back(
        testing::MakeWorkload("job-" + std::to_string(number), QueueName(queue),
                              {{kGpu, Quantity::Units(1)}}, number % 3));
    job.created = created;
    job.labels["muster.dev/user"] = "user-" + std::to_string(number % kUsers);
    job.labels["team"] = "team-" + std::to_string(queue % kTeams);
    job.labels["kind"] = (round + queue) % 10 == 0 ? "interactive" : "batch";
    job.labels["project"] = number % 7 == 0 ? "apollo" : "gemini";
  }
  return jobs;
}

Engine MakeBound(const Input& input, TimeNs now) {
  Engine engine = MakeEngine(Objects(input), Decider::kNative);
  if (!input.bound) return engine;
  for (const char* name : {"interactive-first", "gentle-preemption", "project-boost", "keep-free",
                           "daily-lottery", "cancelled-behind"}) {
    const std::string folder = testing::SourceDir() / "policies" / name;
    const auto policy = luajit::LoadPackage(Take(luajit::ReadPackage(folder)));
    Require(engine.ActivatePolicy(Take(policy), now));
  }
  Require(engine.Apply(Bindings(input), now));
  return engine;
}

/// Each queue gets a job, and one of each starts.
void AllChanged(benchmark::State& state, const Input& input) {
  TimeNs now = testing::kNoon;
  Engine engine = MakeBound(input, now);
  int round = 0;
  while (round < input.workloads_per_queue) Require(engine.Submit(Jobs(input, round++, now), now));
  std::vector<Key> started = KeysOf(Take(engine.RunCycle(now)).admitted);
  for (auto _ : state) {
    now += kSecond;
    Require(engine.Finish(started, false, now));
    Require(engine.Submit(Jobs(input, round++, now), now));
    CycleResult result;
    state.SetIterationTime(CpuSeconds([&] { result = Take(engine.RunCycle(now)); }));
    Require(result.policy_failures.empty(), "a policy failed");
    Require(static_cast<int>(result.admitted.size()) == input.queues(),
            "a cycle admitted another number");
    started = KeysOf(result.admitted);
  }
}

void Add(const Input& input, int iterations) {
  const std::string name = "packages/" + std::to_string(input.queues()) + " queues, " +
                           std::to_string(input.queues() * input.workloads_per_queue) + " pending/";
  for (const bool bound : {false, true}) {
    Input row = input;
    row.bound = bound;
    const auto run = [=](benchmark::State& state) {
      AllChanged(state, row);
      if (row.bound) SetFloor(state, name + "native");
    };
    benchmark::RegisterBenchmark((name + (bound ? "six bound" : "native")).c_str(), run)
        ->Iterations(iterations)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace

void RegisterPackages(Size size) {
  if (size == Size::kSmoke) {
    Add({.cohorts = 3, .workloads_per_queue = 2}, 1);
    return;
  }
  for (const int each : {1, 50}) Add({.workloads_per_queue = each}, 20);
}

}  // namespace muster::bench
