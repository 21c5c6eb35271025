// Many ledgers of one database, as docs/scale.md speaks of them: really builds the engines of all
// trees in this process, runs submits, starts and ends over them in virtual time, and measures what
// they hold, what a decision costs and how large it is in the ledger. Groups of that size then go
// to a real PostgreSQL over many connections. What all of it allows is computed from both.
//
//   shards_bench [TREES [LIVE [SECONDS]]]    100 trees of 100,000 live workloads, 4 s of their load
//
// Fewer trees are built where memory does not hold so many; it says so.
#include <libpq-fe.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "db/batches/batch_codec.h"
#include "tests/bench/measure.h"
#include "tests/bench/worlds.h"
#include "tests/testing/builders.h"
#include "tests/testing/postgres_server.h"

namespace muster::bench {
namespace {

constexpr double kMega = 1e6;
constexpr int kQueues = 100;             ///< of a tree
constexpr int kGroupsASecond = 20;       ///< of a tree
constexpr int kJobSeconds = 20 * 60;     ///< so long a job lives
constexpr int kDecisionsOfAJob = 3;      ///< it is submitted, starts and ends
constexpr std::size_t kInACall = 2'000;  ///< workloads, while a tree is built
constexpr std::size_t kKeptTrees = 32;   ///< whose groups go to the database
constexpr double kFor = 4;               ///< seconds that the database is asked

double Resident() {
  long pages = 0;
  long resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double Available() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  double kilobytes = 0;
  std::string unit;
  while (file >> name >> kilobytes >> unit) {
    if (name == "MemAvailable:") return kilobytes * 1024;
  }
  return 0;
}

/// Keeps commits until a group ends, and encodes that as a ledger in PostgreSQL does.
class Groups final : public Journal {
 public:
  Result<Ticket> Append(Commit commit) override {
    commits_.push_back(std::move(commit));
    return ++ticket_;
  }
  Status Durable(Ticket /*ticket*/) override { return Status::Ok(); }

  void Drop() { commits_ = {}; }
  std::string End() {
    std::vector<BatchCommit> batch;
    batch.reserve(commits_.size());
    for (Commit& each : commits_) {
      BatchCommit& kept = batch.emplace_back();
      CommitRecord& record = kept.stored.record;
      record.seq = ++seq_;
      record.command = CommandName(each.command);
      record.input = std::move(each.input);
      record.at = each.at;
      record.cycle = each.cycle;
      record.engine_version = "bench";
      record.events = std::move(each.events);
      record.policies = std::move(each.policies);
      kept.rows = std::move(each.rows);
    }
    commits_.clear();
    return EncodeBatch(batch);
  }

 private:
  std::vector<Commit> commits_;
  Ticket ticket_ = 0;
  std::int64_t seq_ = 0;
};

/// One tree: nine of ten of its jobs run, and the others wait.
class Tree {
 public:
  Tree(int live, TimeNs now) : engine_(&groups_), now_(now) {
    const int running = live * 9 / 10 / kQueues * kQueues;
    std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
    for (int i = 0; i < kQueues; ++i) {
      AddQueue(objects, QueueName(i), "cohort-" + std::to_string(i / 10),
               {running / kQueues, 0, {}});
    }
    Require(engine_.Apply(objects, now));
    std::vector<Workload> all = SmallOnes("run-", kQueues, running, 50, now);
    for (Workload& each : all) {
      const std::string queue = each.queue.str().substr(3);
      running_.push_back({each.key, queue});
      each = testing::Holding(each, queue);
    }
    const std::vector<Workload> waits = SmallOnes("wait-", kQueues, live - running, 50, now);
    all.insert(all.end(), waits.begin(), waits.end());
    for (std::size_t at = 0; at < all.size(); at += kInACall) {
      Require(engine_.Submit(std::span(all).subspan(at, std::min(kInACall, all.size() - at)), now));
      groups_.Drop();
    }
    Require(Take(engine_.RunCycle(now)).admitted.empty(), "what waits has no room");
    groups_.Drop();
  }

  /// Some jobs end and are forgotten, as many come, and what waits longest starts.
  void Step(int jobs) {
    now_ += kSecond / kGroupsASecond;
    std::vector<Key> ended;
    std::vector<Workload> come;
    for (int i = 0; i < jobs; ++i) {
      ended.push_back(running_[oldest_].job);
      come.push_back(SmallOnes("job-" + std::to_string(++come_) + "-", 1, 1, 50, now_).front());
      come.back().queue = "lq-" + running_[oldest_].queue;
      places_.push_back(oldest_);
      oldest_ = (oldest_ + 1) % running_.size();
    }
    std::size_t started = 0;
    decide_seconds_ += CpuSeconds([&] {
      Require(engine_.Finish(ended, false, now_));
      Require(engine_.Submit(come, now_));
      while (started < ended.size()) {
        const CycleResult cycle = Take(engine_.RunCycle(now_));
        if (cycle.admitted.empty()) break;
        for (const AdmittedWorkload& each : cycle.admitted) {
          const std::string queue = each.admission.cluster_queue.str();
          if (started < places_.size()) running_[places_[started++]] = {each.workload, queue};
        }
      }
    });
    Require(started == ended.size(), "what ended made room for as many");
    places_.clear();
    const double begun = encode_seconds_;
    encode_seconds_ = begun + CpuSeconds([&] { body_ = groups_.End(); });
    bytes_ += body_.size();
    decisions_ += kDecisionsOfAJob * jobs;
    ++groups_done_;
    // An engine keeps what has ended until it is told otherwise; that is no decision.
    Require(engine_.Cancel(ended, now_));
    groups_.Drop();
  }

  const std::string& body() const { return body_; }
  double decide_seconds() const { return decide_seconds_; }
  double encode_seconds() const { return encode_seconds_; }
  std::size_t bytes() const { return bytes_; }
  std::int64_t decisions() const { return decisions_; }
  std::int64_t groups() const { return groups_done_; }

 private:
  struct Running {
    Key job;
    std::string queue;
  };

  Groups groups_;
  Engine engine_;
  TimeNs now_;
  std::vector<Running> running_;
  std::vector<std::size_t> places_;
  std::size_t oldest_ = 0;
  std::int64_t come_ = 0;
  std::string body_;
  double decide_seconds_ = 0;
  double encode_seconds_ = 0;
  std::size_t bytes_ = 0;
  std::int64_t decisions_ = 0;
  std::int64_t groups_done_ = 0;
};

struct Measured {
  double live = 0;                               ///< workloads of all trees
  double resident = 0;                           ///< bytes
  double decide = 0;                             ///< seconds of the processor a decision
  double encode = 0;                             ///< the same of its encoding
  double bytes = 0;                              ///< a decision, encoded
  double a_group = 0;                            ///< decisions
  std::vector<std::vector<std::string>> bodies;  ///< of some trees, each in order
};

Measured RunTrees(int trees, int live, int seconds) {
  Measured measured;
  const double before = Resident();
  std::vector<std::unique_ptr<Tree>> all;
  const double built = Seconds([&] {
    for (int i = 0; i < trees; ++i) {
      // Half as much again is for the rest of the machine.
      const double each = all.empty() ? 0 : (Resident() - before) / static_cast<double>(all.size());
      if (1.5 * each > Available()) {
        std::printf("no more than %d trees fit into memory\n", i);
        break;
      }
      all.push_back(std::make_unique<Tree>(live, testing::kNoon));
    }
  });
  measured.resident = Resident() - before;
  measured.live = static_cast<double>(all.size()) * live;
  std::printf(
      "engines    %zu trees of %d live workloads: %.2f GB, %.0f MB a tree, built in %.0f s\n",
      all.size(), live, measured.resident / 1e9,
      measured.resident / kMega / static_cast<double>(all.size()), built);
  std::fflush(stdout);
  measured.bodies.resize(std::min(all.size(), kKeptTrees));
  const double a_step = static_cast<double>(live) / kJobSeconds / kGroupsASecond;
  double owed = 0;
  for (int step = 0; step < seconds * kGroupsASecond; ++step) {
    owed += a_step;
    const int jobs = static_cast<int>(owed);
    owed -= jobs;
    for (std::size_t i = 0; i < all.size() && jobs > 0; ++i) {
      all[i]->Step(jobs);
      if (i < measured.bodies.size()) measured.bodies[i].push_back(all[i]->body());
    }
  }
  double decisions = 0;
  double groups = 0;
  for (const std::unique_ptr<Tree>& tree : all) {
    measured.decide += tree->decide_seconds();
    measured.encode += tree->encode_seconds();
    measured.bytes += static_cast<double>(tree->bytes());
    decisions += static_cast<double>(tree->decisions());
    groups += static_cast<double>(tree->groups());
  }
  measured.decide /= decisions;
  measured.encode /= decisions;
  measured.bytes /= decisions;
  measured.a_group = decisions / groups;
  std::printf(
      "load       %d s of it: %.0f decisions, %.1f a group; %.2f us of the processor each, %.2f us "
      "to encode, %.0f bytes\n",
      seconds, decisions, measured.a_group, measured.decide * kMega, measured.encode * kMega,
      measured.bytes);
  std::printf("memory     %.2f GB after that\n", (Resident() - before) / 1e9);
  std::fflush(stdout);
  return measured;
}

/// A connection that commits groups to a ledger of its own, as a store does.
class Writer {
 public:
  Writer(const std::string& url, int ledger)
      : connection_(PQconnectdb(url.substr(0, url.find('#')).c_str()), PQfinish),
        ledger_("t" + std::to_string(ledger)) {
    Run("INSERT INTO bench_shard VALUES ('" + ledger_ + "', 1, 0, '', now())");
    Check(PQprepare(connection_.get(), "commit",
                    "WITH f AS (UPDATE bench_shard SET seq = $1::text::bigint, head_hash = $2, "
                    "lease_until = now() + interval '3 seconds' WHERE id = $4 AND epoch = 1 AND "
                    "seq = $1::text::bigint - 1 RETURNING 1) INSERT INTO bench_batch SELECT $4, "
                    "$1::text::bigint, 1, $2, $3 WHERE EXISTS (SELECT 1 FROM f)",
                    4, nullptr));
  }
  static void Make(const std::string& url) {
    PGconn* const connection = PQconnectdb(url.substr(0, url.find('#')).c_str());
    PGresult* const made = PQexec(
        connection,
        "SET client_min_messages = warning; DROP TABLE IF EXISTS bench_shard, bench_batch;"
        "CREATE TABLE bench_shard (id text PRIMARY KEY, epoch bigint, seq bigint, head_hash bytea, "
        "lease_until timestamptz) WITH (fillfactor = 50);"
        "CREATE TABLE bench_batch (shard text, seq bigint, epoch bigint, hash bytea, body bytea, "
        "PRIMARY KEY (shard, seq));"
        "ALTER TABLE bench_batch ALTER COLUMN body SET COMPRESSION lz4; CHECKPOINT");
    Require(PQresultStatus(made) == PGRES_COMMAND_OK, PQerrorMessage(connection));
    PQclear(made);
    PQfinish(connection);
  }
  void Write(const std::string& body) {
    const std::string seq = std::to_string(++seq_);
    const std::string hash(32, 'h');
    const std::array<const char*, 4> values = {seq.c_str(), hash.data(), body.data(),
                                               ledger_.c_str()};
    const std::array<int, 4> lengths = {0, 32, static_cast<int>(body.size()), 0};
    const std::array<int, 4> formats = {0, 1, 1, 0};
    Check(PQexecPrepared(connection_.get(), "commit", 4, values.data(), lengths.data(),
                         formats.data(), 1));
  }
  double LogBytes() {
    PGresult* const result =
        PQexec(connection_.get(), "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn");
    Require(PQntuples(result) == 1, PQerrorMessage(connection_.get()));
    const double bytes = std::strtod(PQgetvalue(result, 0, 0), nullptr);
    PQclear(result);
    return bytes;
  }

 private:
  void Run(const std::string& sql) { Check(PQexec(connection_.get(), sql.c_str())); }
  void Check(PGresult* result) {
    Require(PQresultStatus(result) == PGRES_COMMAND_OK, PQerrorMessage(connection_.get()));
    PQclear(result);
  }

  std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
  const std::string ledger_;
  std::int64_t seq_ = 0;
};

struct Database {
  double commits = 0;  ///< a second
  double log = 0;      ///< bytes a commit
};

/// So many ledgers commit `joined` groups as one, each as fast as it is answered.
Database Ask(const std::string& url, const std::vector<std::vector<std::string>>& trees,
             int ledgers, int joined) {
  Writer::Make(url);
  std::vector<std::string> groups;
  const auto in_one = static_cast<std::size_t>(joined);
  for (const std::vector<std::string>& bodies : trees) {
    for (std::size_t i = 0; i + in_one <= bodies.size(); i += in_one) {
      std::string& group = groups.emplace_back();
      for (std::size_t k = i; k < i + in_one; ++k) group += bodies[k];
    }
  }
  std::vector<std::unique_ptr<Writer>> writers;
  for (int i = 0; i < ledgers; ++i) writers.push_back(std::make_unique<Writer>(url, i));
  std::atomic<bool> over = false;
  std::atomic<std::int64_t> commits = 0;
  const double log = writers.front()->LogBytes();
  std::vector<std::thread> threads;
  const double took = Seconds([&] {
    for (std::size_t i = 0; i < writers.size(); ++i) {
      threads.emplace_back([&, i] {
        for (std::size_t at = i; !over; ++at) {
          writers[i]->Write(groups[at % groups.size()]);
          ++commits;
        }
      });
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(kFor));
    over = true;
    for (std::thread& each : threads) each.join();
  });
  const auto done = static_cast<double>(commits.load());
  return {done / took, (writers.front()->LogBytes() - log) / done};
}

void Model(const Measured& measured, const std::string& url) {
  struct Row {
    int ledgers;
    int joined;
    Database is;
  };
  std::vector<Row> rows = {{1, 1, {}}, {32, 1, {}}, {32, 5, {}}, {32, 20, {}}};
  double best = 0;
  double least = 1e18;
  for (Row& row : rows) {
    row.joined = std::min(row.joined, static_cast<int>(measured.bodies.front().size()));
    row.is = Ask(url, measured.bodies, row.ledgers, row.joined);
    const double decisions = measured.a_group * row.joined;
    std::printf(
        "database   %2d ledgers, %4.0f decisions a commit: %6.0f commits, %7.0f decisions, %5.1f "
        "MB "
        "of log a second; %.0f bytes of log a decision\n",
        row.ledgers, decisions, row.is.commits, row.is.commits * decisions,
        row.is.commits * row.is.log / kMega, row.is.log / decisions);
    std::fflush(stdout);
    best = std::max(best, row.is.commits * decisions);
    least = std::min(least, row.is.log / decisions);
  }
  const double need = measured.live / kJobSeconds * kDecisionsOfAJob;
  const double cores = need * (measured.decide + measured.encode);
  std::printf(
      "model      %.0f live jobs of 20 minutes need %.0f decisions a second: %.2f processors of "
      "the "
      "engines, %.1f MB of log a second\n",
      measured.live, need, cores, need * least / kMega);
  std::printf(
      "bound      the database takes %.0f decisions a second, %.1f times as many; one engine takes "
      "%.0f, and %.0f with encoding\n",
      best, best / need, 1 / measured.decide, 1 / (measured.decide + measured.encode));
}

int Main(int argc, char** argv) {
  const auto number = [&](int at, int otherwise) {
    return argc > at ? std::atoi(argv[at]) : otherwise;
  };
  const int trees = number(1, 100);
  const int live = number(2, 100'000);
  const Measured measured = RunTrees(trees, live, number(3, 4));
  testing::PostgresServer* const server = testing::PostgresServer::Get();
  if (server == nullptr || !server->Flush()) {
    std::printf("no database: %s\n", testing::PostgresServer::why().c_str());
    return 1;
  }
  Model(measured, server->Url("shards"));
  return 0;
}

}  // namespace
}  // namespace muster::bench

int main(int argc, char** argv) { return muster::bench::Main(argc, argv); }
