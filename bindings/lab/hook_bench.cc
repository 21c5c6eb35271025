// The fastest of several calls is what the machine needs when nothing disturbs it.
#include "bindings/lab/hook_bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <span>

#include "bindings/luajit/made_up_batch.h"
#include "muster/batch_abi.h"

namespace muster::lab {
namespace {

constexpr std::size_t kMeasuredItems = 200'000;  // in all calls of one size together
constexpr std::size_t kMostCalls = 20'000;       // of those with few items

/// One question, to a hook that is asked about one job or about many.
HookOutcome Ask(Policy& policy, Hook hook, const muster_batch& batch, std::span<double> answers) {
  if (hook != Hook::kSubmit) return policy.Call(hook, batch, answers);
  SubmitAnswer answer;
  return policy.Submit(batch, &answer);
}

HookBench Measure(Policy& policy, const HookInfo& info, const std::vector<std::size_t>& sizes) {
  HookBench bench;
  bench.hook = HookName(info.hook);
  for (const std::size_t size : sizes) {
    const luajit::MadeUpBatch made_up(info.hook, size);
    std::vector<double> answers(size * static_cast<std::size_t>(info.keys));
    HookCost cost{size, std::numeric_limits<double>::infinity(), 0};
    const std::size_t calls = std::min(kMostCalls, kMeasuredItems / size + 1);
    for (std::size_t call = 0; call < calls; ++call) {
      const auto begin = std::chrono::steady_clock::now();
      const HookOutcome outcome = Ask(policy, info.hook, made_up.batch(), answers);
      const std::chrono::duration<double, std::nano> took =
          std::chrono::steady_clock::now() - begin;
      if (!outcome.ok) {
        bench.error = outcome.message;
        return bench;
      }
      cost.nanoseconds = std::min(cost.nanoseconds, took.count() / static_cast<double>(size));
      cost.fuel = static_cast<double>(outcome.fuel) / static_cast<double>(size);
    }
    bench.costs.push_back(cost);
  }
  if (bench.costs.size() >= 2) {
    const HookCost& large = bench.costs.back();
    const HookCost& middle = bench.costs[bench.costs.size() - 2];
    bench.exponent =
        1 + std::log(large.nanoseconds / middle.nanoseconds) /
                std::log(static_cast<double>(large.items) / static_cast<double>(middle.items));
  }
  return bench;
}

}  // namespace

std::vector<HookBench> MeasureHooks(Policy& policy, const std::vector<std::size_t>& sizes) {
  std::vector<HookBench> benches;
  for (const HookInfo& info : policy.info().hooks) {
    const bool of_one = info.hook == Hook::kSubmit || info.hook == Hook::kPreemptLimits;
    benches.push_back(Measure(policy, info, of_one ? std::vector<std::size_t>{1} : sizes));
  }
  return benches;
}

}  // namespace muster::lab
