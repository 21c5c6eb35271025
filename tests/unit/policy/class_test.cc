// Parking under policies: jobs wait together only as far as nothing that is asked can tell them
// apart; and when another has a say in it, they are tried again.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::DefaultKey;
using testing::kNoon;
using testing::MakeWorkload;

constexpr double kProtected = std::numeric_limits<double>::infinity();

/// Protects all from preemptors that `protect` says so for.
class Protector : public Policy {
 public:
  explicit Protector(std::function<bool(const muster_batch&)> protect)
      : protect_(std::move(protect)) {
    info_.name = "protector";
    info_.hash = std::string(64, 'f');
    info_.labels = {"team"};
    info_.hooks.resize(1);
    info_.hooks[0].hook = Hook::kVictim;
  }
  HookInfo& hook() { return info_.hooks[0]; }
  PolicyInfo& mutable_info() { return info_; }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> answers) override {
    for (double& answer : answers) answer = protect_(batch) ? kProtected : 1;
    return {};
  }

 private:
  std::function<bool(const muster_batch&)> protect_;
  PolicyInfo info_;
};

std::string TeamOf(const muster_batch& batch) {
  const muster_string& team = batch.strings[batch.subject->label[0]];
  return std::string(team.data, team.size);
}

/// A full queue, and two urgent jobs that differ in their team alone.
class Classes : public ::testing::Test {
 protected:
  void SetUp() override {
    ClusterQueue queue = testing::MakeQueue("q", "", {{.nominal = 1}});
    queue.preemption.within_cluster_queue = PreemptionPolicy::kLowerPriority;
    const std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default"),
                                         queue, testing::MakeLocalQueue("q"),
                                         MakeWorkload("running", "q", Cpu(1))};
    ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
    ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
    SubmitAll(9);
  }
  void SubmitAll(std::int32_t priority) {
    for (const char* name : {"blue-1", "blue-2", "red-1"}) {
      Workload job = MakeWorkload(name, "q", Cpu(1), priority);
      job.created = kNoon + (++seconds_) * kSecond;
      job.labels["team"] = std::string(name).substr(0, std::string(name).find('-'));
      ASSERT_TRUE(engine_.Submit(std::span(&job, 1), Next()).ok());
    }
  }
  void Activate(const std::shared_ptr<Policy>& policy) {
    ASSERT_TRUE(engine_.ActivatePolicy(policy, Next()).ok());
  }
  CycleResult Cycle() {
    CycleResult result = *engine_.RunCycle(Next());
    EXPECT_TRUE(engine_.CheckInvariants().ok());
    return result;
  }
  std::vector<std::string> Parked() const {
    std::vector<std::string> names;
    for (const PendingWorkload& pending : *engine_.Pending()) {
      if (pending.parked) names.push_back(pending.workload.name);
    }
    return names;
  }
  TimeNs Next() { return kNoon + kSecond * ++seconds_; }
  using List = std::vector<std::string>;

  Engine engine_;
  int seconds_ = 0;
  std::shared_ptr<Protector> from_blue_ = std::make_shared<Protector>(
      [](const muster_batch& batch) { return TeamOf(batch) == "blue"; });
};

TEST_F(Classes, OnlyThoseThatAgreeInTheLabelsThatAreReadWaitTogether) {
  from_blue_->hook().fields = {"label"};
  Activate(from_blue_);
  Cycle();
  EXPECT_EQ(Parked(), (List{"blue-1", "blue-2"})) << "red is not like them to this policy";
  EXPECT_EQ(testing::PreemptedNames(Cycle()), List{"running"}) << "for red";
}

TEST_F(Classes, WithoutReadingWhatDiffersAllWaitTogether) {
  const auto protector = std::make_shared<Protector>([](const muster_batch&) { return true; });
  protector->hook().fields = std::vector<std::string>{};
  Activate(protector);
  Cycle();
  EXPECT_EQ(Parked(), (List{"blue-1", "blue-2", "red-1"}));
}

TEST_F(Classes, WhereAnAccountIsReadNobodyIsLikeAnother) {
  from_blue_->hook().fields = std::vector<std::string>{};
  from_blue_->hook().reads = {"account"};
  Activate(from_blue_);
  Cycle();
  EXPECT_EQ(Parked(), List{"blue-1"});
}

TEST_F(Classes, WhereNothingIsKnownOfWhatIsReadNobodyIsLikeAnother) {
  from_blue_->hook().fields.reset();
  Activate(from_blue_);
  Cycle();
  EXPECT_EQ(Parked(), List{"blue-1"});
}

TEST_F(Classes, WhereNobodyIsAskedTheNativeRulesSayWhoIsLikeWhom) {
  const std::vector<Key> urgent = {DefaultKey("blue-1"), DefaultKey("blue-2"), DefaultKey("red-1")};
  ASSERT_TRUE(engine_.Cancel(urgent, Next()).ok());
  SubmitAll(0);  // there is nothing that they might evict
  from_blue_->hook().fields.reset();
  Activate(from_blue_);
  Cycle();
  EXPECT_EQ(Parked(), (List{"blue-1", "blue-2", "red-1"}));
}

/// Protects all unless its parameter says otherwise.
class Adjustable : public Protector {
 public:
  explicit Adjustable(bool open) : Protector([open](const muster_batch&) { return !open; }) {
    hook().fields = std::vector<std::string>{};
  }
  Result<std::shared_ptr<Policy>> WithParams(const PolicyParams& params) const override {
    return std::shared_ptr<Policy>(std::make_shared<Adjustable>(params.contains("open")));
  }
};

TEST_F(Classes, AChangeOfParametersWakesThoseThatWait) {
  Activate(std::make_shared<Adjustable>(false));
  PolicyBinding binding;
  binding.name = "b";
  binding.policy = "protector";
  binding.params = {{"closed", "yes"}};
  std::vector<Object> objects = {binding};
  ASSERT_TRUE(engine_.Apply(objects, Next()).ok());
  Cycle();
  ASSERT_EQ(Parked().size(), 3u);
  binding.params = {{"open", "yes"}};
  objects = {binding};
  ASSERT_TRUE(engine_.Apply(objects, Next()).ok());
  EXPECT_EQ(Parked().size(), 0u);
  EXPECT_EQ(testing::PreemptedNames(Cycle()), List{"running"});
}

TEST_F(Classes, AnActivationThatHasASayWakesThoseThatWait) {
  const auto all = std::make_shared<Protector>([](const muster_batch&) { return true; });
  all->hook().fields = std::vector<std::string>{};
  Activate(all);
  Cycle();
  ASSERT_EQ(Parked().size(), 3u);
  const auto none = std::make_shared<Protector>([](const muster_batch&) { return false; });
  none->hook().fields = std::vector<std::string>{};
  none->mutable_info().hash = std::string(64, 'e');
  Activate(none);
  EXPECT_EQ(Parked().size(), 0u);
  EXPECT_EQ(testing::PreemptedNames(Cycle()), List{"running"});
}

TEST_F(Classes, AnActivationWithoutASayLeavesThemParked) {
  const auto all = std::make_shared<Protector>([](const muster_batch&) { return true; });
  all->hook().fields = std::vector<std::string>{};
  Activate(all);
  Cycle();
  const auto order = std::make_shared<Protector>([](const muster_batch&) { return true; });
  order->mutable_info().name = "order";
  order->hook().hook = Hook::kShare;
  PolicyBinding binding;
  binding.name = "b";
  binding.policy = "protector";
  const std::vector<Object> objects = {binding};
  ASSERT_TRUE(engine_.Apply(objects, Next()).ok());
  Activate(order);
  EXPECT_EQ(Parked().size(), 3u);
}

}  // namespace
}  // namespace muster
