// "At most so many of a LocalQueue" by hook hold, in random stories: whatever happens, in several
// queues and cycles at once, with preemption, reopened after every step, no more get quota.
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "tests/property/for_each_world.h"
#include "tests/property/random_story.h"
#include "tests/testing/memory_journal.h"

namespace muster::testing {
namespace {

/// What is limited of a LocalQueue: quota reservations ever, or jobs that hold quota now.
AccountRule Limited(AccountOf of) {
  AccountRule rule;
  rule.by = AccountBy::kLocalQueue;
  rule.of = of;
  return rule;
}

/// Holds back what would be one too many.
class AtMost final : public Policy {
 public:
  AtMost(double most, AccountOf of) : most_(most) {
    info_.name = "at-most";
    info_.hash = std::string(64, 'd');
    HookInfo& hook = info_.hooks.emplace_back();
    hook.hook = Hook::kHold;
    hook.keys = 2;
    hook.reads = {"account"};
    info_.accounts.push_back({"had", Limited(of)});
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> answers) override {
    HookOutcome outcome;
    outcome.reasons = {"its LocalQueue has had enough"};
    for (unsigned i = 0; i < batch.count; ++i) {
      answers[2 * i] = batch.workloads[i].account[0] < most_ ? 0 : 1;
      answers[2 * i + 1] = std::numeric_limits<double>::infinity();
    }
    return outcome;
  }

 private:
  double most_;
  PolicyInfo info_;
};

struct Seen {
  int admitted = 0, held = 0;
};

/// By LocalQueue, how many of its jobs are charged now.
std::map<std::string, int> ChargedNow(const Engine& engine) {
  std::map<std::string, int> charged;
  for (const WorkloadView& each : *engine.Workloads()) {
    charged[each.spec.key.ns + "/" + each.spec.queue] += each.charged;
  }
  return charged;
}

void CheckHolding(const Story& story, double most, AccountOf of, Seen& seen) {
  const auto policy = std::make_shared<AtMost>(most, of);
  MemoryJournal journal;
  EngineTeller told(story, policy), reopened(story, policy, &journal);
  std::map<std::string, int> had;  // by what happened, not by accounts
  for (const oracle::Step& step : story.steps) {
    const Picture picture = told.Tell(step);
    ASSERT_EQ(reopened.Tell(step), picture) << ToCase(story);
    ASSERT_TRUE(journal.Reopen(reopened.engine()).ok());
    for (const std::string& hash : *reopened.engine().StoredPolicyHashes()) {
      ASSERT_EQ(hash, policy->info().hash);
      ASSERT_TRUE(reopened.engine().AttachPolicy(policy).ok());
    }
    ASSERT_EQ(*reopened.engine().StateHash(), *told.engine().StateHash()) << ToCase(story);
    const Status sound = told.engine().CheckInvariants();
    ASSERT_TRUE(sound.ok()) << sound.message() << "\n" << ToCase(story);
    for (const WorkloadView& each : *told.engine().Workloads()) seen.held += each.hold.has_value();
    if (!told.cycle()) continue;
    EXPECT_TRUE(told.cycle()->policy_failures.empty());
    for (const AdmittedWorkload& admitted : told.cycle()->admitted) {
      ++seen.admitted;
      const Workload workload = (*told.engine().GetWorkload(admitted.workload)).spec;
      const std::string queue = workload.key.ns + "/" + workload.queue;
      // One that was inactive may be charged again beside them, but then none starts.
      const int count = of == AccountOf::kRunning ? ChargedNow(told.engine())[queue] : ++had[queue];
      EXPECT_LE(count, most) << admitted.workload.ToString() << " of\n" << ToCase(story);
    }
  }
}

/// One that holds nothing back is as none.
void CheckThatNothingChanges(const Story& story) {
  EngineTeller with(story, std::make_shared<AtMost>(1e9, AccountOf::kRunning)), without(story);
  for (const oracle::Step& step : story.steps) {
    ASSERT_EQ(with.Tell(step), without.Tell(step)) << ToCase(story);
  }
}

void CheckManyHoldings(int count, Seeds seeds) {
  Seen seen;
  ForEach(MakeRandomStory, count, seeds, [&](const Story& story, Choices& choices) {
    const auto most = static_cast<double>(1 + choices.Below(3));
    CheckHolding(story, most, AccountOf::kAdmissions, seen);
    CheckHolding(story, most, AccountOf::kRunning, seen);
    CheckThatNothingChanges(story);
  });
  if (std::getenv("MUSTER_SEED")) return;
  EXPECT_GT(seen.admitted, count);
  EXPECT_GT(seen.held, count);
}

TEST(Holding, LetsNoMoreThroughThanItSays) { CheckManyHoldings(60, Seeds::kFixed); }
TEST(LongHolding, LetsNoMoreThroughThanItSays) { CheckManyHoldings(250, Seeds::kFresh); }
TEST(NightHolding, LetsNoMoreThroughThanItSays) { CheckManyHoldings(5'000, Seeds::kFresh); }

}  // namespace
}  // namespace muster::testing
