// Accounts: what the engine keeps equals what its events say, at every step of random stories, also
// after it was reopened.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
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

constexpr DurationNs kHour = 3600 * kSecond;

AccountRule Rule(AccountBy by, AccountOf of, AccountOver over, DurationNs span = 0) {
  AccountRule rule;
  rule.by = by;
  rule.label = by == AccountBy::kLabel ? "team" : "";
  rule.of = of;
  const bool counts_jobs = of == AccountOf::kAdmissions || of == AccountOf::kSubmitted ||
                           of == AccountOf::kRunning || of == AccountOf::kPending;
  rule.resource = counts_jobs ? "" : "cpu";
  rule.over = over;
  rule.span = span;
  return rule;
}

/// Declares accounts and decides nothing.
class Declares : public Policy {
 public:
  explicit Declares(std::vector<AccountRule> rules, std::string name = "declares") {
    info_.name = std::move(name);
    info_.hash = std::string(64, 'd');
    for (AccountRule& rule : rules) info_.accounts.push_back({"a", std::move(rule)});
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch&, std::span<double>) override { return {}; }

 private:
  PolicyInfo info_;
};

/// A workload held `amount` cores from `from` until `to`.
struct Held {
  std::string workload;
  double amount = 0;
  TimeNs from = kNoTime;
  TimeNs to = kNoTime;
  TimeNs saved = kNoTime;  ///< until when its work cannot be lost
};

/// What happened, from events alone: what each held when, and what destroyed whose work.
class History {
 public:
  void Read(const std::vector<Commit>& commits, const std::map<std::string, double>& cores) {
    for (; read_ < commits.size(); ++read_) {
      for (const Event& event : commits[read_].events) Take(event, commits[read_].at, cores);
    }
  }
  /// Its run that goes on has saved its work until then.
  void Checkpoint(const std::string& workload, TimeNs at) {
    for (Held& held : held_) {
      if (held.workload == workload && held.to == kNoTime) held.saved = std::max(held.saved, at);
    }
  }
  double Value(const AccountRule& rule, const std::map<std::string, std::string>& key_of,
               const std::string& key, TimeNs now) const {
    double value = 0;
    for (const Held& held : held_) {
      if (key_of.at(held.workload) != key) continue;
      if (rule.of == AccountOf::kAdmissions) value += Weight(rule, held.from, now);
      if (rule.of == AccountOf::kResource) {
        value += held.amount * Integral(rule, held.from, held.to == kNoTime ? now : held.to, now);
      }
    }
    for (const auto& [by, whose, hours, at] : destroyed_) {
      const bool counts = (rule.of == AccountOf::kPreempted && key_of.at(by) == key) ||
                          (rule.of == AccountOf::kLost && key_of.at(whose) == key);
      if (counts) value += hours * Weight(rule, at, now);
    }
    return value;
  }

 private:
  struct Destroyed {
    std::string by;
    std::string whose;
    double hours;
    TimeNs at;
  };

  void Take(const Event& event, TimeNs at, const std::map<std::string, double>& cores) {
    const auto open = std::find_if(held_.begin(), held_.end(), [&](const Held& held) {
      return held.workload == event.subject && held.to == kNoTime;
    });
    if (event.kind == EventKind::kQuotaReserved) {
      held_.push_back({event.subject, cores.at(event.subject), at, kNoTime, kNoTime});
    } else if (event.kind == EventKind::kPreempted) {
      const std::size_t by = event.payload.find("\"by\":\"") + 6;
      const TimeNs saved = std::max(open->from, open->saved);
      const double hours = open->amount * static_cast<double>(at - saved) / (3600.0 * 1e9);
      destroyed_.push_back(
          {event.payload.substr(by, event.payload.find('"', by) - by), event.subject, hours, at});
    } else if (event.kind == EventKind::kQuotaReleased || event.kind == EventKind::kFinished) {
      if (open != held_.end()) open->to = at;
    }
  }

  static TimeNs Begin(const AccountRule& rule, TimeNs now) {
    constexpr DurationNs kDay = 24 * kHour;
    if (rule.over == AccountOver::kCalendarDay) return now / kDay * kDay;
    if (rule.over == AccountOver::kWindow) {
      const DurationNs part = rule.span / 64;
      return (now / part - 63) * part;
    }
    return 0;
  }
  /// What one unit at `at` is worth at `now`.
  static double Weight(const AccountRule& rule, TimeNs at, TimeNs now) {
    if (rule.over != AccountOver::kHalfLife) return at >= Begin(rule, now) ? 1 : 0;
    return std::pow(0.5, static_cast<double>(now - at) / static_cast<double>(rule.span));
  }
  /// Hours of [from, to) as they count at `now`.
  static double Integral(const AccountRule& rule, TimeNs from, TimeNs to, TimeNs now) {
    if (rule.over == AccountOver::kHalfLife) {
      const double mean = static_cast<double>(rule.span) / (3600.0 * 1e9) / std::log(2.0);
      return mean * (Weight(rule, to, now) - Weight(rule, from, now));
    }
    const TimeNs begin = std::max(from, Begin(rule, now));
    return begin >= to ? 0 : static_cast<double>(to - begin) / (3600.0 * 1e9);
  }

  std::vector<Held> held_;
  std::vector<Destroyed> destroyed_;
  std::size_t read_ = 0;
};

/// Two queues of a cohort that preempt each other, under a random stream of jobs.
class Stories : public ::testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override {
    PreemptionRules rules;
    rules.within_cluster_queue = PreemptionPolicy::kLowerPriority;
    rules.reclaim_within_cohort = PreemptionPolicy::kAny;
    const std::vector<Object> objects = {testing::MakeNamespace(),
                                         testing::MakeFlavor("default"),
                                         testing::MakeQueue("a", "all", {{.nominal = 4}}, rules),
                                         testing::MakeQueue("b", "all", {{.nominal = 4}}, rules),
                                         testing::MakeLocalQueue("a"),
                                         testing::MakeLocalQueue("b")};
    ASSERT_TRUE(engine_.Apply(objects, now_).ok());
    ASSERT_TRUE(engine_.ActivatePolicy(std::make_shared<Declares>(rules_), now_).ok());
  }
  void Submit() {
    const std::string name = "job-" + std::to_string(++jobs_);
    const std::string queue = Pick(2) == 0 ? "a" : "b";
    const std::int64_t cores = 1 + Pick(4);
    Workload job = MakeWorkload(name, queue, Cpu(cores), static_cast<std::int32_t>(Pick(3)));
    job.labels["team"] = "team-" + std::to_string(Pick(3));
    ASSERT_TRUE(engine_.Submit(std::span(&job, 1), now_).ok());
    const std::string subject = job.key.ToString();
    cores_[subject] = static_cast<double>(cores);
    keys_[AccountBy::kLabel][subject] = job.labels["team"];
    keys_[AccountBy::kClusterQueue][subject] = queue;
    keys_[AccountBy::kLocalQueue][subject] = "default/lq-" + queue;
    keys_[AccountBy::kNamespace][subject] = "default";
  }
  std::optional<Key> PickRunning() {
    std::vector<Key> running;
    for (const WorkloadView& view : *engine_.Workloads()) {
      if (view.phase == WorkloadPhase::kAdmitted) running.push_back(view.spec.key);
    }
    if (running.empty()) return std::nullopt;
    return running[Pick(static_cast<unsigned>(running.size()))];
  }
  void FinishOne() {
    const std::optional<Key> key = PickRunning();
    if (key) {
      ASSERT_TRUE(engine_.Finish(std::span(&*key, 1), false, now_).ok());
    }
  }
  void CheckpointOne() {
    const std::optional<Key> key = PickRunning();
    if (!key) return;
    WorkloadUpdate update;
    update.workload = *key;
    update.checkpointed = now_ - static_cast<TimeNs>(Pick(1800)) * kSecond;
    if (!engine_.Update(update, now_).ok()) return;  // it is of an earlier run
    history_.Read(journal_.commits(), cores_);
    history_.Checkpoint(key->ToString(), update.checkpointed);
  }
  void CheckEveryAccount() {
    history_.Read(journal_.commits(), cores_);
    for (const AccountView& view : *engine_.Accounts()) {
      const double wanted = history_.Value(view.rule, keys_[view.rule.by], view.key, now_);
      ASSERT_NEAR(view.value, wanted, 1e-9 * std::max(1.0, wanted))
          << view.rule.ByText() << ' ' << view.rule.OfText() << ' ' << view.rule.OverText() << ' '
          << view.key;
    }
  }
  unsigned Pick(unsigned count) { return static_cast<unsigned>(random_() % count); }

  std::mt19937 random_{GetParam()};
  TimeNs now_ = kNoon;
  int jobs_ = 0;
  MemoryJournal journal_;
  Engine engine_{&journal_};
  std::map<std::string, double> cores_;
  std::map<AccountBy, std::map<std::string, std::string>> keys_;
  History history_;
  std::vector<AccountRule> rules_ = {
      Rule(AccountBy::kLabel, AccountOf::kResource, AccountOver::kHalfLife, 7 * kHour),
      Rule(AccountBy::kClusterQueue, AccountOf::kResource, AccountOver::kWindow, 64 * kHour),
      Rule(AccountBy::kNamespace, AccountOf::kResource, AccountOver::kCalendarDay),
      Rule(AccountBy::kLocalQueue, AccountOf::kAdmissions, AccountOver::kHalfLife, 50 * kHour),
      Rule(AccountBy::kLabel, AccountOf::kPreempted, AccountOver::kHalfLife, 9 * kHour),
      Rule(AccountBy::kLabel, AccountOf::kLost, AccountOver::kHalfLife, 9 * kHour),
      Rule(AccountBy::kClusterQueue, AccountOf::kLost, AccountOver::kCalendarDay)};
};

TEST_P(Stories, AccountsEqualWhatTheEventsSay) {
  std::size_t keys = 0;
  for (int step = 0; step < 120; ++step) {
    now_ += static_cast<TimeNs>(Pick(5400)) * kSecond;
    if (Pick(3) > 0) {
      ASSERT_NO_FATAL_FAILURE(Submit());
    }
    if (Pick(2) == 0) {
      ASSERT_NO_FATAL_FAILURE(FinishOne());
    }
    if (Pick(2) == 0) CheckpointOne();
    ASSERT_TRUE(engine_.RunCycle(now_).ok());
    if (const std::vector<Key> evicting = *engine_.Evicting(); !evicting.empty() && Pick(2) == 0) {
      ASSERT_TRUE(engine_.Evicted(evicting, now_).ok());
    }
    ASSERT_TRUE(engine_.Advance(now_).ok());
    ASSERT_NO_FATAL_FAILURE(CheckEveryAccount());
    keys = engine_.Accounts()->size();
    if (step % 10 == 9) {
      const std::string before = *engine_.StateHash();
      ASSERT_TRUE(journal_.Reopen(engine_).ok());
      EXPECT_TRUE(engine_.AttachPolicy(std::make_shared<Declares>(rules_)).ok());
      ASSERT_EQ(*engine_.StateHash(), before);
    }
  }
  EXPECT_GE(keys, 10u) << "every account has had something to count";
}

INSTANTIATE_TEST_SUITE_P(Seeds, Stories, ::testing::Range(1u, 9u));

class AccountsOfOneJob : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default"),
                                         testing::MakeQueue("q", "", {{.nominal = 8}}),
                                         testing::MakeLocalQueue("q"),
                                         MakeWorkload("job", "q", Cpu(2), 0, 2)};
    ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
  }
  void Activate(std::shared_ptr<Policy> policy, TimeNs at) {
    const Status status = engine_.ActivatePolicy(std::move(policy), at);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  double ValueAt(TimeNs now) {
    EXPECT_TRUE(engine_.Advance(now).ok());
    const std::vector<AccountView> views = *engine_.Accounts();
    return views.empty() ? -1 : views.front().value;
  }
  const AccountRule rule_ =
      Rule(AccountBy::kClusterQueue, AccountOf::kResource, AccountOver::kNothing);
  Engine engine_;
};

TEST_F(AccountsOfOneJob, RunningWorkloadsAreChargedFromTheActivationOn) {
  ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
  Activate(std::make_shared<Declares>(std::vector{rule_}), kNoon + kHour);
  EXPECT_DOUBLE_EQ(ValueAt(kNoon + 3 * kHour), 2 * 4);
  EXPECT_DOUBLE_EQ(engine_.Accounts()->front().rate, 4);
}

TEST_F(AccountsOfOneJob, PodsThatAreReclaimedAreChargedNoLonger) {
  Activate(std::make_shared<Declares>(std::vector{rule_}), kNoon);
  ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
  WorkloadUpdate update;
  update.workload = DefaultKey("job");
  update.reclaimable_pods = {{"main", 1}};
  ASSERT_TRUE(engine_.Update(update, kNoon + kHour).ok());
  EXPECT_DOUBLE_EQ(ValueAt(kNoon + 2 * kHour), 4 + 2);
}

TEST_F(AccountsOfOneJob, WhatIsThereNowIsCountedFromTheFirstLookOn) {
  ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
  Workload waiting = MakeWorkload("waiting", "q", Cpu(5), 0, 1);
  ASSERT_TRUE(engine_.Submit(std::span(&waiting, 1), kNoon).ok());
  Activate(std::make_shared<Declares>(
               std::vector{Rule(AccountBy::kUser, AccountOf::kRunning, AccountOver::kNothing),
                           Rule(AccountBy::kNamespace, AccountOf::kPending, AccountOver::kNothing),
                           Rule(AccountBy::kUser, AccountOf::kHeld, AccountOver::kNothing)}),
           kNoon + kHour);
  std::map<AccountOf, double> values;
  for (const AccountView& view : *engine_.Accounts()) values[view.rule.of] = view.value;
  const std::map<AccountOf, double> wanted = {
      {AccountOf::kRunning, 1}, {AccountOf::kPending, 1}, {AccountOf::kHeld, 4}};
  EXPECT_EQ(values, wanted);
}

TEST_F(AccountsOfOneJob, AChangeOfLabelsMovesWhatIsThereNow) {
  AccountRule gold = Rule(AccountBy::kLabel, AccountOf::kPending, AccountOver::kNothing);
  gold.also = {{AccountBy::kUser, ""}};
  gold.where["tier"] = "gold";
  Activate(std::make_shared<Declares>(std::vector{gold}), kNoon);
  Workload job = MakeWorkload("labelled", "q", Cpu(100));
  const auto keys_with = [&](std::map<std::string, std::string, std::less<>> labels) {
    job.labels = std::move(labels);
    EXPECT_TRUE(engine_.Submit(std::span(&job, 1), kNoon).ok());
    std::string keys;
    for (const AccountView& view : *engine_.Accounts()) {
      keys += view.key + "=" + std::to_string(std::lround(view.value)) + " ";
    }
    return keys;
  };
  EXPECT_EQ(keys_with({{"team", "a.b"}, {"tier", "gold"}}), "a.b,=1 ");
  EXPECT_EQ(keys_with({{"team", "c"}, {kUserLabel, "x"}, {"tier", "gold"}}), "c,x=1 ");
  EXPECT_EQ(keys_with({{"team", "c"}, {kUserLabel, "x"}, {"tier", "iron"}}), "");
  EXPECT_TRUE(engine_.Cancel(std::span(&job.key, 1), kNoon).ok());
  EXPECT_TRUE(engine_.Accounts()->empty());
}

TEST_F(AccountsOfOneJob, OneThatIsSubmittedAgainIsCountedOnce) {
  Activate(std::make_shared<Declares>(std::vector{
               Rule(AccountBy::kUser, AccountOf::kSubmitted, AccountOver::kWindow, kHour)}),
           kNoon);
  Workload job = MakeWorkload("again", "q", Cpu(1));
  ASSERT_TRUE(engine_.Submit(std::span(&job, 1), kNoon).ok());
  job.labels["tier"] = "gold";
  ASSERT_TRUE(engine_.Submit(std::span(&job, 1), kNoon + kSecond).ok());
  EXPECT_EQ(ValueAt(kNoon + kHour), 1);
  EXPECT_EQ(ValueAt(kNoon + kHour + kSecond), 0);
}

TEST_F(AccountsOfOneJob, WhatAnInactiveOneHeldIsEvicted) {
  AccountRule cores = Rule(AccountBy::kUser, AccountOf::kEvicted, AccountOver::kNothing);
  Activate(std::make_shared<Declares>(std::vector{cores}), kNoon);
  ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
  WorkloadUpdate update;
  update.workload = DefaultKey("job");
  update.active = false;
  ASSERT_TRUE(engine_.Update(update, kNoon + kHour).ok());
  EXPECT_EQ(ValueAt(kNoon + kHour), 4);
}

TEST_F(AccountsOfOneJob, ARollbackFindsTheAccountAsItWentOn) {
  const auto declares = std::make_shared<Declares>(std::vector{rule_});
  Activate(declares, kNoon);
  ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
  Activate(std::make_shared<Declares>(std::vector<AccountRule>{}), kNoon + kHour);
  EXPECT_FALSE(engine_.Accounts()->front().declared);
  ASSERT_TRUE(engine_.RollBackPolicy("declares", {declares}, kNoon + 2 * kHour).ok());
  EXPECT_DOUBLE_EQ(ValueAt(kNoon + 3 * kHour), 12);
  EXPECT_TRUE(engine_.Accounts()->front().declared);
}

TEST_F(AccountsOfOneJob, OfTooManyTheOneThatNobodyDeclaresForLongestGivesWay) {
  Activate(std::make_shared<Declares>(std::vector{rule_}), kNoon);
  ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
  std::vector<AccountRule> many;
  for (int i = 1; i <= 32; ++i) {
    many.push_back(
        Rule(AccountBy::kClusterQueue, AccountOf::kResource, AccountOver::kHalfLife, i * kHour));
  }
  Activate(std::make_shared<Declares>(many), kNoon + kHour);
  ASSERT_EQ(engine_.Accounts()->size(), 32u);
  for (const AccountView& view : *engine_.Accounts()) {
    EXPECT_EQ(view.rule.over, AccountOver::kHalfLife);
  }
  many.push_back(rule_);
  const Status status = engine_.ActivatePolicy(std::make_shared<Declares>(many), kNoon + 2 * kHour);
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
  EXPECT_TRUE(engine_.CheckInvariants().ok());
}

/// Accounts of users that come once: the keys that are left after so many days.
std::size_t KeysAfter(int days, AccountOver over, DurationNs span) {
  MemoryJournal journal;
  Engine engine(&journal);
  const std::vector<Object> objects{testing::MakeNamespace(), testing::MakeFlavor("default"),
                                    testing::MakeQueue("q", "", {{.nominal = 4}}),
                                    testing::MakeLocalQueue("q")};
  EXPECT_TRUE(engine.Apply(objects, kNoon).ok());
  const auto declares = std::make_shared<Declares>(
      std::vector{Rule(AccountBy::kUser, AccountOf::kResource, over, span)});
  EXPECT_TRUE(engine.ActivatePolicy(declares, kNoon).ok());
  TimeNs now = kNoon;
  for (int day = 0; day < days; ++day) {
    now += 24 * kHour;
    Workload job = MakeWorkload("job" + std::to_string(day), "q", Cpu(1));
    job.labels = {{kUserLabel, "user" + std::to_string(day)}};
    EXPECT_TRUE(engine.Submit(std::span(&job, 1), now).ok());
    EXPECT_TRUE(engine.RunCycle(now).ok());
    EXPECT_TRUE(engine.Finish(std::span(&job.key, 1), false, now + kHour).ok());
    EXPECT_TRUE(engine.Cancel(std::span(&job.key, 1), now + kHour).ok());
  }
  Engine reopened;
  EXPECT_TRUE(journal.Reopen(reopened).ok());
  EXPECT_TRUE(reopened.AttachPolicy(declares).ok());
  EXPECT_EQ(reopened.Accounts()->size(), engine.Accounts()->size());
  EXPECT_EQ(*reopened.StateHash(), *engine.StateHash());
  return engine.Accounts()->size();
}

TEST(AccountKeys, GoWhenTheirPeriodIsOver) {
  EXPECT_LE(KeysAfter(100, AccountOver::kWindow, 64 * kHour), 8U);
  EXPECT_LE(KeysAfter(100, AccountOver::kCalendarDay, 0), 2U);
  EXPECT_LE(KeysAfter(100, AccountOver::kWeek, 0), 8U);
}

TEST(AccountKeys, StayWhereNothingIsForgotten) {
  EXPECT_EQ(KeysAfter(100, AccountOver::kNothing, 0), 100U);
  EXPECT_EQ(KeysAfter(100, AccountOver::kHalfLife, 24 * kHour), 100U) << "little, and not nothing";
}

}  // namespace
}  // namespace muster
