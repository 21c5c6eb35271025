// An engine that waits for a ledger does again what its writer does, and is the writer's when it is
// taken; one that comes to anything else is dropped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "bindings/cpp/replay.h"
#include "db/store.h"
#include "muster/log.h"
#include "muster/muster.h"
#include "tests/fault/postgres/in_postgres.h"
#include "tests/testing/builders.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using Clock = std::chrono::steady_clock;
using Opened = Result<std::unique_ptr<DurableEngine>>;

constexpr const char* kKept = "its engine was kept ready";
constexpr const char* kNotKept = "no engine is kept ready";

class StandbyEngineInPostgres : public InPostgres {
 protected:
  void SetUp() override {
    InPostgres::SetUp();
    SetLogLevel(LogLevel::kInfo);
    SetLogSink([this](LogLevel, std::string_view message) {
      const std::lock_guard lock(mutex_);
      said_.emplace_back(message);
    });
  }
  void TearDown() override {
    SetLogSink({});
    SetLogLevel(LogLevel::kWarning);
  }
  std::vector<std::string> said() {
    const std::lock_guard lock(mutex_);
    return said_;
  }

  std::unique_ptr<DurableEngine> Writer() {
    Opened opened = DurableEngine::Open(url_);
    EXPECT_TRUE(opened.ok()) << opened.status().message();
    return opened.ok() ? std::move(*opened) : nullptr;
  }
  std::future<Opened> Wait() {
    return std::async(std::launch::async, [this] {
      DurableOptions options;
      options.lock_wait = std::chrono::minutes(2);
      return DurableEngine::Open(url_, options);
    });
  }
  /// Until what waits reads no history any more.
  void Followed() const {
    const auto until = Clock::now() + std::chrono::minutes(1);
    for (int quiet = 0; quiet < 10 && Clock::now() < until;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      const Result<PgRows> reading = connection_->Run(
          "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query ~ "
          "'^SELECT (seq, hash, body, |.*muster_snapshot)'");
      ASSERT_TRUE(reading.ok()) << reading.status().message();
      quiet = reading->Number(0, 0) == 0 ? quiet + 1 : 0;
    }
  }
  static void Submit(Engine& engine, const std::string& name, std::int64_t cores, TimeNs now) {
    const Workload workload = MakeWorkload(name, "q", Cpu(cores));
    ASSERT_TRUE(engine.Submit({&workload, 1}, now).ok());
  }
  static void Begin(DurableEngine& writer) {
    const std::vector<Object> objects = {MakeNamespace(), MakeFlavor("default"),
                                         MakeQueue("q", "", {{.nominal = 4}}), MakeLocalQueue("q")};
    ASSERT_TRUE(writer.engine().Apply(objects, kNoon).ok());
    ASSERT_NO_FATAL_FAILURE(Submit(writer.engine(), "a", 3, kNoon));
  }
  static std::string Package(const char* name) {
    return (SourceDir() / "policies" / name).string();
  }
  /// The state of the writer, which lets go.
  static std::string Release(std::unique_ptr<DurableEngine> writer) {
    std::string state = *writer->engine().StateHash();
    EXPECT_TRUE(writer->Close().ok());
    return state;
  }
  /// What has taken over is what the ledger says, and so is what it does next.
  static void Check(DurableEngine& taken, const std::string& state) {
    EXPECT_EQ(*taken.engine().StateHash(), state);
    EXPECT_EQ(*ReadLedger(taken.ledger())->StateHash(), state);
    EXPECT_TRUE(taken.engine().CheckInvariants().ok());
    ASSERT_NO_FATAL_FAILURE(Submit(taken.engine(), "after", 1, kNoon + kSecond));
    EXPECT_EQ(AdmittedNames(*taken.engine().RunCycle(kNoon + kSecond)).size(), 1u);
    const std::string after = *taken.engine().StateHash();
    EXPECT_NE(after, state);
    EXPECT_EQ(*ReadLedger(taken.ledger())->StateHash(), after);
    const Result<Replayed> replayed = ReplayLedger(taken.ledger());
    ASSERT_TRUE(replayed.ok()) << replayed.status().message();
    EXPECT_EQ(replayed->state_hash, after);
    EXPECT_TRUE(taken.ledger().Verify()->sound());
  }
  /// The writer lets go, and what waits has its engine.
  void TakesOverReady(std::unique_ptr<DurableEngine> writer, std::future<Opened>& waiting) {
    const std::string state = Release(std::move(writer));
    const Opened taken = waiting.get();
    ASSERT_TRUE(taken.ok()) << taken.status().message();
    EXPECT_THAT(said(), Contains(HasSubstr(kKept)));
    ASSERT_NO_FATAL_FAILURE(Check(**taken, state));
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> said_;
};

TEST_F(StandbyEngineInPostgres, IsTheWritersWhenItTakesOver) {
  std::unique_ptr<DurableEngine> writer = Writer();
  ASSERT_NO_FATAL_FAILURE(Begin(*writer));
  std::future<Opened> waiting = Wait();
  ASSERT_NO_FATAL_FAILURE(Followed());
  ASSERT_TRUE(writer->engine().RunCycle(kNoon).ok());
  ASSERT_NO_FATAL_FAILURE(Submit(writer->engine(), "b", 2, kNoon));
  ASSERT_TRUE(writer->engine().RunCycle(kNoon).ok());
  ASSERT_NO_FATAL_FAILURE(TakesOverReady(std::move(writer), waiting));
}

TEST_F(StandbyEngineInPostgres, FollowsALedgerThatIsEmptyAtFirst) {
  std::unique_ptr<DurableEngine> writer = Writer();
  std::future<Opened> waiting = Wait();
  ASSERT_NO_FATAL_FAILURE(Followed());
  ASSERT_NO_FATAL_FAILURE(Begin(*writer));
  ASSERT_TRUE(writer->engine().RunCycle(kNoon).ok());
  ASSERT_NO_FATAL_FAILURE(TakesOverReady(std::move(writer), waiting));
}

TEST_F(StandbyEngineInPostgres, KnowsPoliciesThatWereActiveAndThoseThatCome) {
  std::unique_ptr<DurableEngine> writer = Writer();
  ASSERT_NO_FATAL_FAILURE(Begin(*writer));
  ASSERT_TRUE(writer->ActivatePolicy(Package("small-first"), kNoon).ok());
  std::future<Opened> waiting = Wait();
  ASSERT_NO_FATAL_FAILURE(Followed());
  ASSERT_NO_FATAL_FAILURE(Submit(writer->engine(), "b", 2, kNoon));
  ASSERT_TRUE(writer->engine().RunCycle(kNoon).ok());
  ASSERT_TRUE(writer->ActivatePolicy(Package("fifo-priority"), kNoon).ok());
  ASSERT_TRUE(writer->engine().RunCycle(kNoon).ok());
  ASSERT_TRUE(writer->RollBackPolicy(kNoon).ok());
  const std::string state = Release(std::move(writer));
  const Opened taken = waiting.get();
  ASSERT_TRUE(taken.ok()) << taken.status().message();
  EXPECT_THAT(said(), Contains(HasSubstr(kKept)));
  ASSERT_NO_FATAL_FAILURE(Check(**taken, state));
  // Both kinds of commands that name policies go on from here.
  EXPECT_TRUE((*taken)->ActivatePolicy(Package("fifo-priority"), kNoon + 2 * kSecond).ok());
  EXPECT_TRUE((*taken)->RollBackPolicy(kNoon + 2 * kSecond).ok());
}

/// Another's doing, as of a version that decides otherwise: `change` is made to a commit before it
/// is stored, so that the ledger is sound and says it.
class Altered final : public Journal {
 public:
  Altered(Journal& to, std::function<void(Commit&)> change) : to_(to), change_(std::move(change)) {}
  Result<Ticket> Append(Commit commit) override {
    change_(commit);
    return to_.Append(std::move(commit));
  }
  Status Durable(Ticket ticket) override { return to_.Durable(ticket); }

 private:
  Journal& to_;
  std::function<void(Commit&)> change_;
};

class OfAnotherDoing : public StandbyEngineInPostgres {
 protected:
  /// A standby takes over from a writer whose newest commit was changed so.
  void TakesOver(const std::function<void(Commit&)>& change) {
    std::unique_ptr<DurableEngine> writer = Writer();
    ASSERT_NO_FATAL_FAILURE(Begin(*writer));
    std::future<Opened> waiting = Wait();
    ASSERT_NO_FATAL_FAILURE(Followed());
    Altered altered(writer->ledger(), change);
    Engine other(&altered);
    ASSERT_TRUE(
        other.Restore([&](const Engine::RowSink& sink) { return writer->ledger().Load(sink); })
            .ok());
    ASSERT_NO_FATAL_FAILURE(Submit(other, "other", 1, kNoon));
    ASSERT_NO_FATAL_FAILURE(Followed());
    ASSERT_TRUE(writer->ledger().Verify()->sound());
    const std::string state = *ReadLedger(writer->ledger())->StateHash();
    ASSERT_TRUE(writer->Close().ok());
    const Opened taken = waiting.get();
    ASSERT_TRUE(taken.ok()) << taken.status().message();
    EXPECT_EQ(*(*taken)->engine().StateHash(), state);
    EXPECT_THAT(said(), Contains(HasSubstr(kNotKept)));
    EXPECT_THAT(said(), Not(Contains(HasSubstr(kKept))));
    ASSERT_NO_FATAL_FAILURE(Submit((*taken)->engine(), "after", 1, kNoon));
    EXPECT_EQ(*ReadLedger((*taken)->ledger())->StateHash(), *(*taken)->engine().StateHash());
    EXPECT_TRUE((*taken)->ledger().Verify()->sound());
  }
};

TEST_F(OfAnotherDoing, AnEngineThatComesToOtherEventsIsDropped) {
  ASSERT_NO_FATAL_FAILURE(TakesOver([](Commit& commit) { commit.events.pop_back(); }));
  EXPECT_THAT(said(), Contains(HasSubstr("its event 1 came out as: ")));
}

TEST_F(OfAnotherDoing, AnEngineThatComesToOtherRowsIsDropped) {
  ASSERT_NO_FATAL_FAILURE(TakesOver([](Commit& commit) {
    for (StateRow& row : commit.rows) {
      if (row.workload) row.workload->priority += 1;
    }
  }));
  EXPECT_THAT(said(), Contains(HasSubstr("its row workload default/other came out otherwise")));
}

TEST_F(OfAnotherDoing, AnEngineThatComesToFewerRowsIsDropped) {
  ASSERT_NO_FATAL_FAILURE(TakesOver([](Commit& commit) {
    StateRow row = commit.rows.back();
    row.table = StateRow::Table::kObject;
    row.key = "Nothing/that/is";
    row.value.reset();
    commit.rows.push_back(row);
  }));
  EXPECT_THAT(said(), Contains(HasSubstr(" rows and came to ")));
}

TEST_F(StandbyEngineInPostgres, IsNotMadeForAShortWait) {
  std::unique_ptr<DurableEngine> writer = Writer();
  ASSERT_NO_FATAL_FAILURE(Begin(*writer));
  std::future<Opened> waiting = std::async(std::launch::async, [this] {
    DurableOptions options;
    options.lock_wait = std::chrono::seconds(60);
    return DurableEngine::Open(url_, options);
  });
  ASSERT_NO_FATAL_FAILURE(Followed());
  const std::string state = Release(std::move(writer));
  const Opened taken = waiting.get();
  ASSERT_TRUE(taken.ok()) << taken.status().message();
  EXPECT_THAT(said(), Not(Contains(HasSubstr(kKept))));
  ASSERT_NO_FATAL_FAILURE(Check(**taken, state));
}

}  // namespace
}  // namespace muster::testing
