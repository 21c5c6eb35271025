// Budgets on the victims' side: what a package promises a team holds after every step of random
// stories, by a count that is made from the events and the list of workloads alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::DefaultKey;
using testing::kNoon;
using testing::MakeWorkload;
using testing::MemoryJournal;

constexpr DurationNs kAnHour = 3600 * kSecond;

AccountRule OfTeam(AccountOf of, DurationNs window = 0) {
  AccountRule rule;
  rule.by = AccountBy::kLabel;
  rule.label = "team";
  rule.of = of;
  rule.resource = "cpu";
  rule.over = window > 0 ? AccountOver::kWindow : AccountOver::kNothing;
  rule.span = window;
  return rule;
}

/// Evicts the cheapest, and within an hour at most a part of the cores that a team runs on.
class PartOfATeam final : public Policy {
 public:
  explicit PartOfATeam(double part) : part_(part) {
    info_.name = "part";
    info_.hash = std::string(64, 'b');
    info_.accounts = {{"running", OfTeam(AccountOf::kHeld)},
                      {"evicted", OfTeam(AccountOf::kEvicted, kAnHour)}};
    HookInfo& hook = info_.hooks.emplace_back();
    hook.hook = Hook::kVictim;
    hook.keys = 3;
    hook.reads = {"account"};
    hook.named = std::vector<std::string>{"account", "uses", "priority"};
    hook.reads_subject = false;
    hook.per = {{AccountBy::kLabel, "team"}};
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> answers) override {
    for (std::size_t i = 0; i < batch.count; ++i) {
      const muster_workload& row = batch.workloads[i];
      answers[3 * i] = row.priority;
      answers[3 * i + 1] = batch.holdings[i].uses[0];
      answers[3 * i + 2] = part_ * row.account[0] - row.account[1];
    }
    return {};
  }

 private:
  double part_;
  PolicyInfo info_;
};

struct Evictions {
  TimeNs at = kNoTime;
  double cores = 0;
};

/// Queues of two trees, in one of which four compete; teams run in both.
class Promise : public ::testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override {
    PreemptionRules rules;
    rules.within_cluster_queue = PreemptionPolicy::kLowerPriority;
    rules.reclaim_within_cohort =
        Pick(2) == 0 ? PreemptionPolicy::kAny : PreemptionPolicy::kLowerPriority;
    std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
    for (const std::string& queue : queues_) {
      objects.push_back(
          testing::MakeQueue(queue, queue == "e" ? "" : "all", {{.nominal = 20}}, rules));
      objects.push_back(testing::MakeLocalQueue(queue));
    }
    if (Pick(2) == 0) {
      Configuration config;
      config.fair_sharing.emplace();
      config.fair_sharing->preemption_strategies = {
          PreemptionStrategy::kLessThanOrEqualToFinalShare,
          PreemptionStrategy::kLessThanInitialShare};
      objects.emplace_back(config);
    }
    ASSERT_TRUE(engine_.Apply(objects, now_).ok());
    ASSERT_TRUE(engine_.ActivatePolicy(policy_, now_).ok());
  }
  unsigned Pick(unsigned count) { return static_cast<unsigned>(random_() % count); }
  void Submit() {
    const std::string name = "job-" + std::to_string(++jobs_);
    const auto cores = static_cast<std::int64_t>(1 + Pick(jobs_ % 9 == 0 ? 12 : 2));
    const unsigned priorities = 2 + static_cast<unsigned>(jobs_) / 30;  // later ones matter more
    Workload job = MakeWorkload(name, queues_[Pick(5)], Cpu(cores),
                                static_cast<std::int32_t>(Pick(priorities)));
    job.labels["team"] = "team-" + std::to_string(Pick(3));
    job.created = now_;
    cores_[job.key.ToString()] = static_cast<double>(cores);
    team_[job.key.ToString()] = job.labels["team"];
    ASSERT_TRUE(engine_.Submit(std::span(&job, 1), now_).ok());
  }
  /// What each team runs on, from the list of workloads.
  std::map<std::string, double> Running() {
    std::map<std::string, double> running;
    std::vector<Key> keys;
    for (const WorkloadView& view : *engine_.Workloads()) {
      const bool holds = view.phase == WorkloadPhase::kAdmitted ||
                         view.phase == WorkloadPhase::kReserved ||
                         view.phase == WorkloadPhase::kEvicting;
      if (!holds) continue;
      running[team_.at(view.spec.key.ToString())] += cores_.at(view.spec.key.ToString());
      if (view.phase == WorkloadPhase::kAdmitted) keys.push_back(view.spec.key);
    }
    admitted_ = std::move(keys);
    return running;
  }
  void Read() {
    for (; read_ < journal_.commits().size(); ++read_) {
      for (const Event& event : journal_.commits()[read_].events) {
        if (event.kind != EventKind::kEvicted) continue;
        evictions_[team_.at(event.subject)].push_back(
            {journal_.commits()[read_].at, cores_.at(event.subject)});
      }
    }
  }
  void CycleKeepsThePromise() {
    const std::map<std::string, double> running = Running();
    const Result<CycleResult> cycle = engine_.RunCycle(now_);
    ASSERT_TRUE(cycle.ok());
    Read();
    ASSERT_TRUE(cycle->policy_failures.empty()) << cycle->policy_failures.front().message;
    std::map<std::string, int> preempted;
    for (const auto& victim : cycle->preempted) {
      ++preempted[team_.at(victim.workload.ToString())];
      ++ordered_;
    }
    for (const auto& [team, count] : preempted) {
      double hour = 0;
      for (const Evictions& each : evictions_[team]) {
        if (now_ - each.at <= kAnHour) hour += each.cores;
      }
      ASSERT_LE(hour, kPart * running.at(team)) << team << ", " << count << " in this cycle";
    }
  }

  static constexpr double kPart = 0.2;
  std::mt19937 random_{GetParam()};
  TimeNs now_ = kNoon;
  int jobs_ = 0;
  int ordered_ = 0;
  std::size_t read_ = 0;
  const std::vector<std::string> queues_ = {"a", "b", "c", "d", "e"};
  std::map<std::string, double> cores_;
  std::map<std::string, std::string> team_;
  std::map<std::string, std::vector<Evictions>> evictions_;
  std::vector<Key> admitted_;
  MemoryJournal journal_;
  Engine engine_{&journal_};
  std::shared_ptr<Policy> policy_ = std::make_shared<PartOfATeam>(kPart);
};

TEST_P(Promise, HoldsInEveryCycle) {
  for (int step = 0; step < 150; ++step) {
    now_ += static_cast<TimeNs>(Pick(600)) * kSecond;
    for (unsigned i = Pick(4); i-- > 0;) {
      ASSERT_NO_FATAL_FAILURE(Submit());
    }
    (void)Running();
    if (!admitted_.empty() && Pick(3) == 0) {
      const Key key = admitted_[Pick(static_cast<unsigned>(admitted_.size()))];
      ASSERT_TRUE(engine_.Finish(std::span(&key, 1), false, now_).ok());
    } else if (!admitted_.empty() && Pick(12) == 0) {
      ASSERT_TRUE(
          engine_.Evict(admitted_[Pick(static_cast<unsigned>(admitted_.size()))], "Drained", now_)
              .ok());
    }
    for (unsigned i = 1 + Pick(2); i-- > 0;) {
      ASSERT_NO_FATAL_FAILURE(CycleKeepsThePromise());
    }
    const std::vector<Key> evicting = *engine_.Evicting();
    if (!evicting.empty() && Pick(2) == 0) {
      ASSERT_TRUE(engine_.Evicted(evicting, now_).ok());
    }
    if (step % 50 == 49) {
      ASSERT_TRUE(journal_.Reopen(engine_).ok());
      ASSERT_TRUE(engine_.AttachPolicy(policy_).ok());
    }
  }
  EXPECT_GT(ordered_, 5) << "something must be preempted";
}

INSTANTIATE_TEST_SUITE_P(Seeds, Promise, ::testing::Range(1u, 9u));

/// One core of team t, started `minutes` after noon.
Workload Runner(const std::string& name, const std::string& queue, int minutes) {
  Workload job = testing::Holding(MakeWorkload(name, queue, Cpu(1)), queue, "default",
                                  kNoon + minutes * 60 * kSecond);
  job.labels["team"] = "t";
  return job;
}

/// Two queues of the same team, each full of ten jobs of one core.
class TwoPreemptors : public ::testing::Test {
 protected:
  void SetUp() override {
    PreemptionRules rules;
    rules.within_cluster_queue = PreemptionPolicy::kLowerPriority;
    std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
    for (const std::string queue : {"a", "b"}) {
      objects.push_back(testing::MakeQueue(queue, "", {{.nominal = 10}}, rules));
      objects.push_back(testing::MakeLocalQueue(queue));
      for (int i = 0; i < 10; ++i) {
        objects.push_back(Runner(queue + std::to_string(i), queue, i));
      }
    }
    ASSERT_TRUE(engine_.Apply(objects, kNoon + kAnHour).ok());
  }
  void Urgent(const std::string& queue, std::int64_t cores) {
    const Workload job = MakeWorkload("urgent-" + queue, queue, Cpu(cores), 5);
    ASSERT_TRUE(engine_.Submit(std::span(&job, 1), kNoon + kAnHour).ok());
  }
  Engine engine_;
};

TEST_F(TwoPreemptors, SpendOneBudgetBetweenThem) {
  ASSERT_TRUE(engine_.ActivatePolicy(std::make_shared<PartOfATeam>(0.25), kNoon + kAnHour).ok());
  Urgent("a", 3);
  Urgent("b", 3);
  CycleTrace trace;
  const CycleResult first = *engine_.RunCycle(kNoon + kAnHour, &trace);
  EXPECT_EQ(first.preempted.size(), 3U) << "five of twenty may go, and either needs three";
  const auto waits = std::find_if(trace.workloads.begin(), trace.workloads.end(),
                                  [](const WorkloadTrace& w) { return w.outcome == "skipped"; });
  ASSERT_NE(waits, trace.workloads.end());
  EXPECT_EQ(waits->message, "Earlier preemptions of this cycle have used up the budget of t");
  EXPECT_TRUE(engine_.RunCycle(kNoon + kAnHour)->preempted.empty());
  EXPECT_TRUE(engine_.RunCycle(kNoon + 2 * kAnHour)->preempted.empty()) << "to the second";
  EXPECT_EQ(engine_.RunCycle(kNoon + 2 * kAnHour + kSecond)->preempted.size(), 3U);
}

TEST_F(TwoPreemptors, AreBothServedWhereTheBudgetIsEnough) {
  ASSERT_TRUE(engine_.ActivatePolicy(std::make_shared<PartOfATeam>(0.25), kNoon + kAnHour).ok());
  Urgent("a", 2);
  Urgent("b", 3);
  EXPECT_EQ(engine_.RunCycle(kNoon + kAnHour)->preempted.size(), 5U) << "in one cycle";
}

TEST_F(TwoPreemptors, WaitForEvictionsThatNoBudgetOfTheirsKnows) {
  PolicyBinding bound;
  bound.name = "only-b";
  bound.policy = "part";
  bound.cluster_queues = {"b"};
  const std::vector<Object> objects = {bound};
  ASSERT_TRUE(engine_.ActivatePolicy(std::make_shared<PartOfATeam>(0.25), kNoon + kAnHour).ok());
  ASSERT_TRUE(engine_.Apply(objects, kNoon + kAnHour).ok());
  Urgent("a", 4);
  Urgent("b", 2);
  const CycleResult first = *engine_.RunCycle(kNoon + kAnHour);
  EXPECT_EQ(first.preempted.size(), 4U) << "the built-in rule knows no budget";
  EXPECT_EQ(first.preempted.front().by, DefaultKey("urgent-a"));
  EXPECT_TRUE(engine_.RunCycle(kNoon + kAnHour)->preempted.empty()) << "one of five is left";
}

TEST_F(TwoPreemptors, PassOverWhatIsBeyondTheBudgetAndSaySo) {
  ASSERT_TRUE(engine_.ActivatePolicy(std::make_shared<PartOfATeam>(0.1), kNoon + kAnHour).ok());
  Urgent("a", 3);
  CycleTrace trace;
  EXPECT_TRUE(engine_.RunCycle(kNoon + kAnHour, &trace)->preempted.empty());
  int beyond = 0;
  for (const CandidateTrace& candidate : trace.workloads.front().candidates) {
    beyond += candidate.beyond_budget && candidate.budget == "t" && candidate.policy == "part";
  }
  EXPECT_EQ(beyond, 8) << "two of the ten may go";
  const SearchCertificate certificate = engine_.Explain(DefaultKey("urgent-a"))->certificate;
  EXPECT_EQ(certificate.proof, SearchProof::kRefused);
  ASSERT_EQ(certificate.spared_by.size(), 1U);
  EXPECT_EQ(certificate.spared_by[0].rule, SparingRule::kBudget);
  EXPECT_EQ(certificate.spared_by[0].policy, "part");
}

}  // namespace
}  // namespace muster
