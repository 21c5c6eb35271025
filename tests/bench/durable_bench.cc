// Durable decisions a second: submit, admit and finish N workloads in three commits, the engine's
// own computing included. The floor is plain SQLite writing the same rows in the same transactions:
// a second engine makes the same decisions, and its commits are kept and written plainly.
//
// Twice: each call waits for the disk; and through a Pipeline, where a round is on its way while
// the next is computed, and what is done is finished a round later. There several calls may share a
// transaction; the floor's do not.
#include "tests/bench/durable_bench.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "db/sqlite/ledger.h"
#include "muster/engine.h"
#include "muster/pipeline.h"
#include "tests/bench/mixed.h"
#include "tests/bench/plain_sqlite.h"
#include "tests/bench/worlds.h"
#include "tests/testing/builders.h"

namespace muster::bench {
namespace {

constexpr int kCohorts = 100;

/// Keeps commits instead of storing them.
class Keeper : public Journal {
 public:
  Result<Ticket> Append(Commit commit) override {
    commits.push_back(std::move(commit));
    return ++last_;
  }
  Status Durable(Ticket) override { return Status::Ok(); }

  std::vector<Commit> commits;

 private:
  Ticket last_ = 0;
};

/// Workloads of one core, each of another queue, with names that were never used.
class Jobs {
 public:
  std::vector<Workload> Make(int count, TimeNs created) {
    std::vector<Workload> workloads;
    for (int i = 0; i < count; ++i) {
      workloads.push_back(
          testing::MakeWorkload("w-" + std::to_string(++made_), QueueName(i), testing::Cpu(1), 50));
      workloads.back().created = created;
    }
    return workloads;
  }

 private:
  std::int64_t made_ = 0;
};

class Rounds {
 public:
  explicit Rounds(Journal& journal) : engine_(&journal) {
    Require(engine_.Apply(FlatCohorts(kCohorts), now_));
  }
  /// Seconds to submit, admit and finish `count` workloads.
  double Decide(int count) {
    now_ += kSecond;
    const std::vector<Workload> workloads = jobs_.Make(count, now_);
    return Seconds([&] {
      Require(engine_.Submit(workloads, now_));
      started_ = KeysOf(Take(engine_.RunCycle(now_)).admitted);
      Require(engine_.Finish(started_, false, now_));
      Require(started_.size() == workloads.size(), "a workload did not start at once");
    });
  }
  void Forget() { Require(engine_.Cancel(started_, now_)); }

 private:
  Engine engine_;
  TimeNs now_ = testing::kNoon;
  std::vector<Key> started_;
  Jobs jobs_;
};

/// Rounds of the same calls, computed ahead of the disk.
class RoundsAhead {
 public:
  explicit RoundsAhead(const std::string& path) : durable_(Take(DurableEngine::Open(path))) {
    Require(durable_->engine().Apply(FlatCohorts(kCohorts), now_));
    pipeline_ = Take(Pipeline::Start(*durable_));
  }
  /// Seconds for `rounds` times submitting, admitting and finishing `count` workloads, until all of
  /// it is on disk.
  double Decide(int count, int rounds) {
    std::vector<std::vector<Workload>> workloads;
    for (int i = 0; i < rounds; ++i) workloads.push_back(jobs_.Make(count, now_));
    all_.clear();
    return Seconds([&] {
      std::optional<Sealed<Result<CycleResult>>> before;
      for (const auto& jobs : workloads) {
        now_ += kSecond;
        pipeline_->Call([&](Engine& engine) { return engine.Submit(jobs, now_); });
        auto decided = pipeline_->Call([&](Engine& engine) { return engine.RunCycle(now_); });
        if (before) Finish(*before, count);
        before = std::move(decided);
      }
      Finish(*before, count);
      Require(pipeline_->Settle());
    });
  }
  void Forget() { Require(durable_->engine().Cancel(all_, now_)); }

 private:
  void Finish(Sealed<Result<CycleResult>>& decided, int count) {
    const std::vector<Key> started = KeysOf(Take(decided.Wait()).admitted);
    Require(started.size() == static_cast<std::size_t>(count), "a workload did not start at once");
    pipeline_->Call([&](Engine& engine) { return engine.Finish(started, false, now_); });
    all_.insert(all_.end(), started.begin(), started.end());
  }

  std::unique_ptr<DurableEngine> durable_;
  std::unique_ptr<Pipeline> pipeline_;
  TimeNs now_ = testing::kNoon;
  std::vector<Key> all_;
  Jobs jobs_;
};

/// Medians of seconds a round of `count` decisions.
void Report(benchmark::State& state, int count, const std::vector<double>& own,
            const std::vector<double>& floor) {
  const double seconds = Percentile(own, 0.5);
  state.SetIterationTime(seconds);
  state.counters["floor, s"] = Percentile(floor, 0.5);
  state.counters["decisions a second"] = count / seconds;
  state.counters["of the floor's rate"] = Percentile(floor, 0.5) / seconds;
}

void Decide(benchmark::State& state, int count, double budget) {
  for (auto _ : state) {
    const Place place;
    std::vector<double> own;
    std::vector<double> floor;
    {
      PlainSqlite plain(place / "plain");
      const auto ledger =
          Take(Ledger::Open(place / "ledger", OpenMode::kCreate, {.engine_version = "bench"}));
      Rounds durable(*ledger);
      Keeper keeper;
      Rounds kept(keeper);
      double spent = 0;
      while (spent < budget || own.size() < 2) {
        own.push_back(durable.Decide(count));
        keeper.commits.clear();
        kept.Decide(count);
        floor.push_back(Seconds([&] {
          for (const Commit& commit : keeper.commits) plain.Write(commit);
        }));
        durable.Forget();
        kept.Forget();
        spent += own.back() + floor.back();
      }
    }
    Report(state, count, own, floor);
  }
}

/// As Decide, with `kRounds` rounds at a time in the pipeline.
void DecideAhead(benchmark::State& state, int count, double budget) {
  constexpr int kRounds = 12;
  for (auto _ : state) {
    const Place place;
    std::vector<double> own;
    std::vector<double> floor;
    PlainSqlite plain(place / "plain");
    RoundsAhead ahead(place / "ledger");
    Keeper keeper;
    Rounds kept(keeper);
    double spent = 0;
    while (spent < budget || own.size() < 2) {
      own.push_back(ahead.Decide(count, kRounds) / kRounds);
      ahead.Forget();
      for (int round = 0; round < kRounds; ++round) {
        keeper.commits.clear();
        kept.Decide(count);
        floor.push_back(Seconds([&] {
          for (const Commit& commit : keeper.commits) plain.Write(commit);
        }));
        kept.Forget();
        spent += own.back() + floor.back();
      }
    }
    Report(state, count, own, floor);
  }
}

/// Seconds a round of a gateway on the mixed input, every call on disk before it returns.
void DecideMixed(benchmark::State& state, Decider decider, double budget) {
  for (auto _ : state) {
    const Place place;
    std::vector<double> own;
    {
      const auto ledger =
          Take(Ledger::Open(place / "ledger", OpenMode::kCreate, {.engine_version = "bench"}));
      Engine engine(ledger.get());
      Require(engine.Apply(MixedObjects(), testing::kNoon));
      DecideMixedBy(decider, engine, testing::kNoon);
      Gateway gateway(engine, 200);
      gateway.Settle();
      double spent = 0;
      while (spent < budget || own.size() < 2) {
        gateway.Prepare();
        own.push_back(Seconds([&] { gateway.Round(); }));
        spent += own.back();
      }
    }
    state.SetIterationTime(Percentile(own, 0.5));
  }
}

}  // namespace

void RegisterDurable(Size size) {
  const double budget = size == Size::kSmoke ? 0 : 2;
  for (const int count : {1, 10, 100, 1000}) {
    const std::string name = "/" + std::to_string(count) + " decisions a commit";
    benchmark::RegisterBenchmark(("durable" + name).c_str(), Decide, count, budget)
        ->Iterations(1)
        ->UseManualTime();
    benchmark::RegisterBenchmark(("durable, ahead" + name).c_str(), DecideAhead, count, budget)
        ->Iterations(1)
        ->UseManualTime();
  }
  for (const Decider decider : {Decider::kNative, Decider::kLua}) {
    const std::string name = "durable/mixed, 200 jobs a round/" + NameOf(decider);
    benchmark::RegisterBenchmark(name.c_str(), DecideMixed, decider, budget)
        ->Iterations(1)
        ->UseManualTime();
  }
}

}  // namespace muster::bench
