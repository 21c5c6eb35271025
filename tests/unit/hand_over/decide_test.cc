// Which decision each turn of a workload's life becomes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::DefaultKey;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kNoon;
using testing::MakeWorkload;

/// A queue of 2 CPUs, one of 2 CPUs with a check, and a consumer.
class Decide : public ::testing::Test {
 protected:
  Decide() {
    AdmissionCheck check;
    check.name = "budget";
    check.controller = "example.com/budget";
    ClusterQueue plain = testing::MakeQueue("q", "", {{.nominal = 2}});
    plain.preemption.within_cluster_queue = PreemptionPolicy::kLowerPriority;
    ClusterQueue checked = testing::MakeQueue("c", "", {{.nominal = 2}});
    checked.admission_checks = {{"budget", {}}};
    const std::vector<Object> objects = {
        testing::MakeNamespace(),     testing::MakeFlavor("default"), check, plain, checked,
        testing::MakeLocalQueue("q"), testing::MakeLocalQueue("c")};
    EXPECT_TRUE(engine_.Apply(objects, kNoon).ok());
    EXPECT_TRUE(engine_.RegisterConsumer("gateway", kNoon).ok());
  }
  void Submit(const Workload& workload) {
    EXPECT_TRUE(engine_.Submit(std::vector{workload}, now_).ok());
    Cycle();
  }
  void Cycle() { EXPECT_TRUE(engine_.RunCycle(now_).ok()); }
  void Answer(CheckState state) {
    EXPECT_TRUE(engine_.UpdateCheck({DefaultKey("w"), "budget", state, "", {}, {}}, now_).ok());
  }
  void Gone() { EXPECT_TRUE(engine_.Evicted(std::vector{DefaultKey("w")}, now_).ok()); }
  /// "expire w MaximumExecutionTimeExceeded, stop" of each.
  std::vector<std::string> Told() {
    std::vector<std::string> told;
    const answer::Decisions behind = *engine_.Decisions("gateway", 99);
    for (const Decision& decision : behind.decisions) {
      std::string line = std::string(DecisionName(decision.kind)) + " " + decision.workload.name;
      if (!decision.reason.empty()) line += " " + decision.reason;
      told.push_back(line + (decision.stop ? ", stop" : ""));
    }
    return told;
  }

  Engine engine_;
  TimeNs now_ = kNoon;
};

TEST_F(Decide, AJobThatWasToldToLeaveStartsAgain) {
  Submit(MakeWorkload("w", "q", Cpu(2)));
  Submit(MakeWorkload("urgent", "q", Cpu(2), 10));
  Gone();
  Cycle();
  ASSERT_TRUE(engine_.Finish(std::vector{DefaultKey("urgent")}, false, now_).ok());
  Cycle();
  EXPECT_THAT(Told(), ElementsAre("start w", "make-room w Preempted, stop", "start urgent",
                                  "start-again w"));
  const Decision makes_room = engine_.Decisions("gateway", 2)->decisions.back();
  EXPECT_EQ(makes_room.by, DefaultKey("urgent"));
  EXPECT_EQ(makes_room.uid, "u-w");
}

TEST_F(Decide, ATimeLimitExpires) {
  Workload limited = MakeWorkload("w", "q", Cpu(2));
  limited.max_execution_seconds = 60;
  Submit(limited);
  now_ += 61 * kSecond;
  ASSERT_TRUE(engine_.Advance(now_).ok());
  ASSERT_EQ(Told().size(), 2U);
  EXPECT_THAT(Told().back(), ::testing::StartsWith("expire w "));
  EXPECT_THAT(Told().back(), ::testing::EndsWith(", stop"));
}

TEST_F(Decide, AReservationThatIsRejectedIsRefused) {
  Submit(MakeWorkload("w", "c", Cpu(2)));
  EXPECT_THAT(Told(), ElementsAre("reserve w"));
  Answer(CheckState::kRejected);
  ASSERT_EQ(Told().size(), 2U);
  EXPECT_THAT(Told().back(), ::testing::StartsWith("refuse w "));
}

TEST_F(Decide, AReservationBecomesAStartOnce) {
  Submit(MakeWorkload("w", "c", Cpu(2)));
  Answer(CheckState::kReady);
  Cycle();
  EXPECT_THAT(Told(), ElementsAre("reserve w", "start w"));
}

TEST_F(Decide, ACheckThatSaysRetryEvicts) {
  Submit(MakeWorkload("w", "c", Cpu(2)));
  Answer(CheckState::kRetry);
  EXPECT_THAT(Told(), ElementsAre("reserve w", "evict w AdmissionCheck, stop"));
}

TEST_F(Decide, WhatHoldsIsWithdrawnAndWhatWaitsIsNot) {
  Submit(MakeWorkload("w", "q", Cpu(2)));
  Submit(MakeWorkload("waits", "q", Cpu(2)));
  ASSERT_TRUE(engine_.Cancel(std::vector{DefaultKey("w"), DefaultKey("waits")}, now_).ok());
  EXPECT_THAT(Told(), ElementsAre("start w", "withdraw w, stop"));
}

TEST_F(Decide, AnEndIsNoDecision) {
  Submit(MakeWorkload("w", "q", Cpu(2)));
  ASSERT_TRUE(engine_.Acknowledge("gateway", 1, now_).ok());
  ASSERT_TRUE(engine_.Finish(std::vector{DefaultKey("w")}, false, now_).ok());
  ASSERT_TRUE(engine_.Cancel(std::vector{DefaultKey("w")}, now_).ok());
  EXPECT_THAT(Told(), IsEmpty());
}

TEST_F(Decide, AStoppedQueueEvictsWhatRunsInIt) {
  Submit(MakeWorkload("w", "q", Cpu(2)));
  LocalQueue drained = testing::MakeLocalQueue("q");
  drained.stop_policy = StopPolicy::kHoldAndDrain;
  ASSERT_TRUE(engine_.Apply(std::vector<Object>{drained}, now_).ok());
  EXPECT_THAT(Told(), ElementsAre("start w", "evict w LocalQueueStopped, stop"));
}

}  // namespace
}  // namespace muster
