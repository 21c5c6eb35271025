// Jobs that wait as variants, in random stories: whatever comes, moves, is evicted and ends, every
// job is charged once, what is charged never exceeds the quota, and nothing depends on a restart.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "engine/model/concurrent.h"
#include "tests/property/for_each_world.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"

namespace muster::testing {
namespace {

constexpr int kSteps = 60;
constexpr const char* kFlavorsOfJobs[] = {"near", "spot", "far"};

/// Tells one engine a random story, and another one that is opened again after each step.
class JobTeller {
 public:
  explicit JobTeller(Choices& choices) : choices_(choices), reopened_(&journal_) {
    config_.feature_gates[std::string(kConcurrentAdmissionGate)] = true;
    if (choices.Flip()) {
      config_.wait_for_pods_ready.emplace();
      config_.wait_for_pods_ready->timeout = 30 * kSecond;
    }
    policy_.mode =
        choices.Flip() ? MigrationMode::kTryPreferredFlavors : MigrationMode::kRetainFirstAdmission;
    if (policy_.mode == MigrationMode::kTryPreferredFlavors && choices.Flip()) {
      policy_.last_acceptable_flavor = "spot";
    }
    AdmissionCheck check;
    check.name = "budget";
    check.controller = "x";
    check.active = true;
    Apply({config_, MakeNamespace(), MakeFlavor("near"), MakeFlavor("spot"), MakeFlavor("far"),
           check, RandomQueue(), MakeLocalQueue("a")});
    for (int i = 0; i < kSteps && !::testing::Test::HasFailure(); ++i) {
      Step();
      Check();
    }
  }
  int started() const { return started_; }
  int moved() const { return moved_; }

 private:
  ClusterQueue RandomQueue() {
    std::vector<Quota> quotas;
    for (const char* flavor : kFlavorsOfJobs) {
      const bool kept = flavor == std::string("spot") || !quotas.empty() || choices_.Flip();
      if (kept) quotas.push_back({flavor, "cpu", choices_.Between(1, 6)});
    }
    ClusterQueue queue = MakeQueue("a", "", quotas);
    queue.preemption.within_cluster_queue = PreemptionPolicy::kLowerPriority;
    queue.concurrent_admission = policy_;
    if (checked_) queue.admission_checks.push_back({"budget", {}});
    return queue;
  }

  template <typename Call>
  void Both(const Call& call) {
    const Status one = call(engine_);
    const Status other = call(reopened_);
    ASSERT_EQ(one.ok(), other.ok()) << one.message() << other.message();
  }
  void Apply(const std::vector<Object>& objects) {
    Both([&](Engine& engine) { return engine.Apply(objects, now_); });
  }

  Key AnyJob() { return DefaultKey("j" + std::to_string(choices_.Below(std::max(jobs_, 1)))); }

  void Step() {
    now_ += choices_.OneIn(4) ? 120 * kSecond : kSecond;
    const Key job = AnyJob();
    switch (choices_.Below(15)) {
      case 0:
      case 1: {
        Workload workload = MakeWorkload("j" + std::to_string(jobs_++), "a",
                                         Cpu(choices_.Between(1, 4)), choices_.Below(3));
        workload.created = now_;
        return Both([&](Engine& engine) { return engine.Submit(std::span(&workload, 1), now_); });
      }
      case 2:
      case 3: {
        const std::vector<Key> leaving = *engine_.Evicting();
        return Both([&](Engine& engine) { return engine.Evicted(leaving, now_); });
      }
      case 4:
        return Both([&](Engine& engine) { return engine.Finish(std::span(&job, 1), false, now_); });
      case 5:
        return Both([&](Engine& engine) { return engine.Ready(std::span(&job, 1), now_); });
      case 6: {
        WorkloadUpdate update;
        update.workload = job;
        if (choices_.Flip()) {
          update.active = choices_.Flip();
        } else {
          update.priority = choices_.Below(3);
        }
        return Both([&](Engine& engine) { return engine.Update(update, now_); });
      }
      case 7:
        return Change(job);
      case 8:
        return Answer();
      default:
        return Cycle();
    }
  }

  void Change(const Key& job) {
    switch (choices_.Below(6)) {
      case 0:
        return Both([&](Engine& engine) { return engine.Evict(job, "Asked", now_); });
      case 1:
        return Both([&](Engine& engine) { return engine.Cancel(std::span(&job, 1), now_); });
      case 2:
        config_.feature_gates[std::string(kConcurrentAdmissionGate)] = choices_.Below(3) > 0;
        return Apply({config_});
      case 3: {
        ClusterQueue queue = RandomQueue();
        if (choices_.OneIn(3)) queue.stop_policy = StopPolicy::kHoldAndDrain;
        return Apply({queue});
      }
      case 4:
        checked_ = choices_.Flip();
        return Apply({RandomQueue()});
      default:
        Both([&](Engine& engine) {
          return engine.Delete(ObjectKind::kLocalQueue, DefaultKey("lq-a"), now_, true);
        });
        return Apply({MakeLocalQueue("a")});
    }
  }

  /// The checks of all that wait for one are answered.
  void Answer() {
    const std::vector<WorkloadView> views = *engine_.Workloads();
    for (const WorkloadView& each : views) {
      if (each.spec.status.admission_checks.empty()) continue;
      CheckUpdate update;
      update.workload = each.spec.key;
      update.check = "budget";
      update.state = choices_.Below(4) > 0 ? CheckState::kReady
                     : choices_.Flip()     ? CheckState::kRetry
                                           : CheckState::kRejected;
      Both([&](Engine& engine) { return engine.UpdateCheck(update, now_).status(); });
    }
  }

  void Cycle() {
    const CycleResult one = *engine_.RunCycle(now_);
    const CycleResult other = *reopened_.RunCycle(now_);
    ASSERT_EQ(one.admitted, other.admitted);
    ASSERT_EQ(one.preempted, other.preempted);
    for (const AdmittedWorkload& each : one.admitted) started_ += each.admitted;
    for (const PreemptedWorkload& each : one.preempted) {
      moved_ += each.reason == PreemptionReason::kFlavorMigration;
    }
  }

  void Check() {
    const Status sound = engine_.CheckInvariants();
    ASSERT_TRUE(sound.ok()) << sound.message();
    ASSERT_TRUE(journal_.Reopen(reopened_).ok());
    ASSERT_EQ(*engine_.StateHash(), *reopened_.StateHash());
    const auto deadline = *engine_.NextDeadline();
    ASSERT_EQ(deadline, *reopened_.NextDeadline());
    std::map<std::string, int> running;
    const std::vector<WorkloadView> views = *engine_.Workloads();
    for (const WorkloadView& each : views) {
      const auto& of = each.spec.variant_of;
      if (!each.charged || each.phase != WorkloadPhase::kAdmitted) continue;
      EXPECT_EQ(++running[of ? of->name : each.spec.key.name], 1) << each.spec.key.ToString();
    }
  }

  Choices& choices_;
  TimeNs now_ = kNoon;
  int jobs_ = 0;
  int started_ = 0;
  int moved_ = 0;
  bool checked_ = false;
  Configuration config_;
  ConcurrentAdmission policy_;
  Engine engine_;
  MemoryJournal journal_;
  Engine reopened_;
};

void CheckJobs(int count, Seeds seeds) {
  int started = 0;
  int moved = 0;
  ForEach([](Choices&) { return 0; }, count, seeds,
          [&](int, Choices& choices) {
            const JobTeller teller(choices);
            started += teller.started();
            moved += teller.moved();
          });
  if (std::getenv("MUSTER_SEED")) return;
  EXPECT_GT(started, count);
  EXPECT_GT(moved, count / 20);
}

TEST(Jobs, AreChargedOnceAndSurviveRestarts) { CheckJobs(100, Seeds::kFixed); }
TEST(LongJobs, AreChargedOnceAndSurviveRestarts) { CheckJobs(500, Seeds::kFresh); }
TEST(NightJobs, AreChargedOnceAndSurviveRestarts) { CheckJobs(1'000, Seeds::kFresh); }

}  // namespace
}  // namespace muster::testing
