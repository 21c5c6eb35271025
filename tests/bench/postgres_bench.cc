// What a ledger in PostgreSQL costs over libpq itself: the same statements with the same bytes,
// once through PostgresStore and once prepared and executed by hand, without hashes, digests,
// encoding.
//
// Both write alternately into one server that flushes; beside them stand a flush of the same disk
// and a round trip. Then groups go through a link with a delay, one after another and several at
// once. Then a ledger of kLoadRows workloads is opened, from its snapshot and as a standby that has
// followed.
#include <fcntl.h>
#include <libpq-fe.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "db/postgres/postgres_store.h"
#include "db/store_thread.h"
#include "tests/bench/durable_bench.h"
#include "tests/bench/measure.h"
#include "tests/bench/slow_link.h"
#include "tests/testing/ledger_world.h"
#include "tests/testing/postgres_server.h"

namespace muster::bench {
namespace {

using testing::PostgresServer;

constexpr int kLoadRows = 100'000;

/// A group as it is stored; without changes where they stand in it.
struct StoredGroup {
  std::string body;
  std::string changes;
};

/// A connection that commits bytes as the store does.
class PlainPostgres {
 public:
  explicit PlainPostgres(const std::string& url)
      : connection_(PQconnectdb(url.substr(0, url.find('#')).c_str()), PQfinish) {
    Run("SET client_min_messages = warning");
    Run("DROP TABLE IF EXISTS raw_shard, raw_batch, raw_body");
    Run("CREATE TABLE raw_shard (id text PRIMARY KEY, epoch bigint, seq bigint, head_hash bytea, "
        "lease_until timestamptz) WITH (fillfactor = 50)");
    Run("CREATE TABLE raw_batch (shard text, seq bigint, epoch bigint, hash bytea, body bytea, "
        "PRIMARY KEY (shard, seq))");
    Run("CREATE TABLE raw_body (shard text, seq bigint, epoch bigint, body bytea, PRIMARY KEY "
        "(shard, seq, epoch))");
    for (const std::string table : {"raw_batch", "raw_body"}) {
      Run(("ALTER TABLE " + table + " ALTER COLUMN body SET COMPRESSION lz4").c_str());
    }
    Run("INSERT INTO raw_shard VALUES ('main', 1, 0, '', now())");
    Check(
        PQprepare(connection_.get(), "commit",
                  "WITH f AS (UPDATE raw_shard SET seq = $1::text::bigint, head_hash = $2, "
                  "lease_until = now() + interval '3 seconds' WHERE id = 'main' AND epoch = 1 AND "
                  "seq = $1::text::bigint - 1 RETURNING 1) INSERT INTO raw_batch SELECT 'main', "
                  "$1::text::bigint, 1, $2, $3 WHERE EXISTS (SELECT 1 FROM f)",
                  3, nullptr));
    Check(PQprepare(connection_.get(), "changes",
                    "INSERT INTO raw_body VALUES ('main', $1::text::bigint, 1, $2)", 2, nullptr));
  }
  void Write(const StoredGroup& group) {
    const std::string seq = std::to_string(++seq_);
    PGconn* const connection = connection_.get();
    Require(PQenterPipelineMode(connection) == 1, "no pipeline");
    int statements = 1;
    if (!group.changes.empty()) {
      Send("changes", std::array<std::string_view, 2>{seq, group.changes});
      ++statements;
    }
    Send("commit", std::array<std::string_view, 3>{seq, hash_, group.body});
    Require(PQpipelineSync(connection) == 1, PQerrorMessage(connection));
    for (; statements > 0; --statements) {
      Check(PQgetResult(connection));
      Require(PQgetResult(connection) == nullptr, "a second answer");
    }
    PGresult* const end = PQgetResult(connection);
    Require(PQresultStatus(end) == PGRES_PIPELINE_SYNC, PQerrorMessage(connection));
    PQclear(end);
    Require(PQexitPipelineMode(connection) == 1, PQerrorMessage(connection));
  }
  /// The newest group of the ledger at `url`.
  StoredGroup Newest(const std::string& url) {
    const std::string sql =
        "SELECT b.body, coalesce(a.body, '') FROM muster_batch b LEFT JOIN muster_body a ON "
        "a.shard = b.shard AND a.seq = b.seq AND a.epoch = b.epoch WHERE b.shard = '" +
        url.substr(url.find('#') + 1) + "' ORDER BY b.seq DESC LIMIT 1";
    PGresult* const result =
        PQexecParams(connection_.get(), sql.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 1);
    Require(PQntuples(result) == 1, PQerrorMessage(connection_.get()));
    const auto text = [&](int column) {
      return std::string(PQgetvalue(result, 0, column),
                         static_cast<std::size_t>(PQgetlength(result, 0, column)));
    };
    StoredGroup group{text(0), text(1)};
    PQclear(result);
    return group;
  }
  void RoundTrip() { Run("SELECT 1"); }

 private:
  void Run(const char* sql) { Check(PQexec(connection_.get(), sql)); }
  void Check(PGresult* result) {
    const ExecStatusType status = PQresultStatus(result);
    Require(status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK,
            PQerrorMessage(connection_.get()));
    PQclear(result);
  }

  /// Numbers as text, which ends with a zero.
  void Send(const char* statement, std::span<const std::string_view> given) {
    std::array<const char*, 3> values{};
    std::array<int, 3> lengths{};
    const std::array<int, 3> formats = {0, 1, 1};
    for (std::size_t i = 0; i < given.size(); ++i) {
      values.at(i) = given[i].data();
      lengths.at(i) = static_cast<int>(given[i].size());
    }
    Require(PQsendQueryPrepared(connection_.get(), statement, static_cast<int>(given.size()),
                                values.data(), lengths.data(), formats.data(), 1) == 1,
            PQerrorMessage(connection_.get()));
  }

  std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
  const std::string hash_ = std::string(32, 'h');
  std::int64_t seq_ = 0;
};

/// A file on the disk that the server writes to.
class Flushed {
 public:
  Flushed()
      : file_(open((folder_.path() / "flush").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600)) {}
  ~Flushed() { close(file_); }
  Flushed(const Flushed&) = delete;
  Flushed& operator=(const Flushed&) = delete;

  void Flush() {
    Require(write(file_, page_.data(), page_.size()) > 0 && fdatasync(file_) == 0, "no flush");
  }

 private:
  testing::TemporaryDirectory folder_;
  const std::string page_ = std::string(8192, 'f');
  const int file_;
};

/// Without snapshots, which are made beside the commits.
PostgresOptions CommitsAlone() {
  PostgresOptions options;
  options.snapshot_bytes = std::int64_t{1} << 40;
  return options;
}

/// One iteration compares the two writers for `budget` seconds.
void ComparePostgres(benchmark::State& state, int size, double budget) {
  for (auto _ : state) {
    const std::string url = PostgresServer::Get()->FreshUrl();
    PlainPostgres raw(url);
    const std::unique_ptr<PostgresStore> store = Take(PostgresStore::Open(url, CommitsAlone()));
    testing::LedgerWorld world;
    Flushed flushed;
    std::vector<double> raw_times;
    std::vector<double> own_times;
    std::vector<double> flushes;
    std::vector<double> trips;
    bool submit = true;
    double spent = 0;
    while (spent < budget || own_times.size() < 2) {
      Commit commit = submit ? world.Submit(size) : world.Start(size);
      submit = !submit;
      own_times.push_back(
          Seconds([&] { Require(store->Durable(Take(store->Append(std::move(commit))))); }));
      const StoredGroup group = raw.Newest(url);
      raw_times.push_back(Seconds([&] { raw.Write(group); }));
      flushes.push_back(Seconds([&] { flushed.Flush(); }));
      trips.push_back(Seconds([&] { raw.RoundTrip(); }));
      spent += raw_times.back() + own_times.back();
    }
    const double own = Percentile(own_times, 0.5);
    const double flush = Percentile(flushes, 0.5);
    state.SetIterationTime(own);
    state.counters["floor, s"] = Percentile(raw_times, 0.5);
    state.counters["flush, s"] = flush;
    state.counters["decisions a second"] = size / own;
    state.counters["of the floor's rate"] = Percentile(raw_times, 0.5) / own;
    state.counters["over flush and round trip"] = own / (flush + Percentile(trips, 0.5));
  }
}

/// A store as it is for one that sends a group when the one before is answered.
class OneGroup final : public GroupJournal {
 public:
  explicit OneGroup(Journal& store) : store_(store) {}
  Result<Ticket> Append(Commit commit) override { return store_.Append(std::move(commit)); }
  Status Durable(Ticket ticket) override { return store_.Durable(ticket); }

 private:
  Journal& store_;
};

/// Commits through `journal`, of which eight at most are not durable; the median of how long each
/// took, and of `seconds` a commit.
std::pair<double, double> WriteAhead(GroupJournal& journal, testing::LedgerWorld& world, int size,
                                     double budget) {
  constexpr std::size_t kAhead = 8;
  const std::unique_ptr<StoreThread> thread = Take(StoreThread::Start(journal));
  std::deque<std::pair<Ticket, std::chrono::steady_clock::time_point>> sent;
  std::vector<double> times;
  const auto settle = [&] {
    Require(thread->Durable(sent.front().first));
    times.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - sent.front().second)
            .count());
    sent.pop_front();
  };
  bool submit = true;
  const auto begun = std::chrono::steady_clock::now();
  const auto spent = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  };
  while (spent() < budget || times.size() < 2) {
    Commit commit = submit ? world.Submit(size) : world.Start(size);
    submit = !submit;
    sent.emplace_back(Take(thread->Append(std::move(commit))), std::chrono::steady_clock::now());
    if (sent.size() >= kAhead) settle();
  }
  while (!sent.empty()) settle();
  return {Percentile(times, 0.5), spent() / static_cast<double>(times.size())};
}

void AheadOfPostgres(benchmark::State& state, std::chrono::microseconds delay, double budget) {
  constexpr int kSize = 10;
  for (auto _ : state) {
    const SlowLink link(PostgresServer::Get()->FreshUrl(), delay);
    const std::unique_ptr<PostgresStore> store =
        Take(PostgresStore::Open(link.url(), CommitsAlone()));
    testing::LedgerWorld world;
    OneGroup one(*store);
    Flushed flushed;
    std::vector<double> flushes;
    std::vector<double> one_latency, one_rate, own_latency, own_rate;
    for (int turn = 0; turn < 5; ++turn) {
      for (int i = 0; i < 20; ++i) flushes.push_back(Seconds([&] { flushed.Flush(); }));
      const auto [latency, rate] = WriteAhead(one, world, kSize, budget / 10);
      one_latency.push_back(latency);
      one_rate.push_back(rate);
      const auto [own, seconds] = WriteAhead(*store, world, kSize, budget / 10);
      own_latency.push_back(own);
      own_rate.push_back(seconds);
    }
    state.SetIterationTime(Percentile(own_rate, 0.5));
    state.counters["flush, s"] = Percentile(flushes, 0.5);
    state.counters["useful groups"] = static_cast<double>(store->useful_groups());
    state.counters["p50, s"] = Percentile(own_latency, 0.5);
    state.counters["commits a second"] = 1 / Percentile(own_rate, 0.5);
    state.counters["one group: p50, s"] = Percentile(one_latency, 0.5);
    state.counters["one group: commits a second"] = 1 / Percentile(one_rate, 0.5);
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
  Require(PostgresServer::Get()->Flush(), PostgresServer::why());
  for (const int delay : {0, 500, 2000}) {
    const std::string name = "postgres/8 commits ahead, " + std::to_string(delay) + " us away";
    benchmark::RegisterBenchmark(name.c_str(), AheadOfPostgres, std::chrono::microseconds(delay),
                                 smoke ? 0.0 : 5.0)
        ->Iterations(1)
        ->UseManualTime();
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
