// What a scripted order costs: a score of four terms over a batch, in Lua and as the native loop it
// competes with; what fuel adds to that, to two helpers and to a short loop; what a generation
// holds; and what is left of a call while another thread loads one generation after the other.
// Items per second are workloads.
#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bindings/luajit/lua_policy.h"
#include "tests/bench/measure.h"

namespace muster::bench {
namespace {

using luajit::LoadPackage;

constexpr const char* kScore = R"(
return { api = 1, name = "score", queue_order = { reads = { "now" }, function(w)
  return w.priority * 1000 + w.waited / 3600 - w.gpus * 5 - w.preemptions * 2
end } }
)";

constexpr const char* kHold = R"(
return { api = 1, name = "hold", accounts = { had = { by = "user", of = "running" } },
  hold = { reads = { "account" }, function(w, c)
    if w.account.had >= 3 then return c.hold("three at a time") end
    if w.gpus > 64 then return c.hold("over 64 GPUs") end
    return nil
  end } }
)";

constexpr const char* kHelpers = R"(
local function twice(x) return x * 2 end
local function more(x) return x + 3 end
return { api = 1, name = "helpers", queue_order = function(w)
  return twice(w.priority) + more(w.gpus)
end }
)";

constexpr const char* kLoop = R"(
return { api = 1, name = "loop", queue_order = function(w)
  local sum = 0
  for i = 1, 3 do sum = sum + w.gpus * i end
  return sum
end }
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

/// One job in nine is held back.
void LuaHold(benchmark::State& state, int count) {
  const auto policy = LoadPackage({"hold", {{"policy.lua", kHold}}});
  if (!policy.ok()) return state.SkipWithError(policy.status().message().c_str());
  Batch batch(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < batch.workloads.size(); ++i) {
    batch.workloads[i].account[0] = i % 9 == 1 ? 3 : 0;
  }
  std::vector<double> answers(2 * batch.keys.size());
  for (auto _ : state) {
    const HookOutcome outcome = (*policy)->Call(Hook::kHold, batch.header, answers);
    if (!outcome.ok) return state.SkipWithError(outcome.message.c_str());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * count);
}

// The same function with and without ticks in its source, in the fastest of some fresh states: by
// the luck of where its counters stand, LuaJIT makes a short inner loop part of the trace around it
// or a trace of its own, which takes ten times as long, with ticks and without.
void Fueled(benchmark::State& state, const char* source, bool rewriting, const std::string& floor) {
  constexpr std::size_t kCount = 1'000;
  constexpr int kCalls = 10;
  constexpr int kStates = 15;
  luajit::SandboxOptions options;
  options.rewriting = rewriting;
  std::vector<std::shared_ptr<luajit::LuaPolicy>> policies;
  for (int i = 0; i < kStates; ++i) {
    const luajit::LoadedPackage loaded =
        luajit::Load({"fuel", {{"policy.lua", source}}}, {}, options);
    if (loaded.policy == nullptr) return state.SkipWithError(loaded.problems[0].what.c_str());
    policies.push_back(loaded.policy);
  }
  Batch batch(kCount);
  for (auto _ : state) {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& policy : policies) {
      least = std::min(least, CpuSeconds([&] {
                         for (int i = 0; i < kCalls; ++i) {
                           policy->Call(Hook::kQueueOrder, batch.header, batch.keys);
                           benchmark::ClobberMemory();
                         }
                       }));
    }
    state.SetIterationTime(least);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kCount * kCalls));
  if (rewriting) SetFloor(state, floor);
}

// A batch of a thousand, once undisturbed and once beside a thread that stages generations.
void Beside(benchmark::State& state, bool staging, const std::string& floor) {
  const auto policy = LoadPackage({"score", {{"policy.lua", kScore}}});
  if (!policy.ok()) return state.SkipWithError(policy.status().message().c_str());
  std::atomic<bool> stop = false;
  std::thread stager([&] {
    while (staging && !stop) benchmark::DoNotOptimize(LoadPackage({"s", {{"policy.lua", kScore}}}));
  });
  Batch batch(1'000);
  std::vector<double> seconds;
  for (auto _ : state) {
    seconds.push_back(Seconds([&] {
      (*policy)->Call(Hook::kQueueOrder, batch.header, batch.keys);
      benchmark::ClobberMemory();
    }));
  }
  stop = true;
  stager.join();
  state.counters["99th percentile, us"] = 1e6 * Percentile(std::move(seconds), 0.99);
  if (staging) SetFloor(state, floor);
}

void LoadPolicy(benchmark::State& state) {
  std::size_t bytes = 0;
  for (auto _ : state) {
    const luajit::LoadedPackage loaded = luajit::Load({"score", {{"policy.lua", kScore}}});
    if (loaded.policy == nullptr) return state.SkipWithError(loaded.problems[0].what.c_str());
    bytes = loaded.policy->state().memory().used();
  }
  state.counters["bytes a generation"] = static_cast<double>(bytes);
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
  const char* const hold = "policy/hold of 100000 workloads/Lua";
  Once(benchmark::RegisterBenchmark(hold, LuaHold, 100'000), size);
  for (const auto& [name, source] : {std::pair("score", kScore), std::pair("two helpers", kHelpers),
                                     std::pair("short loop", kLoop)}) {
    const std::string with = std::string("policy/fuel of ") + name;
    const std::string without = with + "/without";
    const auto add = [size](const std::string& line, auto... arguments) {
      Once(benchmark::RegisterBenchmark(line.c_str(), Fueled, arguments...)->UseManualTime(), size);
    };
    add(without, source, false, "");
    add(with, source, true, without);
  }
  const std::string alone = "policy/batch of 1000/alone";
  const std::string staging = "policy/batch of 1000/beside staging";
  Once(benchmark::RegisterBenchmark(alone.c_str(), Beside, false, "")->UseRealTime(), size);
  Once(benchmark::RegisterBenchmark(staging.c_str(), Beside, true, alone)->UseRealTime(), size);
  Once(benchmark::RegisterBenchmark("policy/load a package", LoadPolicy), size);
}

}  // namespace muster::bench
