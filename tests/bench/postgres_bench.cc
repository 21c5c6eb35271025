// What a ledger in PostgreSQL costs over libpq itself: the same statement with as many bytes, once
// through PostgresStore and once prepared and executed by hand, without hashes, digests, encoding.
//
// Both write alternately into one server that does not flush, so what is compared is processor and
// round trip; with flushes both would wait for the disk alike. Then a ledger of kLoadRows workloads
// is opened, from its snapshot and as a standby that has followed.
#include <libpq-fe.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "db/postgres/postgres_store.h"
#include "tests/bench/durable_bench.h"
#include "tests/bench/measure.h"
#include "tests/testing/ledger_world.h"
#include "tests/testing/postgres_server.h"

namespace muster::bench {
namespace {

using testing::PostgresServer;

constexpr int kLoadRows = 100'000;

/// A connection that commits bytes as the store does.
class PlainPostgres {
 public:
  explicit PlainPostgres(const std::string& url)
      : connection_(PQconnectdb(url.substr(0, url.find('#')).c_str()), PQfinish) {
    Run("DROP TABLE IF EXISTS raw_shard, raw_batch");
    Run("CREATE TABLE raw_shard (id text PRIMARY KEY, epoch bigint, seq bigint, head_hash bytea, "
        "lease_until timestamptz) WITH (fillfactor = 50)");
    Run("CREATE TABLE raw_batch (shard text, seq bigint, epoch bigint, hash bytea, body bytea, "
        "PRIMARY KEY (shard, seq))");
    Run("INSERT INTO raw_shard VALUES ('main', 1, 0, '', now())");
    Check(
        PQprepare(connection_.get(), "commit",
                  "WITH f AS (UPDATE raw_shard SET seq = $1::text::bigint, head_hash = $2, "
                  "lease_until = now() + interval '3 seconds' WHERE id = 'main' AND epoch = 1 AND "
                  "seq = $1::text::bigint - 1 RETURNING 1) INSERT INTO raw_batch SELECT 'main', "
                  "$1::text::bigint, 1, $2, $3 WHERE EXISTS (SELECT 1 FROM f)",
                  3, nullptr));
  }
  void Write(const std::string& body) {
    const std::string seq = std::to_string(++seq_);
    const std::string hash(32, 'h');
    const std::array<const char*, 3> values = {seq.c_str(), hash.data(), body.data()};
    const std::array<int, 3> lengths = {0, 32, static_cast<int>(body.size())};
    const std::array<int, 3> formats = {0, 1, 1};
    Check(PQexecPrepared(connection_.get(), "commit", 3, values.data(), lengths.data(),
                         formats.data(), 1));
  }

 private:
  void Run(const char* sql) { Check(PQexec(connection_.get(), sql)); }
  void Check(PGresult* result) {
    const ExecStatusType status = PQresultStatus(result);
    Require(status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK,
            PQerrorMessage(connection_.get()));
    PQclear(result);
  }

  std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
  std::int64_t seq_ = 0;
};

/// One iteration compares the two writers for `budget` seconds.
void ComparePostgres(benchmark::State& state, int size, double budget) {
  for (auto _ : state) {
    const std::string url = PostgresServer::Get()->FreshUrl();
    PlainPostgres raw(url);
    const std::unique_ptr<PostgresStore> store = Take(PostgresStore::Open(url));
    testing::LedgerWorld world;
    std::vector<double> raw_times;
    std::vector<double> own_times;
    bool submit = true;
    double spent = 0;
    while (spent < budget || own_times.size() < 2) {
      Commit commit = submit ? world.Submit(size) : world.Start(size);
      submit = !submit;
      std::string body;
      for (const StateRow& row : commit.rows) body += row.key + row.value.value_or("");
      for (const Event& event : commit.events) body += event.subject + event.payload;
      raw_times.push_back(Seconds([&] { raw.Write(body); }));
      own_times.push_back(
          Seconds([&] { Require(store->Durable(Take(store->Append(std::move(commit))))); }));
      spent += raw_times.back() + own_times.back();
    }
    const double own = Percentile(own_times, 0.5);
    state.SetIterationTime(own);
    state.counters["floor, s"] = Percentile(raw_times, 0.5);
    state.counters["decisions a second"] = size / own;
  }
}

void OpenPostgres(benchmark::State& state, int workloads) {
  for (auto _ : state) {
    const std::string url = PostgresServer::Get()->FreshUrl();
    {
      const std::unique_ptr<PostgresStore> store = Take(PostgresStore::Open(url));
      testing::LedgerWorld world;
      for (int rows = 0; rows < workloads; rows += 1000) {
        Require(store->Durable(Take(store->Append(world.Submit(1000)))));
      }
    }
    std::unique_ptr<PostgresStore> store;
    const double open = Seconds([&] { store = Take(PostgresStore::Open(url)); });
    const auto skip = [](auto, auto, auto) { return Status::Ok(); };
    state.SetIterationTime(open + Seconds([&] { Require(store->Load(skip)); }));
    // One that has followed: what is left to do when the writer lets go.
    double closed_at = 0;
    const auto now = [] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
          .count();
    };
    PostgresTesting testing;
    std::atomic<bool> followed{false};
    testing.followed = [&](std::int64_t) { followed = true; };
    PostgresOptions options;
    options.lock_wait = std::chrono::minutes(5);
    options.testing = &testing;
    std::unique_ptr<PostgresStore> next;
    double taken_at = 0;
    std::thread waits([&] {
      next = Take(PostgresStore::Open(url, options));
      Require(next->Load(skip));
      taken_at = now();
    });
    while (!followed) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    closed_at = now();
    Require(store->Close());
    waits.join();
    state.counters["standby, s"] = taken_at - closed_at;
  }
}

}  // namespace

void RegisterPostgres(Size size) {
  const bool smoke = size == Size::kSmoke;
  if (PostgresServer::Get() == nullptr) {
    std::fprintf(stderr, "no rows of postgres: %s\n", PostgresServer::why().c_str());
    return;
  }
  for (const int rows : {1, 10, 100, 1000}) {
    const std::string name = "postgres/commit of " + std::to_string(rows) + " workloads";
    benchmark::RegisterBenchmark(name.c_str(), ComparePostgres, rows, smoke ? 0.0 : 2.0)
        ->Iterations(1)
        ->UseManualTime();
  }
  const int load = smoke ? 1000 : kLoadRows;
  benchmark::RegisterBenchmark(
      ("postgres/open and load " + std::to_string(load) + " workloads").c_str(), OpenPostgres, load)
      ->Iterations(1)
      ->Repetitions(1)
      ->UseManualTime();
}

}  // namespace muster::bench
