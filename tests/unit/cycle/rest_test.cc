// CycleResult::idle: when further cycles would decide nothing.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::kNoon;
using testing::MakeWorkload;

class RestTest : public ::testing::Test {
 protected:
  void Build(std::vector<ClusterQueue> queues, std::int32_t heads = 1) {
    EngineConfiguration configuration;
    configuration.heads_per_cycle = heads;
    std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default"),
                                   configuration};
    for (const ClusterQueue& queue : queues) {
      objects.emplace_back(queue);
      objects.emplace_back(testing::MakeLocalQueue(queue.name));
    }
    ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
  }
  void Submit(const std::string& name, const std::string& queue, std::int64_t cpus,
              std::int32_t priority = 0) {
    const Workload workload = MakeWorkload(name, queue, Cpu(cpus), priority);
    ASSERT_TRUE(engine_.Submit({&workload, 1}, kNoon).ok());
  }
  CycleResult Cycle(TimeNs now = kNoon) { return *engine_.RunCycle(now); }
  static ClusterQueue Strict(const std::string& name, std::int64_t cpus) {
    ClusterQueue queue = testing::MakeQueue(name, "", {{.nominal = cpus}});
    queue.queueing_strategy = QueueingStrategy::kStrictFifo;
    return queue;
  }
  Engine engine_;
};

TEST_F(RestTest, AHeadThatWasNotLookedAtIsNotIdle) {
  Build({testing::MakeQueue("q", "", {{.nominal = 2}})});
  Submit("big", "q", 4, 1);
  Submit("small", "q", 1);
  const CycleResult first = Cycle();
  EXPECT_TRUE(first.DecidedNothing());
  EXPECT_FALSE(first.idle());
  EXPECT_EQ(testing::AdmittedNames(Cycle()), std::vector<std::string>{"small"});
  EXPECT_TRUE(Cycle().idle());
}

TEST_F(RestTest, ACycleThatDecidesIsNotIdle) {
  Build({testing::MakeQueue("q", "", {{.nominal = 2}})});
  Submit("only", "q", 1);
  EXPECT_FALSE(Cycle().idle());
  EXPECT_TRUE(Cycle().idle());
}

TEST_F(RestTest, ABlockedStrictHeadIsIdleAtOnce) {
  Build({Strict("q", 2)});
  Submit("big", "q", 4, 1);
  Submit("small", "q", 1);
  EXPECT_TRUE(Cycle().idle());
  EXPECT_TRUE(Cycle().idle());
}

TEST_F(RestTest, AnotherCallEndsIt) {
  Build({Strict("q", 2)});
  Submit("big", "q", 2, 1);
  Submit("small", "q", 1);
  Cycle();
  ASSERT_TRUE(Cycle().idle());
  const Key big = testing::DefaultKey("big");
  ASSERT_TRUE(engine_.Finish({&big, 1}, false, kNoon).ok());
  EXPECT_EQ(testing::AdmittedNames(Cycle()), std::vector<std::string>{"small"});
}

TEST_F(RestTest, AHeadInAStoppedQueueIsNotWaitedFor) {
  ClusterQueue stopped = testing::MakeQueue("q", "", {{.nominal = 2}});
  stopped.stop_policy = StopPolicy::kHold;
  Build({stopped});
  Submit("waits", "q", 1);
  EXPECT_TRUE(Cycle().idle());
}

// A flavor that was tried is not tried again next time: walks of a head that is passed by go round.
TEST_F(RestTest, HeadsWhoseWalksGoRoundComeToRest) {
  ClusterQueue queue = Strict("q", 0);
  queue.cohort = "all";
  queue.resource_groups =
      testing::MakeGroups({{.flavor = "default", .nominal = 1}, {.flavor = "other", .nominal = 1}});
  queue.flavor_fungibility.when_can_borrow = FungibilityPolicy::kTryNextFlavor;
  ASSERT_TRUE(engine_.Apply(std::vector<Object>{testing::MakeFlavor("other")}, kNoon).ok());
  Build({queue});
  Submit("first", "q", 1);
  Submit("second", "q", 1);
  Submit("big", "q", 3);
  int cycles = 0;
  while (!Cycle().idle()) ASSERT_LT(++cycles, 20);
}

TEST_F(RestTest, SeveralHeadsDoNotRetryWhatIsBlocked) {
  Build({Strict("q", 2)}, 1000);
  Submit("big", "q", 4);
  const CycleResult result = Cycle();
  EXPECT_EQ(result.cycle, 1);  // one of a thousand
  EXPECT_TRUE(result.idle());
}

TEST_F(RestTest, SeveralHeadsEndWhenNothingIsLeft) {
  Build({Strict("q", 2), testing::MakeQueue("r", "", {{.nominal = 3}})}, 1000);
  Submit("blocked", "q", 4);
  for (const char* name : {"a", "b", "c", "d"}) Submit(name, "r", 1);
  const CycleResult result = Cycle();
  EXPECT_EQ(result.admitted.size(), 3u);
  EXPECT_FALSE(result.idle());
  EXPECT_LE(result.cycle, 6);
  EXPECT_TRUE(Cycle().idle());
}

TEST_F(RestTest, NeedsNoCycleUntilSomethingHappensOrTimePasses) {
  EXPECT_FALSE(*engine_.AtRest(kNoon)) << "a first call may be late";
  Build({testing::MakeQueue("q", "", {{.nominal = 2}})});
  EXPECT_TRUE(*engine_.AtRest(kNoon));
  Submit("runs", "q", 2);
  EXPECT_FALSE(*engine_.AtRest(kNoon));
  Cycle();
  EXPECT_TRUE(*engine_.AtRest(kNoon));
  EXPECT_FALSE(*engine_.AtRest(kNoon + 1));
  Submit("waits", "q", 1);
  Cycle();
  EXPECT_TRUE(*engine_.AtRest(kNoon)) << "what is parked is not looked at";
  const Key runs = testing::DefaultKey("runs");
  ASSERT_TRUE(engine_.Finish({&runs, 1}, false, kNoon).ok());
  EXPECT_FALSE(*engine_.AtRest(kNoon));
  EXPECT_EQ(testing::AdmittedNames(Cycle()), std::vector<std::string>{"waits"});
}

TEST_F(RestTest, ATimeLimitThatIsOverNeedsACycle) {
  Build({testing::MakeQueue("q", "", {{.nominal = 2}})});
  Workload workload = MakeWorkload("short", "q", Cpu(1));
  workload.max_execution_seconds = 60;
  ASSERT_TRUE(engine_.Submit({&workload, 1}, kNoon).ok());
  while (!Cycle().idle()) continue;
  const TimeNs end = *engine_.NextDeadline();
  ASSERT_NE(end, kNoTime);
  EXPECT_TRUE(*engine_.AtRest(kNoon));
  EXPECT_FALSE(*engine_.AtRest(end));
  EXPECT_EQ(Cycle(end).evicted.size(), 1U);
}

}  // namespace
}  // namespace muster
