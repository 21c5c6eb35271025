// The public engine: all or nothing, idempotence, life of a workload, queues and what wakes them.
#include "muster/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::AdmittedNames;
using testing::Cpu;
using testing::DefaultKey;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kNoon;
using testing::MakeWorkload;

class EngineTest : public ::testing::Test {
 protected:
  void Build(ClusterQueue queue) {
    const std::vector<Object> objects{testing::MakeNamespace(), testing::MakeFlavor("default"),
                                      queue, testing::MakeLocalQueue(queue.name)};
    const Status status = engine_.Apply(objects, kNoon);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  void Submit(const Workload& workload) {
    const Status status = engine_.Submit(std::span(&workload, 1), kNoon);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  std::vector<std::string> Cycle(TimeNs now = kNoon) {
    Result<CycleResult> result = engine_.RunCycle(now);
    EXPECT_TRUE(result.ok());
    EXPECT_TRUE(engine_.CheckInvariants().ok()) << engine_.CheckInvariants().message();
    return AdmittedNames(*result);
  }
  bool Parked(const std::string& name) {
    for (const PendingWorkload& pending : *engine_.Pending()) {
      if (pending.workload.name == name) return pending.parked;
    }
    ADD_FAILURE() << name << " is not queued";
    return false;
  }
  Status Finish(const std::string& name) {
    const Key key = DefaultKey(name);
    return engine_.Finish(std::span(&key, 1), false, kNoon);
  }
  Engine engine_;
};

// An older engine has stored any text in the label, and the same history comes to the same.
TEST_F(EngineTest, AnExpectedRunIsLookedAtWhereAJobIsGivenAndNowhereElse) {
  Build(testing::MakeQueue("q", "", {{.nominal = 4000}}));
  Workload wrong = MakeWorkload("wrong", "q", Cpu(1));
  wrong.labels["muster.dev/expected-run"] = "1h";
  const std::span<const Workload> one(&wrong, 1);
  const std::vector<Object> object{wrong};
  const Status refused = engine_.Submit(one, kNoon);
  ASSERT_EQ(refused.problems().size(), 1u);
  EXPECT_EQ(refused.problems()[0].field, "metadata.labels[muster.dev/expected-run]");
  EXPECT_EQ(engine_.Apply(object, kNoon).problems().size(), 1u);
  EXPECT_EQ(engine_.Apply(object, kNoon, MissingReference::kAccept).problems().size(), 1u);
  EXPECT_EQ(engine_.Validate(object)->size(), 1u);
  const Status taken = engine_.Submit(one, kNoon, nullptr, Submission::kTaken);
  EXPECT_TRUE(taken.ok()) << taken.message();
  WorkloadUpdate update;
  update.workload = wrong.key;
  update.priority = 7;
  const Status updated = engine_.Update(update, kNoon);
  EXPECT_TRUE(updated.ok()) << updated.message();
  const Status again =
      engine_.Apply(object, kNoon, MissingReference::kRefuse, nullptr, Submission::kTaken);
  EXPECT_TRUE(again.ok()) << again.message();
}

TEST_F(EngineTest, OneBadObjectAmongManyChangesNothing) {
  ClusterQueue bad = testing::MakeQueue("bad", "", {{.nominal = 1}});
  bad.resource_groups[0].flavors[0].name = "no-such-flavor";
  const std::vector<Object> objects{testing::MakeFlavor("default"), bad};
  const Status status = engine_.Apply(objects, kNoon);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  ASSERT_EQ(status.problems().size(), 1u);
  EXPECT_EQ(status.problems()[0].object, 1u);
  EXPECT_EQ(status.problems()[0].field, "spec.resourceGroups[0].flavors[0].name");
  EXPECT_THAT(*engine_.Objects(ObjectKind::kResourceFlavor), IsEmpty());
}

TEST_F(EngineTest, ApplyingTheSameTwiceChangesNothingAndSaysSo) {
  const ClusterQueue queue = testing::MakeQueue("q", "", {{.nominal = 1}});
  Build(queue);
  const std::string before = *engine_.StateHash();
  std::vector<Applied> applied;
  const Object object = queue;
  ASSERT_TRUE(
      engine_.Apply(std::span(&object, 1), kNoon, MissingReference::kRefuse, &applied).ok());
  EXPECT_THAT(applied, ElementsAre(Applied::kUnchanged));
  EXPECT_EQ(*engine_.StateHash(), before);
}

TEST_F(EngineTest, SubmittingTheSameTwiceChangesNothingEvenAfterItRan) {
  Build(testing::MakeQueue("q", "", {{.nominal = 1}}));
  const Workload workload = MakeWorkload("w", "q", Cpu(1));
  Submit(workload);
  EXPECT_THAT(Cycle(), ElementsAre("w"));
  const std::string before = *engine_.StateHash();
  std::vector<Applied> applied;
  ASSERT_TRUE(engine_.Submit(std::span(&workload, 1), kNoon, &applied).ok());
  EXPECT_THAT(applied, ElementsAre(Applied::kUnchanged));
  EXPECT_EQ(*engine_.StateHash(), before);
}

TEST_F(EngineTest, ResubmittingWithAnotherSpecTakesItsPlace) {
  Build(testing::MakeQueue("q", "", {{.nominal = 2}}));
  Submit(MakeWorkload("w", "q", Cpu(9)));
  EXPECT_THAT(Cycle(), IsEmpty());
  std::vector<Applied> applied;
  const Workload smaller = MakeWorkload("w", "q", Cpu(2));
  ASSERT_TRUE(engine_.Submit(std::span(&smaller, 1), kNoon, &applied).ok());
  EXPECT_THAT(applied, ElementsAre(Applied::kChanged));
  EXPECT_THAT(Cycle(), ElementsAre("w"));
  const Workload larger = MakeWorkload("w", "q", Cpu(3));
  EXPECT_EQ(engine_.Submit(std::span(&larger, 1), kNoon).code(), StatusCode::kInvalidArgument)
      << "podsets are fixed while quota is reserved";
}

TEST_F(EngineTest, AGangStartsWholeOrNotAtAll) {
  Build(testing::MakeQueue("q", "", {{.nominal = 7}}));
  Submit(MakeWorkload("gang", "q", Cpu(1), 0, 8));
  EXPECT_THAT(Cycle(), IsEmpty());
  EXPECT_EQ((*engine_.Pending())[0].reason, PendingReason::kExceedsMaxQuota);
  EXPECT_EQ((*engine_.ClusterQueues())[0].quotas[0].usage, 0);
}

TEST_F(EngineTest, BestEffortStepsAsideAndStrictBlocks) {
  ClusterQueue queue = testing::MakeQueue("q", "", {{.nominal = 4}});
  Build(queue);
  Submit(MakeWorkload("big", "q", Cpu(5), 9));
  Submit(MakeWorkload("small", "q", Cpu(1)));
  EXPECT_THAT(Cycle(), IsEmpty());
  EXPECT_TRUE(Parked("big"));
  EXPECT_THAT(Cycle(), ElementsAre("small"));

  queue.name = "strict";
  queue.queueing_strategy = QueueingStrategy::kStrictFifo;
  Build(queue);
  Submit(MakeWorkload("big2", "strict", Cpu(5), 9));
  Submit(MakeWorkload("small2", "strict", Cpu(1)));
  Cycle();
  EXPECT_FALSE(Parked("big2"));
  EXPECT_THAT(Cycle(), IsEmpty()) << "the head blocks";
}

TEST_F(EngineTest, AnEndWakesWhatWaited) {
  Build(testing::MakeQueue("q", "", {{.nominal = 2}}));
  Submit(MakeWorkload("first", "q", Cpu(2), 1));
  EXPECT_THAT(Cycle(), ElementsAre("first"));
  Submit(MakeWorkload("second", "q", Cpu(2)));
  EXPECT_THAT(Cycle(), IsEmpty());
  EXPECT_TRUE(Parked("second"));
  ASSERT_TRUE(Finish("first").ok());
  EXPECT_FALSE(Parked("second"));
  EXPECT_THAT(Cycle(), ElementsAre("second"));
}

TEST_F(EngineTest, WithdrawingWhoOnlyWaitedWakesNobody) {
  Build(testing::MakeQueue("q", "", {{.nominal = 2}}));
  Submit(MakeWorkload("parked", "q", Cpu(3)));
  Cycle();
  Submit(MakeWorkload("other", "q", Cpu(1)));
  const Key other = DefaultKey("other");
  ASSERT_TRUE(engine_.Cancel(std::span(&other, 1), kNoon).ok());
  EXPECT_TRUE(Parked("parked")) << "no quota came free";
}

TEST_F(EngineTest, EqualWorkloadsParkTogether) {
  Build(testing::MakeQueue("q", "", {{.nominal = 1}}));
  Submit(MakeWorkload("a", "q", Cpu(2)));
  Submit(MakeWorkload("b", "q", Cpu(2)));
  Submit(MakeWorkload("c", "q", Cpu(3)));
  Cycle();
  EXPECT_TRUE(Parked("a"));
  EXPECT_TRUE(Parked("b")) << "it would get the same answer";
  EXPECT_FALSE(Parked("c"));
}

TEST_F(EngineTest, RaisingTheQuotaWakesAndAdmits) {
  ClusterQueue queue = testing::MakeQueue("q", "", {{.nominal = 1}});
  Build(queue);
  Submit(MakeWorkload("w", "q", Cpu(2)));
  Cycle();
  queue.resource_groups = testing::MakeGroups({{.nominal = 2}});
  const Object object = queue;
  ASSERT_TRUE(engine_.Apply(std::span(&object, 1), kNoon).ok());
  EXPECT_THAT(Cycle(), ElementsAre("w"));
}

TEST_F(EngineTest, EvictionKeepsTheQuotaChargedUntilThePodsAreGone) {
  Build(testing::MakeQueue("q", "", {{.nominal = 2}}));
  Submit(MakeWorkload("w", "q", Cpu(2)));
  Cycle();
  const Key key = DefaultKey("w");
  EXPECT_EQ(engine_.Evicted(std::span(&key, 1), kNoon).code(), StatusCode::kFailedPrecondition);
  ASSERT_TRUE(engine_.Evict(key, "Preempted", kNoon).ok());
  EXPECT_EQ((*engine_.ClusterQueues())[0].quotas[0].usage, 2000);
  EXPECT_THAT(*engine_.Evicting(), ElementsAre(key));
  ASSERT_TRUE(engine_.Evicted(std::span(&key, 1), kNoon).ok());
  EXPECT_EQ((*engine_.ClusterQueues())[0].quotas[0].usage, 0);
  EXPECT_THAT(Cycle(), ElementsAre("w")) << "it queues again";
}

TEST_F(EngineTest, DeactivationFreesTheQuotaAtOnce) {
  Build(testing::MakeQueue("q", "", {{.nominal = 2}}));
  Submit(MakeWorkload("w", "q", Cpu(2)));
  Cycle();
  WorkloadUpdate update;
  update.workload = DefaultKey("w");
  update.active = false;
  ASSERT_TRUE(engine_.Update(update, kNoon).ok());
  EXPECT_EQ((*engine_.ClusterQueues())[0].quotas[0].usage, 0);
  EXPECT_EQ(engine_.GetWorkload(update.workload)->phase, WorkloadPhase::kEvicting);
}

TEST_F(EngineTest, ReclaimablePodsShrinkTheUsage) {
  Build(testing::MakeQueue("q", "", {{.nominal = 4}}));
  Submit(MakeWorkload("w", "q", Cpu(1), 0, 4));
  Cycle();
  WorkloadUpdate update;
  update.workload = DefaultKey("w");
  update.reclaimable_pods = {{"main", 3}};
  ASSERT_TRUE(engine_.Update(update, kNoon).ok());
  EXPECT_EQ((*engine_.ClusterQueues())[0].quotas[0].usage, 1000);
}

TEST_F(EngineTest, ADrainedQueueEvictsAndItsWorkloadsWaitForItsRestart) {
  ClusterQueue queue = testing::MakeQueue("q", "", {{.nominal = 2}});
  Build(queue);
  Submit(MakeWorkload("w", "q", Cpu(2)));
  Cycle();
  queue.stop_policy = StopPolicy::kHoldAndDrain;
  Object object = queue;
  ASSERT_TRUE(engine_.Apply(std::span(&object, 1), kNoon).ok());
  const std::vector<Key> evicting = *engine_.Evicting();
  ASSERT_THAT(evicting, ElementsAre(DefaultKey("w")));
  ASSERT_TRUE(engine_.Evicted(evicting, kNoon).ok());
  EXPECT_TRUE(Parked("w"));
  EXPECT_THAT(Cycle(), IsEmpty());
  queue.stop_policy = StopPolicy::kNone;
  object = queue;
  ASSERT_TRUE(engine_.Apply(std::span(&object, 1), kNoon).ok());
  EXPECT_THAT(Cycle(), ElementsAre("w"));
}

TEST_F(EngineTest, ReadinessIsKeptUntilTheReservationEnds) {
  Build(testing::MakeQueue("q", "", {{.nominal = 2}}));
  Submit(MakeWorkload("w", "q", Cpu(2)));
  const Key key = DefaultKey("w");
  EXPECT_EQ(engine_.Ready(std::span(&key, 1), kNoon).code(), StatusCode::kFailedPrecondition);
  Cycle();
  ASSERT_TRUE(engine_.Ready(std::span(&key, 1), kNoon).ok());
  const auto ready = [&] {
    const Result<WorkloadView> view = engine_.GetWorkload(key);
    for (const Condition& c : view->spec.status.conditions) {
      if (c.type == "PodsReady") return c.status;
    }
    return false;
  };
  EXPECT_TRUE(ready());
  ASSERT_TRUE(engine_.Evict(key, "Preempted", kNoon).ok());
  ASSERT_TRUE(engine_.Evicted(std::span(&key, 1), kNoon).ok());
  EXPECT_FALSE(ready());
}

TEST_F(EngineTest, TimeNeverGoesBack) {
  Build(testing::MakeQueue("q", "", {{.nominal = 2}}));
  ASSERT_TRUE(engine_.Advance(kNoon + 100 * kSecond).ok());
  EXPECT_EQ(engine_.RunCycle(kNoon)->at, kNoon + 100 * kSecond);
}

TEST_F(EngineTest, DeletesNothingByTheNamespaceOfAKindThatHasNone) {
  Build(testing::MakeQueue("q", "", {{.nominal = 2}}));
  for (const ObjectKind kind : {ObjectKind::kResourceFlavor, ObjectKind::kClusterQueue}) {
    const std::string name = kind == ObjectKind::kClusterQueue ? "q" : "default";
    const Status refused = engine_.Delete(kind, {"team-a", name}, kNoon, true);
    EXPECT_EQ(refused.code(), StatusCode::kInvalidArgument);
    EXPECT_THAT(refused.message(), HasSubstr("has no namespace; write " + name + ", not team-a/"));
  }
  EXPECT_EQ(engine_.ClusterQueues()->size(), 1u);
}

TEST_F(EngineTest, DeletingWhatIsUsedIsRefusedUnlessForced) {
  Build(testing::MakeQueue("q", "", {{.nominal = 2}}));
  Submit(MakeWorkload("w", "q", Cpu(2)));
  Cycle();
  const Status refused = engine_.Delete(ObjectKind::kClusterQueue, {"", "q"}, kNoon);
  EXPECT_EQ(refused.code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(refused.message(), HasSubstr("LocalQueue default/lq-q"));
  ASSERT_TRUE(engine_.Delete(ObjectKind::kClusterQueue, {"", "q"}, kNoon, true).ok());
  EXPECT_TRUE(engine_.CheckInvariants().ok());
  EXPECT_THAT(Cycle(), IsEmpty());
  EXPECT_EQ(engine_.Delete(ObjectKind::kClusterQueue, {"", "q"}, kNoon).code(),
            StatusCode::kNotFound);
}

TEST_F(EngineTest, ACancelledWorkloadIsForgottenAndItsQuotaFree) {
  Build(testing::MakeQueue("q", "", {{.nominal = 2}}));
  Submit(MakeWorkload("w", "q", Cpu(2)));
  Cycle();
  const Key key = DefaultKey("w");
  ASSERT_TRUE(engine_.Cancel(std::span(&key, 1), kNoon).ok());
  EXPECT_FALSE(engine_.GetWorkload(key).ok());
  EXPECT_EQ((*engine_.ClusterQueues())[0].quotas[0].usage, 0);
  EXPECT_EQ(engine_.Cancel(std::span(&key, 1), kNoon).code(), StatusCode::kNotFound);
}

TEST_F(EngineTest, LentIsIdleQuotaThatOthersUse) {
  const std::vector<Object> objects{testing::MakeNamespace(),
                                    testing::MakeFlavor("default"),
                                    testing::MakeQueue("a", "co", {{.nominal = 4}}),
                                    testing::MakeQueue("b", "co", {{.nominal = 4}}),
                                    testing::MakeLocalQueue("a"),
                                    testing::MakeLocalQueue("b"),
                                    MakeWorkload("w", "a", Cpu(6))};
  ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
  EXPECT_THAT(Cycle(), ElementsAre("w"));
  const std::vector<ClusterQueueView> queues = *engine_.ClusterQueues();
  EXPECT_EQ(queues[0].quotas[0].borrowed, 2000);
  EXPECT_EQ(queues[1].quotas[0].lent, 2000);
  EXPECT_EQ(queues[1].quotas[0].available, 2000);
}

}  // namespace
}  // namespace muster
