// Several packages at once: what each of them decides, and that it is said when one stops deciding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
using ::testing::IsEmpty;
using testing::kNoon;
using testing::MakeWorkload;

/// Has these hooks; orders by priority times `sign`.
class Package final : public Policy {
 public:
  Package(std::string name, std::vector<Hook> hooks, double sign = 1) : sign_(sign) {
    info_.name = std::move(name);
    info_.hash = std::string(63, info_.name.front()) + (sign > 0 ? "1" : "2");
    for (const Hook hook : hooks) info_.hooks.emplace_back().hook = hook;
  }
  const PolicyInfo& info() const override { return info_; }
  void Counts(std::string resource) {
    DeclaredAccount& account = info_.accounts.emplace_back();
    account.name = "used";
    account.rule.resource = std::move(resource);
  }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> keys) override {
    for (unsigned i = 0; i < batch.count; ++i) keys[i] = sign_ * batch.workloads[i].priority;
    return {};
  }

 private:
  double sign_;
  PolicyInfo info_;
};

class DecidingHooks : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<Object> objects{testing::MakeNamespace(),
                                      testing::MakeFlavor("default"),
                                      testing::MakeCohort("org", ""),
                                      testing::MakeCohort("lab", "org"),
                                      testing::MakeQueue("up", "lab", {{.nominal = 1}}),
                                      testing::MakeQueue("down", "org", {{.nominal = 1}}),
                                      testing::MakeLocalQueue("up"),
                                      testing::MakeLocalQueue("down")};
    ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
  }
  std::vector<StoppedHook> Activate(std::string name, std::vector<Hook> hooks, double sign = 1) {
    std::vector<StoppedHook> stopped;
    const Status status = engine_.ActivatePolicy(
        std::make_shared<Package>(std::move(name), std::move(hooks), sign), kNoon, {}, &stopped);
    EXPECT_TRUE(status.ok()) << status.message();
    return stopped;
  }
  Status Bind(const std::string& name, const std::string& policy,
              std::vector<std::string> hooks = {}, std::vector<std::string> queues = {},
              std::vector<std::string> cohorts = {}) {
    const Object object =
        PolicyBinding{name, policy, std::move(hooks), std::move(queues), std::move(cohorts), {}};
    return engine_.Apply({&object, 1}, kNoon);
  }
  PolicyBindingView View(const std::string& name) {
    for (const PolicyBindingView& view : *engine_.PolicyBindings()) {
      if (view.name == name) return view;
    }
    ADD_FAILURE() << "there is no " << name;
    return {};
  }
  void Reopen() {
    ASSERT_TRUE(journal_.Reopen(engine_).ok());
    for (const std::string& hash : *engine_.StoredPolicyHashes()) {
      const Status attached = engine_.AttachPolicy(
          hash.front() == 'o'
              ? std::make_shared<Package>("order", std::vector{Hook::kQueueOrder, Hook::kSubmit})
              : std::make_shared<Package>("turned", std::vector{Hook::kQueueOrder}, -1));
      ASSERT_TRUE(attached.ok()) << attached.message();
    }
  }
  std::vector<std::string> FirstOf(int low, int high) {
    const std::vector<Workload> jobs = {MakeWorkload("low", "up", Cpu(1), low),
                                        MakeWorkload("high", "up", Cpu(1), high)};
    EXPECT_TRUE(engine_.Submit(jobs, kNoon).ok());
    return testing::AdmittedNames(*engine_.RunCycle(kNoon));
  }

  testing::MemoryJournal journal_;
  Engine engine_{&journal_};
};

TEST_F(DecidingHooks, ASecondPackageLeavesTheHooksThatItLacksWithTheFirst) {
  EXPECT_THAT(Activate("order", {Hook::kQueueOrder, Hook::kSubmit}), IsEmpty());
  EXPECT_THAT(Activate("victims", {Hook::kVictim}), IsEmpty());
  EXPECT_THAT(*engine_.DecidingHooks("order"), ElementsAre(Hook::kSubmit, Hook::kQueueOrder));
  EXPECT_THAT(*engine_.DecidingHooks("victims"), ElementsAre(Hook::kVictim));
}

TEST_F(DecidingHooks, WhatStopsDecidingIsInTheResultAndInTheEvent) {
  Activate("order", {Hook::kQueueOrder, Hook::kSubmit});
  EXPECT_THAT(Activate("turned", {Hook::kQueueOrder}, -1),
              ElementsAre(StoppedHook{"order", Hook::kQueueOrder}));
  EXPECT_THAT(journal_.commits().back().events[0].payload,
              HasSubstr(R"("stopped":["order queue_order"])"));
  EXPECT_THAT(*engine_.DecidingHooks("order"), ElementsAre(Hook::kSubmit));
  EXPECT_THAT(FirstOf(1, 9), ElementsAre("low"));
}

TEST_F(DecidingHooks, AGenerationWithoutAHookSaysThatItStops) {
  Activate("order", {Hook::kQueueOrder, Hook::kSubmit});
  EXPECT_THAT(Activate("order", {Hook::kSubmit}),
              ElementsAre(StoppedHook{"order", Hook::kQueueOrder}));
}

TEST_F(DecidingHooks, TheOrderOfActivationsOutlivesARestart) {
  Activate("turned", {Hook::kQueueOrder}, -1);
  Activate("order", {Hook::kQueueOrder, Hook::kSubmit});
  const std::string newest_is_order = *engine_.StateHash();
  Activate("turned", {Hook::kQueueOrder}, -1);
  const std::string before = *engine_.StateHash();
  EXPECT_NE(before, newest_is_order) << "equal states decide alike";
  Reopen();
  EXPECT_EQ(*engine_.StateHash(), before);
  EXPECT_THAT(FirstOf(1, 9), ElementsAre("low"));
}

TEST_F(DecidingHooks, TheNearestBindingDecidesHookByHook) {
  Activate("all", {Hook::kQueueOrder, Hook::kVictim, Hook::kShare});
  Activate("near", {Hook::kQueueOrder, Hook::kShare});
  Activate("own", {Hook::kQueueOrder});
  ASSERT_TRUE(Bind("everywhere", "all").ok());
  ASSERT_TRUE(Bind("lab", "near", {}, {}, {"lab"}).ok());
  EXPECT_THAT(View("everywhere").decides,
              ElementsAre(Hook::kQueueOrder, Hook::kShare, Hook::kVictim));
  EXPECT_THAT(View("lab").decides, ElementsAre(Hook::kQueueOrder)) << "lab is no root";
  ASSERT_TRUE(Bind("up", "own", {}, {"up"}).ok());
  EXPECT_THAT(View("lab").decides, IsEmpty());
  EXPECT_THAT(View("lab").problems,
              ElementsAre("queue_order: PolicyBinding up is nearer, as in ClusterQueue up",
                          "share is decided for whole trees: bind it to cohort org"));
  EXPECT_THAT(View("up").decides, ElementsAre(Hook::kQueueOrder));
  ASSERT_TRUE(engine_.Delete(ObjectKind::kPolicyBinding, {"", "up"}, kNoon).ok());
  EXPECT_THAT(View("lab").decides, ElementsAre(Hook::kQueueOrder));
}

TEST_F(DecidingHooks, ABindingBeforeAnyPackageIsActiveSaysSo) {
  ASSERT_TRUE(Bind("early", "small-first").ok());
  EXPECT_THAT(View("early").problems,
              ElementsAre("package small-first is not active; no package is yet"));
}

TEST_F(DecidingHooks, ABindingToAPackageThatIsNotActiveSaysSoWithTheClosestName) {
  Activate("small-first", {Hook::kQueueOrder});
  ASSERT_TRUE(Bind("typo", "smal-first").ok()) << "it may become active later";
  EXPECT_THAT(View("typo").problems,
              ElementsAre("package smal-first is not active; did you mean 'small-first'?"));
}

TEST_F(DecidingHooks, AHookThatThePackageLacksIsRefusedFromBothSides) {
  Activate("order", {Hook::kQueueOrder});
  const Status refused = Bind("wrong", "order", {"victim"});
  ASSERT_EQ(refused.problems().size(), 1u);
  EXPECT_EQ(refused.problems()[0].field, "spec.hooks[0]");
  EXPECT_EQ(refused.problems()[0].what, "package order has no hook victim");
  EXPECT_EQ(refused.problems()[0].cure, "there are queue_order");
  ASSERT_TRUE(Bind("early", "later", {"victim"}).ok());
  const Status lacking = engine_.ActivatePolicy(
      std::make_shared<Package>("later", std::vector{Hook::kQueueOrder}), kNoon);
  EXPECT_THAT(lacking.message(),
              HasSubstr("PolicyBinding early: package later has no hook victim"));
}

TEST_F(DecidingHooks, ASubmitThatABindingLeavesOutIsSaid) {
  Activate("order", {Hook::kQueueOrder, Hook::kSubmit});
  ASSERT_TRUE(Bind("half", "order", {"queue_order"}).ok());
  EXPECT_THAT(View("half").problems, ElementsAre(HasSubstr("submit of order decides nowhere")));
  ASSERT_TRUE(Bind("other-half", "order", {"submit"}, {"up"}).ok());
  EXPECT_THAT(View("half").problems, IsEmpty());
}

TEST_F(DecidingHooks, AnAccountOfAResourceThatNoQueueHasIsRefused) {
  const auto package = std::make_shared<Package>("order", std::vector{Hook::kQueueOrder});
  package->Counts("cpus");
  const Status status = engine_.ActivatePolicy(package, kNoon);
  EXPECT_THAT(status.message(), HasSubstr("counts 'cpus'"));
  EXPECT_THAT(status.message(), HasSubstr("did you mean 'cpu'?"));
  EXPECT_THAT(*engine_.Policies(), IsEmpty());
}

}  // namespace
}  // namespace muster
