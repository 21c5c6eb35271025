// Hook share: it orders the tournament and the search for victims, and a failure anywhere in a
// cycle leaves the whole cycle to the native rule.
#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::kNoon;
using testing::MakeWorkload;

/// Shares by node name; can be told to fail at its n-th call.
class Shares : public Policy {
 public:
  explicit Shares(std::map<std::string, double> shares) : shares_(std::move(shares)) {
    info_.name = "shares";
    info_.hash = std::string(64, 'a');
    HookInfo hook;
    hook.hook = Hook::kShare;
    info_.hooks.push_back(std::move(hook));
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> answers) override {
    if (++calls == fail_at) return {false, "policy.lua:3: no", 7};
    for (unsigned i = 0; i < batch.count; ++i) {
      const muster_string& name = batch.strings[batch.nodes[i].name];
      answers[i] = shares_[std::string(name.data, name.size)];
    }
    return {};
  }
  int calls = 0;
  int fail_at = 0;

 private:
  std::map<std::string, double> shares_;
  PolicyInfo info_;
};

class Share : public ::testing::Test {
 protected:
  /// Queues a, b and c without quota borrow from one cohort of 2 cores; one job waits in each.
  void SetUp() override {
    Configuration config;
    config.fair_sharing.emplace();
    const std::vector<Object> objects{config,
                                      testing::MakeNamespace(),
                                      testing::MakeFlavor("default"),
                                      testing::MakeCohort("co", "", {{.nominal = 2}}),
                                      testing::MakeQueue("a", "co", {{.nominal = 0}}),
                                      testing::MakeQueue("b", "co", {{.nominal = 0}}),
                                      testing::MakeQueue("c", "co", {{.nominal = 0}}),
                                      testing::MakeLocalQueue("a"),
                                      testing::MakeLocalQueue("b"),
                                      testing::MakeLocalQueue("c"),
                                      MakeWorkload("in-a", "a", Cpu(1), 9),
                                      MakeWorkload("in-b", "b", Cpu(1), 5),
                                      MakeWorkload("in-c", "c", Cpu(1), 1)};
    const Status status = engine_.Apply(objects, kNoon);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  Engine engine_;
};

TEST_F(Share, SmallerIsServedFirst) {
  const auto policy =
      std::make_shared<Shares>(std::map<std::string, double>{{"a", 3}, {"b", 1}, {"c", 2}});
  ASSERT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
  const CycleResult result = *engine_.RunCycle(kNoon);
  EXPECT_EQ(testing::AdmittedNames(result), (std::vector<std::string>{"in-b", "in-c"}));
  EXPECT_TRUE(result.policy_failures.empty());
  EXPECT_EQ(policy->calls, 1) << "only of what a decision has changed it is asked again";
}

TEST_F(Share, AFailureInALaterRoundTakesTheEarlierOnesBackToo) {
  const std::vector<Object> nested{testing::MakeCohort("left", "co", {}),
                                   testing::MakeCohort("right", "co", {}),
                                   testing::MakeQueue("a", "left", {{.nominal = 0}}),
                                   testing::MakeQueue("b", "left", {{.nominal = 0}}),
                                   testing::MakeQueue("c", "right", {{.nominal = 0}})};
  ASSERT_TRUE(engine_.Apply(nested, kNoon).ok());
  const auto policy =
      std::make_shared<Shares>(std::map<std::string, double>{{"a", 3}, {"b", 1}, {"c", 2}});
  policy->fail_at = 3;  // after the queues and the cohorts: of "left", from which b was admitted
  ASSERT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
  const CycleResult result = *engine_.RunCycle(kNoon);
  EXPECT_EQ(testing::AdmittedNames(result), (std::vector<std::string>{"in-a", "in-c"}))
      << "natively: by priority first, then the cohort that has less";
  ASSERT_EQ(result.policy_failures.size(), 1u);
  EXPECT_EQ(result.policy_failures[0].hook, "share");
  EXPECT_EQ(result.policy_failures[0].message, "policy.lua:3: no");
  EXPECT_EQ(policy->calls, 3) << "it is not asked again in this cycle";
  EXPECT_TRUE(engine_.CheckInvariants().ok());
}

TEST_F(Share, AnswersThatAreNoSharesAreFailures) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {nan, -std::numeric_limits<double>::infinity()}) {
    const auto policy =
        std::make_shared<Shares>(std::map<std::string, double>{{"a", bad}, {"b", bad}, {"c", bad}});
    ASSERT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
    EXPECT_EQ(engine_.RunCycle(kNoon)->policy_failures.size(), 1u);
  }
}

TEST_F(Share, WithoutFairSharingNobodyAsks) {
  const Object config = Configuration{};
  ASSERT_TRUE(engine_.Apply(std::span(&config, 1), kNoon).ok());
  const auto policy = std::make_shared<Shares>(std::map<std::string, double>{});
  ASSERT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
  ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
  EXPECT_EQ(policy->calls, 0);
}

}  // namespace
}  // namespace muster
