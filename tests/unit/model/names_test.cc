// The words of the enums: spelt as manifests spell them, complete, and read back.
#include "engine/model/names.h"

#include <gtest/gtest.h>

#include <set>

namespace muster {
namespace {

template <typename T>
class NameTables : public testing::Test {};

using AllEnums =
    testing::Types<SelectorOp, TaintEffect, TolerationOp, StopPolicy, QueueingStrategy,
                   FungibilityPolicy, FungibilityPreference, PreemptionPolicy, AdmissionMode,
                   LimitRangeType, PreemptionStrategy, QuotaCheckStrategy, TransformationStrategy,
                   RequeuingTimestamp, CheckState, PriorityClassSource, ObjectKind, PendingReason,
                   PreemptionReason, FlavorMode, WorkloadPhase, EventKind, Hook>;
TYPED_TEST_SUITE(NameTables, AllEnums);

TYPED_TEST(NameTables, AreDistinctAndReadBack) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < EnumTable<TypeParam>::kNames.size(); ++i) {
    const auto value = static_cast<TypeParam>(i);
    const std::string_view name = EnumName(value);
    EXPECT_TRUE(seen.insert(name).second) << name;
    if (name.empty()) continue;
    EXPECT_EQ(EnumFromName<TypeParam>(name), value);
  }
}

TYPED_TEST(NameTables, RefuseWhatIsNotAName) {
  EXPECT_EQ(EnumFromName<TypeParam>(""), std::nullopt);
  EXPECT_EQ(EnumFromName<TypeParam>("nonsense"), std::nullopt);
  EXPECT_EQ(EnumName(static_cast<TypeParam>(200)), "?");
}

TEST(Names, LastValueOfEveryEnumHasAName) {
  EXPECT_EQ(EnumName(SelectorOp::kLt), "Lt");
  EXPECT_EQ(EnumName(TaintEffect::kNoExecute), "NoExecute");
  EXPECT_EQ(EnumName(StopPolicy::kHoldAndDrain), "HoldAndDrain");
  EXPECT_EQ(EnumName(QueueingStrategy::kStrictFifo), "StrictFIFO");
  EXPECT_EQ(EnumName(PreemptionPolicy::kAny), "Any");
  EXPECT_EQ(EnumName(AdmissionMode::kNoFairSharing), "NoAdmissionFairSharing");
  EXPECT_EQ(EnumName(CheckState::kRejected), "Rejected");
  EXPECT_EQ(EnumName(RequeuingTimestamp::kCreation), "Creation");
}

TEST(Names, PublicFunctionsSpeakKueue) {
  EXPECT_EQ(KindName(ObjectKind::kResourceFlavor), "ResourceFlavor");
  EXPECT_EQ(KindName(ObjectKind::kLimitRange), "LimitRange");
  EXPECT_EQ(KindName(ObjectKind::kWorkload), "Workload");
  EXPECT_EQ(ReasonName(PendingReason::kNone), "");
  EXPECT_EQ(ReasonName(PendingReason::kWaitingForQuota), "WaitingForQuota");
  EXPECT_EQ(ReasonName(PendingReason::kDeactivated), "Deactivated");
  EXPECT_EQ(ReasonName(PreemptionReason::kInCohortReclaimWhileBorrowing),
            "InCohortReclaimWhileBorrowing");
  EXPECT_EQ(ModeName(FlavorMode::kNoFit), "NoFit");
  EXPECT_EQ(ModeName(FlavorMode::kFit), "Fit");
  EXPECT_EQ(PhaseName(WorkloadPhase::kReserved), "QuotaReserved");
  EXPECT_EQ(PhaseName(WorkloadPhase::kFinished), "Finished");
  EXPECT_EQ(EventName(EventKind::kObjectApplied), "ObjectApplied");
  EXPECT_EQ(EventName(EventKind::kPodsReady), "PodsReady");
  EXPECT_EQ(EventName(EventKind::kForgotten), "Forgotten");
}

TEST(Names, HooksAreSpeltAsPackagesDefineThem) {
  EXPECT_EQ(HookName(Hook::kQueueOrder), "queue_order");
  EXPECT_EQ(HookFromName("preempt_limits"), Hook::kPreemptLimits);
  EXPECT_EQ(HookFromName("QueueOrder"), std::nullopt);
}

TEST(Names, EveryKindOfObjectHasItsKey) {
  LocalQueue queue;
  queue.key = {"team", "lq"};
  EXPECT_EQ(KeyOf(queue), (Key{"team", "lq"}));
  ClusterQueue cluster_queue;
  cluster_queue.name = "cq";
  EXPECT_EQ(KeyOf(cluster_queue), (Key{"", "cq"}));
  Workload workload;
  workload.key = {"team", "w"};
  EXPECT_EQ(KeyOf(workload), (Key{"team", "w"}));
  EXPECT_EQ(KeyOf(Configuration{}), (Key{"", "default"}));
  EXPECT_EQ(KeyOf(EngineConfiguration{}), (Key{"", "default"}));
}

}  // namespace
}  // namespace muster
