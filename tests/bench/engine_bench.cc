// The engine through its public header, in memory, decisions materialised.
#include "tests/bench/engine_bench.h"

namespace muster::bench {

void RegisterBoth(const std::string& name, int iterations,
                  const std::function<void(benchmark::State&, Decider)>& run) {
  for (const Decider decider : {Decider::kNative, Decider::kLua}) {
    benchmark::RegisterBenchmark((name + "/" + NameOf(decider)).c_str(),
                                 [=](benchmark::State& state) {
                                   run(state, decider);
                                   if (decider == Decider::kLua)
                                     SetFloor(state, name + "/" + NameOf(Decider::kNative));
                                 })
        ->Iterations(iterations)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
}

void RegisterAll(Size size) {
  RegisterCycle(size);
  RegisterPreemption(size);
  RegisterSustained(size);
  RegisterKueueSets(size);
  RegisterLarge(size);
}

}  // namespace muster::bench
