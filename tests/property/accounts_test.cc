// Accounts of random stories against the naive reference: what the engine has summed up event by
// event is what comes out when everything that happened is added up anew - what held what when by
// the reference, what was admitted and evicted by the engine's events. What there is now is counted
// anew after every step, in the reference's list of workloads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/property/for_each_world.h"
#include "tests/property/random_story.h"
#include "tests/property/random_tree.h"
#include "tests/testing/memory_journal.h"

namespace muster::testing {
namespace {

constexpr double kHour = 3600e9;
constexpr DurationNs kMinute = 60 * kSecond;

AccountRule Rule(AccountBy by, AccountOf of, std::string resource, AccountOver over,
                 DurationNs span = 0) {
  AccountRule rule;
  rule.by = by;
  rule.of = of;
  rule.resource = std::move(resource);
  rule.over = over;
  rule.span = span;
  return rule;
}

AccountRule QueueAndNamespace(AccountRule rule) {
  rule.also = {{AccountBy::kNamespace, ""}};
  return rule;
}

std::vector<AccountRule> Rules() {
  using enum AccountBy;
  using enum AccountOf;
  using enum AccountOver;
  return {Rule(kClusterQueue, kResource, kCpu, kHalfLife, 10 * kMinute),
          Rule(kClusterQueue, kResource, kGpu, kWindow, 64 * kMinute),
          Rule(kLocalQueue, kResource, kCpu, kWindow, 32 * kMinute),
          Rule(kNamespace, kResource, kGpu, kNothing),
          Rule(kNamespace, kResource, kCpu, kCalendarDay),
          Rule(kLocalQueue, kResource, kGpu, kWeek),
          Rule(kClusterQueue, kAdmissions, "", kHalfLife, 30 * kMinute),
          Rule(kLocalQueue, kAdmissions, "", kWindow, 64 * kMinute),
          Rule(kClusterQueue, kPreempted, kCpu, kHalfLife, 20 * kMinute),
          Rule(kNamespace, kPreempted, kGpu, kNothing),
          Rule(kClusterQueue, kLost, kCpu, kWindow, 64 * kMinute),
          Rule(kLocalQueue, kLost, kGpu, kNothing),
          Rule(kClusterQueue, kLastAdmission, "", kNothing),
          Rule(kNamespace, kSubmitted, "", kNothing),
          Rule(kClusterQueue, kSubmitted, "", kWindow, 10 * kMinute),
          Rule(kLocalQueue, kAdmitted, "", kWindow, 20 * kMinute),
          Rule(kClusterQueue, kFinished, "", kHalfLife, 30 * kMinute),
          Rule(kLocalQueue, kFailed, "", kNothing),
          Rule(kNamespace, kCancelled, "", kCalendarDay),
          Rule(kClusterQueue, kEvicted, "", kWindow, 30 * kMinute),
          Rule(kNamespace, kEvicted, kCpu, kNothing),
          Rule(kLocalQueue, kEvicted, kGpu, kWindow, 200 * kMinute),
          Rule(kClusterQueue, kRunning, "", kNothing),
          Rule(kLocalQueue, kRunning, "", kNothing),
          Rule(kClusterQueue, kPending, "", kNothing),
          Rule(kNamespace, kPending, "", kNothing),
          Rule(kClusterQueue, kHeld, kCpu, kNothing),
          QueueAndNamespace(Rule(kClusterQueue, kHeld, kGpu, kNothing))};
}

bool HasQuota(const Story& story, const std::string& resource) {
  return std::any_of(story.world.begin(), story.world.end(), [&](const Object& object) {
    const auto* queue = std::get_if<ClusterQueue>(&object);
    if (queue == nullptr) return false;
    const auto& groups = queue->resource_groups;
    return std::any_of(groups.begin(), groups.end(), [&](const ResourceGroup& group) {
      const auto& covered = group.covered_resources;
      return std::find(covered.begin(), covered.end(), resource) != covered.end();
    });
  });
}

/// Declares accounts and decides nothing.
class Declares final : public Policy {
 public:
  /// Of the rules those that may count something: an account of what no queue has is refused.
  explicit Declares(const Story& story) {
    info_.name = "declares";
    info_.hash = std::string(64, 'd');
    for (AccountRule& rule : Rules()) {
      if (rule.resource.empty() || HasQuota(story, rule.resource)) {
        info_.accounts.push_back({"a", std::move(rule)});
      }
    }
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch&, std::span<double>) override { return {}; }

 private:
  PolicyInfo info_;
};

struct Whose {
  Key job;
  Key local_queue;
  std::string queue;
};

std::string KeyOf(const AccountRule& rule, const Whose& whose) {
  if (!rule.also.empty()) return whose.queue + "," + whose.job.ns;
  if (rule.by == AccountBy::kLocalQueue) return whose.local_queue.ToString();
  return rule.by == AccountBy::kNamespace ? whose.job.ns : whose.queue;
}

using Held = std::map<std::string, double>;  ///< by resource, in cores and devices

/// A workload held this from one step to the next.
struct Span {
  Whose whose;
  Held held;
  TimeNs from = kNoTime;
  TimeNs to = kNoTime;
};

/// Happened to a workload at one time: an admission, or hours that it lost or made others lose.
struct Moment {
  Whose whose;
  AccountOf of = AccountOf::kAdmissions;
  Held amount;  ///< by resource; of an admission 1 of ""
  TimeNs at = kNoTime;
};

TimeNs Begin(const AccountRule& rule, TimeNs now) {
  constexpr DurationNs kDay = 24 * 60 * kMinute;
  if (rule.over == AccountOver::kCalendarDay) return now / kDay * kDay;
  if (rule.over == AccountOver::kWeek) return (now / kDay - (now / kDay + 3) % 7) * kDay;
  if (rule.over != AccountOver::kWindow) return 0;
  if (rule.IsExact()) {
    const TimeNs width = rule.span <= 4096 * kSecond ? kSecond : 3 * kSecond;
    return (now / width - (rule.span + width - 1) / width) * width;
  }
  return (now / (rule.span / 64) - 63) * (rule.span / 64);
}

/// What one unit at `at` is worth at `now`.
double Weight(const AccountRule& rule, TimeNs at, TimeNs now) {
  if (rule.over != AccountOver::kHalfLife) return at >= Begin(rule, now) ? 1 : 0;
  return std::pow(0.5, static_cast<double>(now - at) / static_cast<double>(rule.span));
}

/// Hours of [from, to) as they count at `now`.
double Integral(const AccountRule& rule, TimeNs from, TimeNs to, TimeNs now) {
  if (rule.over == AccountOver::kHalfLife) {
    const double mean = static_cast<double>(rule.span) / kHour / std::log(2.0);
    return mean * (Weight(rule, to, now) - Weight(rule, from, now));
  }
  from = std::max(from, Begin(rule, now));
  return from >= to ? 0 : static_cast<double>(to - from) / kHour;
}

/// Everything that ever happened, one by one.
class Ledger {
 public:
  void Add(Span span) { spans_.push_back(std::move(span)); }
  void Add(Moment moment) { moments_.push_back(std::move(moment)); }

  double Value(const AccountRule& rule, const std::string& key, TimeNs now) const {
    double value = 0;
    for (const Span& span : spans_) {
      const auto held = span.held.find(rule.resource);
      if (rule.of != AccountOf::kResource || held == span.held.end()) continue;
      if (KeyOf(rule, span.whose) == key) {
        value += held->second * Integral(rule, span.from, span.to, now);
      }
    }
    const bool last = rule.of == AccountOf::kLastAdmission;
    for (const Moment& moment : moments_) {
      const bool admission = last || rule.of == AccountOf::kAdmitted;
      if (moment.of != (admission ? AccountOf::kAdmissions : rule.of)) continue;
      const auto amount = moment.amount.find(rule.resource);
      if (amount == moment.amount.end() || KeyOf(rule, moment.whose) != key) continue;
      if (last) value = static_cast<double>(moment.at) * 1e-9;
      if (!last) value += amount->second * Weight(rule, moment.at, now);
    }
    return value;
  }
  std::set<std::string> KeysOf(const AccountRule& rule) const {
    std::set<std::string> keys;
    for (const Moment& moment : moments_) {
      if (moment.of == rule.of) keys.insert(KeyOf(rule, moment.whose));
    }
    return keys;
  }

 private:
  std::vector<Span> spans_;
  std::vector<Moment> moments_;
};

/// Tells one story to both, and adds up what happens.
class Accountant {
 public:
  explicit Accountant(const Story& story)
      : teller_(story, std::make_shared<Declares>(story), &journal_),
        history_(story.world, story.now, /*controller=*/true),
        read_(journal_.commits().size()) {  // what happens is counted from the activation on
    Look();
  }
  void Tell(const oracle::Step& step) {
    teller_.Tell(step);
    history_.Do(step);
    for (Span span : holding_) {
      span.to = history_.now();
      if (span.to > span.from) ledger_.Add(std::move(span));
    }
    for (; read_ < journal_.commits().size(); ++read_) {
      const Commit& commit = journal_.commits()[read_];
      for (const Event& event : commit.events) Read(event, commit.at);
    }
    Look();
    for (const auto& [key, at] : std::exchange(newcomers_, {})) {
      ledger_.Add(Moment{jobs_.at(key).first, AccountOf::kSubmitted, {{"", 1}}, at});
    }
  }
  /// How many accounts had something in them.
  int Check() const {
    int counted = 0;
    std::map<AccountRule, std::set<std::string>> keys;
    std::map<AccountRule, std::map<std::string, double>> present = CountNow();
    for (const AccountView& view : *teller_.engine().Accounts()) {
      keys[view.rule].insert(view.key);
      const double wanted = view.rule.IsOfNow()
                                ? present[view.rule][view.key]
                                : ledger_.Value(view.rule, view.key, history_.now());
      EXPECT_NEAR(view.value, wanted, 1e-9 * std::max(1.0, wanted))
          << view.rule.ByText() << ' ' << view.rule.OfText() << ' ' << view.rule.OverText() << ' '
          << view.key;
      counted += wanted > 0;
    }
    for (const AccountRule& rule : Rules()) {
      if (!rule.resource.empty()) continue;  // not all worlds have it
      std::set<std::string> wanted;
      if (!rule.IsOfNow()) wanted = ledger_.KeysOf(rule);
      for (const auto& [key, count] : present[rule]) wanted.insert(key);
      for (const std::string& key : wanted) {
        const bool known = keys[rule].contains(key) ||
                           (!rule.IsOfNow() && ledger_.Value(rule, key, history_.now()) == 0);
        EXPECT_TRUE(known) << rule.ByText() << ' ' << rule.OfText() << ' ' << key;
      }
    }
    return counted;
  }

 private:
  /// What accounts of now say, by the lists of the reference.
  std::map<AccountRule, std::map<std::string, double>> CountNow() const {
    std::map<AccountRule, std::map<std::string, double>> counts;
    for (const AccountRule& rule : Rules()) {
      std::map<std::string, double>& of = counts[rule];
      for (const Span& span : holding_) {
        const auto held = span.held.find(rule.resource);
        if (rule.of == AccountOf::kRunning) of[KeyOf(rule, span.whose)] += 1;
        if (rule.of == AccountOf::kHeld && held != span.held.end()) {
          of[KeyOf(rule, span.whose)] += held->second;
        }
      }
      for (const auto& [key, member] : history_.members()) {
        if (rule.of != AccountOf::kPending || !Waits(member.workload)) continue;
        of[KeyOf(rule, jobs_.at(key.ToString()).first)] += 1;
      }
    }
    return counts;
  }
  static bool Waits(const Workload& job) {
    const auto is = [&](const char* type) {
      return std::any_of(job.status.conditions.begin(), job.status.conditions.end(),
                         [&](const Condition& c) { return c.type == type && c.status; });
    };
    return job.active && !is("Finished") && !is("QuotaReserved") && !is("Admitted");
  }
  /// What each holds from now on.
  void Look() {
    holding_.clear();
    jobs_.clear();
    for (const oracle::Job& job : history_.Look().holders) {
      Span& span = holding_.emplace_back();
      span.whose = {job.key, job.local_queue, job.queue.substr(job.queue.find('/') + 1)};
      span.from = history_.now();
      for (const auto& [fr, amount] : job.usage) {
        span.held[fr.second] += static_cast<double>(amount) / (fr.second == kCpu ? 1000 : 1);
      }
    }
    for (const auto& [key, member] : history_.members()) {
      const Workload& job = member.workload;
      const auto& reserved = job.status.conditions;
      const auto since = std::find_if(reserved.begin(), reserved.end(), [](const Condition& c) {
        return c.type == "QuotaReserved" && c.status;
      });
      jobs_[key.ToString()] = {{key, {key.ns, job.queue}, history_.QueueOf(job)},
                               since == reserved.end() ? kNoTime : since->since};
    }
  }
  void Read(const Event& event, TimeNs at) {
    const auto job = jobs_.find(event.subject);
    if (job == jobs_.end()) {
      if (event.kind == EventKind::kSubmitted) newcomers_.emplace(event.subject, at);
      return;
    }
    const auto held = std::find_if(holding_.begin(), holding_.end(), [&](const Span& span) {
      return span.whose.job == job->second.first.job;
    });
    const Whose whose = held == holding_.end() ? job->second.first : held->whose;
    const auto happened = [&](AccountOf of) { ledger_.Add(Moment{whose, of, {{"", 1}}, at}); };
    if (event.kind == EventKind::kCancelled) happened(AccountOf::kCancelled);
    if (event.kind == EventKind::kFinished) happened(AccountOf::kFinished);
    if (event.kind == EventKind::kFinished && event.payload.find("Failed") != std::string::npos) {
      happened(AccountOf::kFailed);
    }
    if (event.kind == EventKind::kQuotaReleased) job->second.second = kNoTime;
    if (event.kind == EventKind::kEvicted && job->second.second != kNoTime) {
      Moment evicted{whose, AccountOf::kEvicted, {{"", 1}}, at};
      if (held != holding_.end()) evicted.amount.insert(held->held.begin(), held->held.end());
      ledger_.Add(std::move(evicted));
    }
    if (event.kind == EventKind::kQuotaReserved) {
      ledger_.Add(Moment{job->second.first, AccountOf::kAdmissions, {{"", 1}}, at});
    }
    if (event.kind != EventKind::kPreempted || job->second.second == kNoTime) return;
    const std::size_t by = event.payload.find("\"by\":\"") + 6;
    Moment lost{jobs_.at(event.payload.substr(by, event.payload.find('"', by) - by)).first,
                AccountOf::kPreempted,
                {},
                at};
    for (const Span& span : holding_) {
      if (span.whose.job != job->second.first.job) continue;
      for (const auto& [resource, amount] : span.held) {
        lost.amount[resource] = amount * static_cast<double>(at - job->second.second) / kHour;
      }
      ledger_.Add(Moment{span.whose, AccountOf::kLost, lost.amount, at});
    }
    ledger_.Add(std::move(lost));
  }

  MemoryJournal journal_;
  EngineTeller teller_;
  oracle::History history_;
  std::size_t read_;  ///< so many commits
  std::vector<Span> holding_;
  std::map<std::string, TimeNs> newcomers_;  ///< of this step, and when they came
  std::map<std::string, std::pair<Whose, TimeNs>> jobs_;  ///< and since when it holds quota
  Ledger ledger_;
};

void CheckAccountsIn(int count, Seeds seeds) {
  int counted = 0;
  ForEach(MakeRandomStory, count, seeds, [&counted](const Story& story, Choices&) {
    Accountant accountant(story);
    for (const oracle::Step& step : story.steps) {
      accountant.Tell(step);
      counted += accountant.Check();
      if (::testing::Test::HasFailure()) FAIL() << ToCase(story);
    }
  });
  if (std::getenv("MUSTER_SEED")) return;
  EXPECT_GT(counted, 20 * count) << "accounts must have something to count";
}

TEST(Accounts, AreTheSumOfAllThatHappened) { CheckAccountsIn(150, Seeds::kFixed); }
TEST(LongAccounts, AreTheSumOfAllThatHappened) { CheckAccountsIn(1'000, Seeds::kFresh); }
TEST(NightAccounts, AreTheSumOfAllThatHappened) { CheckAccountsIn(4'000, Seeds::kFresh); }

}  // namespace
}  // namespace muster::testing
