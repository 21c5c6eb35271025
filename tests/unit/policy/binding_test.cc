// Bindings: parameters make a generation of their own, and mistakes are refused when applied.
#include <gtest/gtest.h>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::kNoon;
using testing::MakeWorkload;

/// Orders by priority, times the parameter `sign`; refuses every other parameter.
class Signed : public Policy {
 public:
  explicit Signed(double sign = 1) : sign_(sign) {
    info_.name = "signed";
    info_.hash = std::string(64, 'a');
    info_.hooks.push_back({});
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> keys) override {
    for (unsigned i = 0; i < batch.count; ++i) keys[i] = sign_ * batch.workloads[i].priority;
    return {};
  }
  Result<std::shared_ptr<Policy>> WithParams(const PolicyParams& params) const override {
    if (params.begin()->first != "sign") {
      return Status(StatusCode::kInvalidArgument, "no parameter '" + params.begin()->first + "'");
    }
    return std::shared_ptr<Policy>(std::make_shared<Signed>(std::stod(params.begin()->second)));
  }

 private:
  double sign_;
  PolicyInfo info_;
};

class Binding : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<Object> objects{testing::MakeNamespace(),
                                      testing::MakeFlavor("default"),
                                      testing::MakeQueue("up", "", {{.nominal = 1}}),
                                      testing::MakeQueue("down", "", {{.nominal = 1}}),
                                      testing::MakeLocalQueue("up"),
                                      testing::MakeLocalQueue("down"),
                                      MakeWorkload("up-low", "up", Cpu(1), 1),
                                      MakeWorkload("up-high", "up", Cpu(1), 9),
                                      MakeWorkload("down-low", "down", Cpu(1), 1),
                                      MakeWorkload("down-high", "down", Cpu(1), 9)};
    ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
  }
  Status Bind(std::string name, std::vector<std::string> queues, PolicyParams params = {},
              std::vector<std::string> hooks = {}) {
    PolicyBinding binding{std::move(name),   "signed", std::move(hooks),
                          std::move(queues), {},       std::move(params)};
    const Object object = binding;
    return engine_.Apply(std::span(&object, 1), kNoon);
  }
  std::vector<std::string> Admitted() { return testing::AdmittedNames(*engine_.RunCycle(kNoon)); }
  Engine engine_;
};

TEST_F(Binding, ParametersBelongToTheBindingAndNotToThePackage) {
  ASSERT_TRUE(engine_.ActivatePolicy(std::make_shared<Signed>(), kNoon).ok());
  ASSERT_TRUE(Bind("all", {}).ok());
  ASSERT_TRUE(Bind("turned", {"down"}, {{"sign", "-1"}}).ok());
  EXPECT_EQ(Admitted(), (std::vector<std::string>{"up-high", "down-low"}));
}

TEST_F(Binding, ParametersOutliveTheNextGenerationAndTheirChangeReordersAtOnce) {
  ASSERT_TRUE(Bind("turned", {"down"}, {{"sign", "1"}}).ok());
  ASSERT_TRUE(engine_.ActivatePolicy(std::make_shared<Signed>(), kNoon).ok());
  ASSERT_TRUE(Bind("turned", {"down"}, {{"sign", "-1"}}).ok());
  ASSERT_TRUE(engine_.ActivatePolicy(std::make_shared<Signed>(), kNoon).ok());
  EXPECT_EQ(Admitted(), (std::vector<std::string>{"up-high", "down-low"}));
}

TEST_F(Binding, AParameterThatThePackageDoesNotHaveIsRefusedAtItsPlace) {
  ASSERT_TRUE(engine_.ActivatePolicy(std::make_shared<Signed>(), kNoon).ok());
  const Status status = Bind("wrong", {"down"}, {{"sing", "-1"}});
  ASSERT_EQ(status.problems().size(), 1u);
  EXPECT_EQ(status.problems()[0].field, "spec.params[sing]");
  EXPECT_EQ(status.problems()[0].what, "no parameter 'sing'");
  const Status both = Bind("wrong", {"down"}, {{"side", "2"}, {"sign", "1"}, {"sing", "-1"}});
  ASSERT_EQ(both.problems().size(), 2u) << "each that is wrong, and only those";
  EXPECT_EQ(both.problems()[0].field, "spec.params[side]");
  EXPECT_EQ(both.problems()[1].field, "spec.params[sing]");
}

TEST_F(Binding, AGenerationThatRefusesTheParametersOfABindingIsNotActivated) {
  ASSERT_TRUE(Bind("wrong", {"down"}, {{"sing", "-1"}}).ok()) << "the package is not known yet";
  const Status status = engine_.ActivatePolicy(std::make_shared<Signed>(), kNoon);
  EXPECT_EQ(status.message(), "PolicyBinding wrong: no parameter 'sing'");
  EXPECT_TRUE(engine_.Policies()->empty());
}

TEST_F(Binding, TwoThatAreEquallySpecificAreRefused) {
  ASSERT_TRUE(Bind("first", {"up"}).ok());
  const Status status = Bind("second", {"down", "up"});
  ASSERT_EQ(status.problems().size(), 1u);
  EXPECT_EQ(status.problems()[0].what,
            "PolicyBinding first binds submit as closely; a binding without hooks claims all, also "
            "those that its package lacks");
  EXPECT_TRUE(Bind("elsewhere", {"down"}).ok());
  EXPECT_TRUE(Bind("everywhere", {}).ok());
}

TEST_F(Binding, TwoThatBindDifferentHooksMayBeEquallySpecific) {
  ASSERT_TRUE(Bind("order", {"up"}, {}, {"queue_order"}).ok());
  EXPECT_TRUE(Bind("victims", {"up"}, {}, {"victim"}).ok());
  EXPECT_FALSE(Bind("both", {"up"}, {}, {"queue_order", "victim"}).ok());
}

}  // namespace
}  // namespace muster
