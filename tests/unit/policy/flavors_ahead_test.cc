// Flavors of many heads are asked about together, on what is expected to be free: what comes of a
// cycle, and what is recorded of it, is as if each had been asked about alone and in its turn.
#include "engine/flavors/flavors_ahead.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"

namespace muster {
namespace {

using testing::Cpu;
using ::testing::ElementsAre;
using testing::kNoon;
using testing::MakeWorkload;

/// So many cores stay free.
class KeepsFree : public Policy {
 public:
  KeepsFree(double kept, bool together) : kept_(kept), together_(together) {
    info_.name = "keeps-free";
    info_.hash = std::string(64, 'a');
    HookInfo& hook = info_.hooks.emplace_back();
    hook.hook = Hook::kFlavorOrder;
    hook.reads = {"free"};
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> answers) override {
    ++alone;
    return Answer(batch, answers);
  }
  bool CallEach(Hook, std::span<const muster_batch> batches, std::span<double> answers,
                std::span<std::int64_t> fuel) override {
    if (!together_) return false;
    for (std::size_t i = 0; i < batches.size(); ++i) {
      const HookOutcome outcome = Answer(batches[i], answers.first(batches[i].count));
      if (!outcome.ok) return false;
      fuel[i] = outcome.fuel;
      answers = answers.subspan(batches[i].count);
    }
    ++each;
    return true;
  }
  int alone = 0, each = 0;
  double fails_at = -1;  ///< where so much is free

 private:
  HookOutcome Answer(const muster_batch& batch, std::span<double> answers) const {
    HookOutcome outcome;
    for (unsigned i = 0; i < batch.count; ++i) {
      const double left = batch.flavors[i].free[0] - batch.subject->request[0];
      answers[i] = left < kept_ ? -std::numeric_limits<double>::infinity() : 0;
      outcome.fuel += 3 + static_cast<std::int64_t>(left);
      if (batch.flavors[i].free[0] == fails_at) outcome = {false, "policy.lua:3: no", 7};
    }
    return outcome;
  }

  double kept_;
  bool together_;
  PolicyInfo info_;
};

class AskedAhead : public ::testing::TestWithParam<bool> {
 protected:
  /// Three queues share 8 cores; each has a job of so many.
  void SetUpJobs(std::int64_t a, std::int64_t b, std::int64_t c) {
    Apply({testing::MakeNamespace(), testing::MakeFlavor("default"),
           testing::MakeCohort("co", "", {{.nominal = 8}}), testing::MakeQueue("a", "co", {{}}),
           testing::MakeQueue("b", "co", {{}}), testing::MakeQueue("c", "co", {{}}),
           testing::MakeLocalQueue("a"), testing::MakeLocalQueue("b"), testing::MakeLocalQueue("c"),
           MakeWorkload("in-a", "a", Cpu(a), 3), MakeWorkload("in-b", "b", Cpu(b), 2),
           MakeWorkload("in-c", "c", Cpu(c), 1)});
  }
  void Apply(std::vector<Object> objects) {
    const Status status = engine_.Apply(objects, kNoon, MissingReference::kAccept);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  std::shared_ptr<KeepsFree> Activate(double kept) {
    auto policy = std::make_shared<KeepsFree>(kept, GetParam());
    const Status status = engine_.ActivatePolicy(policy, kNoon);
    EXPECT_TRUE(status.ok()) << status.message();
    return policy;
  }
  std::vector<std::string> Admitted() {
    result_ = *engine_.RunCycle(kNoon);
    EXPECT_TRUE(engine_.CheckInvariants().ok());
    return testing::AdmittedNames(result_);
  }
  /// Calls and fuel that the last commit has.
  std::pair<std::int64_t, std::int64_t> Recorded() const {
    const std::vector<PolicyUse>& uses = journal_.commits().back().policies;
    return uses.empty() ? std::pair<std::int64_t, std::int64_t>()
                        : std::pair(uses[0].calls, uses[0].fuel);
  }

  testing::MemoryJournal journal_;
  Engine engine_{&journal_};
  CycleResult result_;
};

INSTANTIATE_TEST_SUITE_P(, AskedAhead, ::testing::Bool(), [](const auto& together) {
  return together.param ? "Together" : "Alone";
});

TEST_P(AskedAhead, WhatStartsAsExpectedNeedsNoCallOfItsOwn) {
  SetUpJobs(2, 2, 2);
  const auto policy = Activate(4);
  EXPECT_THAT(Admitted(), ElementsAre("in-a", "in-b"));
  // Nominated with 8 free: 9 each. Then with 8, 6 and 4 free.
  EXPECT_EQ(Recorded(), std::pair(std::int64_t{6}, std::int64_t{3 * 9 + 9 + 7 + 5}));
  if (!GetParam()) return;
  EXPECT_EQ(policy->alone, 0);
  EXPECT_EQ(policy->each, 2) << "to nominate, and to process";
}

TEST_P(AskedAhead, AWrongGuessDecidesNothing) {
  SetUpJobs(6, 5, 1);
  const auto policy = Activate(1);
  EXPECT_THAT(Admitted(), ElementsAre("in-a", "in-c")) << "in-b has no room, so in-c has";
  EXPECT_EQ(Recorded().first, 5) << "in-b is not asked about again";
  if (!GetParam()) return;
  EXPECT_EQ(policy->alone, 1) << "in-c was expected behind in-b";
}

TEST_P(AskedAhead, WhatCannotAllStartIsNotExpectedTo) {
  constexpr std::int64_t kMost = 1'000'000'000'000'000;  // that a workload may ask for
  std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default"),
                                 testing::MakeCohort("co", "", {{.nominal = 9 * kMost}})};
  for (int i = 10; i < 22; ++i) {
    const std::string name = "q" + std::to_string(i);
    objects.emplace_back(testing::MakeQueue(name, "co", {{}}));
    objects.emplace_back(testing::MakeLocalQueue(name));
    objects.emplace_back(MakeWorkload("in-" + name, name, Cpu(kMost), 0));
  }
  Apply(objects);
  Activate(0);
  EXPECT_EQ(Admitted().size(), 4u) << "no more can be counted";
}

TEST_P(AskedAhead, AFailureOfAGuessIsNone) {
  SetUpJobs(6, 5, 1);
  const auto policy = Activate(1);
  policy->fails_at = 0;  // as in-c would find it behind in-b
  EXPECT_THAT(Admitted(), ElementsAre("in-a", "in-c"));
  EXPECT_TRUE(result_.policy_failures.empty());
  EXPECT_EQ(Recorded().first, 5);
}

TEST_P(AskedAhead, AFailureOfWhatIsAskedIsTold) {
  SetUpJobs(2, 2, 2);
  const auto policy = Activate(4);
  policy->fails_at = 6;  // as in-b finds it
  EXPECT_THAT(Admitted(), ElementsAre("in-a", "in-b", "in-c")) << "the native rule keeps none free";
  ASSERT_EQ(result_.policy_failures.size(), 1u);
  EXPECT_EQ(result_.policy_failures[0].cluster_queue, "b");
}

}  // namespace
}  // namespace muster
