// Packages that one binding names one after the other, and the order of a LocalQueue's own jobs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"

namespace muster {
namespace {

using testing::Cpu;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kNoon;
using testing::MakeWorkload;

/// One hook of some keys, each the same function of the workload.
class Keyed final : public Policy {
 public:
  using Key = std::function<double(const muster_workload&)>;
  Keyed(std::string name, Key key, int keys = 1, Hook hook = Hook::kQueueOrder)
      : key_(std::move(key)), keys_(keys) {
    info_.name = std::move(name);
    info_.hash = std::string(64, info_.name.front());
    HookInfo& own = info_.hooks.emplace_back();
    own.hook = hook;
    own.keys = keys;
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> keys) override {
    if (fails) return {false, "policy.lua:3: no", 7};
    for (unsigned i = 0; i < keys.size(); ++i) {
      keys[i] = key_(batch.workloads[i / static_cast<unsigned>(keys_)]);
    }
    return {};
  }
  bool fails = false;

 private:
  Key key_;
  int keys_;
  PolicyInfo info_;
};

std::shared_ptr<Keyed> ByPriority(std::string name, int keys = 1) {
  return std::make_shared<Keyed>(
      std::move(name), [](const muster_workload& w) { return w.priority; }, keys);
}

std::shared_ptr<Keyed> BySize(std::string name) {
  return std::make_shared<Keyed>(std::move(name),
                                 [](const muster_workload& w) { return -w.request[0]; });
}

class Queues : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<Object> objects{testing::MakeNamespace(),
                                      testing::MakeFlavor("default"),
                                      testing::MakeQueue("q", "", {{.nominal = 3}}),
                                      LocalQueueOf("q"),
                                      LocalQueueOf("mine"),
                                      LocalQueueOf("theirs")};
    ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
  }
  static LocalQueue LocalQueueOf(const std::string& name) {
    LocalQueue queue = testing::MakeLocalQueue("q");
    queue.key.name = name;
    return queue;
  }
  void Activate(const std::shared_ptr<Policy>& policy) {
    const Status status = engine_.ActivatePolicy(policy, kNoon);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  Status Bind(const PolicyBinding& binding) {
    const Object object = binding;
    return engine_.Apply({&object, 1}, kNoon);
  }
  static PolicyBinding InARow(std::vector<std::string> packages) {
    PolicyBinding binding;
    binding.name = "row";
    binding.policy = packages.front();
    binding.then.assign(packages.begin() + 1, packages.end());
    return binding;
  }
  static PolicyBinding Ordering(const std::string& policy, const std::string& local_queue) {
    PolicyBinding binding;
    binding.name = "own";
    binding.policy = policy;
    binding.hooks = {"queue_order"};
    binding.local_queues = {"default/" + local_queue};
    return binding;
  }
  void Submit(const std::string& name, const std::string& queue, int cpu, int priority) {
    Workload workload = MakeWorkload(name, queue, Cpu(cpu), priority);
    workload.queue = queue;
    const Status status = engine_.Submit({&workload, 1}, kNoon);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  std::vector<std::string> CycleAt(TimeNs at = kNoon) {
    return testing::AdmittedNames(*engine_.RunCycle(at));
  }
  std::vector<std::string> ProblemsOf(const std::string& name) {
    for (const PolicyBindingView& view : *engine_.PolicyBindings()) {
      if (view.name == name) return view.problems;
    }
    return {"there is no " + name};
  }

  testing::MemoryJournal journal_;
  Engine engine_{&journal_};
};

using PackagesInARow = Queues;
using OwnOrder = Queues;

TEST_F(PackagesInARow, AreComparedOneAfterTheOther) {
  Activate(BySize("small"));
  Activate(ByPriority("priority"));
  ASSERT_TRUE(Bind(InARow({"small", "priority"})).ok());
  Submit("large", "q", 2, 9);
  Submit("low", "q", 1, 1);
  Submit("high", "q", 1, 5);
  EXPECT_THAT(CycleAt(), ElementsAre("high"));
  EXPECT_THAT(CycleAt(), ElementsAre("low"));
  EXPECT_THAT(engine_.Explain({"default", "large"})->order_policy,
              HasSubstr("small@ssssssssssss , then priority@pppppppppppp"));
}

TEST_F(PackagesInARow, ThatFailLeaveAllOfTheRowToTheNativeOrder) {
  const auto fails = ByPriority("priority");
  fails->fails = true;
  Activate(BySize("small"));
  Activate(fails);
  ASSERT_TRUE(Bind(InARow({"small", "priority"})).ok());
  Submit("small-low", "q", 1, 1);
  Submit("large-high", "q", 3, 5);
  const CycleResult result = *engine_.RunCycle(kNoon);
  EXPECT_THAT(testing::AdmittedNames(result), ElementsAre("large-high"));
  ASSERT_EQ(result.policy_failures.size(), 1u);
  EXPECT_EQ(result.policy_failures[0].policy, "priority");
}

TEST_F(PackagesInARow, AreRefusedWhenTheyHaveTooManyKeysOrNothingToCompare) {
  Activate(ByPriority("two", 2));
  Activate(ByPriority("three", 3));
  Activate(std::make_shared<Keyed>(
      "victims", [](const muster_workload&) { return 1.0; }, 1, Hook::kVictim));
  EXPECT_THAT(Bind(InARow({"two", "three"})).message(), HasSubstr("has 5 keys; at most 3"));
  EXPECT_THAT(Bind(InARow({"two", "victims"})).message(), HasSubstr("no hook to compare behind"));
  EXPECT_THAT(Bind(InARow({"two", "two"})).message(), HasSubstr("compared already"));
  ASSERT_TRUE(Bind(InARow({"two", "later"})).ok());
  EXPECT_THAT(ProblemsOf("row"), ElementsAre(HasSubstr("later is not active")));
  EXPECT_THAT(engine_.ActivatePolicy(ByPriority("later", 2), kNoon).message(),
              HasSubstr("PolicyBinding row: with package later"));
}

TEST_F(PackagesInARow, OutliveARestart) {
  Activate(BySize("small"));
  Activate(ByPriority("priority"));
  ASSERT_TRUE(Bind(InARow({"small", "priority"})).ok());
  Submit("low", "q", 1, 1);
  Submit("high", "q", 1, 5);
  ASSERT_TRUE(journal_.Reopen(engine_).ok());
  ASSERT_TRUE(engine_.AttachPolicy(BySize("small")).ok());
  ASSERT_TRUE(engine_.AttachPolicy(ByPriority("priority")).ok());
  EXPECT_THAT(CycleAt(), ElementsAre("high"));
}

TEST_F(OwnOrder, ChangesPlacesAmongTheJobsOfTheLocalQueue) {
  Activate(BySize("small"));
  Activate(ByPriority("priority"));
  ASSERT_TRUE(Bind(Ordering("small", "mine")).ok());
  Submit("mine-large", "mine", 3, 9);
  Submit("theirs-large", "theirs", 2, 5);
  Submit("theirs-small", "theirs", 1, 4);
  Submit("mine-small", "mine", 1, 9);
  EXPECT_THAT(CycleAt(), ElementsAre("mine-small")) << "in the place of mine-large";
  EXPECT_THAT(CycleAt(), ElementsAre()) << "mine-large is tried and parked";
  EXPECT_THAT(CycleAt(), ElementsAre("theirs-large")) << "theirs have the order that they had";
  const Explanation explanation = *engine_.Explain({"default", "mine-large"});
  EXPECT_THAT(explanation.notes, ::testing::Contains(HasSubstr("among themselves")));
  EXPECT_THAT(ProblemsOf("own"), ElementsAre());
}

TEST_F(OwnOrder, LeavesWhatDecidesForOtherQueuesAsItIs) {
  Activate(BySize("small"));
  Activate(ByPriority("priority"));
  ASSERT_TRUE(Bind(Ordering("small", "mine")).ok());
  Submit("theirs-low", "theirs", 1, 1);
  Submit("theirs-high", "theirs", 3, 5);
  EXPECT_THAT(CycleAt(), ElementsAre("theirs-high")) << "by the package activated last";
}

TEST_F(OwnOrder, NeverComesInFrontOfAHigherPriority) {
  Activate(BySize("small"));
  Activate(ByPriority("priority"));
  ASSERT_TRUE(Bind(Ordering("small", "mine")).ok());
  Submit("mine-high", "mine", 3, 9);
  Submit("theirs", "theirs", 1, 5);
  Submit("mine-low", "mine", 1, 1);
  EXPECT_THAT(CycleAt(), ElementsAre("mine-high"));
}

TEST_F(OwnOrder, IsRefusedForALocalQueueThatIsNotThere) {
  Activate(BySize("small"));
  EXPECT_THAT(Bind(Ordering("small", "nowhere")).message(), HasSubstr("default/nowhere"));
  ASSERT_TRUE(Bind(Ordering("small", "mine")).ok());
  EXPECT_FALSE(engine_.Delete(ObjectKind::kLocalQueue, {"default", "mine"}, kNoon).ok());
}

TEST_F(OwnOrder, ThatFailsLeavesThePlaceToTheJobThatHasIt) {
  const auto fails = BySize("small");
  fails->fails = true;
  Activate(fails);
  Activate(ByPriority("priority"));
  ASSERT_TRUE(Bind(Ordering("small", "mine")).ok());
  Submit("mine-large", "mine", 3, 9);
  Submit("mine-small", "mine", 1, 9);
  const CycleResult result = *engine_.RunCycle(kNoon);
  EXPECT_THAT(testing::AdmittedNames(result), ElementsAre("mine-large"));
  EXPECT_EQ(result.policy_failures.size(), 1u);
}

TEST_F(OwnOrder, IsOneHookOfLocalQueuesAndNothingElse) {
  Activate(BySize("small"));
  PolicyBinding binding = Ordering("small", "mine");
  binding.hooks = {};
  EXPECT_THAT(Bind(binding).message(), HasSubstr("order of its own jobs only"));
  binding = Ordering("small", "mine");
  binding.cluster_queues = {"q"};
  EXPECT_THAT(Bind(binding).message(), HasSubstr("binds clusterQueues or cohorts, too"));
  binding = Ordering("small", "mine");
  binding.local_queues = {"mine"};
  EXPECT_THAT(Bind(binding).message(), HasSubstr("is no LocalQueue"));
}

}  // namespace
}  // namespace muster
