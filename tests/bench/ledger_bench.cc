// What the ledger costs over SQLite itself: the same rows in the same transactions, once through
// Ledger and once through plain prepared statements, one row a step, no hash and no digest.
//
// For each size of commit both write alternately, a commit at a time, to files side by side, so
// that the moods of disk and machine hit both alike; medians are compared. The files are made in
// the working directory; one in memory (/dev/shm) shows the processor's part alone. Then opens,
// loads and verifies a ledger of kLoadRows workloads.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "db/sqlite/ledger.h"
#include "tests/bench/durable_bench.h"
#include "tests/bench/measure.h"
#include "tests/bench/plain_sqlite.h"
#include "tests/testing/ledger_world.h"

namespace muster::bench {
namespace {

constexpr int kLoadRows = 500'000;

/// Alternately `size` new workloads, and the start of as many: one event and one row each.
Commit NextCommit(testing::LedgerWorld* world, int size, bool* submit) {
  Commit commit = *submit ? world->Submit(size) : world->Start(size);
  *submit = !*submit;
  return commit;
}

std::unique_ptr<Ledger> Open(const std::filesystem::path& path, const LedgerOptions& options) {
  return Take(Ledger::Open(path, OpenMode::kCreate, options));
}

void Write(Ledger& ledger, Commit commit) {
  Require(ledger.Durable(Take(ledger.Append(std::move(commit)))));
}

/// One iteration compares the two writers for `budget` seconds.
void Compare(benchmark::State& state, int size, double budget) {
  for (auto _ : state) {
    const Place place;
    std::vector<double> raw_times;
    std::vector<double> ledger_times;
    {
      PlainSqlite raw(place / "raw");
      const std::unique_ptr<Ledger> ledger = Open(place / "ledger", {.engine_version = "bench"});
      testing::LedgerWorld world;
      bool submit = true;
      double spent = 0;
      while (spent < budget || ledger_times.size() < 2) {
        Commit commit = NextCommit(&world, size, &submit);
        raw_times.push_back(Seconds([&] { raw.Write(commit); }));
        ledger_times.push_back(Seconds([&] { Write(*ledger, std::move(commit)); }));
        spent += raw_times.back() + ledger_times.back();
      }
    }
    const double own = Percentile(ledger_times, 0.5);
    const auto bytes = static_cast<double>(std::filesystem::file_size(place / "ledger"));
    state.SetIterationTime(own);
    state.counters["floor, s"] = Percentile(raw_times, 0.5);
    state.counters["rows a second"] = size / own;
    state.counters["bytes a workload"] =
        2 * bytes / (static_cast<double>(ledger_times.size()) * size);
  }
}

void Load(benchmark::State& state, int workloads) {
  for (auto _ : state) {
    const Place place;
    {
      const auto ledger = Open(place / "ledger", {.durability = Durability::kRelaxed});
      testing::LedgerWorld world;
      for (int rows = 0; rows < workloads; rows += 1000) Write(*ledger, world.Submit(1000));
    }
    std::unique_ptr<Ledger> ledger;
    const double open =
        Seconds([&] { ledger = Take(Ledger::Open(place / "ledger", OpenMode::kExisting)); });
    const double load =
        Seconds([&] { Require(ledger->Load([](auto, auto, auto) { return Status::Ok(); })); });
    state.SetIterationTime(open + load);
    state.counters["of it to open, s"] = open;
    state.counters["verify, s"] =
        Seconds([&] { Require(ledger->Verify()->sound(), "the ledger is not sound"); });
  }
}

}  // namespace

void RegisterAll(Size size) {
  const bool smoke = size == Size::kSmoke;
  const double budget = smoke ? 0 : 2;
  for (const int rows : {1, 10, 100, 1000}) {
    const std::string name = "ledger/commit of " + std::to_string(rows) + " workloads";
    benchmark::RegisterBenchmark(name.c_str(), Compare, rows, budget)
        ->Iterations(1)
        ->UseManualTime();
  }
  RegisterDurable(size);
  RegisterOpening(size);
  RegisterReload(size);
  RegisterPostgres(size);
  RegisterDoors(size);
  const int load = smoke ? 1000 : kLoadRows;
  benchmark::RegisterBenchmark(
      ("ledger/open and load " + std::to_string(load) + " workloads").c_str(), Load, load)
      ->Iterations(1)
      ->Repetitions(1)
      ->UseManualTime();
}

}  // namespace muster::bench
