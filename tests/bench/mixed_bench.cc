// The calls of a gateway on the mixed input, with and without a policy: submission, cycle, evicted
// and finished jobs, and what the journal is given of it. The journal keeps nothing: what storing
// costs is measured on a ledger (durable_bench.cc), and there on this input, too.
#include "tests/bench/engine_bench.h"
#include "tests/bench/mixed.h"
#include "tests/testing/builders.h"

namespace muster::bench {
namespace {

/// Takes every commit, encoded as it would be stored, and drops it.
class DroppingJournal final : public Journal {
 public:
  Result<Ticket> Append(Commit commit) override {
    benchmark::DoNotOptimize(commit);
    return ++last_;
  }
  Status Durable(Ticket) override { return Status::Ok(); }

 private:
  Ticket last_ = 0;
};

void Rounds(benchmark::State& state, int jobs, Decider decider) {
  DroppingJournal journal;
  Engine engine(&journal);
  Require(engine.Apply(MixedObjects(), testing::kNoon));
  DecideMixedBy(decider, engine, testing::kNoon);
  Gateway gateway(engine, jobs);
  gateway.Settle();
  const std::int64_t admitted = gateway.admitted(), preempted = gateway.preempted();
  for (auto _ : state) {
    gateway.Prepare();
    state.SetIterationTime(CpuSeconds([&] { gateway.Round(); }));
  }
  const auto rounds = static_cast<double>(state.iterations());
  state.counters["admitted a round"] = static_cast<double>(gateway.admitted() - admitted) / rounds;
  state.counters["preempted a round"] =
      static_cast<double>(gateway.preempted() - preempted) / rounds;
  state.counters["waiting"] = static_cast<double>(Take(engine.Pending()).size());
}

}  // namespace

void RegisterMixed(Size size) {
  const int jobs = size == Size::kSmoke ? 20 : 200;
  const int iterations = size == Size::kSmoke ? 2 : 50;
  RegisterBoth("mixed/300 queues, " + std::to_string(jobs) + " jobs a round", iterations,
               [=](benchmark::State& state, Decider decider) { Rounds(state, jobs, decider); });
}

}  // namespace muster::bench
