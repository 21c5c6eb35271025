// The parts of engine_bench. Each adds its benchmarks to Google Benchmark's list, natively decided
// and with the Lua policy fifo-priority, the one being the floor of the other.
#ifndef MUSTER_TESTS_BENCH_ENGINE_BENCH_H_
#define MUSTER_TESTS_BENCH_ENGINE_BENCH_H_

#include <functional>
#include <string>

#include "tests/bench/measure.h"
#include "tests/bench/worlds.h"

namespace muster::bench {

void RegisterCycle(Size size);
void RegisterPreemption(Size size);
void RegisterSustained(Size size);
void RegisterKueueSets(Size size);
void RegisterLarge(Size size);

/// Registers NAME/native and NAME/Lua, both timed by what `run` passes to SetIterationTime.
void RegisterBoth(const std::string& name, int iterations,
                  const std::function<void(benchmark::State&, Decider)>& run);

}  // namespace muster::bench

#endif  // MUSTER_TESTS_BENCH_ENGINE_BENCH_H_
