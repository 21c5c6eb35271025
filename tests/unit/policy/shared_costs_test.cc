// Hook victim with many preemptors: one that reads nothing of them is asked about each candidate
// once, and they decide as if each had asked for itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::kNoon;
using testing::MakeWorkload;

constexpr double kNeverEvicted = std::numeric_limits<double>::infinity();
constexpr int kMembers = 12, kHolders = 48;

std::string TextOf(const muster_batch& batch, unsigned int index) {
  return std::string(batch.strings[index].data, batch.strings[index].size);
}

/// CountedCosts by a function of the batch and the index; counts what it is asked about.
class CountedCosts : public Policy {
 public:
  using Answer = std::function<double(const muster_batch&, unsigned)>;
  /// `named`: the fields that it reads; unset: it does not tell, and shares nothing.
  CountedCosts(Answer answer, std::optional<std::vector<std::string>> named, bool reads_subject)
      : answer_(std::move(answer)) {
    info_.name = "costs";
    info_.hash = std::string(64, 'a');
    HookInfo info;
    info.hook = Hook::kVictim;
    info.named = std::move(named);
    info.reads_subject = reads_subject;
    info_.hooks.push_back(std::move(info));
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> answers) override {
    ++calls;
    items += static_cast<int>(answers.size());
    if (!answers.empty() && answers.size() < fewest) {
      return {false, "policy.lua:3: asked about " + std::to_string(answers.size()), 7};
    }
    const auto is_dear = [&](unsigned i) { return batch.workloads[i].priority >= dear; };
    unsigned first_dear = 0;
    while (first_dear < answers.size() && !is_dear(first_dear)) ++first_dear;
    if (first_dear < answers.size() && answers.size() < kEnoughForDear) {
      ++refused;
      return {false, "policy.lua:3: out of fuel", 7};
    }
    for (unsigned i = 0; i < answers.size(); ++i) answers[i] = answer_(batch, i);
    return {};
  }
  int calls = 0, items = 0;
  std::size_t fewest = 0;  ///< batches of fewer candidates fail
  /// From this priority on a candidate needs what so many together may use.
  double dear = kNeverEvicted;
  static constexpr std::size_t kEnoughForDear = 12;
  int refused = 0;  ///< batches that were too small for one

 private:
  Answer answer_;
  PolicyInfo info_;
};

struct Rules {
  const char* name = "";
  PreemptionPolicy reclaim = PreemptionPolicy::kAny;
  PreemptionPolicy borrow = PreemptionPolicy::kNever;
  bool fair = false;
  bool one_priority = false;  ///< of those that preempt
  PreemptionPolicy within = PreemptionPolicy::kLowerPriority;
  bool two_trees = false;  ///< a third of the queues are of another cohort
};

/// In the order of their numbers, in which they are looked at.
std::string QueueName(int i) { return std::string("q") + static_cast<char>('a' + i); }

/// Half of the queues of a cohort run all that it has; then every queue has a head.
struct ReclaimStory {
  explicit ReclaimStory(const Rules& rules_of) {
    std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
    if (rules_of.fair) {
      Configuration configuration;
      configuration.fair_sharing.emplace();
      objects.emplace_back(configuration);
    }
    const PreemptionRules rules = {rules_of.within, rules_of.reclaim, rules_of.borrow,
                                   std::nullopt};
    std::vector<Workload> runs, heads;
    for (int i = 0; i < kMembers; ++i) {
      const std::string queue = QueueName(i);
      objects.emplace_back(testing::MakeQueue(queue,
                                              rules_of.two_trees && i % 3 == 0 ? "others" : "all",
                                              {{.nominal = kHolders / kMembers}}, rules));
      objects.emplace_back(testing::MakeLocalQueue(queue));
      const int priority = rules_of.one_priority ? 100 : 3 * i;
      heads.push_back(MakeWorkload("head-" + std::to_string(i), queue, Cpu(1 + i % 3), priority));
    }
    for (int i = 0; i < kHolders; ++i) {
      runs.push_back(MakeWorkload("runs-" + std::to_string(i), QueueName(i % (kMembers / 2)),
                                  Cpu(1), i * 7 % 30));
    }
    EXPECT_TRUE(engine.Apply(objects, kNoon).ok());
    EXPECT_TRUE(engine.Submit(runs, kNoon).ok());
    std::size_t started = 0;
    for (int i = 0; i < kHolders; ++i) started += engine.RunCycle(kNoon)->admitted.size();
    EXPECT_EQ(started, static_cast<std::size_t>(kHolders));
    EXPECT_TRUE(engine.Submit(heads, kNoon + kSecond).ok());
  }
  /// "victim for preemptor" in the order of two cycles.
  std::vector<std::string> Preempted(const std::shared_ptr<Policy>& policy) {
    EXPECT_TRUE(engine.ActivatePolicy(policy, kNoon + kSecond).ok());
    std::vector<std::string> all;
    for (const TimeNs now : {kNoon + kSecond, kNoon + 2 * kSecond}) {
      const CycleResult cycle = *engine.RunCycle(now);
      for (const PreemptedWorkload& p : cycle.preempted) {
        all.push_back(p.workload.name + " for " + p.by.name);
      }
      failures += static_cast<int>(cycle.policy_failures.size());
      EXPECT_TRUE(engine.CheckInvariants().ok());
    }
    return all;
  }
  Engine engine;
  int failures = 0;
};

class SharedCosts : public ::testing::TestWithParam<Rules> {
 protected:
  /// Both decide alike, and their calls have the same numbers.
  void Expect(const CountedCosts::Answer& answer, const std::vector<std::string>& named,
              bool reads_subject) {
    const auto alone = std::make_shared<CountedCosts>(answer, std::nullopt, true);
    const auto shared = std::make_shared<CountedCosts>(answer, named, reads_subject);
    ReclaimStory by_itself(GetParam()), together(GetParam());
    const std::vector<std::string> expected = by_itself.Preempted(alone);
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(together.Preempted(shared), expected);
    EXPECT_EQ(shared->calls, alone->calls);
    EXPECT_EQ(together.failures, 0);
    EXPECT_LT(shared->items, alone->items);
    items = shared->items;
  }
  int items = 0;
};

TEST_P(SharedCosts, EachCandidateIsAskedAboutOnceInACycle) {
  for (const double sign : {1.0, -1.0, 0.0}) {
    Expect([sign](const auto& batch, unsigned i) { return sign * batch.workloads[i].priority; },
           {"priority"}, false);
    EXPECT_LE(items, 2 * kHolders) << "two cycles";
  }
}

TEST_P(SharedCosts, ThoseThatAreProtectedAreSoForAll) {
  Expect(
      [](const auto& batch, unsigned i) {
        return TextOf(batch, batch.workloads[i].name).ends_with("7") ? kNeverEvicted : 0.0;
      },
      {"name"}, false);
  EXPECT_LE(items, 2 * kHolders);
}

TEST_P(SharedCosts, WhoTellsItsOwnQueueApartIsAskedAboutItTwice) {
  Expect(
      [](const auto& batch, unsigned i) {
        return batch.holdings[i].same_queue * 100 - batch.workloads[i].priority;
      },
      {"same_queue", "priority"}, false);
  EXPECT_LE(items, 4 * kHolders);
}

TEST_P(SharedCosts, WhoReadsUsageSharesWhileItIsTheSame) {
  Expect([](const auto& batch,
            unsigned i) { return batch.holdings[i].borrowing + batch.workloads[i].priority; },
         {"borrowing", "priority"}, false);
}

TEST_P(SharedCosts, PreemptorsThatAreAlikeToTheHookShare) {
  Expect(
      [](const auto& batch, unsigned i) {
        const double flip = batch.subject == nullptr || batch.subject->priority > 50 ? 1 : -1;
        return flip * batch.workloads[i].priority;
      },
      {"priority"}, true);
  if (GetParam().one_priority) {
    EXPECT_LE(items, 2 * kHolders);
  }
}

// What a batch may use depends on how many it is about.
TEST_P(SharedCosts, WhereAPartFailsTheWholeIsAsked) {
  const auto answer = [](const auto& batch, unsigned i) { return batch.workloads[i].priority; };
  const auto alone = std::make_shared<CountedCosts>(answer, std::nullopt, true);
  const auto shared =
      std::make_shared<CountedCosts>(answer, std::vector<std::string>{"priority"}, false);
  ReclaimStory by_itself(GetParam()), together(GetParam());
  alone->fewest = shared->fewest = GetParam().one_priority ? 5 : 1;
  EXPECT_EQ(together.Preempted(shared), by_itself.Preempted(alone));
  EXPECT_EQ(together.failures, by_itself.failures);
}

// Heads of rising priority: each is asked about the few that those before it may not evict.
TEST(CostsOfAPart, ThatFailAreTakenFromTheWhole) {
  const Rules rules{"Lower", PreemptionPolicy::kLowerPriority};
  const auto answer = [](const auto& batch, unsigned i) { return batch.workloads[i].priority; };
  const auto alone = std::make_shared<CountedCosts>(answer, std::nullopt, true);
  const auto shared =
      std::make_shared<CountedCosts>(answer, std::vector<std::string>{"priority"}, false);
  alone->dear = shared->dear = 18;
  ReclaimStory by_itself(rules), together(rules);
  EXPECT_EQ(together.Preempted(shared), by_itself.Preempted(alone));
  EXPECT_EQ(alone->refused, 0);
  EXPECT_GT(shared->refused, 0);
  EXPECT_EQ(together.failures, 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, SharedCosts,
    ::testing::Values(
        Rules{"Any", PreemptionPolicy::kAny}, Rules{"Lower", PreemptionPolicy::kLowerPriority},
        Rules{"Newer", PreemptionPolicy::kLowerPriority, PreemptionPolicy::kNever, false, false,
              PreemptionPolicy::kLowerOrNewerEqualPriority},
        Rules{"Borrowing", PreemptionPolicy::kLowerPriority, PreemptionPolicy::kLowerPriority},
        Rules{"OnePriority", PreemptionPolicy::kLowerPriority, PreemptionPolicy::kNever, false,
              true},
        Rules{"Fair", PreemptionPolicy::kAny, PreemptionPolicy::kNever, true},
        Rules{"FairLower", PreemptionPolicy::kLowerPriority, PreemptionPolicy::kNever, true},
        Rules{"TwoTrees", PreemptionPolicy::kAny, PreemptionPolicy::kNever, true, false,
              PreemptionPolicy::kLowerPriority, true}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace muster
