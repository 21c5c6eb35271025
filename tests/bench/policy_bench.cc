// What a scripted order costs: a score of four terms over a batch, in Lua and as the native loop it
// competes with. Items per second are workloads.
#include <string>
#include <vector>

#include "bindings/luajit/policy_package.h"
#include "tests/bench/measure.h"

namespace muster::bench {
namespace {

using luajit::LoadPackage;

constexpr const char* kScore = R"(
return { api = 1, name = "score", queue_order = { reads = { "now" }, function(w)
  return w.priority * 1000 + w.waited / 3600 - w.gpus * 5 - w.preemptions * 2
end } }
)";

struct Batch {
  explicit Batch(std::size_t count) : workloads(count), keys(count) {
    for (std::size_t i = 0; i < count; ++i) {
      muster_workload& w = workloads[i];
      w.priority = static_cast<double>(i % 7);
      w.queued_at = static_cast<double>(i % 86'400);
      w.gpus = static_cast<double>(i % 9);
      w.preemptions = static_cast<double>(i % 3);
    }
    header.count = static_cast<unsigned int>(count);
    header.workloads = workloads.data();
    header.strings = &empty;
    header.now = 100'000;
  }
  std::vector<muster_workload> workloads;
  std::vector<double> keys;
  muster_string empty{"", 0};
  muster_batch header{};
};

std::string NativeName(int count) {
  return "policy/score of " + std::to_string(count) + " workloads/native loop";
}

void NativeScore(benchmark::State& state, int count) {
  Batch batch(static_cast<std::size_t>(count));
  for (auto _ : state) {
    for (std::size_t i = 0; i < batch.keys.size(); ++i) {
      const muster_workload& w = batch.workloads[i];
      batch.keys[i] = w.priority * 1000 + (batch.header.now - w.queued_at) / 3600 - w.gpus * 5 -
                      w.preemptions * 2;
    }
    benchmark::DoNotOptimize(batch.keys.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * count);
}

void LuaScore(benchmark::State& state, int count) {
  const auto policy = LoadPackage({"score", {{"policy.lua", kScore}}});
  if (!policy.ok()) return state.SkipWithError(policy.status().message().c_str());
  Batch batch(static_cast<std::size_t>(count));
  for (auto _ : state) {
    const HookOutcome outcome = (*policy)->Call(Hook::kQueueOrder, batch.header, batch.keys);
    if (!outcome.ok) return state.SkipWithError(outcome.message.c_str());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * count);
  SetFloor(state, NativeName(count));
}

void LoadPolicy(benchmark::State& state) {
  for (auto _ : state) {
    const auto policy = LoadPackage({"score", {{"policy.lua", kScore}}});
    if (!policy.ok()) return state.SkipWithError(policy.status().message().c_str());
  }
}

/// One iteration when it is only to be shown that it works.
void Once(benchmark::internal::Benchmark* benchmark, Size size) {
  if (size == Size::kSmoke) benchmark->Iterations(1);
}

}  // namespace

void RegisterAll(Size size) {
  for (const int count : {50, 1'000, 100'000}) {
    const std::string lua = "policy/score of " + std::to_string(count) + " workloads/Lua";
    Once(benchmark::RegisterBenchmark(NativeName(count).c_str(), NativeScore, count), size);
    Once(benchmark::RegisterBenchmark(lua.c_str(), LuaScore, count), size);
  }
  Once(benchmark::RegisterBenchmark("policy/load a package", LoadPolicy), size);
}

}  // namespace muster::bench
