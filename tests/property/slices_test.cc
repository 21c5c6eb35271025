// Elastic jobs in random stories: whatever grows, shrinks, is evicted and ends, what is charged
// never exceeds the quota of the cohort, each job is charged once, and nothing depends on a
// restart.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/property/for_each_world.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"

namespace muster::testing {
namespace {

constexpr int kSteps = 40;

struct Job {
  std::string queue;
  std::int32_t priority = 0;
  int slices = 0;
  Key newest;
};

PreemptionRules RandomRules(Choices& choices) {
  PreemptionRules rules;
  if (choices.Flip()) rules.within_cluster_queue = PreemptionPolicy::kLowerPriority;
  if (choices.Flip()) rules.reclaim_within_cohort = PreemptionPolicy::kAny;
  return rules;
}

/// Tells one engine a random story, and another one that is opened again after each step.
class ElasticTeller {
 public:
  explicit ElasticTeller(Choices& choices) : choices_(choices), reopened_(&journal_) {
    std::vector<Object> objects = {MakeNamespace(), MakeFlavor("default"), MakeFlavor("spot")};
    for (const char* name : {"a", "b"}) {
      objects.emplace_back(
          MakeQueue(name, "all",
                    {{"default", "cpu", choices.Between(2, 8)}, {"spot", "cpu", choices.Below(6)}},
                    RandomRules(choices)));
      objects.emplace_back(MakeLocalQueue(name));
    }
    Both([&](Engine& engine) { return engine.Apply(objects, kNoon); });
    for (int i = 0; i < kSteps && !::testing::Test::HasFailure(); ++i) {
      Step();
      Check();
    }
  }
  int replaced() const { return replaced_; }
  int admitted() const { return admitted_; }

 private:
  template <typename Call>
  void Both(const Call& call) {
    const Status one = call(engine_);
    const Status other = call(reopened_);
    ASSERT_EQ(one.ok(), other.ok()) << one.message() << other.message();
  }

  void Step() {
    now_ += kSecond;
    switch (choices_.Below(8)) {
      case 0:
        jobs_.push_back({choices_.Pick<std::string>({"a", "b"}), choices_.Below(3), 0, {}});
        return Submit(jobs_.back(), false);
      case 1:
      case 2:
        if (jobs_.empty()) return;
        return Grow(
            jobs_[static_cast<std::size_t>(choices_.Below(static_cast<int>(jobs_.size())))]);
      case 3:
        return Shrink();
      case 4: {
        const std::vector<Key> leaving = *engine_.Evicting();
        return Both([&](Engine& engine) { return engine.Evicted(leaving, now_); });
      }
      case 5:
        if (jobs_.empty() || !choices_.OneIn(3)) return;
        return Both([&](Engine& engine) {
          return engine.Finish(std::span(&jobs_.front().newest, 1), false, now_);
        });
      default:
        return Cycle();
    }
  }

  void Submit(Job& job, bool replaces) {
    const std::string name =
        "j" + std::to_string(&job - jobs_.data()) + "-" + std::to_string(job.slices++);
    Workload workload = MakeWorkload(name, job.queue, Cpu(1), job.priority, 1 + choices_.Below(5));
    workload.created = now_;
    if (choices_.Flip()) {
      PodSet more = workload.pod_sets.front();
      more.name = "more";
      more.count = 1 + choices_.Below(2);
      workload.pod_sets.push_back(more);
    }
    if (replaces) {
      workload.annotations["kueue.x-k8s.io/workload-slice-replacement-for"] = job.newest.ToString();
    }
    job.newest = workload.key;
    job_of_[workload.key] = static_cast<int>(&job - jobs_.data());
    Both([&](Engine& engine) { return engine.Submit(std::span(&workload, 1), now_); });
  }

  /// A new slice is made of a job that runs; see the rules of its controller.
  void Grow(Job& job) {
    const auto newest = engine_.GetWorkload(job.newest);
    if (newest.ok() && newest->charged) Submit(job, true);
  }

  void Shrink() {
    for (const WorkloadView& each : *engine_.Workloads()) {
      const PodSet& main = each.spec.pod_sets.front();
      if (!each.charged || main.count < 2 || choices_.Flip()) continue;
      WorkloadUpdate update;
      update.workload = each.spec.key;
      update.counts = std::vector<PodSetCount>{{main.name, main.count - 1}};
      return Both([&](Engine& engine) { return engine.Update(update, now_); });
    }
  }

  void Cycle() {
    const CycleResult one = *engine_.RunCycle(now_);
    const CycleResult other = *reopened_.RunCycle(now_);
    ASSERT_EQ(AdmittedNames(one), AdmittedNames(other));
    ASSERT_EQ(PreemptedNames(one), PreemptedNames(other));
    admitted_ += static_cast<int>(one.admitted.size());
  }

  void Check() {
    ASSERT_TRUE(journal_.Reopen(reopened_).ok());
    ASSERT_EQ(*engine_.StateHash(), *reopened_.StateHash());
    const Status sound = engine_.CheckInvariants();
    ASSERT_TRUE(sound.ok()) << sound.message();
    std::map<std::string, Amount> nominal, used;
    for (const ClusterQueueView& queue : *engine_.ClusterQueues()) {
      for (const QuotaView& quota : queue.quotas) {
        nominal[quota.flavor] += quota.nominal;
        used[quota.flavor] += quota.usage;
      }
    }
    for (const auto& [flavor, amount] : used) EXPECT_LE(amount, nominal[flavor]) << flavor;
    std::map<int, int> charged;
    replaced_ = 0;
    for (const WorkloadView& each : *engine_.Workloads()) {
      if (each.charged) {
        EXPECT_EQ(++charged[job_of_[each.spec.key]], 1) << each.spec.key.ToString();
      }
      for (const Condition& condition : each.spec.status.conditions) {
        replaced_ += condition.reason == "WorkloadSliceReplaced";
      }
    }
  }

  Choices& choices_;
  MemoryJournal journal_;
  Engine engine_;
  Engine reopened_;
  TimeNs now_ = kNoon;
  std::vector<Job> jobs_;
  std::map<Key, int> job_of_;
  int replaced_ = 0;
  int admitted_ = 0;
};

void CheckElasticStories(int count, Seeds seeds) {
  int replaced = 0;
  int admitted = 0;
  ForEach([](Choices&) { return 0; }, count, seeds,
          [&](int, Choices& choices) {
            const ElasticTeller teller(choices);
            replaced += teller.replaced();
            admitted += teller.admitted();
          });
  if (std::getenv("MUSTER_SEED")) return;
  EXPECT_GT(replaced, count / 2);
  EXPECT_GT(admitted, count);
}

TEST(Slices, ExceedNoQuotaAndChargeEachJobOnce) { CheckElasticStories(60, Seeds::kFixed); }
TEST(LongSlices, ExceedNoQuotaAndChargeEachJobOnce) { CheckElasticStories(800, Seeds::kFresh); }
TEST(NightSlices, ExceedNoQuotaAndChargeEachJobOnce) { CheckElasticStories(3'000, Seeds::kFresh); }

}  // namespace
}  // namespace muster::testing
