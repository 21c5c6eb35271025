// Jobs with variants as queues count them, and the names of variants.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <string>

#include "engine/model/concurrent.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::DefaultKey;
using ::testing::HasSubstr;
using testing::kNoon;

class VariantsSeen : public ::testing::Test {
 protected:
  VariantsSeen() {
    Configuration config;
    config.feature_gates[std::string(kConcurrentAdmissionGate)] = true;
    ClusterQueue queue = testing::MakeQueue("a", "", {{"reserved", "cpu", 2}, {"spot", "cpu", 4}});
    queue.concurrent_admission.emplace();
    const std::vector<Object> world = {config,
                                       testing::MakeNamespace(),
                                       testing::MakeFlavor("reserved"),
                                       testing::MakeFlavor("spot"),
                                       queue,
                                       testing::MakeLocalQueue("a")};
    EXPECT_TRUE(engine_.Apply(world, kNoon).ok());
  }
  void Submit(const std::string& name, std::int64_t cores) {
    const Workload workload = testing::MakeWorkload(name, "a", Cpu(cores));
    EXPECT_TRUE(engine_.Submit(std::span(&workload, 1), kNoon).ok());
  }
  void Cancel(const std::string& name) {
    const Key key = DefaultKey(name);
    EXPECT_TRUE(engine_.Cancel(std::span(&key, 1), kNoon).ok());
  }
  void Cycles() {
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(engine_.RunCycle(kNoon).ok());
  }

  Engine engine_;
};

TEST_F(VariantsSeen, AJobCountsOnceHoweverManyVariantsWait) {
  Submit("j", 9);
  Submit("k", 2);
  Cycles();
  const auto queue = [&] { return (*engine_.ClusterQueues())[0]; };
  EXPECT_EQ(queue().pending + queue().parked, 1) << "j waits, k runs";
  EXPECT_EQ((*engine_.LocalQueues())[0].pending, 1);
  EXPECT_EQ((*engine_.LocalQueues())[0].admitted, 1);
  Submit("l", 9);
  EXPECT_EQ(queue().pending + queue().parked, 2);
  Cancel("j");
  Cancel("l");
  EXPECT_EQ(queue().pending + queue().parked, 0);
  EXPECT_EQ((*engine_.LocalQueues())[0].pending, 0);
}

TEST_F(VariantsSeen, TheNameOfAVariantIsNoOtherJobs) {
  Submit("j", 9);
  std::string name;
  const auto all = engine_.Workloads();
  for (const WorkloadView& each : *all) {
    if (each.spec.variant_of) name = each.spec.key.name;
  }
  Workload other = testing::MakeWorkload(name, "a", Cpu(1));
  const Status refused = engine_.Submit(std::span(&other, 1), kNoon);
  ASSERT_EQ(refused.problems().size(), 1U) << refused.message();
  EXPECT_THAT(refused.problems()[0].what, HasSubstr("is the name of a variant of the job j"));
  EXPECT_THAT(refused.problems()[0].cure, HasSubstr("give another name"));
  const Workload same = engine_.GetWorkload(DefaultKey(name))->spec;
  EXPECT_TRUE(engine_.Submit(std::span(&same, 1), kNoon).ok()) << "as it was printed";
}

}  // namespace
}  // namespace muster
