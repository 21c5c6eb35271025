// The engine through its public header, in memory, decisions materialised.
#include "tests/bench/engine_bench.h"

namespace muster::bench {

benchmark::internal::Benchmark* RegisterOne(const std::string& name, Decider decider,
                                            int iterations, const RunDecided& run) {
  return benchmark::RegisterBenchmark((name + "/" + NameOf(decider)).c_str(),
                                      [=](benchmark::State& state) {
                                        run(state, decider);
                                        if (decider == Decider::kNative) return;
                                        SetFloor(state, name + "/" + NameOf(Decider::kNative));
                                      })
      ->Iterations(iterations)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

void RegisterBoth(const std::string& name, int iterations, const RunDecided& run) {
  RegisterOne(name, Decider::kNative, iterations, run);
  RegisterOne(name, Decider::kLua, iterations, run);
}

void RegisterAll(Size size) {
  RegisterCycle(size);
  RegisterPreemption(size);
  RegisterSustained(size);
  RegisterArrivalSets(size);
  RegisterLarge(size);
  RegisterTournament(size);
  RegisterGrowth(size);
  RegisterApply(size);
  RegisterCliffs(size);
  RegisterReclaiming(size);
  RegisterPolicyCycles(size);
  RegisterMixed(size);
  RegisterPackages(size);
  RegisterTopology(size);
}

}  // namespace muster::bench
