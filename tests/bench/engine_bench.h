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
void RegisterArrivalSets(Size size);
void RegisterLarge(Size size);
void RegisterTournament(Size size);
void RegisterGrowth(Size size);
void RegisterApply(Size size);
void RegisterCliffs(Size size);
void RegisterReclaiming(Size size);
void RegisterPolicyCycles(Size size);
void RegisterMixed(Size size);
void RegisterPackages(Size size);
void RegisterTopology(Size size);

using RunDecided = std::function<void(benchmark::State&, Decider)>;
/// Registers NAME/DECIDER, timed by what `run` passes to SetIterationTime. The floor of one that a
/// policy decides is the native one.
benchmark::internal::Benchmark* RegisterOne(const std::string& name, Decider decider,
                                            int iterations, const RunDecided& run);
/// NAME/native and NAME/Lua.
void RegisterBoth(const std::string& name, int iterations, const RunDecided& run);

}  // namespace muster::bench

#endif  // MUSTER_TESTS_BENCH_ENGINE_BENCH_H_
