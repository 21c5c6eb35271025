// Conditions and remembered flavor progress.
#include "engine/state/workload_record.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

TEST(Conditions, TheTransitionTimeMovesOnlyWithTheStatusAndIsInWholeSeconds) {
  KeptStatus status;
  SetCondition(status, condition::kEvicted, true, "Preempted", "", 5 * kSecond + 7);
  EXPECT_EQ(FindCondition(status, condition::kEvicted)->since, 5 * kSecond);
  SetCondition(status, condition::kEvicted, true, "Deactivated", "", 9 * kSecond);
  EXPECT_EQ(FindCondition(status, condition::kEvicted)->since, 5 * kSecond);
  EXPECT_EQ(FindCondition(status, condition::kEvicted)->reason, "Deactivated");
  SetCondition(status, condition::kEvicted, false, "QuotaReserved", "", 9 * kSecond);
  EXPECT_EQ(FindCondition(status, condition::kEvicted)->since, 9 * kSecond);
  EXPECT_EQ(status.conditions.size(), 1u);
}

TEST(Conditions, AbsentIsNeitherTrueNorFalse) {
  const KeptStatus status;
  EXPECT_FALSE(IsTrue(status, condition::kRequeued));
  EXPECT_FALSE(IsFalse(status, condition::kRequeued));
}

TEST(FlavorProgress, StartsOverWhereNothingIsRemembered) {
  FlavorProgress progress;
  progress.pod_sets = 1;
  progress.tried = {{0, ResourceId{2}, FlavorProgress::kStartOver}, {0, ResourceId{1}, 2}};
  EXPECT_EQ(progress.LastTried(0, ResourceId{1}), 2);
  EXPECT_EQ(progress.LastTried(0, ResourceId{9}), FlavorProgress::kStartOver);
  EXPECT_EQ(progress.LastTried(5, ResourceId{1}), FlavorProgress::kStartOver);
  EXPECT_TRUE(progress.HasUntriedFlavors());
  progress.tried = {{0, ResourceId{2}, FlavorProgress::kStartOver}};
  EXPECT_FALSE(progress.HasUntriedFlavors());
}

TEST(WorkloadRecord, IsSmall) {
  EXPECT_LE(sizeof(WorkloadRecord), 320u) << "a size class of the allocator; a million are kept";
}

TEST(WorkloadRecord, ForgetsWhyItWaitedAndKeepsWhatElseStandsThere) {
  WorkloadRecord workload;
  workload.SetMessage("waits");
  workload.ForgetWaiting();
  EXPECT_TRUE(workload.aside.IsNew());
  workload.SetMessage("waits");
  workload.aside.Mutable().deadline = 7;
  workload.ForgetWaiting();
  EXPECT_EQ(workload.message(), "");
  EXPECT_EQ(workload.deadline(), 7);
}

TEST(WorkloadRecord, TakesNoMemoryForAMessageThatIsEmpty) {
  WorkloadRecord workload;
  workload.SetMessage("");
  workload.SetProgress({});
  EXPECT_TRUE(workload.aside.IsNew());
}

TEST(PhaseOf, FollowsTheLifeOfAWorkload) {
  WorkloadRecord workload;
  EXPECT_EQ(PhaseOf(workload), WorkloadPhase::kPending);
  SetCondition(workload.spec.status, condition::kQuotaReserved, true, "", "", 0);
  EXPECT_EQ(PhaseOf(workload), WorkloadPhase::kReserved);
  SetCondition(workload.spec.status, condition::kAdmitted, true, "", "", 0);
  EXPECT_EQ(PhaseOf(workload), WorkloadPhase::kAdmitted);
  workload.evicted = true;
  EXPECT_EQ(PhaseOf(workload), WorkloadPhase::kEvicting);
  SetCondition(workload.spec.status, condition::kFinished, true, "", "", 0);
  EXPECT_EQ(PhaseOf(workload), WorkloadPhase::kFinished);
}

}  // namespace
}  // namespace muster
