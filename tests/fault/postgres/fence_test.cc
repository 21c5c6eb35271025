// Several writers want one ledger in PostgreSQL. They are killed, stopped for longer than their
// lease, their connections are cut in the middle of a commit, and the server crashes. Nothing that
// was acknowledged is lost, twice there or in another place, and without the fence this test says
// so.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "db/postgres/connection.h"
#include "db/postgres/place.h"
#include "db/postgres/postgres_reader.h"
#include "db/postgres/postgres_store.h"
#include "tests/testing/doomed_process.h"
#include "tests/testing/postgres_server.h"

namespace muster::testing {
namespace {

constexpr int kLease = 200;  // milliseconds

class Writers {
 public:
  Writers(std::string url, int count, std::vector<std::string> how)
      : url_(std::move(url)), how_(std::move(how)) {
    for (int i = 0; i < count; ++i) writers_.push_back(Begin(i));
  }

  /// Something happens to one of them.
  void Disturb(std::mt19937& random) {
    for (const auto& each : writers_) each->Hear();
    const std::size_t which = random() % writers_.size();
    DoomedProcess& writer = *writers_[which];
    if (random() % 16 == 0) {
      // As at an immediate shutdown: the server has no time to end anything.
      ++restarts_;
      EXPECT_TRUE(PostgresServer::Get()->CrashAndRestart()) << PostgresServer::why();
      return;
    }
    switch (random() % 4) {
      case 0:
        ++kills_;
        Note(writer.Kill());
        writers_[which] = Begin(static_cast<int>(which));
        return;
      case 1:
      case 2:
        // Another takes over meanwhile; this one believes that it writes.
        ++stops_;
        writer.Signal(SIGSTOP);
        std::this_thread::sleep_for(std::chrono::milliseconds(2 * kLease));
        writer.Signal(SIGCONT);
        return;
      default:
        Cut();
    }
  }

  void End() {
    for (const auto& writer : writers_) Note(writer->Kill());
    writers_.clear();
  }

  /// What is wrong with the history, if anything is.
  std::string Problem() const {
    const auto reader = PostgresReader::Open(url_);
    if (!reader.ok()) return reader.status().message();
    const Result<VerifyReport> report = (*reader)->Verify();
    if (!report.ok()) return report.status().message();
    if (!report->sound()) return report->findings.front();
    std::map<std::int64_t, std::string> found;
    std::set<std::string> ids;
    std::string problem;
    const Status read = (*reader)->ReadCommits(1, [&](const CommitRecord& commit) {
      found[commit.seq] = commit.events.at(0).subject.substr(2);
      if (!ids.insert(found[commit.seq]).second) problem = found[commit.seq] + " is there twice";
      return Status::Ok();
    });
    if (!read.ok()) return read.message();
    for (const auto& [seq, id] : acknowledged_) {
      const auto at = found.find(seq);
      if (at == found.end()) return id + ", commit " + std::to_string(seq) + ", is lost";
      if (at->second != id) return id + " is not commit " + std::to_string(seq);
    }
    if (twice_) return "two commits were acknowledged under one number";
    return problem;
  }

  std::int64_t Takeovers() const {
    const PgPlace place = *PlaceFrom(url_);
    Result<PgConnection> connection = PgConnection::Open(place.url);
    if (!connection.ok()) return 0;
    const Result<PgRows> rows = connection->Run("SELECT epoch FROM muster_shard WHERE id = $1",
                                                {std::string_view(place.shard)});
    return rows.ok() && !rows->empty() ? rows->Number(0, 0) : 0;
  }

  void Tell() const {
    std::cout << Takeovers() << " takeovers, " << kills_ << " kills, " << stops_
              << " stops beyond the lease, " << cuts_ << " connections cut, " << restarts_
              << " restarts of the server, " << acknowledged_.size() << " commits acknowledged\n";
  }
  std::size_t acknowledged() const { return acknowledged_.size(); }

 private:
  std::unique_ptr<DoomedProcess> Begin(int number) const {
    std::vector<std::string> command = {FENCE_CHILD, url_, "w" + std::to_string(number),
                                        std::to_string(kLease)};
    command.insert(command.end(), how_.begin(), how_.end());
    return std::make_unique<DoomedProcess>(command);
  }

  /// Ends a server process that commits, for whichever writer.
  void Cut() {
    Result<PgConnection> connection = PgConnection::Open(PlaceFrom(url_)->url);
    if (!connection.ok()) return;
    const Result<PgRows> cut = connection->Run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE (query LIKE 'WITH f AS%' OR "
        "query LIKE 'INSERT INTO muster_body%') AND pid <> pg_backend_pid() LIMIT 1");
    if (cut.ok() && !cut->empty()) ++cuts_;
  }

  void Note(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
      std::istringstream words(line);
      std::string word;
      std::int64_t seq = 0;
      std::string id;
      words >> word >> seq >> id;
      if (word != "ack") continue;
      if (!acknowledged_.emplace(seq, id).second) twice_ = true;
    }
  }

  const std::string url_;
  const std::vector<std::string> how_;
  std::vector<std::unique_ptr<DoomedProcess>> writers_;
  std::map<std::int64_t, std::string> acknowledged_;
  bool twice_ = false;
  int kills_ = 0, stops_ = 0, cuts_ = 0, restarts_ = 0;
};

class Fence : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (PostgresServer::Get() == nullptr) GTEST_SKIP() << PostgresServer::why();
  }

  static std::vector<std::string> Each() {
    return *GetParam() == '\0' ? std::vector<std::string>() : std::vector<std::string>{GetParam()};
  }

  static std::int64_t Fight(int disturbances, unsigned seed) {
    Writers writers(PostgresServer::Get()->FreshUrl(), 3, Each());
    std::mt19937 random(seed);
    for (int i = 0; i < disturbances; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(random() % 150));
      writers.Disturb(random);
    }
    std::this_thread::sleep_for(std::chrono::seconds(1));
    writers.End();
    writers.Tell();
    EXPECT_EQ(writers.Problem(), "");
    EXPECT_GT(writers.acknowledged(), 0u);
    EXPECT_GE(writers.Takeovers(), 3);
    return writers.Takeovers();
  }
};
using NightFence = Fence;

std::string NameOf(const ::testing::TestParamInfo<const char*>& info) {
  if (*info.param == '\0') return "OneGroupAfterAnother";
  return info.param == std::string("--ahead") ? "GroupsInFlight" : "GroupsInHalves";
}
INSTANTIATE_TEST_SUITE_P(Writers, Fence, ::testing::Values("", "--ahead", "--halves"), NameOf);
INSTANTIATE_TEST_SUITE_P(Writers, NightFence, ::testing::Values("", "--ahead", "--halves"), NameOf);

TEST_P(Fence, LosesDoublesAndReordersNothing) { Fight(16, 7); }

// Each round on a ledger of its own: opening one takes longer the more was done.
TEST_P(NightFence, LosesDoublesAndReordersNothingInManyRounds) {
  std::int64_t takeovers = 0;
  for (unsigned round = 0; round < 17 && !HasFailure(); ++round) takeovers += Fight(200, round);
  std::cout << takeovers << " takeovers in all\n";
}

TEST_P(Fence, IsMissedWhenTheEpochIsLeftOut) {
  std::string problem;
  for (unsigned seed = 1; seed <= 5 && problem.empty(); ++seed) {
    std::vector<std::string> how = Each();
    how.emplace_back("--without-fence");
    Writers writers(PostgresServer::Get()->FreshUrl(), 3, how);
    std::mt19937 random(seed);
    for (int i = 0; i < 12; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(random() % 100));
      writers.Disturb(random);
    }
    std::this_thread::sleep_for(std::chrono::seconds(1));
    writers.End();
    problem = writers.Problem();
  }
  EXPECT_NE(problem, "");
  std::cout << "noticed: " << problem << '\n';
}

}  // namespace
}  // namespace muster::testing
