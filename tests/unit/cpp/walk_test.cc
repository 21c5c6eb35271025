// Random walks over every call of the engine, in any order: each call is accepted or refused with a
// reason, the invariants hold after each, and an engine closed and opened again, or one that does
// everything again, is in the same state.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cpp/replay.h"
#include "db/sqlite/read_only_ledger.h"
#include "muster/durable_engine.h"
#include "tests/testing/memory_journal.h"
#include "tests/testing/paths.h"
#include "tests/unit/cpp/walk_objects.h"

namespace muster {
namespace {

using testing::DefaultKey;
using testing::kNoon;

constexpr int kCallsPerWorld = 250;

/// Where a walk keeps what its engine does.
class MemoryStore {
 public:
  Engine& engine() { return engine_; }
  Status Reopen() {
    Status status = journal_.Reopen(engine_);
    for (const std::string& hash : *engine_.StoredPolicyHashes()) {
      EXPECT_TRUE(engine_.AttachPolicy(testing::PolicyOf(hash)).ok());
    }
    return status;
  }
  Status Activate(bool first, TimeNs now) {
    return engine_.ActivatePolicy(testing::PolicyOf(first ? "a" : "b"), now);
  }
  Status RollBack(TimeNs now) { return engine_.RollBackPolicy("by-pods", {}, now); }
  /// The state after everything was done once more, from what was recorded.
  Result<std::string> Replay() const {
    Replayer replayer([](std::string_view hash) { return testing::PolicyOf(hash); });
    for (const Commit& commit : journal_.commits()) {
      const Status status = replayer.Redo(commit);
      if (!status.ok()) return status;
    }
    return *replayer.engine().StateHash();
  }

 private:
  testing::MemoryJournal journal_;
  Engine engine_{&journal_};
};

/// The same on disk, in a ledger file that is closed and opened again.
class LedgerStore {
 public:
  LedgerStore() { EXPECT_TRUE(Open().ok()); }
  Engine& engine() { return opened_->engine(); }
  Status Reopen() {
    const Status closed = opened_->Close();
    opened_.reset();
    return closed.ok() ? Open() : closed;
  }
  Status Activate(bool first, TimeNs now) {
    const std::filesystem::path policies = testing::SourceDir() / "policies";
    return opened_->ActivatePolicy((policies / (first ? "small-first" : "aging")).string(), now);
  }
  Status RollBack(TimeNs now) { return opened_->RollBackPolicy(now); }
  Result<std::string> Replay() {
    const Status closed = opened_->Close();
    opened_.reset();
    const auto ledger = ReadOnlyLedger::Open(path_);
    if (!closed.ok() || !ledger.ok()) return closed.ok() ? ledger.status() : closed;
    const Result<Replayed> replayed = ReplayLedger(**ledger);
    const Status opened = Open();
    if (!replayed.ok() || !opened.ok()) return replayed.ok() ? opened : replayed.status();
    return replayed->state_hash;
  }

 private:
  Status Open() {
    DurableOptions options;
    options.relaxed = true;  // what a power cut would take is not asked here
    Result<std::unique_ptr<DurableEngine>> opened = DurableEngine::Open(path_, options);
    if (opened.ok()) opened_ = std::move(*opened);
    return opened.status();
  }

  testing::TemporaryDirectory folder_;
  std::string path_ = (folder_.path() / "walk.ledger").string();
  std::unique_ptr<DurableEngine> opened_;
};

template <typename Store>
class Walk {
 public:
  explicit Walk(std::uint64_t seed) : choices_(seed), draw_(choices_) {
    std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default"),
                                   testing::MakeFlavor("spot"), draw_.Config(), draw_.Switches()};
    for (const std::string& check : draw_.checks) objects.push_back(draw_.Check(check, true));
    for (const std::string& queue : draw_.queues) {
      objects.push_back(draw_.Queue(queue));
      objects.push_back(testing::MakeLocalQueue(queue));
    }
    Accept(engine().Apply(objects, now_), "the first apply");
  }

  /// One call; false when something is wrong, which is reported.
  bool Step() {
    now_ += choices_.Below(4) * 10 * kSecond;
    Call(choices_.Below(24));
    const Status invariants = engine().CheckInvariants();
    if (!invariants.ok()) {
      ADD_FAILURE() << "after " << last_ << ": " << invariants.message();
    } else if (choices_.OneIn(10)) {
      Reopen();
    }
    return !::testing::Test::HasFailure();
  }

  void Replay() {
    const std::string before = *engine().StateHash();
    const Result<std::string> replayed = store_.Replay();
    ASSERT_TRUE(replayed.ok()) << replayed.status().message();
    EXPECT_EQ(*replayed, before);
  }

  int accepted() const { return accepted_; }

 private:
  void Call(int which) {
    const Key job = DefaultKey(choices_.Pick(draw_.jobs));
    switch (which) {
      case 0:
      case 1:
      case 2:
        return Apply(draw_.Job(job.name), "submit");
      case 3:
        return Accept(engine().Finish({&job, 1}, choices_.Flip(), now_), "finish");
      case 4:
        return Accept(engine().Cancel({&job, 1}, now_), "cancel");
      case 5:
        return Accept(engine().Evict(job, "NodeFailures", now_), "evict");
      case 6:
      case 7: {
        const std::vector<Key> leaving = *engine().Evicting();
        return Accept(engine().Evicted(leaving, now_), "evicted");
      }
      case 8:
        return Accept(engine().Ready({&job, 1}, now_, choices_.Below(3) > 0), "ready");
      case 9:
      case 10:
        return Accept(engine().UpdateCheck(draw_.Answer(job), now_).status(), "check");
      case 11:
      case 12:
        return Accept(engine().Update(draw_.Change(job), now_), "update");
      case 13:
        return Accept(engine().Advance(now_ += choices_.Below(600) * kSecond), "advance");
      case 14:
        return Apply(draw_.Queue(choices_.Pick(draw_.queues)), "apply a queue");
      case 15:
        return Apply(choices_.Flip() ? Object(draw_.Config()) : Object(draw_.Switches()),
                     "configure");
      case 16:
        return Apply(draw_.Surroundings(), "apply a surrounding object");
      case 17:
        return ChangeLocalQueue();
      case 18:
        return Delete();
      case 19:
        return SwitchPolicy();
      default:
        return Accept(engine().RunCycle(now_).status(), "cycle");
    }
  }

  void ChangeLocalQueue() {
    LocalQueue queue = testing::MakeLocalQueue(choices_.Pick(draw_.queues));
    queue.stop_policy = static_cast<StopPolicy>(choices_.OneIn(3) ? choices_.Below(3) : 0);
    Apply(queue, "apply a local queue");
  }

  void Delete() {
    const std::string queue = choices_.Pick(draw_.queues);
    const std::vector<std::pair<ObjectKind, Key>> any = {
        {ObjectKind::kLocalQueue, DefaultKey("lq-" + queue)},
        {ObjectKind::kClusterQueue, {"", queue}},
        {ObjectKind::kCohort, {"", "org"}},
        {ObjectKind::kResourceFlavor, {"", "spot"}},
        {ObjectKind::kAdmissionCheck, {"", choices_.Pick(draw_.checks)}},
        {ObjectKind::kLimitRange, DefaultKey("limits")},
        {ObjectKind::kRuntimeClass, {"", "boxed"}},
        {ObjectKind::kWorkloadPriorityClass, {"", "default"}},
        {ObjectKind::kConfiguration, {"", "default"}},
        {ObjectKind::kEngineConfiguration, {"", choices_.Flip() ? "default" : "other"}}};
    const auto& [kind, key] = choices_.Pick(any);
    Accept(engine().Delete(kind, key, now_, choices_.Flip()), "delete " + key.ToString());
  }

  void SwitchPolicy() {
    if (choices_.OneIn(3)) return Accept(store_.RollBack(now_), "roll back");
    Accept(store_.Activate(choices_.Flip(), now_), "activate a policy");
  }

  void Apply(const Object& object, std::string what) {
    const auto missing = choices_.Flip() ? MissingReference::kAccept : MissingReference::kRefuse;
    Accept(engine().Apply({&object, 1}, now_, missing), std::move(what));
  }

  void Accept(const Status& status, std::string what) {
    last_ = std::move(what);
    accepted_ += status.ok();
    if (status.ok()) return;
    const bool explained = !status.message().empty() || !status.problems().empty();
    EXPECT_TRUE(explained) << last_ << " was refused without a reason";
    EXPECT_NE(status.code(), StatusCode::kInternal) << last_ << ": " << status.message();
  }

  void Reopen() {
    const std::string before = *engine().StateHash();
    const Status status = store_.Reopen();
    ASSERT_TRUE(status.ok()) << "after " << last_ << ": " << status.message();
    EXPECT_EQ(*engine().StateHash(), before) << "after " << last_;
  }

  Engine& engine() { return store_.engine(); }

  testing::RandomChoices choices_;
  testing::WalkObjects draw_;
  Store store_;
  TimeNs now_ = kNoon;
  std::string last_;
  int accepted_ = 0;
};

template <typename Store>
void WalkWorlds(std::uint64_t first_seed, int worlds) {
  int accepted = 0;
  for (int i = 0; i < worlds; ++i) {
    const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    Walk<Store> walk(seed);
    for (int call = 0; call < kCallsPerWorld; ++call) {
      if (!walk.Step()) return;
    }
    ASSERT_NO_FATAL_FAILURE(walk.Replay());
    if (::testing::Test::HasFailure()) return;
    accepted += walk.accepted();
  }
  EXPECT_GT(accepted, worlds * kCallsPerWorld / 3) << "too few calls did anything";
}

TEST(Walks, EveryCallIsTakenOrRefusedAndNothingIsForgotten) { WalkWorlds<MemoryStore>(1, 30); }

// How many cycles a call of several heads has once followed calls that had left nothing behind.
TEST(Walks, ACallOfSeveralCyclesIsRepeatedWithoutTheCallsThatLeftNothing) {
  WalkWorlds<MemoryStore>(1173, 1);
}

TEST(Walks, NothingIsForgottenOnDisk) { WalkWorlds<LedgerStore>(1, 2); }

TEST(LongWalks, EveryCallIsTakenOrRefusedAndNothingIsForgotten) {
  WalkWorlds<MemoryStore>(1000, 150);
}
TEST(NightWalks, EveryCallIsTakenOrRefusedAndNothingIsForgotten) {
  WalkWorlds<MemoryStore>(1000, 600);
}

TEST(NightWalks, NothingIsForgottenOnDisk) { WalkWorlds<LedgerStore>(1000, 60); }

}  // namespace
}  // namespace muster
