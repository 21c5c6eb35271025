// Forks that are made beside the one that is played are as those that are made in turn.
#include "bindings/eta/forks.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/testing/builders.h"

namespace muster::eta {
namespace {

using muster::testing::Cpu;
using muster::testing::DefaultKey;
using muster::testing::kNoon;
using muster::testing::MakeWorkload;

class ForksOfOne : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<Object> objects = {muster::testing::MakeNamespace(),
                                         muster::testing::MakeFlavor("default"),
                                         muster::testing::MakeQueue("a", "", {{.nominal = 100}}),
                                         muster::testing::MakeLocalQueue("a")};
    ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
    std::vector<Workload> workloads;
    for (int i = 0; i < 200; ++i) {
      workloads.push_back(MakeWorkload("job-" + std::to_string(i), "a", Cpu(1)));
    }
    ASSERT_TRUE(engine_.Submit(workloads, kNoon).ok());
    hash_ = *engine_.StateHash();
  }

  /// Takes five, does something else with each, and finds each as the engine is.
  void TakeSome() {
    Forks forks(engine_);
    for (int i = 0; i < 5; ++i) {
      Engine fork = forks.Take(/*others=*/i < 4);
      EXPECT_EQ(*fork.StateHash(), hash_) << "fork " << i;
      for (int done = 0; done <= i; ++done) {
        ASSERT_TRUE(fork.RunCycle(kNoon + kSecond).ok());
        const Key last = DefaultKey("job-" + std::to_string(done));
        ASSERT_TRUE(fork.Finish(std::vector<Key>{last}, false, kNoon + kSecond).ok());
      }
      forks.GiveBack(std::move(fork));
    }
  }

  Engine engine_;
  std::string hash_;
};

TEST_F(ForksOfOne, AreAsTheEngineIs) {
  TakeSome();
  EXPECT_EQ(*engine_.StateHash(), hash_);
}

TEST_F(ForksOfOne, AreWhereABindingHasParametersToo) {
  PolicyBinding binding;
  binding.name = "bound";
  binding.policy = "none";
  binding.params = {{"weight", "2"}};
  const Object object = binding;
  ASSERT_TRUE(engine_.Apply(std::span(&object, 1), kNoon, MissingReference::kAccept).ok());
  hash_ = *engine_.StateHash();
  TakeSome();
}

TEST_F(ForksOfOne, MayBeLeftWhileTheNextIsMade) {
  {
    Forks forks(engine_);
    forks.Take(/*others=*/true);
  }
  EXPECT_EQ(*engine_.StateHash(), hash_);
}

TEST_F(ForksOfOne, SayWhyThereAreNone) {
  const Engine moved = std::move(engine_);
  EXPECT_ANY_THROW(Forks forks(engine_));
}

}  // namespace
}  // namespace muster::eta
