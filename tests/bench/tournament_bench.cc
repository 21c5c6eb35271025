// A cycle in which every queue of one deep tree has a new head: in the classical order, and in the
// tournament of fair sharing with shares computed natively and by a policy.
#include <optional>
#include <utility>

#include "tests/bench/engine_bench.h"
#include "tests/testing/builders.h"

namespace muster::bench {
namespace {

struct Input {
  std::vector<int> below;  ///< see DeepTree
  bool fair = false;
  int queues() const {
    int product = 1;
    for (const int nodes : below) product *= nodes;
    return product;
  }
};

std::vector<Object> ObjectsOf(const Input& input) {
  std::vector<Object> objects = DeepTree(input.below);
  if (input.fair) {
    Configuration configuration;
    configuration.fair_sharing = FairSharingConfig{};
    objects.emplace_back(configuration);
  }
  return objects;
}

void Run(benchmark::State& state, const Input& input, Decider decider) {
  TimeNs now = testing::kNoon;
  Engine engine = MakeEngine(ObjectsOf(input), decider);
  int round = 0;
  for (auto _ : state) {
    now += kSecond;
    const std::string name = "w-" + std::to_string(++round) + "-";
    std::vector<Workload> heads =
        SmallOnes(name, input.queues(), input.queues(), /*priority=*/0, now);
    for (std::size_t i = 0; i < heads.size(); ++i) {
      heads[i].priority = static_cast<std::int32_t>(i % 3);
    }
    Require(engine.Submit(heads, now));
    std::optional<CycleResult> result;
    state.SetIterationTime(CpuSeconds([&] { result = Take(engine.RunCycle(now)); }));
    Require(result->admitted.size() == heads.size(), "a head did not start");
    const std::vector<Key> started = KeysOf(result->admitted);
    Require(engine.Finish(started, false, now));
    Require(engine.Cancel(started, now));
  }
  state.SetItemsProcessed(state.iterations() * input.queues());
}

void Register(const std::string& order, const Input& input, int iterations,
              std::initializer_list<Decider> deciders) {
  const std::string name = order + "/" + std::to_string(input.queues()) + " heads, depth " +
                           std::to_string(input.below.size() + 1);
  for (const Decider decider : deciders) {
    RegisterOne(name, decider, iterations,
                [=](benchmark::State& state, Decider by) { Run(state, input, by); });
  }
}

}  // namespace

void RegisterTournament(Size size) {
  const std::initializer_list<Decider> all = {Decider::kNative, Decider::kLua, Decider::kShares};
  const std::initializer_list<Decider> ordered = {Decider::kNative, Decider::kLua};
  if (size == Size::kSmoke) {
    Register("fair tournament", {{5, 5}, true}, 1, all);
    return Register("deep tree", {{2, 2, 5}, false}, 1, ordered);
  }
  Register("fair tournament", {{10, 10, 10}, true}, 5, all);
  Register("deep tree", {{5, 4, 5, 10}, false}, 5, ordered);
}

}  // namespace muster::bench
