// What policies cost around their calls: finding the binding that decides, by their number, keeping
// a long queue in an order that changes with the time, and victims that many heads compare.
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/luajit/lua_policy.h"
#include "tests/bench/engine_bench.h"
#include "tests/testing/builders.h"

namespace muster::bench {
namespace {

constexpr int kCohorts = 100;

std::shared_ptr<Policy> Load(const std::string& hook, const std::string& name = "queue_order") {
  return Take(luajit::LoadPackage(
      {"bench",
       {{"policy.lua", "return { api = 1, name = \"bench\", " + name + " = " + hook + " }"}}}));
}

/// `count` bindings over `queues` queues: one for everything, or of cohorts, or of queues.
std::vector<Object> Bindings(int count, int queues) {
  std::vector<Object> bindings;
  for (int i = 0; i < count; ++i) {
    PolicyBinding binding;
    binding.name = "binding-" + std::to_string(i);
    binding.policy = "bench";
    if (count > 1) {
      for (int queue = i; queue < queues; queue += count) {
        binding.cluster_queues.push_back(QueueName(queue));
      }
    }
    bindings.emplace_back(std::move(binding));
  }
  return bindings;
}

/// Every queue has a new head, which starts.
void AllChanged(benchmark::State& state, int cohorts, int bindings) {
  Engine engine = MakeEngine(FlatCohorts(cohorts), Decider::kNative);
  TimeNs now = testing::kNoon;
  const int queues = cohorts * kQueuesPerCohort;
  Require(engine.ActivatePolicy(Load("function(w) return w.priority end"), now));
  Require(engine.Apply(Bindings(bindings, queues), now));
  int round = 0;
  for (auto _ : state) {
    now += kSecond;
    const std::string name = "round-" + std::to_string(++round);
    Require(engine.Submit(SmallOnes(name, queues, queues, 0, now), now));
    std::vector<Key> started;
    state.SetIterationTime(
        CpuSeconds([&] { started = KeysOf(Take(engine.RunCycle(now)).admitted); }));
    Require(static_cast<int>(started.size()) == queues, "a cycle admitted another number");
    Require(engine.Cancel(started, now));
  }
}

/// A strict head that does not fit, and what waits behind it: a cycle each second.
void OrderByTime(benchmark::State& state, int waiting, bool every_minute) {
  const QueueShape shape{.nominal = 0, .borrowing_limit = 0};
  std::vector<Object> objects = {testing::MakeFlavor("default"), testing::MakeNamespace()};
  AddQueue(objects, QueueName(0), "cohort", shape);
  for (Object& object : objects) {
    auto* queue = std::get_if<ClusterQueue>(&object);
    if (queue != nullptr) queue->queueing_strategy = QueueingStrategy::kStrictFifo;
  }
  Engine engine = MakeEngine(objects, Decider::kNative);
  const std::string every = every_minute ? "every = \"1m\", " : "";
  TimeNs now = testing::kNoon;
  Require(engine.ActivatePolicy(
      Load("{ reads = { \"now\" }, " + every + "function(w) return w.waited * w.priority end }"),
      now));
  Require(engine.Submit(SmallOnes("waits", 1, waiting, 1, now), now));
  Take(engine.RunCycle(now));
  for (auto _ : state) {
    now += kSecond;
    state.SetIterationTime(CpuSeconds([&] { Take(engine.RunCycle(now)); }));
  }
}

/// A way in which the heads of one cohort are decided about.
struct Reclaiming {
  std::string name;
  std::string victim;  ///< the hook; empty: native
  bool fair = false;
  bool fails = false;  ///< it is too much, or fails, so that the native rule decides
};

/// Half of the queues run what fills all; the head of every other queue takes its own back.
void Reclaim(benchmark::State& state, int queues, int running, const Reclaiming& how) {
  for (auto _ : state) {
    std::vector<Object> objects = {testing::MakeFlavor("default"), testing::MakeNamespace()};
    const QueueShape shape{.nominal = running / queues};
    for (int queue = 0; queue < queues; ++queue) {
      AddQueue(objects, QueueName(queue), "cohort", shape);
    }
    if (how.fair) {
      Configuration configuration;
      configuration.fair_sharing.emplace();
      objects.emplace_back(configuration);
    }
    Engine engine = MakeEngine(objects, Decider::kNative);
    TimeNs now = testing::kNoon;
    Require(engine.Submit(SmallOnes("runs", queues / 2, running, 0, now), now));
    RunUntilQuiet(engine, now);
    if (!how.victim.empty()) Require(engine.ActivatePolicy(Load(how.victim, "victim"), now));
    now += kSecond;
    Require(engine.Submit(SmallOnes("head", queues, queues, 100, now), now));
    CycleResult result;
    state.SetIterationTime(CpuSeconds([&] { result = Take(engine.RunCycle(now)); }));
    Require(!result.preempted.empty(), "a cycle preempted nothing");
    Require(how.fails || result.policy_failures.empty(), "a policy failed");
  }
}

void Add(const std::string& name, int iterations,
         const std::function<void(benchmark::State&)>& run) {
  benchmark::RegisterBenchmark(name.c_str(), run)
      ->Iterations(iterations)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

void AddReclaims(bool smoke) {
  const Reclaiming native = {"native", ""};
  const Reclaiming victim = {"victim", "function(v) return v.priority end"};
  const auto add = [&](int queues, int running, const Reclaiming& how) {
    const std::string kind = how.fair ? ", fair/" : "/";
    Add("reclaim/" + std::to_string(queues) + " heads, " + std::to_string(running) + " running" +
            kind + how.name,
        smoke ? 1 : 3, [=](benchmark::State& state) { Reclaim(state, queues, running, how); });
  };
  for (const int queues : smoke ? std::vector<int>{10} : std::vector<int>{50, 150, 500}) {
    for (const Reclaiming& how : {native, victim}) add(queues, 20 * queues, how);
  }
  const int many = smoke ? 10 : 1000;
  for (const bool fair : {false, true}) {
    for (Reclaiming how :
         {native,
          victim,
          {"victim that reads borrowing", "function(v) return v.borrowing and 0 or 1 end"},
          Reclaiming{"victim that reads the preemptor's name",
                     "function(v, p) return #p.name + v.priority end", false, true},
          Reclaiming{"victim that fails",
                     "function(v, p) if p.priority - 100 == 0 then error('no') end return 1 end",
                     false, true}}) {
      how.fair = fair;
      add(many, 9 * many, how);
    }
  }
  const std::string share =
      "share = { reads = { 'native_share' }, function(n) return n.native_share end }";
  for (const Reclaiming& how :
       {Reclaiming{"victim and share", "function(v) return v.priority end, " + share, true, true},
        Reclaiming{"share and victim that reads the preemptor's name",
                   "function(v, p) return #p.name + v.priority end, " + share, true, true}}) {
    add(many, 9 * many, how);
  }
}

}  // namespace

void RegisterPolicyCycles(Size size) {
  const bool smoke = size == Size::kSmoke;
  const int cohorts = smoke ? 1 : kCohorts;
  for (const int bindings : smoke ? std::vector<int>{1, 10} : std::vector<int>{1, 100, 1000}) {
    Add("bindings/" + std::to_string(cohorts * kQueuesPerCohort) + " queues, " +
            std::to_string(bindings) + " bindings/all queues changed",
        smoke ? 1 : 20, [=](benchmark::State& state) { AllChanged(state, cohorts, bindings); });
  }
  for (const int waiting : smoke ? std::vector<int>{10} : std::vector<int>{1000, 10'000, 100'000}) {
    for (const bool every_minute : {false, true}) {
      Add("order by time/" + std::to_string(waiting) + " waiting/" +
              (every_minute ? "every minute" : "every second"),
          smoke ? 1 : 20,
          [=](benchmark::State& state) { OrderByTime(state, waiting, every_minute); });
    }
  }
  AddReclaims(smoke);
}

}  // namespace muster::bench
