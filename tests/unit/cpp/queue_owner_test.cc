// What the owner of one ClusterQueue may bind there, and that it is nothing else.
#include "muster/queue_owner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/builders.h"

namespace muster {
namespace {

using ::testing::HasSubstr;
using testing::kNoon;

PolicyBinding OfQueue(std::vector<std::string> hooks) {
  PolicyBinding binding;
  binding.name = "ours";
  binding.policy = "small-first";
  binding.hooks = std::move(hooks);
  binding.cluster_queues = {"q"};
  return binding;
}

class QueueOwner : public ::testing::Test {
 protected:
  QueueOwner() {
    const std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default"),
                                         testing::MakeQueue("q", "", {{.nominal = 1}})};
    EXPECT_TRUE(engine_.Apply(objects, kNoon).ok());
  }
  /// What is said about one object; empty: it may be applied.
  std::string Refusal(const Object& object) const {
    const std::vector<Problem> problems = *CheckQueueOwner(engine_, std::span(&object, 1), "q");
    return problems.empty() ? "" : problems.front().field + ": " + problems.front().what;
  }

  Engine engine_;
};

TEST_F(QueueOwner, BindsTheHooksThatAreAboutItsOwnJobs) {
  EXPECT_EQ(Refusal(OfQueue({"queue_order"})), "");
  EXPECT_EQ(Refusal(OfQueue({"submit", "flavor_order", "hold"})), "");
}

TEST_F(QueueOwner, BindsNoHookThatDecidesAboutOthers) {
  for (const char* hook : {"victim", "preempt_limits", "share", "cycle_order"}) {
    EXPECT_THAT(Refusal(OfQueue({"queue_order", hook})), HasSubstr("spec.hooks[1]: ")) << hook;
  }
  EXPECT_THAT(Refusal(OfQueue({})), HasSubstr("all that the package has"));
}

TEST_F(QueueOwner, OfALocalQueueBindsTheOrderOfItsOwnJobs) {
  const auto refusal = [this](const PolicyBinding& binding) {
    const Object object = binding;
    const auto problems = *CheckQueueOwner(engine_, std::span(&object, 1), "default/mine");
    return problems.empty() ? "" : problems.front().what;
  };
  PolicyBinding binding = OfQueue({"queue_order"});
  EXPECT_THAT(refusal(binding), HasSubstr("LocalQueue default/mine binds that queue alone"));
  binding.cluster_queues = {};
  binding.local_queues = {"default/mine"};
  EXPECT_EQ(refusal(binding), "");
  EXPECT_THAT(Refusal(binding), HasSubstr("alone")) << "the owner of q has another queue";
  binding.local_queues.push_back("default/theirs");
  EXPECT_THAT(refusal(binding), HasSubstr("alone"));
}

TEST_F(QueueOwner, BindsItsQueueAlone) {
  PolicyBinding binding = OfQueue({"queue_order"});
  binding.cluster_queues = {"q", "r"};
  EXPECT_THAT(Refusal(binding), HasSubstr("alone"));
  binding.cluster_queues = {};
  EXPECT_THAT(Refusal(binding), HasSubstr("alone")) << "that would be every queue";
  binding.cohorts = {"all"};
  EXPECT_THAT(Refusal(binding), HasSubstr("alone"));
}

TEST_F(QueueOwner, ReplacesNoBindingOfOthers) {
  PolicyBinding of_all = OfQueue({"victim"});
  of_all.cluster_queues = {};
  const std::vector<Object> objects = {of_all};
  ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
  EXPECT_THAT(Refusal(OfQueue({"queue_order"})), HasSubstr("metadata.name: "));
  PolicyBinding other = OfQueue({"queue_order"});
  other.name = "other";
  EXPECT_EQ(Refusal(other), "");
}

TEST_F(QueueOwner, AppliesNothingElse) {
  EXPECT_THAT(Refusal(testing::MakeQueue("q", "", {{.nominal = 9}})), HasSubstr("nothing else"));
}

}  // namespace
}  // namespace muster
