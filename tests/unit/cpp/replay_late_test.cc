// A call of a policy that the clock ended fails again when its history is repeated, though nothing
// is late then; and no other call does.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "bindings/cpp/journal_route.h"
#include "bindings/cpp/replay.h"
#include "bindings/cpp/stored_policies.h"
#include "bindings/luajit/lua_policy.h"
#include "db/sqlite/read_only_ledger.h"
#include "muster/muster.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"
#include "tests/testing/paths.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::kNoon;

/// A job of one queue takes longer than a look at the clock is away.
constexpr const char* kSlow = R"(
local function work(w)
  for i = 1, w.local_queue == "lq-q2" and 20000 or 0 do local t = { i } end
  return w.priority
end
return {
  api = 1,
  name = "slow",
  queue_order = function(w) return work(w) end,
  cycle_order = function(w) return work(w) end,
  flavor_order = function(w, f) return work(w) end,
  victim = function(v) return work(v) end,
}
)";

/// With so much time for a cycle, and as much fuel as it likes: the clock is what ends it.
std::shared_ptr<Policy> WithTime(const luajit::PackageSource& source, double seconds) {
  luajit::SandboxOptions options;
  options.limits.seconds = seconds;
  options.limits.call_fuel = options.limits.one_item_fuel = 1'000'000;
  const luajit::LoadedPackage loaded = luajit::Load(source, {}, options);
  for (const auto& problem : loaded.problems) ADD_FAILURE() << problem.ToString();
  return loaded.policy;
}

class ReplayOfLateCalls : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(package_);
    testing::WriteFile(package_ / "policy.lua", kSlow);
  }
  void Must(const Status& status) { ASSERT_TRUE(status.ok()) << status.message(); }

  std::shared_ptr<Policy> Load(double seconds) const {
    const Result<luajit::PackageSource> source = luajit::ReadPackage(package_.string());
    EXPECT_TRUE(source.ok());
    return WithTime(*source, seconds);
  }

  /// Queues that compete and take quota back, each with jobs that are slow and jobs that are not.
  void Tell(Engine& engine, std::shared_ptr<Policy> policy) {
    std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("one"),
                                   testing::MakeFlavor("two"), testing::MakeCohort("all", "")};
    PreemptionRules rules;
    rules.reclaim_within_cohort = PreemptionPolicy::kAny;
    rules.within_cluster_queue = PreemptionPolicy::kLowerPriority;
    for (int q = 0; q < kQueues; ++q) {
      const std::string name = "q" + std::to_string(q);
      objects.emplace_back(testing::MakeQueue(
          name, "all", {{.flavor = "one", .nominal = 2}, {.flavor = "two", .nominal = 1}}, rules));
      objects.emplace_back(testing::MakeLocalQueue(name));
    }
    Must(engine.Apply(objects, now_));
    Must(engine.ActivatePolicy(std::move(policy), now_));
    for (int round = 0; round < 4; ++round) {
      for (int q = round % 2; q < kQueues; ++q) {
        for (int i = 0; i < 3; ++i) {
          const std::string name = std::to_string(round) + "-" + std::to_string(q * 10 + i);
          const Workload job =
              testing::MakeWorkload(name, "q" + std::to_string(q), Cpu(1), round * 3 + i + q % 2);
          Must(engine.Submit({&job, 1}, now_));
        }
      }
      for (int cycle = 0; cycle < 3; ++cycle) Cycle(engine);
    }
  }

  void Cycle(Engine& engine) {
    const Result<CycleResult> result = engine.RunCycle(now_ += kSecond);
    ASSERT_TRUE(result.ok()) << result.status().message();
    for (const PolicyFailure& failure : result->policy_failures) {
      late_[failure.hook].insert(failure.late);
    }
  }

  static constexpr int kQueues = 4;
  const testing::TemporaryDirectory folder_;
  const std::filesystem::path package_ = folder_.path() / "slow";
  TimeNs now_ = kNoon;
  std::map<std::string, std::set<std::int64_t>> late_;  ///< places of calls, by hook
};

TEST_F(ReplayOfLateCalls, ComesToTheSame) {
  const std::string path = (folder_.path() / "late.ledger").string();
  auto opened = DurableEngine::Open(path);
  ASSERT_TRUE(opened.ok());
  const Result<StoredPolicy> stored = ReadPolicyFolder(package_.string(), {});
  ASSERT_TRUE(stored.ok() && (*opened)->ledger().StorePolicy(*stored).ok());
  ASSERT_NO_FATAL_FAILURE(Tell((*opened)->engine(), Load(0)));
  for (const char* hook : {"queue_order", "cycle_order", "flavor_order", "victim"}) {
    ASSERT_FALSE(late_[hook].empty()) << hook;
    EXPECT_GT(*late_[hook].begin(), 0) << hook;
  }
  const std::string state = *(*opened)->engine().StateHash();
  opened->reset();
  const auto ledger = ReadOnlyLedger::Open(path);
  ASSERT_TRUE(ledger.ok());
  const Result<Replayed> replayed = ReplayLedger(**ledger);
  ASSERT_TRUE(replayed.ok()) << replayed.status().message();
  EXPECT_EQ(replayed->state_hash, state);
}

// Which were late, and how often, is chance then.
TEST_F(ReplayOfLateCalls, ComesToTheSameWhereSomeWereInTime) {
  for (const double milliseconds : {0.5, 1.0, 2.0, 4.0}) {
    testing::MemoryJournal journal;
    Engine engine(&journal);
    ASSERT_NO_FATAL_FAILURE(Tell(engine, Load(milliseconds / 1000)));
    Replayer replayer(
        [this](std::string_view) -> Result<std::shared_ptr<Policy>> { return Load(0); });
    for (const Commit& commit : journal.commits()) {
      const Status status = replayer.Redo(commit);
      ASSERT_TRUE(status.ok()) << milliseconds << " ms: " << status.message();
    }
    EXPECT_EQ(*replayer.engine().StateHash(), *engine.StateHash());
  }
}

TEST_F(ReplayOfLateCalls, AnEngineThatIsReleasedIsLateWhenItIs) {
  testing::MemoryJournal journal;
  Engine engine(&journal);
  ASSERT_NO_FATAL_FAILURE(Tell(engine, Load(0)));
  const Workload job = testing::MakeWorkload("after", "q2", Cpu(1), 100);
  Must(engine.Submit({&job, 1}, now_));  // the newest command: of it nothing was late
  Replayer replayer(
      [this](std::string_view) -> Result<std::shared_ptr<Policy>> { return Load(0); });
  for (const Commit& commit : journal.commits()) Must(replayer.Redo(commit));
  testing::MemoryJournal next;
  Replayer::Released released = replayer.Release();
  released.route->Lead(next);
  late_.clear();
  ASSERT_NO_FATAL_FAILURE(Cycle(released.engine));
  ASSERT_FALSE(late_["queue_order"].empty());
  EXPECT_GT(*late_["queue_order"].begin(), 0) << "the clock ended it";
}

// Those that ended in the history end nothing of what comes after it.
TEST_F(ReplayOfLateCalls, AnEngineThatIsReleasedInTimeIsNotLate) {
  testing::MemoryJournal journal;
  Engine engine(&journal);
  ASSERT_NO_FATAL_FAILURE(Tell(engine, Load(0)));
  Replayer replayer(
      [this](std::string_view) -> Result<std::shared_ptr<Policy>> { return Load(600); });
  for (const Commit& commit : journal.commits()) Must(replayer.Redo(commit));
  testing::MemoryJournal next;
  Replayer::Released released = replayer.Release();
  released.route->Lead(next);
  late_.clear();
  const Workload job = testing::MakeWorkload("after", "q2", Cpu(1), 100);
  Must(released.engine.Submit({&job, 1}, now_));
  ASSERT_NO_FATAL_FAILURE(Cycle(released.engine));
  EXPECT_TRUE(late_.empty());
}

}  // namespace
}  // namespace muster
