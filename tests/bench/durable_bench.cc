// Durable decisions a second: submit, admit and finish N workloads in three commits, the engine's
// own computing included. The floor is plain SQLite writing the same rows in the same transactions:
// a second engine makes the same decisions, and its commits are kept and written plainly.
#include "tests/bench/durable_bench.h"

#include <string>
#include <utility>
#include <vector>

#include "db/ledger.h"
#include "muster/engine.h"
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

class Rounds {
 public:
  explicit Rounds(Journal& journal) : engine_(&journal) {
    Require(engine_.Apply(FlatCohorts(kCohorts), now_));
  }
  /// Seconds to submit, admit and finish `count` workloads.
  double Decide(int count) {
    now_ += kSecond;
    std::vector<Workload> workloads;
    for (int i = 0; i < count; ++i) {
      workloads.push_back(
          testing::MakeWorkload("w-" + std::to_string(++made_), QueueName(i), testing::Cpu(1), 50));
      workloads.back().created = now_;
    }
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
  std::int64_t made_ = 0;
};

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
    const double seconds = Percentile(own, 0.5);
    state.SetIterationTime(seconds);
    state.counters["floor, s"] = Percentile(floor, 0.5);
    state.counters["decisions a second"] = count / seconds;
    state.counters["of the floor's rate"] = Percentile(floor, 0.5) / seconds;
  }
}

}  // namespace

void RegisterDurable(Size size) {
  const double budget = size == Size::kSmoke ? 0 : 2;
  for (const int count : {1, 10, 100, 1000}) {
    const std::string name = "durable/" + std::to_string(count) + " decisions a commit";
    benchmark::RegisterBenchmark(name.c_str(), Decide, count, budget)
        ->Iterations(1)
        ->UseManualTime();
  }
}

}  // namespace muster::bench
